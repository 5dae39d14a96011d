"""The journal: every event of every game in one SQLite file, a row an event and a transaction a turn.

Rule: what `append` was given is on the disk when it returns. One writer a file, one thread at a time; others may read
meanwhile.

A check of the whole file would take longer with every game played. Opening reads the way to the last row, and resuming
reads the current game: that is all the next game builds on. A damaged page of an old game is found when it is read,
and the spare copy then tells what stood there (`spare.py`).
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Self

from firmware_host.codec import EVENTS, KINDS, VERSION, CodecError, decode, encode
from firmware_host.durable import make_folder
from firmware_host.ledger import (
    INSERT,
    MEND,
    JournalDamaged,
    JournalFault,
    Pages,
    Row,
    connect,
    connect_to_read,
    format_of,
    make_ready,
    only_writer,
    told_as_fault,
)
from firmware_host.spare import bring_up_to_date, rows_of_spare, spare_of
from firmware_host.summary import IN_SHORT, Events, GameSummary, summarise
from firmware_host.table.events import Event, GameStarted, GameWon

__all__ = ["Clock", "Journal", "JournalDamaged", "JournalFault", "now"]

log = logging.getLogger(__name__)

_LEFT_OUT_IN_SHORT = frozenset(kind for kind, event in EVENTS.items() if event not in IN_SHORT)
"""A kind that is not known at all is not left out: what it did to the score cannot be told."""

Clock = Callable[[], datetime]


def now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """Open one with `Journal.open`, `Journal.open_to_read` or `Journal.in_memory`. Everything raises JournalFault.

    `path` is None in memory.
    """

    def __init__(self, database: sqlite3.Connection, path: Path | None, clock: Clock, opened: ExitStack) -> None:
        self._database, self.path, self._clock = database, path, clock
        self._where = str(path or ":memory:")
        self.pages = Pages(database, self._where)
        self._last = self.pages.last()
        self._opened = opened.pop_all()
        self.before_writing: Callable[[], None] = lambda: None
        """Called before every turn; whoever tries out bad disks may put in something that is slow, or raises."""

    @classmethod
    def open(cls, path: Path, clock: Clock = now) -> Self:
        """The journal at `path`, to read and write; made, with its folders, where there is none yet."""
        with told_as_fault(str(path)), ExitStack() as opened:
            make_folder(path.parent)
            _must_be_no_folder(path)
            opened.enter_context(only_writer(path))
            database = opened.enter_context(closing(connect(str(path))))
            make_ready(database, str(path))
            return cls(database, path, clock, opened)

    @classmethod
    def open_to_read(cls, path: Path) -> Journal:
        """The journal at `path`, even while another process writes it."""
        with told_as_fault(str(path)), ExitStack() as opened:
            _must_be_no_folder(path)
            _must_be_there(path)
            database = opened.enter_context(closing(connect_to_read(path)))
            format_of(database, str(path))
            return cls(database, path, now, opened)

    @classmethod
    def in_memory(cls, clock: Clock = now) -> Journal:
        """A journal that is gone when it is closed."""
        with ExitStack() as opened:
            database = opened.enter_context(closing(connect(":memory:")))
            make_ready(database, ":memory:")
            return cls(database, None, clock, opened)

    def close(self) -> None:
        self._opened.close()

    def append(self, turn: Sequence[Event]) -> None:
        """Write the events of one turn: all of them or, with a fault, none. GameStarted at its head opens a new game.

        Durable when it returns. No events are no turn.
        """
        if not turn:
            return
        rows = self._rows_for(turn)
        with told_as_fault(self._where), self._database:
            self.before_writing()
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(INSERT, rows)
        self._last = rows[-1]
        if any(isinstance(event, GameWon) for event in turn):
            self._keep_spare()

    def _rows_for(self, turn: Sequence[Event]) -> list[Row]:
        """Turns and events are counted from 0 in each game, games from 1."""
        game, number, seq, seal = (0, -1, -1, None)
        if self._last:
            game, number, seq, seal = self._last.game, self._last.turn, self._last.seq, self._last.seal
        if isinstance(turn[0], GameStarted):
            game, number, seq, seal = game + 1, -1, -1, None
        elif not game:
            raise JournalFault("a game to be started first", KINDS[type(turn[0])], self._where, "start a game")
        written_at = self._clock().isoformat(timespec="milliseconds")
        rows = list[Row]()
        for place, event in enumerate(turn, seq + 1):
            rows.append(Row(game, place, number + 1, *encode(event), written_at, None).sealed(seal))
            seal = rows[-1].seal
        return rows

    def _keep_spare(self) -> None:
        """Bring the spare copy up to date, and the log of turns into the file. Never at the cost of the game."""
        if self.path:
            try:
                with told_as_fault(self._where):
                    bring_up_to_date(spare_of(self.path), self.pages)
                    self._database.execute("PRAGMA wal_checkpoint(PASSIVE)")
            except JournalFault as fault:
                log.warning("%s", fault)

    @property
    def last_game(self) -> int:
        """The number of the latest game; 0 before the first."""
        return self._last.game if self._last else 0

    def current_game(self) -> tuple[Events, ...]:
        """The turns of the latest game, those taken back and their undoing among them. Other games are not read."""
        if self._last is None:
            return ()
        rows = self.rows_of(self._last.game)
        if rows[self._last.seq :][:1] != [self._last]:
            raise JournalDamaged(f"events up to {self._last.seq}", "less", self._where, MEND)
        return self._turns(self._last.game, rows)

    def turns_of(self, game: int) -> tuple[Events, ...]:
        """The turns of a game by its number, counted from 1; none of a game that was never played."""
        return self._turns(game, self.rows_of(game))

    def games(self) -> Iterator[GameSummary]:
        """Every game, the latest first. Each is read only when it is asked for."""
        for game in range(self.last_game, 0, -1):
            if rows := self.rows_of(game):  # of a game that could not be saved nothing is left
                turns = self._turns(game, rows, without=_LEFT_OUT_IN_SHORT)
                yield summarise(game, datetime.fromisoformat(rows[0].written_at), turns)

    def rows_of(self, game: int) -> list[Row]:
        """A game as it stands in the file; where that is spoilt, a past one as it stands in the spare."""
        is_past = game < self.last_game
        try:
            rows = self.pages.of(game)
        except JournalDamaged:
            if self.path and is_past and (rows := rows_of_spare(spare_of(self.path), game)):
                return rows
            raise
        return rows or (rows_of_spare(spare_of(self.path), game) if self.path and is_past else [])

    def _turns(self, game: int, rows: list[Row], without: Collection[str] = ()) -> tuple[Events, ...]:
        turns = groupby(rows, attrgetter("turn"))
        return tuple(tuple(self._event(game, row) for row in turn if row.kind not in without) for _, turn in turns)

    def _event(self, game: int, row: Row) -> Event:
        try:
            return decode(row.kind, row.version, row.body)
        except CodecError as fault:
            where = f"{self._where}, game {game}, event {row.seq}, {fault.where}"
            if row.seal is None and row.kind in EVENTS and row.version <= VERSION:
                raise JournalDamaged(fault.expected, fault.got, where, MEND) from fault
            raise JournalFault(fault.expected, fault.got, where, fault.mend) from fault


def _must_be_no_folder(path: Path) -> None:
    if path.is_dir():
        raise JournalFault("a file", "a folder", str(path), "name a file in it")


def _must_be_there(path: Path) -> None:
    if not path.exists():
        raise JournalFault("a journal of games", "no such file", str(path), "play a game first, or name another folder")
