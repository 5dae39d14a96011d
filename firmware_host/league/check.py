"""Compares the ledger with the journals of boards: what they have finished must be in it, once and unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from firmware_host.league.database import Database
from firmware_host.league.ledger import Key, digests
from firmware_host.league.result_message import ledger_result
from firmware_host.mqtt_messages.result import read_result
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.results import result_of

BOARD = "board"
"""Whose journals these are does not matter here."""


class Comparison(Struct, frozen=True):
    """Keys by what is wrong with them. `missing`: in a journal and not in the ledger, or `different` there; `unknown`:
    games in the ledger that no journal has."""

    games: int
    """Finished games in the journals."""
    missing: tuple[Key, ...]
    different: tuple[Key, ...]
    unknown: tuple[Key, ...]


def compare(database: Database, journals: Iterable[Path]) -> Comparison:
    """Compare the newest revision of each finished game. Raises LeagueError and JournalError."""
    ledger = digests(database)
    expected = dict[Key, str]()
    for path in journals:
        with closing(Journal.open_readonly(path)) as journal:
            expected.update(_results_in(journal))
    games = {name for name, _ in expected}
    return Comparison(
        len(games),
        missing=tuple(key for key in expected if key not in ledger),
        different=tuple(key for key, digest in expected.items() if ledger.get(key, digest) != digest),
        unknown=tuple(key for key in ledger if key[0] not in games),
    )


def _results_in(journal: Journal) -> Iterable[tuple[Key, str]]:
    for game in reversed(journal.game_numbers()):
        found = journal.rows_and_summary(game)
        if found and (result := result_of(*found, BOARD)):
            read = ledger_result(BOARD, read_result(BOARD, result.payload.encode()))
            yield read.key, read.digest
