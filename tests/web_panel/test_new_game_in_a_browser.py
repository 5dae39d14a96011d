"""The page that starts a game, in a real browser with the real program."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from firmware_host.cribbage.variants import VARIANTS
from tests.web_panel.browsing import Program, needs_browser
from tests.web_panel.pictures import look, post

pytestmark = [*needs_browser, pytest.mark.slow]

GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
OVER = GAME | {"scores": [120, 85]}

CHOICES = {
    "six_card": (2, "single", "usual"),
    "five_card": (2, "single", "five_card"),
    "seven_card": (2, "single", "seven_card"),
    "auction": (2, "single", "auction"),
    "three_hand": (3, "single", "usual"),
    "four_partners": (4, "two_sides", "usual"),
    "four_single": (4, "single", "usual"),
    "five_hand": (5, "single", "usual"),
    "six_hand": (6, "single", "usual"),
}
"""Variant -> players, seating and kind on the page."""


def open_page(page: Page, program: Program, is_over: bool = True) -> None:
    """The page after a game of Ann and Ben."""
    post(program.address, "commands/new-game", OVER if is_over else GAME)
    if is_over:
        post(program.address, "commands/correct", {"side": 0, "score": 121, "reason": "home"})
    page.goto(f"{program.address}new-game?lang=en")


def pick(page: Page, field: str, value: object) -> None:
    """Choose a segment."""
    page.locator(f'label:has([name="{field}"][value="{value}"])').click()


def start(page: Page, program: Program) -> Any:
    """Start, and wait for the main page. Returns the state."""
    page.locator("#new-game [type=submit]").click()
    page.wait_for_url(program.address)
    return look(program.address)


def test_two_players_of_one_name_are_told_apart_before_they_start(page: Page, program: Program) -> None:
    open_page(page, program)
    second = page.locator("[name=name]").nth(1)
    second.fill(" ann ")
    page.locator("#new-game [type=submit]").click()
    error = page.locator(".start-bar .error")
    expect(error).to_have_text("Two players are called ann. Give one another name, such as ann 2.")
    second.fill("Ann 2")
    assert [side["name"] for side in start(page, program)["sides"]] == ["Ann", "Ann 2"]


def test_start_is_enough_after_a_game(page: Page, program: Program) -> None:
    open_page(page, program)
    expect(page.locator("[name=name]").first).to_have_value("Ann")
    expect(page.locator("#agreement")).to_have_text("2 players, to 121. House rules: at home. Muggins: off.")
    expect(page.locator("#new-game [type=submit]")).to_have_text("Start: Ben deals")  # the loser
    state = start(page, program)
    assert [side["name"] for side in state["sides"]] == ["Ann", "Ben"] and state["sides"][1]["is_dealer"]


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_every_game_starts_from_the_page(page: Page, program: Program, variant: str) -> None:
    open_page(page, program)
    players, seating, kind = CHOICES[variant]
    pick(page, "players", players)
    if page.locator("#seating").is_visible():
        pick(page, "seating", seating)
    if page.locator("#kind").is_visible():
        page.locator("[name=kind]").select_option(kind)
    expect(page.locator("[name=name]")).to_have_count(players)
    state = start(page, program)
    assert state["game"]["variant"] == variant and len(state["sides"]) == len(VARIANTS[variant].sides)
    assert state["game"]["target"] == VARIANTS[variant].target


@pytest.mark.parametrize(
    ("players", "seating", "kind", "sides"),
    [
        (6, "three_sides", "usual", 3),
        (6, "two_sides", "usual", 2),
        (3, "captain", "usual", 2),
        (4, "two_sides", "auction", 2),
    ],
)
def test_partners_share_a_score(
    page: Page, program: Program, players: int, seating: str, kind: str, sides: int
) -> None:
    open_page(page, program)
    pick(page, "players", players)
    pick(page, "seating", seating)
    if page.locator("#kind").is_visible():
        page.locator("[name=kind]").select_option(kind)
    assert len(start(page, program)["sides"]) == sides


def test_a_preset_sets_the_rules_and_a_change_makes_them_ones_own(page: Page, program: Program) -> None:
    open_page(page, program)
    pick(page, "preset", "acc")
    muggins = page.locator('[data-option="muggins_mode"]')
    expect(muggins.locator(".answer")).to_have_text("by claim")
    flush = page.locator('[data-option="crib_flush"]')
    flush.locator("summary").click()
    flush.get_by_text("Four are enough.").click()
    expect(flush.locator(".answer")).to_have_text("four cards")
    expect(page.locator("[name=preset][value=own]")).to_be_checked()
    pick(page, "preset", "kitchen")
    expect(page.locator('[data-option="go_limit"] .answer')).to_have_text("up to 115")
    expect(page.locator('[data-option="stinkhole"] .answer')).to_have_text("no heels, no go")
    pick(page, "preset", "family")
    expect(muggins.locator(".answer")).to_have_text("off")
    pick(page, "preset", "own")
    expect(flush.locator(".answer")).to_have_text("four cards")
    start(page, program)
    page.goto(f"{program.address}new-game?lang=en")  # remembered for the next game
    expect(page.locator("[name=preset][value=own]")).to_be_checked()
    expect(page.locator("#agreement")).to_contain_text("Muggins: by claim.")


def test_a_game_under_way_is_ended_only_when_asked(page: Page, program: Program) -> None:
    open_page(page, program, is_over=False)
    page.locator("[name=name]").first.fill("Cat")
    page.locator("#new-game [type=submit]").click()
    expect(page.locator("#end-game")).to_be_visible()
    page.go_back()
    expect(page.locator("#end-game")).to_be_hidden()
    expect(page.locator("[name=name]").first).to_have_value("Cat")
    assert look(program.address)["sides"][0]["name"] == "Ann"
    page.locator("#new-game [type=submit]").click()
    page.locator("#end-game [value=yes]").click()
    page.wait_for_url(program.address)
    assert look(program.address)["sides"][0]["name"] == "Cat"


def test_a_missing_name_is_reported_beside_start(page: Page, program: Program) -> None:
    open_page(page, program)
    page.locator("[name=name]").first.fill(" ")
    page.locator("#new-game [type=submit]").click()
    expect(page.locator(".start-bar .error")).to_have_text("Give every player a name of up to 24 letters.")


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (1280, 800)])
def test_start_never_scrolls_away(page: Page, program: Program, size: tuple[int, int]) -> None:
    page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    open_page(page, program)
    for option in ("muggins_mode", "go_points", "lowball"):
        page.locator(f'[data-option="{option}"] summary').click()
        expect(page.locator("#new-game [type=submit]")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_house_rules_that_do_not_go_with_the_others_are_hidden_and_not_sent(page: Page, program: Program) -> None:
    open_page(page, program)

    def choose(option: str, choice: str) -> None:
        rule = page.locator(f'[data-option="{option}"]')
        if rule.get_attribute("open") is None:
            rule.locator("summary").click()
        rule.locator(f'label:has([value="{choice}"])').click()

    def rule(option: str) -> Locator:
        return page.locator(f'[data-option="{option}"]')

    expect(rule("muggins_scope")).to_be_hidden()
    choose("muggins_mode", "claim")
    choose("muggins_scope", "show")
    expect(rule("muggins_window")).to_be_hidden()
    choose("stinkhole", "heels_and_go")
    choose("lowball", "on")
    expect(rule("stinkhole")).to_be_hidden()
    expect(rule("muggins_scope")).to_be_hidden()
    expect(rule("muggins_mode").locator(".answer")).to_have_text("off")
    state = start(page, program)
    page.goto(f"{program.address}new-game?lang=en")
    expect(rule("lowball").locator(".answer")).to_have_text("yes")
    expect(rule("stinkhole")).to_be_hidden()
    assert state["game"]["variant"] == "six_card"
