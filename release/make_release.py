"""Builds a release from the latest commit: `make release`.

The archive (sdist) and the wheel are built from the committed files alone, by the pinned build backend. Their dates are
those of the commit, so everybody who builds the same commit with the same Python gets the same bytes. Then the wheel is
installed with its declared dependencies alone, and tried.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware_host.doctor.smoke import smoke
from release.fresh_environment import install_wheel
from release.sbom import bill_of_materials

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"


def make_release(folder: Path, commit: str = "HEAD") -> None:
    """Write archive, wheel, bill of materials and SHA256SUMS of a commit into an empty or new folder.

    Raises CalledProcessError if git, pip or the build backend fails, FileExistsError if the folder has files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"expected an empty folder, got files in {folder}. Fix: delete them")
    committed_s = int(_output("git", "show", "-s", "--format=%ct", commit))
    with TemporaryDirectory() as made:
        source = Path(made, "source")
        backend = Path(made, "backend")
        _export(commit, source)
        _install_backend(source, backend)
        _build(source, backend, folder, committed_s)
        version = tomllib.loads((source / "pyproject.toml").read_text())["project"]["version"]
    digests = {file.name: _sha256(file) for file in folder.iterdir()}
    bill = bill_of_materials(version, datetime.fromtimestamp(committed_s, UTC).isoformat(), digests)
    (folder / f"cribboard-{version}.cdx.json").write_text(json.dumps(bill, indent=2) + "\n")
    sums = "".join(f"{_sha256(file)}  {file.name}\n" for file in sorted(folder.iterdir()))
    (folder / SUMS).write_text(sums)


def _export(commit: str, source: Path) -> None:
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(source, filter="data")


def _install_backend(source: Path, backend: Path) -> None:
    pinned = source / "hardware" / "requirements" / "build.txt"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    install += ["--only-binary", ":all:", "--require-hashes", "--target", str(backend), "-r", str(pinned)]
    subprocess.run(install, check=True)


def _build(source: Path, backend: Path, folder: Path, committed_s: int) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder.resolve())]
    environ = os.environ | {"PYTHONPATH": str(backend), "SOURCE_DATE_EPOCH": str(committed_s)}
    subprocess.run(build, cwd=source, env=environ, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def try_wheel(folder: Path) -> None:
    """Install the wheel in a folder with its declared dependencies, and try it. Raises SystemExit if it does not work,
    and CalledProcessError if it cannot be installed."""
    (wheel,) = folder.glob("*.whl")
    with TemporaryDirectory() as made:
        failures = smoke(install_wheel(wheel.resolve(), Path(made, "environment")))
    if failures:
        raise SystemExit(f"{wheel.name} does not work. Fix: repair what is named above, and build the release again")


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def main() -> None:
    """Write the release of the latest commit into dist/, and try it. Refuses a checkout with changes."""
    if _output("git", "status", "--porcelain", "--untracked-files=no"):
        raise SystemExit("expected a checkout without changes. Fix: commit or stash them")
    folder = ROOT / "dist"
    shutil.rmtree(folder, ignore_errors=True)
    make_release(folder)
    try_wheel(folder)
    print((folder / SUMS).read_text(), end="")


if __name__ == "__main__":
    main()
