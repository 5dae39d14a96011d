"""The installer for real, in a fresh Debian of its own: installed, broken, mended, taken off again without a trace.

Root and debootstrap are needed. This proves no Raspberry Pi: its archive, its kernel and its config.txt at work are not
here.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = ("boot", "etc", "opt", "usr/local", "var/lib/cribboard")
CONFIG_TXT = "# a Pi\ndtparam=audio=on\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n"
CONFIG = "boot/firmware/config.txt"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.geteuid() != 0 or not shutil.which("debootstrap"),
        reason="NOT PROVED HERE: a Debian of its own needs root and debootstrap; sudo apt install debootstrap",
    ),
]

Tree = dict[str, tuple[int, int, int, str]]


class Debian:
    """A Debian in a folder, with the groups and the config.txt that Raspberry Pi OS has."""

    def __init__(self, folder: Path, suite: str) -> None:
        self.folder = folder
        make = ["debootstrap", "--variant=minbase", "--include=systemd,passwd", suite, str(folder)]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        (folder / "etc/dpkg/dpkg.cfg.d/unsafe").write_text("force-unsafe-io\n")  # quick, and nobody will miss it
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        if CERTIFICATES.exists():  # whom this computer trusts
            shutil.copy(CERTIFICATES, folder / "trusted.crt")
        for group in ("gpio", "spi", "i2c"):
            self.does("groupadd", "--system", group)
        (folder / CONFIG).parent.mkdir(parents=True)
        (folder / CONFIG).write_text(CONFIG_TXT)
        for name in ("firmware_host", "board_drivers", "web_panel", "hardware"):
            shutil.copytree(ROOT / name, folder / "src" / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "requirements.lock", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, folder / "src" / name)

    def does(self, *command: str) -> str:
        """What a command in there prints; it must end well."""
        done = self.tries(*command)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def tries(self, *command: str) -> subprocess.CompletedProcess[str]:
        environ = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        if (self.folder / "trusted.crt").exists():
            environ["PIP_CERT"] = "/trusted.crt"
        there = ["chroot", str(self.folder), *command]
        return subprocess.run(there, env=environ, capture_output=True, text=True, cwd="/")

    def install(self, *options: str) -> str:
        return self.does("bash", "/src/hardware/install.sh", *options)

    def as_user(self, command: str) -> subprocess.CompletedProcess[str]:
        return self.tries("su", "-s", "/bin/sh", "-c", f"cd /tmp; PATH=$PATH:/usr/local/bin; {command}", "cribboard")

    def tree(self) -> Tree:
        """Every file, folder and link in the places we may touch; what Python compiles and passwd's copies aside."""
        paths = (path for place in PLACES for path in (self.folder / place).rglob("*"))
        kept = (path for path in paths if "__pycache__" not in path.parts and not path.name.endswith("-"))
        return {str(path.relative_to(self.folder)): _facts(path) for path in kept}


def _facts(path: Path) -> tuple[int, int, int, str]:
    about = path.lstat()
    text = os.readlink(path) if path.is_symlink() else ""
    if path.is_file() and not text:
        text = hashlib.sha256(path.read_bytes()).hexdigest()
    return about.st_mode, about.st_uid, about.st_gid, text


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def debian(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    folder = tmp_path_factory.mktemp(request.param)
    # In memory if we may: unpacking a Debian waits for the disk ten thousand times.
    in_memory = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2g", "debian", str(folder)]).returncode == 0
    try:
        yield Debian(folder, request.param)
    finally:
        if in_memory:
            subprocess.run(["umount", str(folder)], check=True)
        shutil.rmtree(folder)


def changed(before: Tree, after: Tree) -> Sequence[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def test_installed_broken_mended_and_taken_off_without_a_trace(debian: Debian) -> None:
    debian.install()
    debian.install("--uninstall", "--purge")
    bare = debian.tree()  # with the packages of the system, which stay

    debian.install()
    installed = debian.tree()
    told = (debian.folder / CONFIG).read_text()
    assert told.startswith(CONFIG_TXT) and told.count("dtparam=spi=on") == 1
    assert (debian.folder / f"{CONFIG}.before-cribboard").read_text() == CONFIG_TXT
    assert "twenty-nine" in debian.does("cribboard", "count", "5H 5S 5D JC", "5C")
    debian.does("systemd-analyze", "verify", "--man=no", "cribboard.service")

    again = debian.install()
    assert "now write" not in again and changed(installed, debian.tree()) == []

    spoil(debian.folder)
    debian.install()
    assert changed(installed, debian.tree()) == []

    doctor_knows_the_place(debian)
    taken_off(debian, bare)


def spoil(folder: Path) -> None:
    """A hand in the boot lines, a lost unit, an environment that was half deleted."""
    config = folder / CONFIG
    config.write_text(config.read_text().replace("dtparam=spi=on\n", ""))
    (folder / "etc/systemd/system/cribboard.service").unlink()
    shutil.rmtree(next((folder / "opt/cribboard/venv/lib").glob("python3*/site-packages/pip")))


def doctor_knows_the_place(debian: Debian) -> None:
    debian.does("install", "-d", "-o", "cribboard", "/var/lib/cribboard")  # systemd makes it at the first start
    doctor = debian.as_user("cribboard doctor --json")
    verdicts = {told["check"]: told["verdict"] for told in map(json.loads, doctor.stdout.splitlines())}
    assert doctor.returncode == 1, "there are no wires here"
    well = {"system", "gpiozero", "luma-oled", "boot lines", "groups", "folder", "journal"}
    assert {check for check in well if verdicts[check] != "ok"} == set()


def taken_off(debian: Debian, bare: Tree) -> None:
    (debian.folder / "var/lib/cribboard/journal.sqlite3").write_text("games")
    debian.install("--uninstall")
    left = set(changed(bare, debian.tree()))
    games_and_settings = {"var/lib/cribboard/journal.sqlite3", "etc/cribboard", "etc/cribboard/cribboard.toml"}
    user = {"etc/passwd", "etc/group", "etc/shadow", "etc/gshadow"}
    assert left == games_and_settings | user
    assert (debian.folder / CONFIG).read_text() == CONFIG_TXT

    debian.install("--uninstall", "--purge")
    assert changed(bare, debian.tree()) == []
