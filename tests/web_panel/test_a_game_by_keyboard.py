"""A whole game on a simulated board by keyboard alone: from the first screen to the result, and on to the next game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.browsing import PAUSE_S, Program, close_page, needs_browser, until
from tests.web_panel.pictures import look

pytestmark = [*needs_browser, pytest.mark.slow, pytest.mark.timeout(900)]

TARGET = 61
STARTER = "qh"
PLAYED = "k6875948"
"""Two hands as they are played: 31 with the fourth card, no go that has to be said."""
CRIB = "233t"
MOST_TABS = 40
"""To reach any control of a page."""

HAS_FOCUS = """() => {
  const { activeElement } = document;
  return activeElement && activeElement !== document.body && activeElement.checkVisibility();
}"""
FOCUSED = "selector => document.activeElement?.matches(selector) ?? false"


class Player:
    """Presses keys. After each one something that is visible must have the focus."""

    def __init__(self, page: Page, address: str) -> None:
        self._page, self._address = page, address
        self.pressed = 0

    @property
    def state(self) -> Any:
        return look(self._address)

    @property
    def phase(self) -> str:
        return str(self.state["game"]["phase"])

    def press(self, key: str) -> None:
        """Press a key, and check the focus when the page has drawn what followed."""
        self._page.wait_for_timeout(1000 * PAUSE_S if key == "Enter" else 50)
        self._page.keyboard.press(key)
        self.pressed += 1
        self._page.wait_for_timeout(50)
        assert self._page.evaluate(HAS_FOCUS), f"the focus is lost after {key}"

    def tab_to(self, selector: str) -> None:
        """Press Tab until an element that matches has the focus."""
        for _ in range(MOST_TABS):
            if self._page.evaluate(FOCUSED, selector):
                return
            self.press("Tab")
        raise AssertionError(f"{selector} cannot be reached with {MOST_TABS} tabs")

    def take_turn(self, keys: str) -> None:
        """Press keys, and wait until the board has taken a turn."""
        before = self.state["turns"]
        for key in keys:
            self.press(key)
        until(lambda: self.state["turns"] > before)
        self.peg()

    def peg(self) -> None:
        """Move the pegs that are due, with Enter."""
        while self.phase != "over" and any(side["owed"] for side in self.state["sides"]):
            expect(self._page.locator("#primary")).to_contain_text("Peg ")
            before = self.state["turns"]
            self.press("Enter")
            until(lambda before=before: self.state["turns"] > before)  # type: ignore[misc]

    def play_deal(self) -> None:
        """One deal, or less where somebody wins. Hands whose cards were played are counted by the page."""
        title = self._page.locator("#card-input .input-title")
        expect(title).to_have_text("Starter card")
        self.take_turn(STARTER)
        for card in PLAYED:
            if self.phase == "over":
                return
            expect(title).to_have_text(f"{self.name_of_next()} plays")
            self.take_turn(card)
        self.follow_counts()
        if self.phase == "over":
            return
        self.take_turn(CRIB)

    def follow_counts(self) -> None:
        """Move the pegs while the page counts both hands. It counts the second without waiting for the pegs."""
        while not self.hands_are_counted:
            before = self.state["turns"]
            until(lambda before=before: self.hands_are_counted or self.state["turns"] > before)  # type: ignore[misc]
            self.peg()
        self.peg()

    @property
    def hands_are_counted(self) -> bool:
        """Whether only the crib is left to count, whose cards nobody has entered, or nothing at all."""
        next_hand = self.state["deal"]["to_count"]
        return self.phase == "over" or (next_hand is not None and not next_hand["cards"])

    def name_of_next(self) -> str:
        """Who plays the next card."""
        action = next(each for each in self.state["actions"] if each["command"] == "play")
        return str(self.state["seats"][action["seats"][0]]["name"])


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, Program]]:
    """The first screen of a board that nobody has played on."""
    program = Program(tmp_path / "state", {"XDG_CONFIG_HOME": str(tmp_path)})
    page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="en")
    page.goto(program.address)
    page.locator("#start:visible").wait_for()
    yield page, program
    close_page(page)
    program.switch_off()


def test_a_whole_game_is_played_by_keyboard_alone(page: tuple[Page, Program]) -> None:
    shown, program = page
    player = Player(shown, program.address)
    shown.get_by_role("radio", name="A board on this page").check()
    player.tab_to('#welcome a[href^="/new-game"]')
    shown.keyboard.press("Enter")
    shown.wait_for_url("**/new-game?pegs=drawn")
    shown.locator("#new-game [type=submit]:enabled").wait_for()
    player.tab_to("#targets input")
    while not shown.evaluate(FOCUSED, f'[value="{TARGET}"]:checked'):
        player.press("ArrowLeft")
    player.tab_to("#dealers input")
    player.press("ArrowRight")
    player.tab_to("#new-game [type=submit]")
    shown.keyboard.press("Enter")
    shown.wait_for_url(program.address)
    deals = 0
    while player.phase != "over":
        deals += 1
        player.play_deal()
        if player.phase == "gather":
            expect(shown.locator("#primary")).to_contain_text("Next deal")
            player.press("Enter")
            until(lambda: player.phase == "deal")
    print(f"{player.pressed} keys, {deals} deals")
    assert deals > 1 and max(side["score"] for side in player.state["sides"]) == TARGET
    shown.locator("#ending .race svg").wait_for()
    assert shown.evaluate(HAS_FOCUS)
    player.press("Enter")  # play again
    until(lambda: player.phase in ("cut", "deal"))
    assert shown.evaluate(HAS_FOCUS)
