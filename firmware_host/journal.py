"""The journal: every event of every game in one SQLite file, a row an event and a transaction a turn.

Rule: rows are added, never changed and never taken out, and the database itself says no to anything else. What `append`
was given is on the disk when it returns. One writer a file, one thread at a time; others may read meanwhile.

A check of the whole file would take longer with every game played. Opening reads the way to the last row, and resuming
reads the current game: that is all a session will build on. A damaged page of an old game is told when it is read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, Self

from firmware_host.codec import EVENTS, KINDS, CodecError, decode, encode
from firmware_host.faults import HostFault
from firmware_host.summary import IN_SHORT, Events, GameSummary, summarise
from firmware_host.table.events import Event, GameStarted

FORMAT = 1
"""Kept in `user_version`; raised when the table itself changes."""

APPLICATION_ID = int.from_bytes(b"CRIB", "big")

_SCHEMA = f"""
BEGIN;
CREATE TABLE journal (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, turn INTEGER NOT NULL,
    kind TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, written_at TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) WITHOUT ROWID;
CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'rows of a journal are never changed'); END;
CREATE TRIGGER journal_is_never_cut BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'rows of a journal are never taken out'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
COMMIT;
"""

_INSERT = "INSERT INTO journal (game, seq, turn, kind, version, body, written_at) VALUES (?, ?, ?, ?, ?, ?, ?)"
_GAME = "SELECT turn, seq, kind, version, body, written_at FROM journal WHERE game = ? ORDER BY seq"
_LAST = "SELECT game, turn, seq FROM journal ORDER BY game DESC, seq DESC LIMIT 1"

_OTHER_WRITER = "to be the only writer", "stop the other cribboard, or the program that looks into the file"
_DAMAGED = "a sound journal", "put a copy in its place, or move the file away to begin a new journal"
_UNWRITABLE = "a file that can be opened and written", "check who owns the file and its folder"
_ADVICE = {
    sqlite3.SQLITE_BUSY: _OTHER_WRITER,
    sqlite3.SQLITE_CONSTRAINT: _OTHER_WRITER,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_FULL: ("room on the disk", "make room; the turn was not written"),
    sqlite3.SQLITE_CANTOPEN: _UNWRITABLE,
    sqlite3.SQLITE_PERM: _UNWRITABLE,
    sqlite3.SQLITE_READONLY: _UNWRITABLE,
}
"""What SQLite complains of -> what was expected, and the mend."""
_ANY_OTHER = "the disk to do as asked", "check the disk"

_LEFT_OUT_IN_SHORT = frozenset(kind for kind, event in EVENTS.items() if event not in IN_SHORT)
"""A kind that is not known at all is not left out: what it did to the score cannot be told."""

Clock = Callable[[], datetime]


class JournalFault(HostFault):
    """The journal cannot be opened, read or written."""


class Row(NamedTuple):
    """One event as it stands in the file."""

    turn: int
    seq: int
    kind: str
    version: int
    body: str
    written_at: str


class _Place(NamedTuple):
    """Where the next event goes; turns and events are counted from 0 in each game, games from 1."""

    game: int
    turn: int
    seq: int


def _now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """Open one with `Journal.open`, `Journal.open_to_read` or `Journal.in_memory`. Everything raises JournalFault."""

    def __init__(self, database: sqlite3.Connection, where: str, clock: Clock, opened: ExitStack) -> None:
        self._database, self._where, self._clock = database, where, clock
        game, turn, seq = database.execute(_LAST).fetchone() or (0, -1, -1)
        self._next = _Place(game, turn + 1, seq + 1)
        self._opened = opened.pop_all()

    @classmethod
    def open(cls, path: Path, clock: Clock = _now) -> Self:
        """The journal at `path`, to read and write; made, with its folders, where there is none yet."""
        with told_as_fault(str(path)), ExitStack() as opened:
            path.parent.mkdir(parents=True, exist_ok=True)
            _must_be_no_folder(path)
            # The lock is a file of its own: the journal can be read while a game is on. It goes with the process.
            lock = opened.enter_context(closing(_connect(f"{path}.lock", timeout_s=0)))
            lock.execute("BEGIN EXCLUSIVE")
            database = opened.enter_context(closing(_connect(str(path))))
            _make_ready(database, str(path))
            return cls(database, str(path), clock, opened)

    @classmethod
    def open_to_read(cls, path: Path) -> Journal:
        """The journal at `path`, even while another process writes it."""
        with told_as_fault(str(path)), ExitStack() as opened:
            _must_be_no_folder(path)
            _must_be_there(path)
            database = opened.enter_context(closing(_connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)))
            _must_be_a_journal(database, str(path))
            return cls(database, str(path), _now, opened)

    @classmethod
    def in_memory(cls, clock: Clock = _now) -> Journal:
        """A journal that is gone when it is closed."""
        with ExitStack() as opened:
            database = opened.enter_context(closing(_connect(":memory:")))
            _make_ready(database, ":memory:")
            return cls(database, ":memory:", clock, opened)

    def close(self) -> None:
        self._opened.close()

    def append(self, turn: Sequence[Event]) -> None:
        """Write the events of one turn: all of them or, with a fault, none. GameStarted at its head opens a new game.

        Durable when it returns. No events are no turn.
        """
        if not turn:
            return
        game, number, seq = self._next
        if isinstance(turn[0], GameStarted):
            game, number, seq = game + 1, 0, 0
        elif not game:
            raise JournalFault("a game to be started first", KINDS[type(turn[0])], self._where, "start a game")
        written_at = self._clock().isoformat(timespec="milliseconds")
        rows = [(game, place, number, *encode(event), written_at) for place, event in enumerate(turn, seq)]
        with told_as_fault(self._where), self._database:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(_INSERT, rows)
        self._next = _Place(game, number + 1, seq + len(rows))

    def current_game(self) -> tuple[Events, ...]:
        """The turns of the latest game, those taken back and their undoing among them. Other games are not read."""
        return self.turns_of(self._next.game)

    def turns_of(self, game: int) -> tuple[Events, ...]:
        """The turns of a game by its number, counted from 1; none of a game that was never played."""
        return self._turns(game, self._rows(game))

    def games(self) -> Iterator[GameSummary]:
        """Every game, the latest first. Each is read only when it is asked for."""
        for game in range(self._next.game, 0, -1):
            rows = self._rows(game)
            turns = self._turns(game, rows, without=_LEFT_OUT_IN_SHORT)
            yield summarise(game, datetime.fromisoformat(rows[0].written_at), turns)

    def _rows(self, game: int) -> list[Row]:
        with told_as_fault(self._where):
            rows = [Row(*columns) for columns in self._database.execute(_GAME, (game,))]
        for seq, row in enumerate(rows):
            if row.seq != seq:
                raise JournalFault(f"event {seq}", f"event {row.seq}", f"{self._where}, game {game}", _DAMAGED[1])
        return rows

    def _turns(self, game: int, rows: list[Row], without: Collection[str] = ()) -> tuple[Events, ...]:
        turns = groupby(rows, attrgetter("turn"))
        return tuple(tuple(self._event(game, row) for row in turn if row.kind not in without) for _, turn in turns)

    def _event(self, game: int, row: Row) -> Event:
        try:
            return decode(row.kind, row.version, row.body)
        except CodecError as fault:
            where = f"{self._where}, game {game}, event {row.seq}, {fault.where}"
            raise JournalFault(fault.expected, fault.got, where, fault.mend) from fault


def _connect(database: str, *, uri: bool = False, timeout_s: float = 1.0) -> sqlite3.Connection:
    # Opened by the main thread, used by the host's; the one-writer law keeps them apart.
    return sqlite3.connect(database, uri=uri, timeout=timeout_s, isolation_level=None, check_same_thread=False)


def _make_ready(database: sqlite3.Connection, where: str) -> None:
    """Begin the journal in an empty database, or see that it is one. Nothing is changed in anybody else's."""
    if database.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
        database.executescript(_SCHEMA)
    _must_be_a_journal(database, where)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")


