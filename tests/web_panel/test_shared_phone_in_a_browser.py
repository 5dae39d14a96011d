"""One phone for two people whose cards the board deals, in a real browser: a cover hides each hand from the other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from firmware_host.cribbage.cards import parse_card
from firmware_host.ui.texts.messages import with_suit_symbol
from tests.web_panel.browsing import PAUSE_S, needs_browser
from tests.web_panel.phones import BoardSession, hand, new_browser, new_session

pytestmark = [*needs_browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from new_browser()


@pytest.fixture
def session(browser: Browser, tmp_path: Path) -> Iterator[BoardSession]:
    yield from new_session(browser, tmp_path)


class Witness:
    """Everything that reaches a page: what the network brings, what is drawn, what is stored."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._bodies = list[str]()
        page.route(re.compile(r"/api/v1/(?!stream)"), self._pass)

    def _pass(self, route: Route) -> None:
        answer = route.fetch()
        self._bodies.append(answer.text())
        route.fulfill(response=answer)

    def stop(self) -> None:
        """No longer stand between the page and the board."""
        self._page.unroute_all(behavior="ignoreErrors")

    def has_seen(self, cards: list[str]) -> bool:
        """Whether one of these cards is anywhere in the page, its storage or its answers."""
        stored = self._page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        sent = "".join((*self._bodies, stored))
        drawn = self._page.content()
        return any(
            f'"{card}"' in sent or f'\\"{card}\\"' in sent or with_suit_symbol(parse_card(card)) in drawn
            for card in cards
        )


def hand_of(session: BoardSession, seat: int) -> Any:
    """The truth, by a visitor at the board's own computer."""
    with urlopen(f"{session.address}api/v1/me/hand/{seat}") as answer:
        return json.load(answer)


def tap(page: Page, label: str) -> None:
    """Presses the primary button once it says this, and once it takes a press."""
    expect(page.locator("#primary")).to_contain_text(label)
    sleep(PAUSE_S)
    page.locator("#primary").click()


def test_no_card_of_the_other_is_in_the_page_before_the_tap(session: BoardSession) -> None:
    session.begin(is_dealt=True)
    page = session.phone()
    witness = Witness(page)
    tap(page, "Deal")
    expect(page.locator("#primary")).to_contain_text("show my cards")
    first = 0 if "Ann" in page.locator("#primary").inner_text() else 1
    names = ("Ann", "Ben")
    dealt = [hand_of(session, seat)["dealt"] for seat in (0, 1)]
    assert all(len(cards) == 6 for cards in dealt)
    expect(page.locator("#dock")).to_contain_text(f"Give the phone to {names[first]}")
    expect(hand(page)).to_have_count(0)
    assert not witness.has_seen([*dealt[0], *dealt[1]])
    for seat in (first, 1 - first):
        tap(page, f"{names[seat]}: show my cards")
        expect(hand(page)).to_have_count(6)
        expect(page.locator(".own-hand h2")).to_have_text(f"{names[seat]}: your cards")
        assert witness.has_seen(dealt[seat])
        assert seat != first or not witness.has_seen(dealt[1 - first])
        for place in (0, 1):
            page.locator(".hand .card").nth(place).click()
        tap(page, "Discard ")
        expect(hand(page)).to_have_count(0)
    witness.stop()
