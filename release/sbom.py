"""The software bill of materials of a release: what the installer installs, as CycloneDX 1.6 in JSON.

It is made from the pinned packages and from what their installed metadata says of licences and requirements.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata, requires
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from msgspec import Struct

from release.pin_packages import FOLDER, OPTIONS, normal_name


class PinnedPackage(Struct, frozen=True):
    """An entry of a requirements file: name in normal form, version, and the SHA-256 of each wheel in hex."""

    name: str
    version: str
    hashes: tuple[str, ...]

    @property
    def reference(self) -> str:
        """Its package URL."""
        return f"pkg:pypi/{self.name}@{self.version}"


def read_requirements(file: Path) -> Iterator[PinnedPackage]:
    """The entries of a file that `make lock` wrote. Raises ValueError for an entry without version or hash."""
    lines = (line for line in file.read_text().splitlines() if not line.startswith("#"))
    for entry in "\n".join(lines).replace("\\\n", " ").splitlines():
        found = re.fullmatch(r"([a-z0-9-]+)==(\S+)(?: ; [^;]+?)?((?:\s+--hash=sha256:[0-9a-f]{64})+)", entry.strip())
        if not found:
            raise ValueError(f"{file.name}: expected name==version --hash=sha256:..., got {entry}")
        yield PinnedPackage(found[1], found[2], tuple(re.findall("[0-9a-f]{64}", found[3])))


def read(name: str) -> tuple[PinnedPackage, ...]:
    """The packages of a requirements file in hardware/requirements."""
    return tuple(read_requirements(FOLDER / f"{name}.txt"))


def bill_of_materials(version: str, built_at: str, digests: Mapping[str, str]) -> dict[str, object]:
    """The bill of a release. `built_at`: ISO 8601, in UTC; `digests`: SHA-256 of each file of the release, by name."""
    program, lgpio, build = (read(name) for name in ("program", "lgpio", "build"))
    chosen = {package: None for option in OPTIONS for package in read(option) if package not in program}
    ours = f"pkg:pypi/cribboard@{version}"
    runs = (*program, *lgpio, *chosen)
    components = [_component(package, "optional" if package in chosen else "required") for package in runs]
    components += [_component(package, "excluded") for package in build if package not in runs]
    main = {"type": "application", "bom-ref": ours, "name": "cribboard", "version": version, "purl": ours}
    files = [
        {"type": "distribution", "url": name, "hashes": [_hash(digest)]} for name, digest in sorted(digests.items())
    ]
    content = {
        "metadata": {
            "timestamp": built_at,
            "lifecycles": [{"phase": "build"}],
            "component": main | {"licenses": [{"license": {"id": "MIT"}}], "externalReferences": files},
        },
        "components": components,
        "dependencies": _dependencies(ours, runs),
    }
    serial = uuid5(NAMESPACE_URL, json.dumps(content, sort_keys=True))  # the same bill has the same number
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1}
    return head | content


def _component(package: PinnedPackage, scope: str) -> dict[str, object]:
    """`scope` is of CycloneDX: `optional` packages are of the installer's options, `excluded` ones build the program
    and are not installed."""
    content: dict[str, object] = {
        "type": "library",
        "bom-ref": package.reference,
        "name": package.name,
        "version": package.version,
        "scope": scope,
        "hashes": [_hash(digest) for digest in package.hashes],
        "purl": package.reference,
    }
    if (found := _metadata(package.name)) and (licence := licence_of(found)):
        content["licenses"] = [{"license": {"name": licence}}]
    return content


def _hash(digest: str) -> dict[str, str]:
    return {"alg": "SHA-256", "content": digest}


def _metadata(name: str) -> PackageMetadata | None:
    try:
        return metadata(name)
    except PackageNotFoundError:
        return None


def licence_of(found: PackageMetadata) -> str:
    """The licence that a package states, in one line; empty if it states none or only its whole text."""
    stated = next((found[key] for key in ("License-Expression", "License") if key in found), "")
    classes = [text.split(" :: ")[-1] for text in found.get_all("Classifier") or () if text.startswith("License ::")]
    return stated if stated and "\n" not in stated else ", ".join(classes)


def _dependencies(ours: str, packages: Sequence[PinnedPackage]) -> list[dict[str, object]]:
    """Which pinned package needs which, as far as it is installed here."""
    known = {package.name: package.reference for package in packages}
    needs = {package.reference: _needed(package.name, known) for package in packages}
    return [{"ref": ref, "dependsOn": on} for ref, on in {ours: _needed("cribboard", known), **needs}.items()]


def _needed(name: str, known: Mapping[str, str]) -> list[str]:
    try:
        stated = requires(name) or []
    except PackageNotFoundError:
        stated = []
    names = {normal_name(re.split(r"[^A-Za-z0-9._-]", text)[0]) for text in stated if "extra ==" not in text}
    return sorted(known[each] for each in names & known.keys())
