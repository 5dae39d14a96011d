"""How long a turn takes to be durable, and how long a start takes when thousands of games were played before."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.variants import PRESETS
from firmware_host.journal import Journal
from firmware_host.table.events import CardPlayed, Event, GameStarted, PegLeapt, PointsDue, Source

pytestmark = pytest.mark.bench

GAMES = 5_000
TURNS = 180
"""About as many as a game to 121 has, every card told."""

STARTED = GameStarted(PRESETS["family"].rules(), ("red", "blue"), "classic-61", 2, False, (0, 0), is_demo=False)


def turn(number: int) -> tuple[Event, ...]:
    """A card, and every other time what it earned or the leap that takes it."""
    seat = Seat(number % 2)
    due = PointsDue(seat, seat, Source.PLAY, (Score(ScoreKind.FIFTEEN, 2, (PACK[19], PACK[37])),))
    leap = PegLeapt(seat, TrackPegs(number, number + 1), stands=False)
    return (CardPlayed(seat, PACK[number % 52]), *((due, leap) if number % 2 else ()))


def play_a_game(journal: Journal) -> list[float]:
    """The seconds each turn took to be durable."""
    journal.append((STARTED,))
    return [seconds(lambda number=number: journal.append(turn(number))) for number in range(TURNS)]  # type: ignore[misc]


def seconds(action: Callable[[], object]) -> float:
    began = perf_counter()
    action()
    return perf_counter() - began


def resume(path: Path) -> None:
    with closing(Journal.open(path)) as journal:
        assert len(journal.current_game()) == TURNS + 1


def repeat_the_game(path: Path, times: int) -> None:
    """Copies of game 1, so that a long life need not be waited for."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "WITH RECURSIVE life(game) AS (SELECT 2 UNION ALL SELECT game + 1 FROM life WHERE game < ?) "
            "INSERT INTO journal SELECT life.game, seq, turn, kind, version, body, written_at "
            "FROM life CROSS JOIN journal WHERE journal.game = 1 ORDER BY life.game, seq",
            (times,),
        )


def test_a_turn_is_soon_durable(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "journal.sqlite3")) as journal:
        durable_s = [took for _ in range(3) for took in play_a_game(journal)]
    print(
        f"\nturn, durable: median {median(durable_s) * 1e3:.2f} ms, 99 % {quantiles(durable_s, n=100)[98] * 1e3:.2f} ms"
    )


def test_a_start_takes_no_longer_after_thousands_of_games(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(Journal.open(path)) as journal:
        play_a_game(journal)
    first_s = median(seconds(lambda: resume(path)) for _ in range(21))
    repeat_the_game(path, GAMES)
    later_s = median(seconds(lambda: resume(path)) for _ in range(21))
    with closing(Journal.open_to_read(path)) as journal:
        listed_s = seconds(lambda: [summary for summary, _ in zip(journal.games(), range(20), strict=False)])
    with closing(sqlite3.connect(path)) as database:
        checked_s = seconds(lambda: database.execute("PRAGMA quick_check").fetchall())
    grown, size_mb = later_s / first_s, path.stat().st_size / 1e6
    print(f"\nresume: {first_s * 1e3:.2f} ms after 1 game, {later_s * 1e3:.2f} ms after {GAMES}: x {grown:.2f}")
    print(f"last 20 of {GAMES} games: {listed_s * 1e3:.0f} ms; checking all {size_mb:.0f} MB: {checked_s:.1f} s")
