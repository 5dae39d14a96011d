"""A Debian in a folder, for installing into: like Raspberry Pi OS as far as the installer can tell."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = ("boot", "etc", "opt", "usr/local", "var/lib/cribboard")
CONFIG_TXT = "# a Pi\ndtparam=audio=on\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n"
CONFIG = "boot/firmware/config.txt"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")

Tree = dict[str, tuple[int, int, int, str]]

needs_debian = pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("debootstrap"),
    reason="NOT PROVED HERE: a Debian of its own needs root and debootstrap; sudo apt install debootstrap",
)


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


@contextmanager
def unpacked(folder: Path, suite: str) -> Iterator[Debian]:
    """In memory if we may: unpacking a Debian waits for the disk ten thousand times. Gone again afterwards."""
    in_memory = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2g", "debian", str(folder)]).returncode == 0
    try:
        yield Debian(folder, suite)
    finally:
        if in_memory:
            subprocess.run(["umount", str(folder)], check=True)
        shutil.rmtree(folder)
