"""Past games: the list with its filters, one game deal by deal, players, and opponents."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game import commands as c
from tests.web_panel.conftest import Rig


def play(rig: Rig, names: tuple[str, ...] = ("Ann", "Ben"), variant: str = "six_card", winner: int = 0) -> None:
    """A game with one counted hand that `winner` wins."""
    rig.begin(names=list(names), variant=variant, scores=[70, 40])
    rig.command("starter", card="5H")
    rig.command("play", card="7D")
    rig.command("show")
    rig.command("count", cards=["7D", "8S", "8H", "9C", *(["2D"] if variant == "seven_card" else [])])
    rig.command("correct", side=winner, score=VARIANTS[variant].target, reason="home")


def games_on(page: str) -> int:
    return page.count('<a href="/history/')


def test_a_list_of_games_links_to_each(rig: Rig) -> None:
    play(rig)
    play(rig, winner=1)
    page = rig.get("/history").text
    assert games_on(page) == 2 and 'href="/history/2"' in page and "2 games" in page


def test_the_game_that_is_on_and_games_without_a_score_are_not_listed(rig: Rig) -> None:
    rig.begin()  # never played
    play(rig)
    rig.begin(scores=[10, 20])  # on now
    page = rig.get("/history").text
    assert games_on(page) == 1 and "not finished" not in page
    rig.begin()
    assert games_on(rig.get("/history").text) == 2 and "not finished" in rig.get("/history").text


def test_without_games_the_page_says_what_will_be_there(rig: Rig) -> None:
    rig.begin()
    assert "No games yet. Finished games appear here." in rig.get("/history").text


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("player=Cat", 1),
        ("player=Ann", 2),
        ("variant=seven_card", 1),
        ("player=Cat&variant=six_card", 0),
        ("since=1999-01-01&until=2999-12-31", 2),
        ("until=1999-12-31", 0),
        ("since=no+date&page=99", 2),
    ],
)
def test_filters_choose_games(rig: Rig, query: str, number: int) -> None:
    play(rig)
    play(rig, ("Ann", "Cat"), "seven_card")
    page = rig.get(f"/history?{query}").text
    assert games_on(page) == number and ("No game matches." in page) is (number == 0)


def test_a_game_is_shown_deal_by_deal(rig: Rig) -> None:
    play(rig)
    page = rig.get("/history/1").text
    assert "Deal 1" in page and "Ann deals." in page and "Ben’s hand" in page
    assert 'aria-label="5 of hearts"' in page and "score-chart" in page


def test_cards_of_the_game_that_is_on_are_not_shown(rig: Rig) -> None:
    play(rig)
    rig.begin(scores=[10, 20])
    assert rig.get("/history/2").status_code == 404 and rig.get("/history/99").status_code == 404


def test_a_player_has_a_page(rig: Rig) -> None:
    play(rig)
    play(rig, ("Cat", "Ben"), winner=1)
    page = rig.get("/player?name=Ben").text
    assert "<h1>Ben</h1>" in page and "trend-chart" in page and games_on(page) == 2
    assert "/head-to-head?one=Ben&amp;other=Cat" in page
    assert rig.get("/player?name=Zoe").status_code == 404


def test_two_opponents_have_a_page(rig: Rig) -> None:
    play(rig)
    play(rig, winner=1)
    page = rig.get("/head-to-head?one=Ben&other=Ann").text
    assert "<h1>Ann – Ben</h1>" in page and games_on(page) == 2
    assert rig.get("/head-to-head?one=Ann&other=Zoe").status_code == 404


def test_a_demo_under_way_hides_no_game(rig: Rig) -> None:
    play(rig)
    rig.host.execute(c.StartGame(rig.host.setup.games[0], ("Red", "Blue"), is_demo=True))
    rig.host.step()
    assert games_on(rig.get("/history").text) == 1


@pytest.mark.parametrize("number", ["0", "2", "9" * 19, "9" * 4000])
def test_a_game_that_was_never_played_is_not_found(rig: Rig, number: str) -> None:
    """However large its number is, even if SQLite has none like it."""
    play(rig)
    assert rig.get(f"/history/{number}").status_code == 404
