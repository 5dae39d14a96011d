"""What the doctor asks of a computer, and this computer's answers. Nothing here changes anything."""

from __future__ import annotations

import errno
import getpass
import grp
import os
import shutil
import subprocess
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Protocol

from board_drivers import nodes
from board_drivers.lines import ChipSeen, look_at_chip

COMMAND_S = 5.0
"""How long a command may take to answer."""


@dataclass(frozen=True, slots=True)
class Program:
    """One that runs, by its number and how it was called."""

    pid: int
    command: str

    @property
    def is_a_board(self) -> bool:
        """Whether it is `cribboard run`, by whatever path."""
        words = self.command.split()
        return "run" in words and any("cribboard" in word or word == "firmware_host" for word in words)

    def __str__(self) -> str:
        """Without the folders, which may be named after a person."""
        name = "cribboard" if self.is_a_board else os.path.basename(self.command.split(" ")[0])
        return f"{name or 'a program'} (pid {self.pid})"


class Machine(Protocol):
    def user(self) -> str: ...
    def groups(self) -> Collection[str]:
        """The groups this program has, by name."""

    def read(self, path: str) -> str:
        """The text of a file of the system; nothing where there is none to be read."""

    def names(self, folder: str) -> Sequence[str]:
        """What is in a folder, sorted; nothing where there is none."""

    def run(self, *command: str) -> str:
        """What a command prints; nothing if it is not there, fails, or takes too long."""

    def refusal(self, node: str) -> int:
        """The errno with which a device node refuses to open; 0: it opens."""

    def chip(self, node: str, lines: Collection[int]) -> ChipSeen | None:
        """A gpiochip and who holds these lines; None: it does not tell us."""

    def users_of(self, node: str) -> Sequence[Program]:
        """The programs that have a node open, as far as this user may see; we ourselves are not among them."""

    def version(self, package: str) -> str:
        """Nothing if it is not installed."""

    def may_write(self, folder: Path) -> bool: ...
    def free_bytes(self, folder: Path) -> int: ...
    def now(self) -> datetime:
        """The local time."""


class ThisMachine:
    """A `Machine`: the one we run on."""

    def user(self) -> str:
        with suppress(KeyError, OSError):  # a user without a name
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
            nodes.open_node(node)
        except OSError as refused:
            return refused.errno or errno.EIO
        return 0

    def chip(self, node: str, lines: Collection[int]) -> ChipSeen | None:
        with suppress(OSError):
            return look_at_chip(node, lines)
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
    """Other people's programs do not show us what they have open."""
    with suppress(OSError):
        for opened in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                if os.readlink(f"/proc/{pid}/fd/{opened}") == node:
                    return True
    return False
