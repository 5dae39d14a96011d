"""The pages at every size: no sideways scroll, and targets that a thumb can hit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.web_panel.alone import NEARLY_OVER, is_over, play_alone
from tests.web_panel.browsing import Program, close_page, needs_browser
from tests.web_panel.pictures import post

pytestmark = [*needs_browser, pytest.mark.slow]

GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
LONG = {"variant": "six_hand", "names": [f"Alexandrina-Wilhelmina {n}" for n in range(6)], "board": "continuous-121-4"}
WIDTHS = (320, 360, 390, 768, 1280, 1920)
PATHS = [
    *("new-game", "settings", "device", "history", "history/1", "history/2", "player?name=Ann", "phones", "backups"),
    *("head-to-head?one=Ann&other=Ben", "score-breakdown", "advice?cards=3C+3D+4S+4H+5C+9D", "big", "help", "nowhere"),
    *("review", "review?game=3", "history/3", "deals/current", "deals/3"),
]

SMALL = """() => [...document.querySelectorAll("main :is(a, button, select, summary, .segmented label, .choice)")]
  .filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    return width && height && height < 43.5 && !each.closest("p:not(.row), dd, .visually-hidden");
  }).map((each) => each.outerHTML.slice(0, 120))"""
"""Targets less than 44 px high. Links within a sentence are left out."""


@pytest.fixture(scope="module")
def played(program: Program) -> Program:
    """Three finished games, one played alone with dealt cards, one of six players with long names, and one under
    way."""
    for game, scores in ((GAME, [70, 40]), (LONG, [120, 90, 80, 70, 60, 50])):
        post(program.address, "commands/new-game", game | {"scores": scores})
        if game is GAME:
            post(program.address, "commands/starter", {"card": "5H"})
            post(program.address, "commands/play", {"card": "7D"})
            post(program.address, "commands/show", {})
            post(program.address, "commands/count", {"cards": ["7D", "8S", "8H", "9C"]})
        post(program.address, "commands/correct", {"side": 0, "score": 121, "reason": "home"})
    play_alone(program.address, is_over, **NEARLY_OVER)
    post(program.address, "commands/new-game", LONG | {"scores": [100, 90, 80, 70, 60, 50]})
    return program


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(reduced_motion="reduce")
    yield page
    close_page(page)


@pytest.mark.parametrize("language", ["en", "fr", "ru", "pl"])
@pytest.mark.parametrize("path", PATHS)
def test_no_page_scrolls_sideways_and_targets_are_large(
    plain_page: Page, played: Program, path: str, language: str
) -> None:
    plain_page.goto(f"{played.address}{path}{'&' if '?' in path else '?'}lang={language}")
    plain_page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    for width in WIDTHS:
        plain_page.set_viewport_size(ViewportSize(width=width, height=800))
        assert plain_page.evaluate("document.documentElement.scrollWidth") <= width, width
        assert plain_page.evaluate(SMALL) == [], width