def _must_be_a_journal(database: sqlite3.Connection, where: str) -> None:
    ((application,), (version,)) = (
        database.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    if application != APPLICATION_ID:
        raise JournalFault("a journal of cribboard", "the database of another program", where, "name another file")
    if version > FORMAT:
        raise JournalFault(
            f"format {FORMAT} at most", f"format {version}", where, "update cribboard, a newer one wrote it"
        )


def _must_be_no_folder(path: Path) -> None:
    if path.is_dir():
        raise JournalFault("a file", "a folder", str(path), "name a file in it")


def _must_be_there(path: Path) -> None:
    if not path.exists():
        raise JournalFault("a journal of games", "no such file", str(path), "play a game first, or name another folder")


@contextmanager
def told_as_fault(where: str) -> Iterator[None]:
    """What the disk and SQLite say, as a JournalFault with its mend."""
    try:
        yield
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise JournalFault(
            "a folder that can be made and written", got, where, "name another, or mend its rights"
        ) from fault
    except sqlite3.Error as fault:
        code = getattr(fault, "sqlite_errorcode", None)
        if code is None:  # not the database's word, but our own mistake
            raise
        expected, mend = _ADVICE.get(code & 0xFF, _ANY_OTHER)
        raise JournalFault(expected, str(fault), where, mend) from fault
