"""The figures of past games and their running totals, in `figures.sqlite3` beside the journal.

To fold a game takes milliseconds, and a game that is not the latest never changes. So each is folded once, and added to
running totals in the same transaction (running_totals.py). Pages then read a few rows, however many games there are.

| table | one row for |
| --- | --- |
| `game` | each game: the seal of its last row in the journal, columns for filters, and summary and figures as JSON |
| `variant` | each variant: how many listed games it has |
| `person` | each person: the name that is shown, and the totals of all listed games |
| `place` | each person of each game that is no demonstration: how many hands were counted |
| `meeting` | each pair of sides that met: the totals of both |
| `meeting_game` | each listed game of such a pair |
| `card`, `card_line` | each scorecard, numbered by person from 1, and each game on it |
| `last_card` | each person and kind of game: the last scorecard, and how many games it has |
| `accuracy` | each person: how many choices were judged, and how many were accurate, in all reviewed games |
| `review` | each game that somebody looked back at: the seal of its last row, sums by seat and the review as JSON |
| `source` | the merged names that decided who is one person: one row |

The file is a cache: it is made again where it is missing, damaged, of another version or of another journal, and it is
deleted when the journal is replaced. After names were merged, the totals are made again from the games in
it. It is no part of a backup, and no part of the journal's format: an older version of the program would take another
table in the journal for a damage. Rows of games and of totals have a checksum, because SQLite does not notice a flipped
bit in a value.

The tests compare everything that is stored with a fold of the journal.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from zlib import crc32

from firmware_host.stats.people import People
from firmware_host.storage.sqlite_file import closed_on_error, connect, create_file

VERSION = 5
"""Rises when the content of a row changes, or the way in which figures are computed."""
FILE_NAME = "figures.sqlite3"

_SCHEMA = f"""
CREATE TABLE source (people TEXT NOT NULL);
CREATE TABLE game (
    game INTEGER PRIMARY KEY, seal INTEGER, is_listed INTEGER NOT NULL, is_won INTEGER NOT NULL,
    variant TEXT NOT NULL, day TEXT NOT NULL, body TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE INDEX listed_game ON game (game, variant, day, is_won) WHERE is_listed;
CREATE TABLE review (
    game INTEGER PRIMARY KEY, seal INTEGER, seats TEXT NOT NULL, body TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE variant (name TEXT PRIMARY KEY, games INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE person (
    person INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    listed INTEGER NOT NULL, totals TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE place (
    person INTEGER, game INTEGER, hands INTEGER NOT NULL, PRIMARY KEY (person, game)
) WITHOUT ROWID;
CREATE TABLE meeting (
    meeting INTEGER PRIMARY KEY, sides TEXT NOT NULL UNIQUE, totals TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE meeting_game (meeting INTEGER, game INTEGER, PRIMARY KEY (meeting, game)) WITHOUT ROWID;
CREATE TABLE card (card INTEGER PRIMARY KEY, person INTEGER NOT NULL, number INTEGER NOT NULL);
CREATE UNIQUE INDEX card_of_person ON card (person, number);
CREATE TABLE last_card (
    person INTEGER, kind TEXT, card INTEGER NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (person, kind)
) WITHOUT ROWID;
CREATE TABLE card_line (card INTEGER, line INTEGER, game INTEGER NOT NULL, PRIMARY KEY (card, line)) WITHOUT ROWID;
CREATE TABLE accuracy (
    person INTEGER PRIMARY KEY, games INTEGER NOT NULL, choices INTEGER NOT NULL, accurate INTEGER NOT NULL,
    checksum INTEGER NOT NULL);
INSERT INTO source VALUES ('[]');
PRAGMA user_version = {VERSION};
"""
_TOTALS = ("variant", "person", "place", "meeting", "meeting_game", "card", "card_line", "last_card", "accuracy")
"""The tables that are made from the rows of `game` and `review`."""


class DamagedFigures(sqlite3.DatabaseError):
    """A row is not as it was written."""


class FiguresStore:
    """The file. Methods raise sqlite3.Error and OSError, which a caller takes as "not stored". One thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def connect(self) -> sqlite3.Connection:
        """Open the file, or make it again. The caller closes the connection."""
        try:
            return self._opened()
        except sqlite3.Error:
            self.clear()
            return self._opened()

    def _opened(self) -> sqlite3.Connection:
        create_file(self._path)
        with closed_on_error(connect(str(self._path))) as database:
            prepare(database)
            return database

    def clear(self) -> None:
        """Delete the file: it is damaged, or of another journal."""
        for file in (self._path, self._path.with_name(f"{self._path.name}-journal")):
            with suppress(OSError):
                file.unlink(missing_ok=True)


def prepare(database: sqlite3.Connection) -> None:
    """Make the tables in an empty database. Raises sqlite3.Error for another version."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version == 0 and not database.execute("SELECT 1 FROM sqlite_schema").fetchone():
        database.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
    elif version != VERSION:
        raise sqlite3.DatabaseError(f"version {version}")
    database.execute("PRAGMA cache_spill = OFF")  # what is rolled back is never written to the file


def in_memory() -> sqlite3.Connection:
    """A store without a file. The caller closes the connection."""
    with closed_on_error(connect(":memory:")) as database:
        prepare(database)
        return database


def copy_in_memory(database: sqlite3.Connection) -> sqlite3.Connection:
    """A store without a file, with the content of this one. The caller closes the connection."""
    with closed_on_error(connect(":memory:")) as copy:
        database.backup(copy)
        return copy


@contextmanager
def transaction(database: sqlite3.Connection, *, keep: bool = True) -> Iterator[None]:
    """All changes or none; with `keep=False` none, after they could be read."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        if keep:
            database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


def last_stored(database: sqlite3.Connection) -> tuple[int, int | None]:
    """The last game that is stored, 0 if none is, and the seal of its last row."""
    row = database.execute("SELECT game, seal FROM game ORDER BY game DESC LIMIT 1").fetchone()
    return row or (0, None)


def stored_people(database: sqlite3.Connection) -> People:
    """The merged names that the totals were made with."""
    row = database.execute("SELECT people FROM source").fetchone()
    try:
        return People(tuple(map(tuple, json.loads(row[0]))))
    except (ValueError, TypeError) as fault:
        raise DamagedFigures(str(fault)) from fault


def clear_games(database: sqlite3.Connection) -> None:
    """Take out everything, in the transaction of the caller: the journal is another one."""
    database.execute("DELETE FROM game")
    database.execute("DELETE FROM review")
    clear_totals(database, People())


def clear_totals(database: sqlite3.Connection, people: People) -> None:
    """Take out everything but the games, in the transaction of the caller. From now on `people` tells persons apart."""
    for table in _TOTALS:
        database.execute(f"DELETE FROM {table}")
    database.execute("UPDATE source SET people = ?", (json.dumps(people.groups, ensure_ascii=False),))


def with_checksum(*values: object) -> tuple[object, ...]:
    """The values of a row, and their checksum."""
    return *values, _checksum(values)


def without_checksum(row: Sequence[Any]) -> Sequence[Any]:
    """The values of a row that `with_checksum` made. Raises DamagedFigures."""
    *values, checksum = row
    if _checksum(tuple(values)) != checksum:
        raise DamagedFigures(f"expected the row as it was written, got {values}")
    return values


def _checksum(values: tuple[object, ...]) -> int:
    return crc32("\0".join(map(str, values)).encode("utf-8", "surrogatepass"))
