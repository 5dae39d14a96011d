"""The high-water mark: a small file beside the journal that names the last row that was acknowledged.

A damaged write-ahead log looks to SQLite like one that a power cut left short: it drops everything after the damage and
reports nothing. The mark tells the two apart. It is written after a turn is durable, so a row that it names was once in
the journal; if a start does not find that row, turns were lost, and recovery.py reports it.

The file is `journal.sqlite3.mark`: one line of MARK_BYTES bytes, overwritten in place with each turn.

    GAME SEQ SEAL ORIGIN CRC

`SEAL` is the seal of the row, `ORIGIN` that of the first row of game 1, which tells this journal from another one that
was put in its place. `CRC` is the CRC-32 of the rest. Numbers have ten digits, and a seal that is missing is 0.

The mark is not synced: a sync for each turn would double the wear of an SD card. After a kill it is exact. After a
power cut it may be as old as what the system had not written out (up to 30 s on Linux), or torn, and then the CRC says
so. A mark that is old, torn or missing never causes a false report; losses of later turns are then not noticed.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import NamedTuple, Self
from zlib import crc32

from firmware_host.storage.journal_table import Row, RowReader
from firmware_host.storage.plain_file import open_plain, read_file

log = logging.getLogger(__name__)


class Mark(NamedTuple):
    """The last acknowledged row: its game, its number in the game, its seal, and the seal of the journal's first
    row."""

    game: int
    seq: int
    seal: int
    origin: int

    def line(self) -> bytes:
        """The content of the file."""
        text = " ".join(f"{number:010d}" for number in self)
        return f"{text} {crc32(text.encode()):010d}\n".encode()

    @classmethod
    def parse(cls, content: bytes) -> Self | None:
        """The inverse of `line`; None for anything else."""
        words = content.split()
        if len(words) != 5 or not all(word.isdigit() and len(word) == 10 for word in words):
            return None
        mark = cls(*map(int, words[:4]))
        return mark if mark.line() == content else None

    def is_lost(self, journal: RowReader) -> bool:
        """Whether the journal had this row and does not have it any more. False for the mark of another journal.

        Raises JournalCorrupt where the journal cannot be read.
        """
        if journal.at(self.game, self.seq) is not None:
            return False
        last = journal.last()
        if last is None:
            return True
        # A journal that goes on beyond the mark has lost nothing at its end: a hole in it is for the seals to find.
        return (last.game, last.seq) < (self.game, self.seq) and origin_of(journal) == self.origin


MARK_BYTES = len(Mark(0, 0, 0, 0).line())
"""What each turn writes to the mark: 55 bytes."""


def mark_path(path: Path) -> Path:
    """The mark of the journal at `path`: `journal.sqlite3` -> `journal.sqlite3.mark`."""
    return path.with_name(f"{path.name}.mark")


def read_mark(path: Path) -> Mark | None:
    """The mark of the journal at `path`; None if it is missing, torn or unreadable."""
    try:
        return Mark.parse(read_file(mark_path(path), MARK_BYTES))
    except OSError:
        return None


def origin_of(journal: RowReader) -> int:
    """The seal of the first row of game 1; 0 without one. Raises JournalCorrupt."""
    first = journal.at(1, 0)
    return (first and first.seal) or 0


class MarkFile:
    """Writes the mark of one journal. An error of the disk is logged once: a missing mark stops no game."""

    def __init__(self, path: Path) -> None:
        self._path = mark_path(path)
        self._has_failed = False
        self._descriptor: int | None = None
        self._origin: int | None = None

    def write(self, last: Row, journal: RowReader) -> None:
        """Note that `last` is durable. Raises JournalCorrupt where the first row of the journal cannot be read."""
        if self._origin is None:
            self._origin = origin_of(journal)
        line = Mark(last.game, last.seq, last.seal or 0, self._origin).line()
        try:
            if self._descriptor is None:
                self._descriptor = open_plain(self._path, os.O_WRONLY | os.O_CREAT)
                os.ftruncate(self._descriptor, len(line))
            # In place, not by a new file and a rename: those would be written to the card at every turn.
            os.pwrite(self._descriptor, line, 0)
        except OSError as fault:
            if not self._has_failed:
                log.warning("%s cannot be written: %s; lost turns may not be noticed", self._path, fault.strerror)
            self._has_failed = True

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
