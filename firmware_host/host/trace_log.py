"""Records what the holes read in the latest game, as a trace that `cribboard replay` plays again.

The trace has holes only: no cards, no names. It is for diagnosis, so lines are never forced to the disk, and a write
error ends the trace with a warning in the log. Nothing is written while no peg moves.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import IO

from firmware_host.board.course import Hole, hole_name
from firmware_host.storage.plain_file import open_plain

log = logging.getLogger(__name__)

FILE_NAME = "pegs.trace.jsonl"
MAX_BYTES = 2_000_000
"""About thirty games. The trace then ends until the next game begins."""


class TraceLog:
    """One file, begun again with every game. A resumed game is appended, one second later."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._file: IO[str] | None = None
        self._starts_s: float | None = None
        self._occupied: Sequence[frozenset[Hole]] | None = None

    def start(self, board: str, tracks: int, target: int) -> None:
        """A new game on the board with this id, this many tracks, to `target` points."""
        header = json.dumps({"board": board, "tracks": tracks, "target": target})
        self._open(os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        self._write(header)

    def resume(self) -> None:
        """Appends to the trace of the game that was on when the program ended."""
        self._open(os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def record(self, at_s: float, occupied: Sequence[frozenset[Hole]]) -> None:
        """Writes the occupied holes of each track if they differ from the last ones."""
        if self._file is None or occupied == self._occupied:
            return
        if self._starts_s is None:
            self._starts_s = at_s - last_second(self._path) - 1
        self._occupied = occupied
        pegs = [[hole_name(hole) for hole in sorted(track)] for track in occupied]
        self._write(json.dumps({"t": round(at_s - self._starts_s, 4), "pegs": pegs}))

    def close(self) -> None:
        """Closes the file. `record` does nothing until the next start or resume."""
        if self._file:
            self._file.close()
        self._file = None

    def _open(self, flags: int) -> None:
        self.close()
        self._starts_s = self._occupied = None
        try:
            self._file = os.fdopen(open_plain(self._path, flags), "a", buffering=1, encoding="utf-8")
        except OSError as error:
            log.warning("peg trace disabled: %s", error)

    def _write(self, line: str) -> None:
        try:
            if self._file and self._file.tell() < MAX_BYTES:
                self._file.write(line + "\n")
        except OSError as error:
            log.warning("peg trace ended: %s", error)
            self._file = None


def last_second(path: Path) -> float:
    """The time of the last complete line of a trace, in seconds of the trace; 0 if there is none."""
    return max((_second(line) for line in _tail(path)), default=0.0)


def _tail(path: Path) -> Iterable[str]:
    with open(path, "rb", opener=open_plain) as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 4096))
        return file.read().decode("utf-8", "replace").splitlines()


NOT_A_FRAME = (ValueError, LookupError, TypeError, OverflowError, RecursionError)


def _second(line: str) -> float:
    try:
        second = float(json.loads(line)["t"])
    except NOT_A_FRAME:  # the header, or a line cut short by a power cut
        return 0.0
    return second if isfinite(second) else 0.0
