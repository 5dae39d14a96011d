"""Copies of the journal for people, taken while a game is on. A copy is a journal itself: `rescue.restore` takes it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from firmware_host.journal import Journal, JournalFault
from firmware_host.ledger import INSERT, Row, connect, make_ready
from firmware_host.rescue import write_copy


def back_up(journal: Journal, target: Path) -> None:
    """All games, that which is on among them, in a new file. Raises JournalFault, and then there is no such file."""
    if target.exists():
        raise JournalFault("a file that is not there yet", "one that is", str(target), "name another")
    write_copy(rows_of(journal, journal.last_game), target)


def past_games(journal: Journal, *, is_last_over: bool) -> bytes:
    """The same as bytes, without a game that is still on: it holds cards that nobody else may see yet."""
    last = journal.last_game if is_last_over else journal.last_game - 1
    with closing(connect(":memory:")) as database:
        make_ready(database, ":memory:")
        _fill(database, rows_of(journal, last))
        return database.serialize()


def rows_of(journal: Journal, last: int) -> Iterator[Row]:
    """Every row up to the game `last`, each proved by its seal."""
    for game in range(1, last + 1):
        yield from journal.rows_of(game)


def _fill(database: sqlite3.Connection, rows: Iterator[Row]) -> None:
    with database:
        database.execute("BEGIN")
        database.executemany(INSERT, rows)
