"""The figures of past games, kept in a file, so that history does not fold thousands of games after each start.

To fold a game takes milliseconds, and a game that is not the latest never changes. So its summary and figures are
stored once, in `figures.sqlite3` beside the journal: one row per game, with the seal of the game's last row, and JSON.
The file is a cache: it is made again where it is missing, damaged, of another version or of another journal, and it is
deleted when the journal is replaced (recovery.py). It is no part of a backup, and no part of the journal's format: an
older version of the program would take another table in the journal for a damage.

The tests compare everything that is stored with a fold of the journal.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from firmware_host.cribbage.rules import RuleSet, Seat, Side
from firmware_host.cribbage.variants import options_of, recorded_rules
from firmware_host.stats.statistics import GameFigures, SeatFigures, Tally
from firmware_host.storage.game_summary import GameSummary
from firmware_host.storage.sqlite_file import connect, create_file

VERSION = 1
"""Rises when the content of a row changes, or the way in which figures are computed."""
FILE_NAME = "figures.sqlite3"

_SCHEMA = f"""
CREATE TABLE game (game INTEGER PRIMARY KEY, seal INTEGER, body TEXT NOT NULL);
PRAGMA user_version = {VERSION};
"""


@dataclass(frozen=True, slots=True)
class PastGame:
    """Summary and figures of one game. The current game is among them, as far as it was played.

    The history of scores has only the last ones where the game comes from the store.
    """

    summary: GameSummary
    figures: GameFigures


class FiguresStore:
    """The file. Methods raise sqlite3.Error and OSError, which a caller takes as "not stored". One thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def connect(self) -> sqlite3.Connection:
        """Open the file, or make it again. The caller closes the connection."""
        try:
            return self._opened()
        except sqlite3.Error:
            for file in (self._path, self._path.with_name(f"{self._path.name}-journal")):
                file.unlink(missing_ok=True)
            return self._opened()

    def _opened(self) -> sqlite3.Connection:
        create_file(self._path)
        database = connect(str(self._path))
        try:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version == 0 and not database.execute("SELECT 1 FROM sqlite_schema").fetchone():
                database.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
            elif version != VERSION:
                raise sqlite3.DatabaseError(f"version {version}")
            database.execute("PRAGMA synchronous = OFF")  # a cache: what is lost is made again
        except BaseException:
            database.close()
            raise
        return database

    def clear(self) -> None:
        """Forget everything, after the journal was replaced."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def last_stored(database: sqlite3.Connection) -> tuple[int, int | None]:
    """The last game that is stored, 0 if none is, and the seal of its last row."""
    row = database.execute("SELECT game, seal FROM game ORDER BY game DESC LIMIT 1").fetchone()
    return row or (0, None)


def store(database: sqlite3.Connection, games: Iterable[tuple[PastGame, int | None]]) -> None:
    """Add games with the seals of their last rows, all or none."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        rows = ((past.summary.game, seal, _encode(past)) for past, seal in games)
        database.executemany("INSERT INTO game VALUES (?, ?, ?)", rows)


def stored_games(database: sqlite3.Connection) -> Iterator[PastGame]:
    """All stored games, the latest first."""
    for game, body in database.execute("SELECT game, body FROM game ORDER BY game DESC"):
        yield _decode(game, body)


def _encode(past: PastGame) -> str:
    summary, figures = past.summary, past.figures
    seats = [_numbers(seat) for seat in figures.seats]
    rules = json.dumps([summary.rules.variant, options_of(summary.rules)], separators=(",", ":"))
    body = [
        summary.started_at.isoformat(),
        summary.names,
        summary.board,
        rules,
        summary.scores,
        summary.winner,
        summary.first_dealer,
        summary.is_demo,
        seats,
        figures.scores,
        figures.winner,
    ]
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _decode(game: int, body: str) -> PastGame:
    started, names, board, rules_text, scores, winner, dealer, is_demo, seats, last, won = json.loads(body)
    rules = _rules(rules_text)
    summary = GameSummary(
        game,
        datetime.fromisoformat(started),
        tuple(names),
        board,
        rules,
        tuple(scores),
        None if winner is None else Side(winner),
        None if dealer is None else Seat(dealer),
        is_demo,
    )
    figures = GameFigures(rules, tuple(names), tuple(map(_seat, seats)), (tuple(last),), won, is_demo)
    return PastGame(summary, figures)


@lru_cache(maxsize=256)
def _rules(text: str) -> RuleSet:
    variant, options = json.loads(text)
    return recorded_rules(variant=variant, options=options)


def _numbers(seat: SeatFigures) -> list[int]:
    tallies = (number for tally in (seat.hand, seat.crib, seat.play) for number in (tally.times, tally.points))
    return [*tallies, seat.missed, seat.given, seat.caught]


def _seat(numbers: Sequence[Any]) -> SeatFigures:
    hand, crib, play = (Tally(*numbers[at : at + 2]) for at in (0, 2, 4))
    return SeatFigures(hand, crib, play, *numbers[6:])
