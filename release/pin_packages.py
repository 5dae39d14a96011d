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
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "hardware" / "requirements"
VERSIONS = ROOT / "requirements.lock"

PYTHONS = ("3.11", "3.13")
"""Of Debian 12 and 13, and so of Raspberry Pi OS."""
PROCESSORS = ("x86_64", "aarch64")
GLIBC_OF_DEBIAN_12 = 36
OLDEST_GLIBC = 17

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


TARGETS = tuple(Target(python, processor) for python in PYTHONS for processor in PROCESSORS)


def normal_name(name: str) -> str:
    """A package's name as the index compares names: `luma.oled` and `Luma_OLED` are `luma-oled`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def find_wheels(requirements: Iterable[str], target: Target) -> tuple[Wheel, ...]:
    """The wheels of these requirements and of all that they need, in versions of requirements.lock.

    Raises `CalledProcessError` if a package has no wheel for this target.
    """
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    command += ["--only-binary", ":all:", "--target", "unused", "--constraint", str(VERSIONS), *target.options()]
    done = subprocess.run([*command, *requirements], check=True, stdout=subprocess.PIPE, text=True, env=_environ())
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


def requirements_file(purpose: str, wheels: Iterable[Wheel]) -> str:
    """The text of a requirements file with hashes. Raises `ValueError` for two versions of one package."""
    hashes: dict[tuple[str, str], set[str]] = {}
    for wheel in wheels:
        hashes.setdefault((wheel.name, wheel.version), set()).add(wheel.sha256)
    if len({name for name, _ in hashes}) != len(hashes):
        raise ValueError(f"expected one version of each package, got {sorted(hashes)}")
    entries = (
        " \\\n    ".join(
            [f"{name}=={version}", *(f"--hash=sha256:{digest}" for digest in sorted(hashes[name, version]))]
        )
        for name, version in sorted(hashes)
    )
    return _HEADER.format(purpose=purpose, pythons=" and ".join(PYTHONS)) + "\n".join(entries) + "\n"


def main() -> None:
    """Write all requirements files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    python_of_debian_12 = tuple(target for target in TARGETS if target.python == "3.11")  # lgpio has no later wheels
    _write("program", "The program's packages", project["project"]["dependencies"], TARGETS)
    _write("build", "The build backend", project["build-system"]["requires"], TARGETS)
    _write("lgpio", "lgpio, where Debian has none", extras["pi"], python_of_debian_12)


def _write(name: str, purpose: str, requirements: list[str], targets: Iterable[Target]) -> None:
    with ThreadPoolExecutor() as pool:
        found = pool.map(lambda target: find_wheels(requirements, target), targets)
        text = requirements_file(purpose, (wheel for wheels in found for wheel in wheels))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    main()
