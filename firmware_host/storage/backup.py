"""Backups of the journal for the user, taken while a game is on.

A backup is a journal file itself; `restore.restore` puts it back. It may also have documents, the text of other files
by their names, which their owners put back.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain, takewhile
from pathlib import Path
from types import MappingProxyType

from firmware_host.game.events import GameWon
from firmware_host.game.hidden_hands import without_hidden_cards
from firmware_host.game.history import History
from firmware_host.storage.event_codec import KINDS, encode
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal, JournalCorrupt, JournalError, turns_in
from firmware_host.storage.journal_replacement import write_journal_file
from firmware_host.storage.journal_table import INSERT_ROW, Row, prepare_database, read_documents, write_documents
from firmware_host.storage.sqlite_file import NewerJournal, as_journal_error, connect, connect_readonly

log = logging.getLogger(__name__)


class UnusableBackup(JournalError):
    """The file is damaged, or no backup of a board."""


class NewerBackup(UnusableBackup):
    """A newer program made the backup."""


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

    `is_for_others`: without cards that nobody has shown; see `for_others`.

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
    """The documents of a backup; none if it was made without them. Raises UnusableBackup. The games are not
    verified."""
    with reading_backup():
        Journal.open_readonly(backup).close()
        with as_journal_error(str(backup)), closing(connect_readonly(backup)) as database:
            return read_documents(database, str(backup))


@contextmanager
def reading_backup() -> Iterator[None]:
    """Raise UnusableBackup for every fault of a backup. JournalCorrupt is not passed on as it is: it makes callers
    rebuild the journal, and that is sound."""
    try:
        yield
    except NewerJournal as fault:
        raise NewerBackup(fault.expected, fault.got, fault.where, fault.fix) from fault
    except JournalError as fault:
        fix = "name another copy" if isinstance(fault, JournalCorrupt) else fault.fix
        raise UnusableBackup(fault.expected, fault.got, fault.where, fix) from fault


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
            yield from for_others(rows, turns_in(rows)) if is_for_others else rows


def for_others(rows: Sequence[Row], turns: Sequence[Events]) -> Sequence[Row]:
    """The rows of a game, whose turns these are, without cards that nobody has shown. One that was given up ends before
    its last deal: the same players may go on with the same cards in a new game."""
    written = chain.from_iterable(turns)
    shown = chain.from_iterable(without_hidden_cards(turns))
    kept = [
        row if event == before else row._replace(body=encode(event)[2])
        for row, before, event in zip(rows, written, shown, strict=True)
    ]
    if not any(row.kind == KINDS[GameWon] for row in rows):
        kept = kept[: _rows_before_last_deal(turns)]
    return rows if kept == rows else [*_sealed(kept)]


def _rows_before_last_deal(turns: Sequence[Events]) -> int | None:
    """How many rows come before the deal that the game ended with; None without a deal."""
    history = History()
    for turn in turns:
        history = history.replay(turn)
    began = history.turn_of_deal
    return sum(map(len, turns[: began - 1])) if began else None


def _sealed(rows: Iterable[Row]) -> Iterator[Row]:
    seal: int | None = None
    for row in rows:
        sealed = row.sealed(seal)
        yield sealed
        seal = sealed.seal


def _fill(database: sqlite3.Connection, rows: Iterator[Row], documents: Mapping[str, str]) -> None:
    with database:
        database.execute("BEGIN")
        database.executemany(INSERT_ROW, rows)
        write_documents(database, documents)
