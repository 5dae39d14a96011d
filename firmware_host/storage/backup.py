"""Backups of the journal for the user, taken while a game is on.

A backup is a journal file itself; `recovery.restore` puts it back. It may also have documents, the text of other files
by their names, which their owners put back.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType

from firmware_host.game.events import GameWon
from firmware_host.game.history import History
from firmware_host.storage.event_codec import KINDS
from firmware_host.storage.journal import Journal, JournalCorrupt, JournalError
from firmware_host.storage.recovery import write_journal_file
from firmware_host.storage.sqlite_file import (
    INSERT_ROW,
    Row,
    as_journal_error,
    connect,
    connect_readonly,
    prepare_database,
    read_documents,
    write_documents,
)

log = logging.getLogger(__name__)

NO_DOCUMENTS: Mapping[str, str] = MappingProxyType({})


def write_backup(
    journal: Journal,
    target: Path,
    documents: Mapping[str, str] = NO_DOCUMENTS,
    *,
    is_last_over: bool = True,
    is_for_others: bool = False,
) -> tuple[int, ...]:
    """Write all games and the documents to the new file `target`; the latest game only if `is_last_over`.

    `is_for_others`: a game that was given up ends before its last deal, whose cards may still be held.

    Returns the games that are left out because they are damaged here and in the replica. Raises JournalError if
    `target` exists, if the current game does not verify or the disk cannot be written; then `target` is not created.
    """
    if target.exists():
        raise JournalError("a new file", "an existing file", str(target), "name another file")
    left_out = list[int]()
    last = journal.last_game if is_last_over else journal.last_game - 1
    write_journal_file(_rows_up_to(journal, last, left_out, is_for_others=is_for_others), target, documents)
    return tuple(left_out)


def past_games(journal: Journal, documents: Mapping[str, str] = NO_DOCUMENTS, *, is_last_over: bool) -> bytes:
    """A backup for others as bytes. Leaves out the current game unless `is_last_over`: its cards are still secret.

    `documents` are added. Damaged games are left out. For journals in memory: a file is written by `write_backup`.
    """
    last = journal.last_game if is_last_over else journal.last_game - 1
    with closing(connect(":memory:")) as database:
        prepare_database(database, ":memory:")
        _fill(database, _rows_up_to(journal, last, [], is_for_others=True), documents)
        return database.serialize()


def documents_in(backup: Path) -> Mapping[str, str]:
    """The documents of a backup; none if it was made without them. Raises JournalError. The games are not verified."""
    try:
        Journal.open_readonly(backup).close()
        with as_journal_error(str(backup)), closing(connect_readonly(backup)) as database:
            return read_documents(database, str(backup))
    except JournalCorrupt as fault:
        raise JournalError(fault.expected, fault.got, fault.where, "name another copy") from fault


def _rows_up_to(journal: Journal, last: int, left_out: list[int], *, is_for_others: bool) -> Iterator[Row]:
    """Every row of the games up to `last`, verified. Damaged past games are left out, and added to `left_out`."""
    for game in takewhile(lambda game: game <= last, journal.game_numbers()):
        try:
            rows = journal.rows_of(game)
        except JournalCorrupt as damage:
            if game == journal.last_game:
                raise
            log.warning("left out of the backup: %s", damage)
            left_out.append(game)
        else:
            yield from without_open_deal(journal, rows) if is_for_others else rows


def without_open_deal(journal: Journal, rows: Sequence[Row]) -> Sequence[Row]:
    """The rows of a game; of one that was given up those before its last deal. What was entered or dealt there nobody
    has shown, and the same players may go on with the same cards in a new game."""
    if not rows or any(row.kind == KINDS[GameWon] for row in rows):
        return rows
    history = History()
    for turn in journal.turns_of(rows[0].game):
        history = history.replay(turn)
    began = history.turn_of_deal
    return [row for row in rows if row.turn + 1 < began] if began else rows


def _fill(database: sqlite3.Connection, rows: Iterator[Row], documents: Mapping[str, str]) -> None:
    with database:
        database.execute("BEGIN")
        database.executemany(INSERT_ROW, rows)
        write_documents(database, documents)
