"""Compares journal and replica game by game while nobody plays, and repairs one from the other.

A start reads the current game only. A page of a past game that goes bad on the SD card would be found years later, when
the replica's page may be bad too. So a board at rest reads one past game a step, in the journal and in the replica:

| journal | replica | action |
|---|---|---|
| verifies | the same rows | none |
| verifies | ends before the last row of the game | the replica gets the rows that it lacks: the game was given up |
| verifies | other rows, or unreadable | the replica is moved aside and written again |
| damaged, or rows missing | verifies | the journal is rebuilt; nothing is lost |
| damaged | damaged | the journal is rebuilt from what is intact in both; the loss is reported |

A pass over all games begins by asking the system to drop the files from its cache, so that the card itself is read.
After a pass that found nothing, replicas that were moved aside before are deleted (`remove_copies_aside`).
"""

from __future__ import annotations

import logging
import os
from contextlib import closing, suppress
from enum import Enum
from pathlib import Path

from firmware_host.storage.journal import Journal, JournalCorrupt
from firmware_host.storage.journal_table import Row, RowReader
from firmware_host.storage.plain_file import open_plain
from firmware_host.storage.replica import (
    begin_replica_again,
    ends_before,
    remove_copies_aside,
    replica_games,
    replica_path,
    replica_rows,
    update_replica,
)
from firmware_host.storage.sqlite_file import as_journal_error, connect_readonly

log = logging.getLogger(__name__)


class Finding(Enum):
    """What one step found."""

    INTACT = "nothing to do"
    REPLICA_BEHIND = "the replica ended before this game, and gets its rows; on a full disk in a later pass"
    REPLICA_WRITTEN = "the replica was damaged and is written again"
    JOURNAL_DAMAGED = "the journal is damaged: rebuild it"


class Scrub:
    """The pass over the past games of one journal. Every method belongs to the thread that writes the journal."""

    def __init__(self) -> None:
        self._game = 0
        """The game that was read last; 0 before a pass."""
        self._is_sound = True
        """Whether all games of this pass were the same in both files."""

    def step(self, journal: Journal) -> Finding:
        """Read the next past game. Raises JournalError for an error of the disk."""
        if journal.path is None or journal.last_game < 2:
            return Finding.INTACT
        self._game = _past_game_after(journal, journal.path, self._game)
        if not self._game:
            self._game = _past_game_after(journal, journal.path, 0)
            self._is_sound = True
            for file in (journal.path, replica_path(journal.path)):
                _drop_from_cache(file)
        if not self._game:
            return Finding.INTACT
        finding = _compare(journal, journal.path, self._game)
        self._is_sound = self._is_sound and finding is Finding.INTACT
        if self._is_sound and not _past_game_after(journal, journal.path, self._game):
            remove_copies_aside(replica_path(journal.path), journal.row_reader)
        return finding


def _past_game_after(journal: Journal, path: Path, game: int) -> int:
    """The next past game in the journal or the replica; 0 after the last one."""
    try:
        in_journal = next(journal.row_reader.game_numbers(game), journal.last_game)
    except JournalCorrupt:
        in_journal = game + 1
    number = min(in_journal, next(replica_games(replica_path(path), game), journal.last_game))
    return number if number < journal.last_game else 0


def _compare(journal: Journal, path: Path, game: int) -> Finding:
    """Compare one past game in both files, and repair the replica."""
    replica = replica_path(path)
    rows = _rows_of(path, game)
    copies = replica_rows(replica, game)
    if rows is None or (not rows and copies):
        log.error("%s: game %d is damaged", path, game)
        return Finding.JOURNAL_DAMAGED
    if rows == copies:
        return Finding.INTACT
    # Before a damage is assumed: a game that was given up is not yet in the replica, because only a won one updates it.
    if ends_before(replica, rows[-1]):
        try:
            update_replica(replica, journal.row_reader)
        except JournalCorrupt as damage:
            log.error("%s", damage)
            return Finding.JOURNAL_DAMAGED
        if rows == replica_rows(replica, game) or ends_before(replica, rows[-1]):
            return Finding.REPLICA_BEHIND
    if any(_rows_of(path, each) is None for each in journal.game_numbers()):
        return Finding.JOURNAL_DAMAGED  # the replica may have what the journal lacks elsewhere
    log.warning("%s: game %d of the replica is damaged", replica, game)
    begin_replica_again(replica, journal.row_reader)
    return Finding.REPLICA_WRITTEN


def _rows_of(path: Path, game: int) -> list[Row] | None:
    """The rows of a game by a connection of its own, which has nothing in its cache; None if they do not verify."""
    try:
        with as_journal_error(str(path)), closing(connect_readonly(path)) as database:
            return RowReader(database, str(path)).of(game)
    except JournalCorrupt as damage:
        log.error("%s", damage)
        return None


def _drop_from_cache(file: Path) -> None:
    """Uses the descriptors that SQLite has, where it has the file open. To open and close another one would release
    SQLite's locks on the file; see `create_file`."""
    with suppress(OSError):
        if own := _descriptors_of(file):
            for descriptor in own:
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            return
        descriptor = open_plain(file, os.O_RDONLY)
        try:
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)


def _descriptors_of(file: Path) -> list[int]:
    """The descriptors of this process that are open on the file. Raises OSError."""
    wanted = os.stat(file)
    found = list[int]()
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # closed meanwhile, such as the one of the list itself
            if os.path.samestat(os.fstat(int(name)), wanted):
                found.append(int(name))
    return found
