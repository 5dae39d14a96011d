"""Processor time of pages with past games at the first visit after a start, with few games and with many.

The first start after an upgrade, which stores the figures of all games, is measured on its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from statistics import median
from time import thread_time

import pytest
from msgspec import Struct

from firmware_host.storage.journal import Journal
from firmware_host.storage.journal_replacement import write_journal_file
from firmware_host.storage.journal_table import Row
from tests.bench.recording import Recorder, Size
from tests.web_panel.conftest import Rig

PAGES = {
    "history": "/history",
    "player": "/player?name=Ann",
    "opponents": "/head-to-head?one=Ann&other=Ben",
    "scorecards": "/scorecards",
    "cards_of_one": "/scorecards?player=Ann",
}
PLAYERS = ("Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan")
"""Ann plays against each of them in turn."""
FEW, MANY = 81, 10_044
"""About 100 and 10,000; of both, the last scorecard of each player is full, so that the pages show as much."""


class Measured(Struct, frozen=True):
    """`stored_ms`: per game, at the first start; `first_visit_ms`: by page."""

    stored_ms: float
    first_visit_ms: dict[str, float]


@cache
def played_games() -> tuple[tuple[Row, ...], ...]:
    """The rows of one game against each player."""
    with closing(Journal.in_memory()) as journal:
        rig = Rig(journal=journal)
        for name in PLAYERS:
            play_game(rig, name)
        return tuple(tuple(journal.rows_of(game)) for game in range(1, len(PLAYERS) + 1))


def play_game(rig: Rig, opponent: str) -> None:
    """A game of Ann's with one counted hand, which she wins."""
    rig.begin(names=["Ann", opponent], scores=[70, 40])
    rig.command("starter", card="5H")
    rig.command("play", card="7D")
    rig.command("show")
    rig.command("count", cards=["7D", "8S", "8H", "9C"])
    rig.command("correct", side=0, score=121, reason="home")


def copies(games: int) -> Iterator[Row]:
    """The rows of this many games, each player in turn, with numbers and seals of their own."""
    for game in range(games):
        seal = None
        for row in played_games()[game % len(PLAYERS)]:
            sealed = row._replace(game=game + 1).sealed(seal)
            seal = sealed.seal
            yield sealed


def first_visits(folder: Path, games: int, starts: int) -> Measured:
    """Start the panel on this many games, and visit each page as the first one after a start."""
    path = folder / f"{games}.sqlite3"
    folder.mkdir()
    write_journal_file(copies(games), path)
    stored_s = visit_s(path, "/history")
    return Measured(
        1e3 * stored_s / games,
        {page: 1e3 * median(visit_s(path, address) for _ in range(starts)) for page, address in PAGES.items()},
    )


def visit_s(path: Path, address: str) -> float:
    """Processor time of the first page after a start, without the reviews beside it. Templates were compiled before."""
    with closing(Journal.open(path)) as journal:
        rig = Rig(journal=journal)
        rig.archive.open_reader = lambda: closing(Journal.open_readonly(path))  # a review reads it on another thread
        began_s = thread_time()
        answer = rig.get(address)
        taken_s = thread_time() - began_s
        assert answer.status_code == 200 and "Ann" in answer.text, address
    return taken_s


@pytest.mark.bench
def test_first_visit_to_past_games(recorder: Recorder, tmp_path: Path) -> None:
    few, many = recorder.pick(full=FEW, small=10), recorder.pick(full=MANY, small=20)
    starts = recorder.pick(full=9, small=1)
    if recorder.size is Size.FULL:
        first_visits(tmp_path / "warm-up", len(PLAYERS), 1)  # compiles the templates
    with_few = first_visits(tmp_path / "few", few, starts)
    with_many = first_visits(tmp_path / "many", many, starts)
    figures: dict[str, float] = {"few_games": few, "many_games": many, "stored_ms_per_game": with_many.stored_ms}
    for page in PAGES:
        figures[f"{page}_few_games_ms"] = with_few.first_visit_ms[page]
        figures[f"{page}_many_games_ms"] = with_many.first_visit_ms[page]
    recorder.record("history", figures)
