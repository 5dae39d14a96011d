"""What the holes read in the latest game, as a trace that `cribboard replay` plays again. Holes only: no card, no name.

A comfort, not a promise: lines are written as pegs move and never forced to the disk, and a disk that refuses ends the
trace quietly. While no peg moves nothing is written.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import IO

from firmware_host.board.course import Hole, hole_name

log = logging.getLogger(__name__)

FILE_NAME = "pegs.trace.jsonl"
MOST_BYTES = 2_000_000
"""Some thirty games of lively hands; then the trace ends until the next game."""


class TraceLog:
    """One file, begun anew with every game; a game that is taken up again goes on in it, a second later."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._file: IO[str] | None = None
        self._starts_s: float | None = None
        self._seen: Sequence[frozenset[Hole]] | None = None

    def begin(self, board: str, tracks: int, target: int) -> None:
        """A new game."""
        header = json.dumps({"board": board, "tracks": tracks, "target": target})
        self._open("w")
        self._write(header)

    def go_on(self) -> None:
        """The game that was on when the power went."""
        self._open("a")

    def note(self, at_s: float, seen: Sequence[frozenset[Hole]]) -> None:
        """The occupied holes of each track. Only what differs from the last look is written."""
        if self._file is None or seen == self._seen:
            return
        if self._starts_s is None:
            self._starts_s = at_s - last_second(self._path) - 1
        self._seen = seen
        pegs = [[hole_name(hole) for hole in sorted(track)] for track in seen]
        self._write(json.dumps({"t": round(at_s - self._starts_s, 4), "pegs": pegs}))

    def close(self) -> None:
        if self._file:
            self._file.close()
        self._file = None

    def _open(self, mode: str) -> None:
        self.close()
        self._starts_s = self._seen = None
        try:
            self._file = self._path.open(mode, encoding="utf-8", buffering=1)
        except OSError as fault:
            log.warning("no trace of the pegs is kept: %s", fault)

    def _write(self, line: str) -> None:
        try:
            if self._file and self._file.tell() < MOST_BYTES:
                self._file.write(line + "\n")
        except OSError as fault:
            log.warning("the trace of the pegs ends here: %s", fault)
            self._file = None


def last_second(path: Path) -> float:
    """When the last whole line of a trace was written, in its own time; 0 if there is none."""
    return max((_second(line) for line in _tail(path)), default=0.0)


def _tail(path: Path) -> Iterable[str]:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 4096))
        return file.read().decode("utf-8", "replace").splitlines()


NO_FRAME = (ValueError, LookupError, TypeError, OverflowError, RecursionError)


def _second(line: str) -> float:
    try:
        second = float(json.loads(line)["t"])
    except NO_FRAME:  # the header, or a line that the power cut short
        return 0.0
    return second if isfinite(second) else 0.0
