"""Pages of past games cost the store the same after many games as after few: games read, and steps of SQLite."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import pytest

from firmware_host.stats import running_totals
from firmware_host.stats.archive import Archive, PastGame, PastGames
from firmware_host.stats.past_game import decode
from firmware_host.stats.past_games import GameFilter
from firmware_host.stats.scorecards import GAMES_A_CARD
from firmware_host.storage.journal import Journal
from tests.stats.small_games import small_game
from web_panel.pages.history import list_page, meeting_page, player_page
from web_panel.pages.scorecard import card_page

FEW, MANY = 12 * GAMES_A_CARD, 24 * GAMES_A_CARD
"""Both more than any page shows, and the last scorecard is full."""

PAGES: dict[str, Callable[[PastGames], object]] = {
    "history": partial(list_page, chosen=GameFilter(), page=""),
    "history of a player": partial(list_page, chosen=GameFilter(player="Ann"), page=""),
    "player": partial(player_page, name="Ann"),
    "opponents": lambda past: meeting_page(past, past.sides_of(("Ann",), ("Ben",))),
    "scorecards": partial(card_page, name=None, page=""),
    "scorecards of a player": partial(card_page, name="Ann", page=""),
}


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest) -> Callable[[PastGames], object]:
    return PAGES[request.param]


def archive_of(games: int) -> Archive:
    journal = Journal.in_memory()
    for _ in range(games):
        for turn in small_game(("Ann", "Ben"), (121, 90), hands=(8, 4)):
            journal.append(turn)
    archive = Archive(lambda: nullcontext(journal))
    archive.query(lambda past: None)  # stores the figures
    return archive


@pytest.fixture(scope="module")
def archives() -> tuple[Archive, Archive]:
    return archive_of(FEW), archive_of(MANY)


def test_a_page_reads_no_more_games_than_it_shows(
    page: Callable[[PastGames], object], archives: tuple[Archive, Archive], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def counted(game: int, body: str) -> PastGame:
        read.append(game)
        return decode(game, body)

    monkeypatch.setattr(running_totals, "decode", counted)
    numbers = []
    for archive in archives:
        read.clear()
        archive.query(page)
        numbers.append(len(read))
    assert 0 < numbers[0] < FEW and numbers[0] == numbers[1]


def test_sqlite_takes_no_more_steps_after_many_games(
    page: Callable[[PastGames], object], archives: tuple[Archive, Archive]
) -> None:
    few, many = (archive.query(partial(steps_of, page)) for archive in archives)
    assert 0 < few == many


def steps_of(page: Callable[[PastGames], object], past: PastGames) -> int:
    """How many instructions SQLite's virtual machine executes for a page."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    past._database.set_progress_handler(count, 1)
    try:
        page(past)
    finally:
        past._database.set_progress_handler(None, 0)
    return steps
