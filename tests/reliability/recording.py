"""Records the calls by which a program changes its disk, and what it had acknowledged at each moment."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("recorder.c")
COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
NO_COMPILER = "POWER CUTS WERE NOT TESTED: no C compiler for recorder.c; fix: apt install gcc libc6-dev"

ACKNOWLEDGED_FILE = "acknowledged"
"""A recorded program writes its acknowledgements to this file. It is not part of the simulated disk."""
SHARED_MEMORY = "-shm"
BLOCK = 4096

_HEADER = struct.Struct("=4Iq")


class Kind(IntEnum):
    """Kinds of calls, numbered as in recorder.c."""

    CREATE = 1
    WRITE = 2
    TRUNCATE = 3
    SYNC = 4
    UNLINK = 5
    RENAME = 6
    MKDIR = 7
    RMDIR = 8


class Call(Struct, frozen=True):
    """One call that changed or synced the disk. Paths are relative to the recorded folder, whose own path is "".

    `offset` is the place of written data, or the new length of a truncated file.
    """

    kind: Kind
    path: str
    other: str = ""
    data: bytes = b""
    offset: int = 0


class Acknowledgement(Struct, frozen=True):
    """What the program acknowledged after `calls` calls: subject -> digest, such as journal -> digest of all its
    turns."""

    calls: int
    digests: Mapping[str, str]


class Recording(Struct, frozen=True):
    """The files before and after, the calls, and the acknowledgements, in order of time."""

    before: Mapping[str, bytes]
    calls: tuple[Call, ...]
    acknowledgements: tuple[Acknowledgement, ...]
    after: Mapping[str, bytes]

    def acceptable(self, calls: int, subject: str) -> set[str]:
        """The digests that may be found after so many calls: the last acknowledged one, or the one in progress."""
        about = [each for each in self.acknowledgements if subject in each.digests]
        last = [each.digests[subject] for each in about if each.calls <= calls][-1:]
        in_progress = [each.digests[subject] for each in about if each.calls > calls][:1]
        return {*last, *in_progress}

    def between(self, begins: str, ends: str) -> Recording:
        """The part of the recording between two phases, which the program acknowledged by their names."""
        index = {each.digests.get("phase"): place for place, each in enumerate(self.acknowledgements)}
        part = self.acknowledgements[index[begins] : index[ends]]
        calls = self.calls[part[0].calls : self.acknowledgements[index[ends]].calls]
        return replace(self, calls=calls, acknowledgements=part)

    @property
    def bytes_written(self) -> int:
        return sum(len(call.data) for call in self.calls if call.kind is Kind.WRITE)

    @property
    def blocks_written(self) -> int:
        """Blocks of BLOCK bytes that reach the card. Repeated writes of a block before a sync count once."""
        written, pending = 0, set[tuple[str, int]]()
        for call in self.calls:
            if call.kind is Kind.WRITE:
                last = (call.offset + len(call.data) - 1) // BLOCK
                pending |= {(call.path, block) for block in range(call.offset // BLOCK, last + 1)}
            elif call.kind is Kind.SYNC:
                written += sum(path == call.path for path, _ in pending)
                pending = {(path, block) for path, block in pending if path != call.path}
        return written + len(pending)

    @property
    def syncs(self) -> int:
        return sum(call.kind is Kind.SYNC for call in self.calls)


def record(folder: Path, *programs: Sequence[str], before: Mapping[str, bytes] | None = None) -> Recording:
    """Run Python programs (module and arguments) one after another, and record all changes below `folder`/disk.

    A program may end in any way, also by a signal; it must not print a traceback. `before`: files that exist at the
    start.
    """
    disk, log = folder / "disk", folder / "calls"
    for name, content in (before or {}).items():
        (disk / name).parent.mkdir(parents=True, exist_ok=True)
        (disk / name).write_bytes(content)
    disk.mkdir(parents=True, exist_ok=True)
    environ = os.environ | recorder(folder, disk, log)
    for program in programs:
        done = subprocess.run([sys.executable, "-m", *program], cwd=ROOT, env=environ, capture_output=True, text=True)
        assert "Traceback" not in done.stderr, done.stderr
    return recording_of(disk, log, before or {})


def recorder(folder: Path, disk: Path, log: Path) -> dict[str, str]:
    """The environment of a process, and its children, whose changes below `disk` are appended to `log`. The library is
    built in `folder`."""
    return {"LD_PRELOAD": str(_built(folder)), "RECORD_TO": str(log), "RECORD_UNDER": str(disk)}


def recording_of(disk: Path, log: Path, before: Mapping[str, bytes]) -> Recording:
    """What was recorded in `log` on a disk that had the files `before`."""
    calls, acknowledged = _read(log.read_bytes(), f"{disk}")
    return Recording(dict(before), tuple(calls), tuple(acknowledged), files_below(disk))


def files_below(disk: Path) -> dict[str, bytes]:
    files = (file for file in disk.rglob("*") if file.is_file() and is_recorded(file.name))
    return {str(file.relative_to(disk)): file.read_bytes() for file in files}


def is_recorded(name: str) -> bool:
    return not name.endswith((ACKNOWLEDGED_FILE, SHARED_MEMORY))


def _built(folder: Path) -> Path:
    assert COMPILER
    library = folder / "recorder.so"
    if not library.exists():
        command = [COMPILER, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl", "-lpthread"]
        subprocess.run(command, check=True)
    return library


def _read(log: bytes, disk: str) -> tuple[list[Call], list[Acknowledgement]]:
    calls, acknowledged = list[Call](), list[Acknowledgement]()
    for call in _calls_in(log, disk):
        if call.path == ACKNOWLEDGED_FILE and call.kind is Kind.WRITE:
            acknowledged.append(Acknowledgement(len(calls), json.loads(call.data)))
        elif is_recorded(call.path):
            calls.append(call)
    return calls, acknowledged


def _calls_in(log: bytes, disk: str) -> Iterator[Call]:
    at = 0
    while at < len(log):
        kind, path, other, data, offset = _HEADER.unpack_from(log, at)
        at += _HEADER.size
        parts = list[bytes]()
        for length in (path, other, data):
            parts.append(log[at : at + length])
            at += length
        names = [part.decode().removeprefix(disk).lstrip("/") for part in parts[:2]]
        if not names[0].endswith(" (deleted)"):  # unlinked, but still open
            yield Call(Kind(kind), names[0], names[1], parts[2], offset)
