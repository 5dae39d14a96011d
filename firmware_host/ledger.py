"""The file under the journal: its one table, its formats, and the seal of each row.

Rule: rows are added, never changed and never taken out, and the database itself says no to anything else. A row's seal
is a checksum over the row and the seal before it, so that what reads well is what was written; a card that flips a bit
does not change a score unseen. Rows of format 1 have no seal, and are believed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from firmware_host.faults import HostFault

FORMAT = 2
"""Kept in `user_version`; raised when the table itself changes."""

PAGE_BYTES = 1024
"""Of a new file. A turn writes the pages it stands on, and a row is short: SQLite's usual 4096 cost the card 2.4 times
as many bytes in a game, and 1.5 times as many blocks of 4 KiB. It is no part of the format."""

APPLICATION_ID = int.from_bytes(b"CRIB", "big")

_FORMAT_1 = f"""
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
"""
_FORMAT_2 = "ALTER TABLE journal ADD COLUMN seal INTEGER;"

STEPS = (_FORMAT_1, _FORMAT_2)
"""How each format is made from the one before. A new journal takes all the steps, an old one those it lacks."""

INSERT = "INSERT INTO journal (game, seq, turn, kind, version, body, written_at, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_COLUMNS = "game, seq, turn, kind, version, body, written_at"
_TYPES = (int, int, int, str, int, str, str)

_OTHER_WRITER = "to be the only writer", "stop the other cribboard, or the program that looks into the file"
SOUND = "a sound journal"
MEND = "start the board: it puts the file aside, and brings back what its copy and the file still hold"
_DAMAGED = SOUND, MEND
_UNWRITABLE = "a file that can be opened and written", "check who owns the file and its folder"
_ADVICE = {
    sqlite3.SQLITE_BUSY: _OTHER_WRITER,
    sqlite3.SQLITE_CONSTRAINT: _OTHER_WRITER,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_ERROR: _DAMAGED,  # our questions are right: then it is no such table, or no such format
    sqlite3.SQLITE_FULL: ("room on the disk", "make room; the turn was not written"),
    sqlite3.SQLITE_CANTOPEN: _UNWRITABLE,
    sqlite3.SQLITE_PERM: _UNWRITABLE,
    sqlite3.SQLITE_READONLY: _UNWRITABLE,
}
"""What SQLite complains of -> what was expected, and the mend."""
_UNREADABLE = frozenset({sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS})
_ANY_OTHER = "the disk to do as asked", "check the disk"


class JournalFault(HostFault):
    """The journal cannot be opened, read or written."""


class JournalDamaged(JournalFault):
    """The file does not hold what was written into it."""


class Row(NamedTuple):
    """One event as it stands in the file. `seal` is None in a row of format 1."""

    game: int
    seq: int
    turn: int
    kind: str
    version: int
    body: str
    written_at: str
    seal: int | None

    def sealed(self, before: int | None) -> Row:
        """The row with its seal; `before` is the seal of the row before it in its game."""
        text = "\0".join(map(str, self[:-1]))
        return self._replace(seal=crc32(text.encode(), before or 0))


def connect(database: str, *, uri: bool = False, timeout_s: float = 1.0) -> sqlite3.Connection:
    # Opened by the main thread, used by the host's; the one-writer law keeps them apart.
    opened = sqlite3.connect(database, uri=uri, timeout=timeout_s, isolation_level=None, check_same_thread=False)
    opened.text_factory = lambda text: text.decode("utf-8", "replace")  # a spoilt letter is for the seal to find
    return opened


def connect_to_read(path: Path) -> sqlite3.Connection:
    return connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """While this lasts nobody else writes the journal at `path`. The lock is a file of its own: the journal can be read
    while a game is on. It goes with the process. Raises JournalFault."""
    with told_as_fault(str(path)), closing(connect(f"{path}.lock", timeout_s=0)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield


def make_ready(database: sqlite3.Connection, where: str, mode: str = "WAL") -> None:
    """Begin a journal in an empty database, or bring an older one to this format, in one step. Raises JournalFault;
    nothing is changed in anybody else's database."""
    done = 0 if is_blank(database) else format_of(database, where)
    if done < FORMAT:
        database.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # of an empty file alone; any other stays as it is
        steps = "".join(STEPS[done:])
        database.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version = {FORMAT}; COMMIT;")
    database.execute(f"PRAGMA journal_mode = {mode}")
    database.execute("PRAGMA synchronous = FULL")


