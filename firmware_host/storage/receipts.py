"""Receipts of finished games: what a club or league has confirmed, in a table `receipt` of the journal's database.

There is no table of games to send: the journal itself has every finished game, in the same transaction as its last
turn. What has no receipt is still to be sent. So no power cut can lose an entry; a lost receipt, or a journal that
was rebuilt or restored without this table, only sends a game again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from firmware_host.storage.journal_table import has_table

_TABLE = """
CREATE TABLE IF NOT EXISTS receipt (
    id TEXT NOT NULL, revision INTEGER NOT NULL, is_accepted INTEGER NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (id, revision)
) WITHOUT ROWID"""


class Receipt(NamedTuple):
    """The answer of an application to revision `revision` of the game `id`: stored there, or refused with a reason."""

    id: str
    revision: int
    is_accepted: bool
    reason: str = ""


def read_receipts(database: sqlite3.Connection) -> tuple[Receipt, ...]:
    """All receipts; none where the table was never made. Raises sqlite3.Error and JournalCorrupt."""
    if not has_table(database, "receipt", "the journal"):
        return ()
    rows = database.execute("SELECT id, revision, is_accepted, reason FROM receipt")
    return tuple(Receipt(str(name), int(revision), bool(ok), str(reason)) for name, revision, ok, reason in rows)


def write_receipts(database: sqlite3.Connection, receipts: Iterable[Receipt]) -> None:
    """Add or replace receipts, in the transaction of the caller. Raises sqlite3.Error."""
    database.execute(_TABLE)
    database.executemany("INSERT OR REPLACE INTO receipt VALUES (?, ?, ?, ?)", receipts)
