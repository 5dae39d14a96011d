"""The journal: every event of every game in one SQLite file, one row per event and one transaction per turn.

Rule: when `append` returns, the turn is durable. One process writes a file, from one thread at a time; others may read
it meanwhile. Then the high-water mark is written (high_water_mark.py), by which the next start notices a damaged log.
Before each turn `append` checks that its files are still in the folder: SQLite would go on writing to a deleted file.

To check the whole file at each start would take longer with every game played. So `open` reads the last row, and
resuming reads and verifies the current game: the next turn depends on nothing else. A corrupt page of a past game is
found when that game is read, and its rows then come from the replica (replica.py). For the table, the formats and the
seals see journal_table.py; for corrupt files, recovery.py.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from itertools import groupby, takewhile
from operator import attrgetter
from pathlib import Path
from typing import Self
from weakref import finalize

from firmware_host.game.events import Event, GameStarted, GameWon
from firmware_host.game.history import History
from firmware_host.storage.atomic_file import make_folder
from firmware_host.storage.event_codec import EVENTS, KINDS, VERSION, CodecError, decode, encode
from firmware_host.storage.game_summary import SUMMARY_EVENTS, Events, GameSummary, summarise
from firmware_host.storage.high_water_mark import MarkFile, read_mark
from firmware_host.storage.journal_table import INSERT_ROW, MOST_GAMES, Row, RowReader, format_of, prepare_database
from firmware_host.storage.receipts import Receipt, read_receipts, write_receipts
from firmware_host.storage.replica import replica_games, replica_path, replica_rows, update_replica
from firmware_host.storage.round_trip import Columns, NotReadable, encode_checked
from firmware_host.storage.sound_game import replayed
from firmware_host.storage.sqlite_file import (
    RECOVERY_HINT,
    JournalCorrupt,
    JournalError,
    NewerJournal,
    as_journal_error,
    connect,
    connect_readonly,
    create_file,
    writer_lock,
)

__all__ = ["Clock", "Journal", "JournalCorrupt", "JournalError", "now"]

log = logging.getLogger(__name__)

_KINDS_NOT_IN_SUMMARY = frozenset(kind for kind, event in EVENTS.items() if event not in SUMMARY_EVENTS)
"""Known kinds that change no score. An unknown kind is not among them: it may change one, and must raise."""

Clock = Callable[[], datetime]
"""Returns the time of day, in UTC."""


def now() -> datetime:
    """The default Clock: the system's time in UTC."""
    return datetime.now(UTC)


class JournalGone(JournalError):
    """The file was deleted or replaced while it was open. What was written to it can still be read."""


class UnreadableEvent(JournalError):
    """The journal could not be read any more with this event in it. Nothing was written."""


