"""What a program asked of the disk, call by call, and what it had acknowledged by then."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("recorder.c")
COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
MISSING = "POWER CUTS WERE NOT TESTED: there is no C compiler to build the recorder. Mend: apt install gcc libc6-dev"

SAID = "said"
"""The file in which a recorded program says what it has acknowledged. It is not on the disk that loses power."""
SHARED_MEMORY = "-shm"
BLOCK = 4096

_HEADER = struct.Struct("=4Iq")


class Kind(IntEnum):
    """As in recorder.c."""

    CREATE = 1
    WRITE = 2
    TRUNCATE = 3
    SYNC = 4
    UNLINK = 5
    RENAME = 6
    MKDIR = 7
    RMDIR = 8


@dataclass(frozen=True, slots=True)
class Call:
    """One call that changed the disk, or made sure of it. Paths are below the recorded folder; its own is empty.

    `offset` is where data went, or the new length of a file.
    """

    kind: Kind
    path: str
    other: str = ""
    data: bytes = b""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """What the program had acknowledged when it had made `calls` calls."""

    calls: int
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Recording:
    """The files of the disk before, the calls, and what was acknowledged meanwhile, in the order of time."""

    before: Mapping[str, bytes]
    calls: tuple[Call, ...]
    said: tuple[Said, ...]
    after: Mapping[str, bytes]

    def acknowledged(self, calls: int, word: str) -> set[str]:
        """What may be found after so many calls: the last that was acknowledged, or what was in flight then."""
        told = [said for said in self.said if word in said.words]
        last = [said.words[word] for said in told if said.calls <= calls][-1:]
        coming = [said.words[word] for said in told if said.calls > calls][:1]
        return {*last, *coming}

    def between(self, begins: str, ends: str) -> Recording:
        """What happened from the moment at which a chapter of one name was said to that of another."""
        at = {said.words["chapter"]: place for place, said in enumerate(self.said) if "chapter" in said.words}
        said = self.said[at[begins] : at[ends]]
        return replace(self, calls=self.calls[said[0].calls : self.said[at[ends]].calls], said=said)

    @property
    def bytes_written(self) -> int:
        return sum(len(call.data) for call in self.calls if call.kind is Kind.WRITE)

    @property
    def blocks_written(self) -> int:
        """Those of the file system that a card is given: one that is written again before its file is synced, once."""
        written, waiting = 0, set[tuple[str, int]]()
        for call in self.calls:
            if call.kind is Kind.WRITE:
                last = (call.offset + len(call.data) - 1) // BLOCK
                waiting |= {(call.path, block) for block in range(call.offset // BLOCK, last + 1)}
            elif call.kind is Kind.SYNC:
                written += sum(path == call.path for path, _ in waiting)
                waiting = {(path, block) for path, block in waiting if path != call.path}
        return written + len(waiting)

    @property
    def syncs(self) -> int:
        return sum(call.kind is Kind.SYNC for call in self.calls)


def record(folder: Path, *programs: Sequence[str], before: Mapping[str, bytes] | None = None) -> Recording:
    """Run Python programs (module and arguments), one after another, in `folder`, which is recorded from its first
    moment. A program may end as it likes: what matters is what it had said by then."""
    disk, log = folder / "disk", folder / "calls"
    for name, content in (before or {}).items():
        (disk / name).parent.mkdir(parents=True, exist_ok=True)
        (disk / name).write_bytes(content)
    disk.mkdir(parents=True, exist_ok=True)
    environ = os.environ | {"LD_PRELOAD": str(_built(folder)), "RECORD_TO": str(log), "RECORD_UNDER": str(disk)}
    for program in programs:
        done = subprocess.run([sys.executable, "-m", *program], cwd=ROOT, env=environ, capture_output=True, text=True)
        assert "Traceback" not in done.stderr, done.stderr
    calls, said = _read(log.read_bytes(), f"{disk}")
    return Recording(dict(before or {}), tuple(calls), tuple(said), files_below(disk))


def files_below(disk: Path) -> dict[str, bytes]:
    files = (file for file in disk.rglob("*") if file.is_file() and is_kept(file.name))
    return {str(file.relative_to(disk)): file.read_bytes() for file in files}


def is_kept(name: str) -> bool:
    return not name.endswith((SAID, SHARED_MEMORY))


def _built(folder: Path) -> Path:
    assert COMPILER
    library = folder / "recorder.so"
    if not library.exists():
        command = [COMPILER, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl", "-lpthread"]
        subprocess.run(command, check=True)
    return library


def _read(log: bytes, disk: str) -> tuple[list[Call], list[Said]]:
    calls, said = list[Call](), list[Said]()
    for call in _calls_in(log, disk):
        if call.path == SAID and call.kind is Kind.WRITE:
            said.append(Said(len(calls), json.loads(call.data)))
        elif is_kept(call.path):
            calls.append(call)
    return calls, said


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
        if not names[0].endswith(" (deleted)"):  # an unlinked file that is still open
            yield Call(Kind(kind), names[0], names[1], parts[2], offset)
