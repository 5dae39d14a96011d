"""A release is built from the commit alone, is the same each time, and can be verified. Needs git and the network."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from release.make_release import ROOT, SUMS, make_release

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / ".git").exists() or not shutil.which("git"), reason="NOT TESTED HERE: this is no git checkout"
    ),
]


@pytest.fixture(scope="module")
def commit() -> str:
    """The latest commit when the tests began."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory, commit: str) -> Path:
    folder = tmp_path_factory.mktemp("released")
    make_release(folder, commit)
    return folder


def verify(folder: Path) -> subprocess.CompletedProcess[str]:
    """As an owner does."""
    return subprocess.run(["sha256sum", "--check", SUMS], cwd=folder, capture_output=True, text=True)


def test_the_same_commit_gives_the_same_bytes(released: Path, tmp_path: Path, commit: str) -> None:
    make_release(tmp_path, commit)
    assert (tmp_path / SUMS).read_text() == (released / SUMS).read_text()


def test_a_changed_file_is_detected(released: Path, tmp_path: Path) -> None:
    assert verify(released).returncode == 0
    copy = shutil.copytree(released, tmp_path / "copy")
    (archive,) = copy.glob("*.tar.gz")
    archive.write_bytes(archive.read_bytes()[:-1] + b"x")
    done = verify(copy)
    assert done.returncode == 1 and f"{archive.name}: FAILED" in done.stdout


def test_the_archive_has_everything_that_the_installer_needs(released: Path) -> None:
    (archive,) = released.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        by_name = {member.name.partition("/")[2]: member for member in files}
    needed = ["hardware/install.sh", "hardware/installer/environment.sh", "hardware/installer/versions.sh"]
    needed += [f"hardware/requirements/{name}.txt" for name in ("program", "build", "lgpio")]
    needed += ["hardware/system/cribboard.service", "pyproject.toml", "README.md", "LICENSE"]
    assert set(needed) <= by_name.keys()
    assert by_name["hardware/install.sh"].mode & 0o111, "it can be run"
    assert not [name for name in by_name if name.startswith((".venv", "hardware/build"))]


def test_a_folder_with_files_is_refused(released: Path) -> None:
    with pytest.raises(FileExistsError, match="expected an empty folder"):
        make_release(released)
