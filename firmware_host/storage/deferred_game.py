"""Keeps a game in memory while its journal cannot be opened.

The disk is full or read-only when the board starts, or the state folder was deleted while it ran. The game goes on: its
turns are kept in memory, and written when the disk allows it. They are lost only in a power cut before that.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Clock, Journal, JournalError, turns_in
from firmware_host.storage.journal_replacement import write_journal_file
from firmware_host.storage.journal_table import RowReader
from firmware_host.storage.log_image import open_image
from firmware_host.storage.plain_file import open_plain, read_file
from firmware_host.storage.recovery import OpenedJournal, open_or_recover
from firmware_host.storage.sound_game import replayed
from firmware_host.storage.sqlite_file import as_journal_error

PROBE_BYTES = 64 * 1024
"""Room that the disk must have before the journal is opened: the first turns of a game."""
_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO})


class DeferredGame:
    """The turns of the current game that wait for the disk.

    `stored` are the turns that the journal had when it was last read; `waiting` are those after them.
    """

    def __init__(self, path: Path, clock: Clock, stored: Sequence[Events] = (), waiting: Sequence[Events] = ()) -> None:
        self.path = path
        self.clock = clock
        self.stored = [*stored]
        self.waiting = [*waiting]

    def in_memory(self) -> Journal:
        """A journal in memory that has the game so far."""
        journal = Journal.in_memory(self.clock)
        for turn in (*self.stored, *self.waiting):
            journal.append(turn)
        return journal

    def store(self) -> OpenedJournal:
        """Open the journal and write the turns that wait. Raises JournalError; what was written then waits no more.

        If the journal has another game now, the whole game is written after it, as a game of its own.
        """
        opened = open_or_recover(self.path, self.clock)
        try:
            if self.stored and opened.journal.current_game() != tuple(self.stored):
                self.stored, self.waiting = [], [*self.stored, *self.waiting]
            # One by one, and each is taken off only when it is durable: a disk that fills up again loses none, and
            # writes none twice.
            while self.waiting:
                opened.journal.append(self.waiting[0])
                self.stored.append(self.waiting.pop(0))
        except JournalError:
            opened.journal.close()
            raise
        return opened


def deferred_game(path: Path, clock: Clock) -> DeferredGame | None:
    """The current game of a journal whose disk is full or read-only, as far as it can be read. None if the disk can be
    written: then something else is wrong with the journal, and waiting does not help."""
    if not disk_refuses(path.parent):
        return None
    stored: tuple[Events, ...] = ()
    with suppress(JournalError):
        stored = _current_game(path)
    return DeferredGame(path, clock, stored)


def _current_game(path: Path) -> tuple[Events, ...]:
    """The current game, read without SQLite's files beside the journal: it would have to make them. Raises
    JournalError."""
    if not path.exists():
        return ()
    log = path.with_name(f"{path.name}-wal")
    with as_journal_error(str(path)):
        database = open_image(read_file(path), read_file(log) if log.exists() else b"")
    with closing(database):
        reader = RowReader(database, str(path))
        last = reader.last()
        turns = turns_in(reader.of(last.game), str(path)) if last else ()
    return () if replayed(turns, str(path)).table is None else turns


def disk_refuses(folder: Path) -> bool:
    """Whether nothing can be written to the folder because its disk is full, read-only or broken."""
    # A folder that is still to be made: its disk is that of the nearest one that exists.
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    probe = folder / f".cribboard-probe-{os.getpid()}"
    try:
        descriptor = open_plain(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            return os.write(descriptor, bytes(PROBE_BYTES)) < PROBE_BYTES
        finally:
            os.close(descriptor)
            probe.unlink()
    except OSError as fault:
        return fault.errno in _DISK_ERRORS


def save_deleted(journal: Journal) -> None:
    """Write the games of an open journal whose file was deleted to a new file in its place. Raises JournalError.

    A file that somebody put there is left alone."""
    assert journal.path
    if not journal.path.exists():
        rows = (row for game in journal.game_numbers() for row in journal.rows_of(game))
        write_journal_file(rows, journal.path)
