"""Writes the packages that the installer installs, with the SHA-256 of each wheel: `make lock`.

pip chooses the wheels, for each supported Python and processor, and reports their hashes without installing anything.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "hardware" / "requirements"
VERSIONS = ROOT / "requirements.lock"

PYTHONS = ("3.11", "3.13")
"""Of Debian 12 and 13, and so of Raspberry Pi OS."""
PROCESSORS = ("x86_64", "aarch64")
OPTIONS = ("mqtt", "https", "club", "league")
"""Extras that the installer installs where they are chosen, each from a file of its own."""
GLIBC_OF_DEBIAN_12 = 36
OLDEST_GLIBC = 17

NO_MARKERS: Mapping[str, str] = {}

_HEADER = """\
# {purpose}: wheels for Linux on x86-64 and aarch64, Python {pythons}.
# Written by `make lock`; do not edit.
"""


class Wheel(Struct, frozen=True):
    """A file that pip would install: the package's name in normal form, its version, and the file's digest in hex."""

    name: str
    version: str
    sha256: str


class Target(Struct, frozen=True):
    """A Python, such as 3.11, on a processor, such as aarch64."""

    python: str
    processor: str

    def options(self) -> Iterator[str]:
        """pip's options that choose wheels for this target instead of the computer that it runs on."""
        yield from ("--python-version", self.python)
        for glibc in range(GLIBC_OF_DEBIAN_12, OLDEST_GLIBC - 1, -1):
            yield from ("--platform", f"manylinux_2_{glibc}_{self.processor}")
        yield from ("--platform", f"manylinux2014_{self.processor}")

    def needs(self, requirement: str) -> bool:
        """Whether the requirement is for this Python. pip itself asks the Python that it runs on."""
        marker = Requirement(requirement).marker
        return marker is None or marker.evaluate({"python_version": self.python, "python_full_version": self.python})


TARGETS = tuple(Target(python, processor) for python in PYTHONS for processor in PROCESSORS)
WITH_LGPIO = tuple(target for target in TARGETS if target != Target("3.13", "x86_64"))
"""Where the package index has lgpio: a Pi, or a PC with the older Python."""


def normal_name(name: str) -> str:
    """A package's name as the index compares names: `luma.oled` and `Luma_OLED` are `luma-oled`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def find_wheels(requirements: Iterable[str], target: Target) -> tuple[Wheel, ...]:
    """The wheels of these requirements and of all that they need, in versions of requirements.lock.

    Raises `CalledProcessError` if a package has no wheel for this target.
    """
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    command += ["--only-binary", ":all:", "--target", "unused", "--constraint", str(VERSIONS), *target.options()]
    needed = [requirement.split(";")[0] for requirement in requirements if target.needs(requirement)]
    done = subprocess.run([*command, *needed], check=True, stdout=subprocess.PIPE, text=True, env=_environ())
    return tuple(_wheel(item) for item in json.loads(done.stdout)["install"])


def _environ() -> dict[str, str]:
    """pip's environment without the package folders of this computer, so that only the index counts."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL")}
    return kept | {"PIP_CONFIG_FILE": os.devnull}


def _wheel(item: Mapping[str, Mapping[str, object]]) -> Wheel:
    """A wheel of pip's report. Raises `ValueError` for a file of this computer, which others may not have."""
    download = item["download_info"]
    metadata = item["metadata"]
    if str(download["url"]).startswith("file:"):
        raise ValueError(f"expected a file of the package index, got {download['url']}")
    archive = download["archive_info"]
    assert isinstance(archive, Mapping)
    return Wheel(normal_name(str(metadata["name"])), str(metadata["version"]), archive["hashes"]["sha256"])


def markers_of(requirements: Iterable[str]) -> Mapping[str, str]:
    """Package -> the marker of its requirement, such as `python_version < "3.13"`; only packages that have one."""
    parsed = [Requirement(requirement) for requirement in requirements]
    return {normal_name(each.name): str(each.marker) for each in parsed if each.marker}


def requirements_file(purpose: str, wheels: Iterable[Wheel], markers: Mapping[str, str] = NO_MARKERS) -> str:
    """The text of a requirements file with hashes. `markers`: package -> where it is installed; the others are
    installed everywhere. Raises `ValueError` for two versions of one package."""
    hashes: dict[tuple[str, str], set[str]] = {}
    for wheel in wheels:
        hashes.setdefault((wheel.name, wheel.version), set()).add(wheel.sha256)
    if len({name for name, _ in hashes}) != len(hashes):
        raise ValueError(f"expected one version of each package, got {sorted(hashes)}")
    entries = list[str]()
    for name, version in sorted(hashes):
        where = f" ; {markers[name]}" if name in markers else ""
        digests = [f"--hash=sha256:{digest}" for digest in sorted(hashes[name, version])]
        entries.append(" \\\n    ".join([f"{name}=={version}{where}", *digests]))
    return _HEADER.format(purpose=purpose, pythons=" and ".join(PYTHONS)) + "\n".join(entries) + "\n"


def main() -> None:
    """Write all requirements files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    _write("program", "The program's packages", project["project"]["dependencies"])
    _write("build", "The build backend", project["build-system"]["requires"])
    _write("lgpio", "lgpio, where Debian has none", extras["pi"], WITH_LGPIO)
    for option in OPTIONS:
        _write(option, f"The option {option}", extras[option])


def _write(name: str, purpose: str, requirements: Sequence[str], targets: Sequence[Target] = TARGETS) -> None:
    with ThreadPoolExecutor() as pool:
        found = pool.map(lambda target: find_wheels(requirements, target), targets)
        text = requirements_file(purpose, (wheel for wheels in found for wheel in wheels), markers_of(requirements))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    main()
