"""A Debian in a folder to install into; to the installer it looks like Raspberry Pi OS."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAMES, GAMES_BEFORE, GAMES_AFTER = (f"var/lib/cribboard{end}" for end in ("", "-before-upgrade", "-after-upgrade"))
VERSIONS, KEPT = "opt/cribboard/versions", "kept-versions"
"""The environments, and copies of those that were made, in the Debian."""
PLACES = ("boot", "etc", "opt", "usr/local", GAMES, GAMES_BEFORE, GAMES_AFTER)
CONFIG_TXT = "# a Pi\ndtparam=audio=on\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n"
CONFIG = "boot/firmware/config.txt"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")

Tree = dict[str, tuple[int, int, int, str]]

needs_debian = pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("debootstrap"),
    reason="NOT TESTED HERE: a Debian in a folder needs root and debootstrap. Fix: sudo apt install debootstrap",
)


class Debian:
    """A Debian in a folder, with the groups and the config.txt of Raspberry Pi OS."""

    def __init__(self, folder: Path, suite: str) -> None:
        self.folder = folder
        make = ["debootstrap", "--variant=minbase", "--include=systemd,passwd", suite, str(folder)]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        (folder / "etc/dpkg/dpkg.cfg.d/unsafe").write_text("force-unsafe-io\n")  # faster, and the folder is temporary
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        if CERTIFICATES.exists():  # so that pip trusts the same certificates as this computer
            shutil.copy(CERTIFICATES, folder / "trusted.crt")
        for group in ("gpio", "spi", "i2c"):
            self.run("groupadd", "--system", group)
        (folder / CONFIG).parent.mkdir(parents=True)
        (folder / CONFIG).write_text(CONFIG_TXT)
        for name in ("firmware_host", "board_drivers", "web_panel", "hardware", "release"):
            shutil.copytree(ROOT / name, folder / "src" / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, folder / "src" / name)
        self._report_users()

    def _report_users(self) -> None:
        """Let pip, and Python of each version, say as which user it runs, by a file with the number of the user."""
        packages = self.folder / "usr/lib/python3/dist-packages"
        packages.mkdir(parents=True, exist_ok=True)
        for folder, condition in (
            ("pip-users", "'pip' in sys.orig_argv"),
            ("python-users", "sys.prefix.startswith('/opt/cribboard')"),
        ):
            (self.folder / folder).mkdir()
            (self.folder / folder).chmod(0o777)
            report = f"open(f'/{folder}/{{os.getuid()}}', 'w')"
            (packages / f"report_{folder}.pth").write_text(f"import os, sys; {condition} and {report}\n")

    def add_release(self, version: str) -> Path:
        """Add the sources of a later version, in /src-VERSION; returns their folder on this computer."""
        sources = self.folder / f"src-{version}"
        shutil.copytree(self.folder / "src", sources, dirs_exist_ok=True)
        project = sources / "pyproject.toml"
        project.write_text(re.sub('(?m)^version = ".*"$', f'version = "{version}"', project.read_text()))
        return sources

    @property
    def version(self) -> str:
        """The version that runs at the next start."""
        return self.run("cribboard", "--version").split()[-1]

    def run(self, *command: str) -> str:
        """The output of a command in the Debian; it must succeed."""
        done = self.try_to_run(*command)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def try_to_run(self, *command: str) -> subprocess.CompletedProcess[str]:
        environ = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        if (self.folder / "trusted.crt").exists():
            environ["PIP_CERT"] = "/trusted.crt"
        chroot = ["chroot", str(self.folder), *command]
        return subprocess.run(chroot, env=environ, capture_output=True, text=True, cwd="/")

    def has_module(self, module: str) -> bool:
        """Whether the program of the current version can import it."""
        return self.try_to_run("/opt/cribboard/venv/bin/python3", "-c", f"import {module}").returncode == 0

    def install(self, *options: str, sources: str = "src") -> str:
        """Run install.sh; returns its output. It finds the environment of these sources if an earlier test had it made,
        as after an installation that was interrupted then: it checks each file, and makes no other one."""
        if not {"--uninstall", "--rollback"} & {*options}:
            self._put_back(sources)
        output = self.run("bash", f"/{sources}/hardware/install.sh", *options)
        self._keep()
        return output

    def _put_back(self, sources: str) -> None:
        (version,) = re.findall('(?m)^version = "(.*)"$', (self.folder / sources / "pyproject.toml").read_text())
        for kept in (self.folder / KEPT).glob(f"{version}-*"):
            if not (self.folder / VERSIONS / kept.name).exists():
                shutil.copytree(kept, self.folder / VERSIONS / kept.name, symlinks=True)

    def _keep(self) -> None:
        """Keep a copy of each new environment, as it was sealed: without options."""
        for made in (self.folder / VERSIONS).glob("*"):
            kept = self.folder / KEPT / made.name
            if not kept.exists():
                shutil.copytree(made, kept, symlinks=True)
                shutil.rmtree(kept / "options", ignore_errors=True)
                for file in kept.glob("lib/python3*/site-packages/cribboard_options.pth"):
                    file.unlink()

    def run_as_user(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a shell command as the user cribboard."""
        return self.try_to_run(
            "su", "-s", "/bin/sh", "-c", f"cd /tmp; PATH=$PATH:/usr/local/bin; {command}", "cribboard"
        )

    def tree(self) -> Tree:
        """Every file, folder and link where the installer may write, without Python's caches and passwd's backups."""
        paths = (path for place in PLACES for path in (self.folder / place).rglob("*"))
        kept = (path for path in paths if "__pycache__" not in path.parts and not path.name.endswith("-"))
        return {str(path.relative_to(self.folder)): _entry(path) for path in kept}


def changed(before: Tree, after: Tree) -> Sequence[str]:
    """The paths of which anything differs."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def _entry(path: Path) -> tuple[int, int, int, str]:
    """Mode, owner, group, and the target of a link or the digest of a file."""
    status = path.lstat()
    content = os.readlink(path) if path.is_symlink() else ""
    if path.is_file() and not content:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    return status.st_mode, status.st_uid, status.st_gid, content


@contextmanager
def unpacked(folder: Path, suite: str) -> Iterator[Debian]:
    """A Debian unpacked into this folder, in memory if possible, as a disk is much slower. Deleted afterwards."""
    in_memory = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2g", "debian", str(folder)]).returncode == 0
    try:
        yield Debian(folder, suite)
    finally:
        if in_memory:
            subprocess.run(["umount", str(folder)], check=True)
        shutil.rmtree(folder)
