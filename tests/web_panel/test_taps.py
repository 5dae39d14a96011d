"""How many taps and keystrokes a player needs on the main page, counted in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from time import sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.web_panel.browsing import PATIENCE_MS, PAUSE_S, Program, close_context, needs_browser, next_turn, until
from tests.web_panel.pictures import look, post

pytestmark = [*needs_browser, pytest.mark.slow]

SIZE: ViewportSize = {"width": 390, "height": 844}
MOST_TAPS = 16
"""For a deal whose every card is refereed, on one device, with its pegs."""
MOST_KEYS = 4
"""For one move of two points."""
COUNT_TAPS = """() => {
  window.taps = [];
  addEventListener("click", ({ target }) => taps.push(target.closest("button, a, summary")?.innerText ?? ""), true);
}"""


@pytest.fixture
def phone(browser: Browser, program: Program) -> Iterator[Page]:
    """One phone that everybody uses, with a counter of taps."""
    context = browser.new_context(viewport=SIZE, has_touch=True, is_mobile=True, reduced_motion="reduce", locale="en")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(program.address)
    page.evaluate(COUNT_TAPS)
    yield page
    close_context(context)


def begin(program: Program, page: Page) -> None:
    game = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
    post(program.address, "commands/new-game", game)
    expect(page.locator("#card-input .input-title")).to_have_text("Starter card")


class Scorer:
    """Taps the cards of a deal, and the primary button for each peg."""

    def __init__(self, page: Page, program: Program) -> None:
        self.page, self.address = page, program.address
        self.pegs = 0

    def state(self) -> Any:
        return look(self.address)

    def play(self, ranks: str) -> None:
        """Play cards in their order; `.` says go."""
        for rank in ranks:
            with next_turn(self.page):
                self.page.locator(".go" if rank == "." else f'[data-rank="{rank}"]').tap()

    def move_pegs(self) -> None:
        """Tap "Peg 2 for Ben", or "Peg all points", while points are due."""
        while any(side["owed"] for side in self.state()["sides"]):
            expect(self.page.locator("#primary")).to_contain_text("Peg ")
            sleep(PAUSE_S)
            are_all = "Peg all points" in self.page.locator("#primary").inner_text()
            with next_turn(self.page):
                self.page.locator("#primary").tap()
            self.pegs += 1
            if are_all:
                until(lambda: not any(side["owed"] for side in self.state()["sides"]))

    def wait_for_counts(self) -> None:
        """Hands whose cards were played are counted by themselves, up to the crib."""
        until(lambda: self.state()["deal"]["to_count"]["title"] == "Ann’s crib")


@pytest.mark.parametrize(
    ("played", "crib"),
    [("K6875948", "233T"), ("48584796", "233T"), ("6K84.3K4K", "2558")],
    ids=["no go", "a go of each", "a go, and a card after it"],
)
def test_a_refereed_deal_takes_sixteen_taps(phone: Page, program: Program, played: str, crib: str) -> None:
    """The starter, eight cards, the crib, and at the end the pegs: points stay in the button. Goes that end a series
    are said by the card after them; a go after which somebody plays on is one tap more (a `.`)."""
    begin(program, phone)
    scorer = Scorer(phone, program)
    with next_turn(phone):
        phone.locator('[data-rank="Q"]').tap()
        phone.get_by_role("button", name="hearts").tap()
    scorer.play(played)
    scorer.wait_for_counts()
    for rank in crib:
        phone.locator(f'[data-rank="{rank}"]').tap()
    until(lambda: scorer.state()["game"]["phase"] == "gather")
    scorer.move_pegs()
    expect(phone.locator("#primary")).to_contain_text("Next deal")
    taps = phone.evaluate("taps.length")
    print(f"a refereed deal: {taps} taps, {scorer.pegs} of them for pegs")
    assert taps <= MOST_TAPS, phone.evaluate("taps")


def test_the_next_deal_begins_with_its_starter(phone: Page, program: Program) -> None:
    begin(program, phone)
    for command in ("starter", "show", "skip", "skip", "skip"):
        post(program.address, f"commands/{command}", {"card": "5H"} if command == "starter" else {})
    expect(phone.locator("#primary")).to_contain_text("Next deal")
    with next_turn(phone):
        phone.locator('[data-rank="6"]').tap()
        phone.get_by_role("button", name="spades").tap()
    assert phone.evaluate("taps.length") == 2
    expect(phone.locator("#prompt")).to_have_text("Ann leads.")
    assert look(program.address)["deal"]["number"] == 2


@pytest.mark.parametrize("is_due", [True, False], ids=["due", "by pegs alone"])
def test_two_points_take_four_keystrokes_at_most(page: Page, program: Program, is_due: bool) -> None:
    begin(program, page)
    keys = ["l", "ArrowRight", "ArrowRight", "Enter"]
    if is_due:
        post(program.address, "commands/starter", {"card": "JH"})
        expect(page.locator("#primary")).to_have_text("Peg 2 for Ann")
        sleep(PAUSE_S)
        keys = ["Enter"]
    assert len(keys) <= MOST_KEYS
    page.locator(".peg").first.wait_for()
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator(".score")).to_have_text(["2", "0"])