def is_blank(database: sqlite3.Connection) -> bool:
    (count,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return bool(count == 0)


def format_of(database: sqlite3.Connection, where: str) -> int:
    """The format of a journal. Raises JournalFault for another program's database, or a newer one's; a journal that
    has only its name spoilt, or its number, is known by its table."""
    ((application,), (version,)) = (
        database.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    table = _format_of_table(database)
    if application != APPLICATION_ID and table is None:
        raise JournalFault("a journal of cribboard", "the database of another program", where, "name another file")
    if application == APPLICATION_ID and version > FORMAT:
        raise JournalFault(
            f"format {FORMAT} at most", f"format {version}", where, "update cribboard, a newer one wrote it"
        )
    if (application, version) != (APPLICATION_ID, table):
        raise JournalDamaged("the name, the format and the table of a journal", "others", where, MEND)
    return int(version)


def _format_of_table(database: sqlite3.Connection) -> int | None:
    schema = _schema(database)
    return next((number for number in range(FORMAT, 0, -1) if schema == _schema_of(number)), None)


def _schema(database: sqlite3.Connection) -> list[tuple[str]]:
    return database.execute("SELECT sql FROM sqlite_schema ORDER BY name").fetchall()


@cache
def _schema_of(version: int) -> list[tuple[str]]:
    with closing(sqlite3.connect(":memory:")) as blank:
        blank.executescript("".join(STEPS[:version]))
        return _schema(blank)


class Pages:
    """The rows of an open journal of any format, whatever it says of itself. Everything raises JournalFault."""

    def __init__(self, database: sqlite3.Connection, where: str) -> None:
        with told_as_fault(where):
            table = _format_of_table(database)
        if table is None:
            raise JournalDamaged("the table of a journal", "another", where, MEND)
        seal = "seal" if table > 1 else "NULL"
        self._database, self._where = database, where
        self._select = f"SELECT {_COLUMNS}, {seal} FROM journal"

    def last(self) -> Row | None:
        return next(self._asked("ORDER BY game DESC, seq DESC LIMIT 1"), None)

    def at(self, game: int, seq: int) -> Row | None:
        return next(self._asked("WHERE game = ? AND seq = ?", game, seq), None)

    def of(self, game: int) -> list[Row]:
        """The rows of a game, each proved by its seal. Raises JournalDamaged."""
        return list(self.while_sound(game))

    def while_sound(self, game: int) -> Iterator[Row]:
        """The same one by one, up to the place of the damage."""
        found, last, where = None, self._end_of(game), f"{self._where}, game {game}"
        with closing(self._asked("WHERE (game, seq) >= (?, 0) ORDER BY game, seq", game)) as rows:
            for seq, row in enumerate(rows):
                if row.game != game and row.seq == 0:  # the next game
                    break
                if (row.game, row.seq) != (game, seq):  # a spoilt key may stand between two of this game's
                    of_another = f" of game {row.game}" if row.game != game else ""
                    raise JournalDamaged(f"event {seq}", f"event {row.seq}{of_another}", where, MEND)
                if row.seal is not None and row != row.sealed(found.seal if found else None):
                    raise JournalDamaged("the event as it was written", "another", f"{where}, event {seq}", MEND)
                found = row
                yield row
        if isinstance(last, JournalDamaged):
            raise last
        if last and (found is None or found.seq < last.seq):
            raise JournalDamaged(f"events up to {last.seq}", "less", where, MEND)

    def _end_of(self, game: int) -> Row | JournalDamaged | None:
        """A game is looked up from both ends: on a spoilt page a search may go astray, and find less than there is."""
        try:
            return next(self._asked("WHERE game = ? ORDER BY seq DESC LIMIT 1", game), None)
        except JournalDamaged as damage:
            return damage

    def proved_after(self, last: Row | None) -> Iterator[Row]:
        """All that was written after a row, or from the beginning. Raises JournalDamaged."""
        game, seq = (last.game, last.seq) if last else (0, 0)
        for row in self._asked("WHERE (game, seq) > (?, ?) ORDER BY game, seq", game, seq):
            if row.seal is not None and row != row.sealed(last.seal if last and last.game == row.game else None):
                where = f"{self._where}, game {row.game}, event {row.seq}"
                raise JournalDamaged("the event as it was written", "another", where, MEND)
            last = row
            yield row

    def _asked(self, where: str, *values: int) -> Generator[Row, None, None]:
        with told_as_fault(self._where):
            for columns in self._database.execute(f"{self._select} {where}", values):
                if tuple(map(type, columns[:-1])) != _TYPES:
                    raise JournalDamaged("an event", "another thing", self._where, MEND)
                yield Row(*columns)


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
    except UnicodeDecodeError as fault:  # SQLite quotes a spoilt table in its complaint
        raise JournalDamaged(SOUND, "a table whose description is spoilt", where, MEND) from fault
    except MemoryError as fault:  # SQLite believes any length that a spoilt file tells
        raise JournalDamaged(SOUND, "something longer than the memory", where, MEND) from fault
    except sqlite3.Error as fault:
        code = getattr(fault, "sqlite_errorcode", None)
        if code is None:  # not the database's word, but our own mistake
            raise
        expected, mend = _DAMAGED if code in _UNREADABLE else _ADVICE.get(code & 0xFF, _ANY_OTHER)
        kind = JournalDamaged if expected == SOUND else JournalFault
        raise kind(expected, str(fault), where, mend) from fault