class Journal:
    """Open one with `Journal.open`, `Journal.open_readonly` or `Journal.in_memory`. Every method raises JournalError.

    `path` is None for a journal in memory. Games are numbered from 1. A turn is the tuple of events of one command.
    """

    def __init__(self, database: sqlite3.Connection, path: Path | None, clock: Clock, opened: ExitStack) -> None:
        self._database = database
        self.path = path
        self.clock = clock
        self._where = str(path or ":memory:")
        self.row_reader = RowReader(database, self._where)
        self._last = self.row_reader.last()
        self._has_written = False
        self.unreadable = set[int]()
        """Games that `games` left out because they are damaged."""
        self._opened = opened.pop_all()
        self._mark: MarkFile | None = None
        self._files = tuple[int, ...]()
        """Identities of the files that a journal opened for writing must still have."""
        self.before_writing: Callable[[], None] = lambda: None
        """Called before each write. A fault plan sets it to simulate a slow or full disk: it may sleep or raise."""

    @classmethod
    def open(cls, path: Path, clock: Clock = now) -> Self:
        """Open for reading and writing. Makes the file and its folders if they are missing, and migrates older formats.

        Raises JournalError if another process writes the file.
        """
        with as_journal_error(str(path)), ExitStack() as opened:
            make_folder(path.parent)
            _check_not_a_folder(path)
            # Locked before the file is made: two programs that start together must not both create or migrate it.
            opened.enter_context(writer_lock(path))
            create_file(path)
            database = opened.enter_context(closing(connect(str(path))))
            prepare_database(database, str(path))
            mark = opened.enter_context(closing(MarkFile(path)))
            journal = cls(database, path, clock, opened)
            journal._mark = mark
            journal._files = _identities(path)  # after the first access, which makes the log
            return journal

    @classmethod
    def open_readonly(cls, path: Path) -> Journal:
        """Open for reading, also while another process writes the file. The file must exist; it is not migrated."""
        with as_journal_error(str(path)), ExitStack() as opened:
            _check_not_a_folder(path)
            _check_exists(path)
            database = opened.enter_context(closing(connect_readonly(path)))
            format_of(database, str(path))
            return cls(database, path, now, opened)

    @classmethod
    def in_memory(cls, clock: Clock = now) -> Journal:
        """A journal without a file, for tests and demonstrations. It is closed at the latest when it is dropped."""
        with ExitStack() as opened:
            database = opened.enter_context(closing(connect(":memory:")))
            prepare_database(database, ":memory:")
            journal = cls(database, None, clock, opened)
            finalize(journal, database.close)
            return journal

    def close(self) -> None:
        """Close the database and release the writer lock. The journal cannot be used afterwards."""
        self._files = ()
        self._opened.close()

    def append(self, turn: Sequence[Event]) -> None:
        """Write the events of one turn, all or none; the turn is durable when this returns. An empty turn is ignored.

        GameStarted as the first event begins a new game. GameWon also updates the replica. Raises JournalError, and
        UnreadableEvent for an event that could not be read again; then nothing was written.
        """
        if not turn:
            return
        rows = self._rows_for(turn)  # before the transaction: an event that cannot be read again leaves no trace
        self._check_files()
        with as_journal_error(self._where), self._database:
            self.before_writing()
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(INSERT_ROW, rows)
            # Only once: a damage of the free space shows at the first row that is added, and reading a game back at
            # each turn would take longer with every turn.
            if not self._has_written:
                self._verify_first_write(rows)
        self._has_written = True
        self._last = rows[-1]
        # After the commit: a mark that is ahead of the journal would make the next start believe that a row was lost.
        if self._mark:
            self._mark.write(self._last, self.row_reader)
        if any(isinstance(event, GameWon) for event in turn):
            self._update_replica()

    def add_receipts(self, receipts: Sequence[Receipt]) -> None:
        """Write what others have confirmed, all or none; it is durable when this returns. Raises JournalError, and then
        nothing was written."""
        self._check_files()
        with as_journal_error(self._where), self._database:
            self.before_writing()
            self._database.execute("BEGIN IMMEDIATE")
            write_receipts(self._database, receipts)

    def receipts(self) -> tuple[Receipt, ...]:
        """What others have confirmed."""
        with as_journal_error(self._where):
            return read_receipts(self._database)

    def _verify_first_write(self, rows: list[Row]) -> None:
        """Read the rows back, and those of the game before. Raises JournalCorrupt; the caller rolls the write back.

        A start reads rows, not the free space between them. Where a corrupt page calls used bytes free, SQLite writes
        the new row over old ones and reports success.
        """
        for game in {rows[-1].game, self._last.game if self._last else rows[-1].game}:
            self.row_reader.of(game)
        if self.row_reader.last() != rows[-1]:
            raise JournalCorrupt("the rows just written", "other rows", self._where, RECOVERY_HINT)

    def check_mark(self) -> None:
        """Raises JournalCorrupt if the high-water mark names a row that the journal has lost."""
        mark = read_mark(self.path) if self.path else None
        if mark and mark.is_lost(self.row_reader):
            last = self._last
            expected = f"game {mark.game} up to event {mark.seq}, which was acknowledged"
            got = f"game {last.game} up to event {last.seq}" if last else "no game"
            raise JournalCorrupt(expected, got, self._where, RECOVERY_HINT)

    def _check_files(self) -> None:
        """Raises JournalGone if the files that were opened are not in the folder any more."""
        if self.path and self._files and _identities(self.path) != self._files:
            fix = "leave the state folder where it is while a board runs"
            raise JournalGone("the file that was opened", "no file, or another one", self._where, fix)

    def _rows_for(self, turn: Sequence[Event]) -> list[Row]:
        """The rows of the next turn, numbered and sealed. Turns and events count from 0 in each game, games from 1."""
        game = 0
        number = -1
        seq = -1
        seal = None
        if self._last:
            game = self._last.game
            number = self._last.turn
            seq = self._last.seq
            seal = self._last.seal
        if isinstance(turn[0], GameStarted):
            game = game + 1
            if game > MOST_GAMES:
                fix = "make a backup, and name another state_folder"
                raise JournalError(f"{MOST_GAMES} games at most", "one more", self._where, fix)
            number = -1
            seq = -1
            seal = None
        elif not game:
            raise JournalError("a game to be started first", KINDS[type(turn[0])], self._where, "start a game")
        written_at = self.clock().isoformat(timespec="milliseconds")
        rows = list[Row]()
        for place, event in enumerate(turn, seq + 1):
            rows.append(Row(game, place, number + 1, *self._columns(event), written_at, None).sealed(seal))
            seal = rows[-1].seal
        return rows

    def _columns(self, event: Event) -> Columns:
        try:
            return encode_checked(event, encode, decode)
        except NotReadable as fault:
            fix = "report what was entered or sent; nothing was written"
            raise UnreadableEvent("an event that can be read again", str(fault), self._where, fix) from fault

    def _update_replica(self) -> None:
        """Update the replica and move the write-ahead log into the file. An error is logged: the game goes on."""
        if self.path:
            try:
                with as_journal_error(self._where):
                    update_replica(replica_path(self.path), self.row_reader)
                    # PASSIVE waits for no reader. A log that is moved at the end of a game is short at the next start.
                    self._database.execute("PRAGMA wal_checkpoint(PASSIVE)")
            except JournalError as fault:
                log.warning("%s", fault)

    @property
    def last_game(self) -> int:
        """The number of the latest game; 0 before the first."""
        return self._last.game if self._last else 0

    def current_game(self) -> tuple[Events, ...]:
        """The verified turns of the latest game, with undone turns and their TurnUndone events; () before the first
        game.

        Reads no other game. Raises JournalCorrupt.
        """
        if self._last is None:
            return ()
        rows = self.rows_of(self._last.game)
        # `_last` was found from the other end of the table. On a corrupt page the two searches can disagree.
        if rows[self._last.seq :][:1] != [self._last]:
            raise JournalCorrupt(f"events up to {self._last.seq}", "fewer", self._where, RECOVERY_HINT)
        return self._turns(self._last.game, rows)

    def current_history(self) -> History:
        """The latest game, played again from its events; an empty history before the first. Raises JournalCorrupt, and
        UnsoundGame for events that do not follow one another."""
        return replayed(self.current_game(), f"{self._where}, game {self.last_game}")

    def turns_of(self, game: int) -> tuple[Events, ...]:
        """The verified turns of a game, as in `current_game`; () for a number that was never used. Raises
        JournalCorrupt."""
        return self._turns(game, self.rows_of(game))

    def games(self, only: int | None = None) -> Iterator[GameSummary]:
        """Summaries of all games, the latest first, read one at a time; or of one game. A game that is damaged here and
        in the replica is left out, and added to `unreadable`: one bad page must not hide the others."""
        for game in reversed(self.game_numbers()) if only is None else (only,):
            if found := self.rows_and_summary(game):
                yield found[1]

    def game_numbers(self, after: int = 0) -> Sequence[int]:
        """The numbers of all games after `after`, rising, also of those that only the replica has. Games can be missing
        in between. Where the file is damaged: every number up to the latest game."""
        if after >= self.last_game:
            return ()
        try:
            numbers = set(self.row_reader.game_numbers(after))
        except JournalCorrupt as damage:
            log.debug("%s", damage)
            return range(after + 1, self.last_game + 1)
        copied = replica_games(replica_path(self.path), after) if self.path else ()
        return sorted(numbers.union(takewhile(lambda game: game <= self.last_game, copied)))

    def rows_and_summary(self, game: int) -> tuple[list[Row], GameSummary] | None:
        """The rows of a game and what they add up to, of one reading: another process may be writing the game. None for
        one that `games` leaves out."""
        try:
            rows = self.rows_of(game)
            turns = self._turns(game, rows, without=_KINDS_NOT_IN_SUMMARY)
            summary = summarise(game, datetime.fromisoformat(rows[0].written_at), turns) if rows else None
        except Exception as fault:  # damaged, or crafted: that can break any assumption of the fold
            if isinstance(fault, JournalError) and not isinstance(fault, JournalCorrupt):
                raise  # of a newer version, or the disk failed
            log.warning("game %d is left out: %s", game, fault)
            self.unreadable.add(game)
            return None
        return (rows, summary) if summary else None  # recovery may have found nothing of a game

    def rows_of(self, game: int) -> list[Row]:
        """The verified rows of a game; a corrupt past game comes from the replica. Raises JournalCorrupt."""
        # Not for the game that is on: its last turns may be missing in the replica, so that only a rebuild can tell.
        is_past = game < self.last_game
        try:
            rows = self.row_reader.of(game)
        except JournalCorrupt:
            if self.path and is_past and (rows := replica_rows(replica_path(self.path), game)):
                return rows
            raise
        # A past game without any row is a damage too: a lost page took all of it.
        return rows or (replica_rows(replica_path(self.path), game) if self.path and is_past else [])

    def _turns(self, game: int, rows: list[Row], without: Collection[str] = ()) -> tuple[Events, ...]:
        return turns_in(rows, f"{self._where}, game {game}", without)


