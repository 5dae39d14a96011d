"""The computer as the checks see it: files, device nodes, programs, packages. Reads only, changes nothing."""

from __future__ import annotations

import errno
import getpass
import grp
import os
import shutil
import subprocess
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from board_drivers import device_nodes
from board_drivers.gpio_info import ChipInfo, read_chip_info

COMMAND_S = 5.0
"""Limit for the run time of a command."""


class Program(Struct, frozen=True):
    """A running program: its process id and its command line."""

    pid: int
    command: str

    @property
    def runs_cribboard(self) -> bool:
        """Whether it is `cribboard run`, by whatever path."""
        words = self.command.split()
        return "run" in words and any("cribboard" in word or word == "firmware_host" for word in words)

    def __str__(self) -> str:
        """Name and pid, without the folders: their names may identify a person."""
        name = "cribboard" if self.runs_cribboard else os.path.basename(self.command.split(" ")[0])
        return f"{name or 'a program'} (pid {self.pid})"


class Machine(Protocol):
    """What the checks need from a computer. No method raises for what is missing; tests have an implementation too."""

    def user(self) -> str:
        """The name of the current user, or the uid if it has no name."""

    def groups(self) -> Collection[str]:
        """Names of the groups of this process."""

    def read(self, path: str) -> str:
        """The text of a file; "" if it cannot be read."""

    def names(self, folder: str) -> Sequence[str]:
        """Names in a folder, sorted; empty if it cannot be read."""

    def run(self, *command: str) -> str:
        """The output of a command, stripped; "" if it is missing, fails or takes longer than COMMAND_S."""

    def refusal(self, node: str) -> int:
        """The errno of opening a device node; 0 if it opens."""

    def chip(self, node: str, lines: Collection[int]) -> ChipInfo | None:
        """The label of a gpiochip and who holds these lines; None if it cannot be opened."""

    def users_of(self, node: str) -> Sequence[Program]:
        """Other programs that have a node open, as far as this user can see."""

    def version(self, package: str) -> str:
        """The version of a Python package; "" if it is not installed."""

    def may_write(self, folder: Path) -> bool:
        """Whether files can be made in an existing folder."""

    def free_bytes(self, folder: Path) -> int:
        """Free space of the file system of an existing folder."""

    def now(self) -> datetime:
        """The local time, with its time zone."""


class ThisMachine:
    """The Machine on which this process runs."""

    def user(self) -> str:
        with suppress(KeyError, OSError):  # a uid without a name
            return getpass.getuser()
        return str(os.getuid())

    def groups(self) -> Collection[str]:
        return frozenset(_group_name(number) for number in {os.getegid(), *os.getgroups()})

    def read(self, path: str) -> str:
        with suppress(OSError):
            return Path(path).read_text(encoding="utf-8", errors="replace")
        return ""

    def names(self, folder: str) -> Sequence[str]:
        with suppress(OSError):
            return sorted(os.listdir(folder))
        return ()

    def run(self, *command: str) -> str:
        with suppress(OSError, subprocess.SubprocessError):
            done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_S, check=True)
            return done.stdout.strip()
        return ""

    def refusal(self, node: str) -> int:
        try:
            device_nodes.probe_node(node)
        except OSError as refused:
            return refused.errno or errno.EIO
        return 0

    def chip(self, node: str, lines: Collection[int]) -> ChipInfo | None:
        with suppress(OSError):
            return read_chip_info(node, lines)
        return None

    def users_of(self, node: str) -> Sequence[Program]:
        return [Program(pid, _command_of(pid)) for pid in _programs() if pid != os.getpid() and _has_open(pid, node)]

    def version(self, package: str) -> str:
        with suppress(metadata.PackageNotFoundError):
            return metadata.version(package)
        return ""

    def may_write(self, folder: Path) -> bool:
        return os.access(folder, os.W_OK | os.X_OK)

    def free_bytes(self, folder: Path) -> int:
        return shutil.disk_usage(folder).free

    def now(self) -> datetime:
        return datetime.now().astimezone()


def _group_name(number: int) -> str:
    with suppress(KeyError):
        return grp.getgrgid(number).gr_name
    return str(number)


def _programs() -> Iterator[int]:
    yield from sorted(int(name) for name in os.listdir("/proc") if name.isdecimal())


def _command_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace").replace("\0", " ").strip()
    return ""


def _has_open(pid: int, node: str) -> bool:
    """False also for programs of other users, whose open files only root can see."""
    with suppress(OSError):
        for opened in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                if os.readlink(f"/proc/{pid}/fd/{opened}") == node:
                    return True
    return False
