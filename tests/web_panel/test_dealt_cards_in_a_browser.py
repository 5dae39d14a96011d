"""A game of two people with a phone each, whose cards the board deals, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.browsing import PAUSE_S, needs_browser, until
from tests.web_panel.phones import BoardSession, new_browser, new_session
from tests.web_panel.pictures import look

pytestmark = [*needs_browser, pytest.mark.slow]

NAMES = ("Ann", "Ben")
TAPS_WITHOUT_PEGS = 20
"""Deal, two discards of three taps, the starter, eight cards, three counts, next deal."""
MOST_TAPS = 32
"""For a deal, with its pegs, on both phones together."""
COUNT_TAPS = """() => {
  window.taps = [];
  addEventListener("click", ({ target }) => taps.push(target.closest("button")?.innerText ?? ""), true);
}"""
BUTTONS = ("Peg ", "Deal", "Turn up", "Count ", "Next deal")
"""What the primary button offers beside the discard."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from new_browser()


@pytest.fixture
def session(browser: Browser, tmp_path: Path) -> Iterator[BoardSession]:
    yield from new_session(browser, tmp_path)


class TwoPhones:
    """Ann and Ben tap what their own phone asks for."""

    def __init__(self, session: BoardSession) -> None:
        self.session = session
        session.begin(is_dealt=True, target=61)
        self.pages = [session.phone() for _name in NAMES]
        for seat, (page, name) in enumerate(zip(self.pages, NAMES, strict=True)):
            session.pair_locally(page, name, seat)
            page.evaluate(COUNT_TAPS)

    def state(self) -> Any:
        return look(self.session.address)

    def taken_taps(self) -> list[str]:
        """What was tapped since the last call."""
        return [text for page in self.pages for text in page.evaluate("taps.splice(0)")]

    def step(self) -> bool:
        """One thing on the first phone that has something to do; False if none has."""
        return any(self.discard(page) or self.play(page) or self.press(page) for page in self.pages)

    def press(self, page: Page) -> bool:
        button = page.locator("#primary")
        text = button.inner_text()
        if button.is_disabled() or not text.startswith(BUTTONS):
            return False
        return self.acts(button.click)

    def discard(self, page: Page) -> bool:
        if "for the crib" not in page.locator("#dock").inner_text():
            return False
        cards = page.locator('.hand button:not([aria-pressed="true"])')
        if cards.count() != 6:
            return False
        for place in (0, 0):
            cards.nth(place).click()
        expect(page.locator("#primary")).to_contain_text("Discard ")
        return self.acts(page.locator("#primary").click)

    def play(self, page: Page) -> bool:
        if page.locator(".own-hand .hint").all_inner_texts() != ["Your turn: tap a card."]:
            return False
        return self.acts(page.locator(".hand button:not(.is-unplayable)").first.click)

    def acts(self, tap: Callable[[], None]) -> bool:
        """One tap that takes a turn, which both phones then show."""
        before = self.state()["moment"]
        sleep(PAUSE_S)
        tap()
        until(lambda: self.state()["moment"] != before)
        until(self.are_up_to_date)
        return True

    def are_up_to_date(self) -> bool:
        """Whether both phones show the latest turn that is in the log."""
        latest = self.state()["log"][0]["turn"]
        return all(page.locator("#log li").first.get_attribute("value") == str(latest) for page in self.pages)


def test_a_whole_game_with_dealt_cards_counts_its_taps(session: BoardSession) -> None:
    phones = TwoPhones(session)
    deals = list[tuple[int, int]]()
    deal = 1
    while (state := phones.state())["game"]["phase"] != "over":
        if state["deal"] and state["deal"]["number"] != deal:
            taps = phones.taken_taps()
            deals.append((len(taps), sum(text.startswith("Peg ") for text in taps)))
            deal = state["deal"]["number"]
        if not phones.step():
            sleep(0.1)
    print(f"taps of each whole deal, and those for pegs: {deals}")
    assert max(side["score"] for side in state["sides"]) == 61
    for page in phones.pages:
        expect(page.locator(".own-hand")).to_have_js_property("hidden", True)  # it would take room from the result
        expect(page.get_by_role("link", name="Check the dealt cards")).to_be_visible()
    assert deals and all(taps - pegs <= TAPS_WITHOUT_PEGS and taps <= MOST_TAPS for taps, pegs in deals)