def turns_in(rows: list[Row], where: str = "", without: Collection[str] = ()) -> tuple[Events, ...]:
    """The turns of the verified rows of one game; events of the kinds `without` are left out. Raises JournalError, and
    JournalCorrupt for a row without a seal that cannot be decoded."""
    turns = groupby(rows, attrgetter("turn"))
    return tuple(tuple(_event(row, where) for row in turn if row.kind not in without) for _, turn in turns)


def _event(row: Row, where: str) -> Event:
    try:
        return decode(row.kind, row.version, row.body)
    except CodecError as fault:
        where = f"{where}, event {row.seq}, {fault.where}"
        # A seal that matched proves the text: a newer program wrote it. Without a seal, decoding is the only proof.
        if row.seal is None and row.kind in EVENTS and row.version <= VERSION:
            raise JournalCorrupt(fault.expected, fault.got, where, RECOVERY_HINT) from fault
        raise NewerJournal(fault.expected, fault.got, where, fault.fix) from fault


def _identities(path: Path) -> tuple[int, ...]:
    """Device and inode of the journal and its log; 0 for a missing file."""
    found = list[int]()
    for file in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = os.stat(file)
        except OSError:
            found += (0, 0)
        else:
            found += (status.st_dev, status.st_ino)
    return tuple(found)


def _check_not_a_folder(path: Path) -> None:
    if path.is_dir():
        raise JournalError("a file", "a folder", str(path), "name a file in it")


def _check_exists(path: Path) -> None:
    if not path.exists():
        raise JournalError("a journal of games", "no such file", str(path), "play a game first, or name another folder")
