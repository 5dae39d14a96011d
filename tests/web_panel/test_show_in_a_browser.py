"""The show on the main page: cards light up while they are counted, in step with the voice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.browsing import PATIENCE_MS, Program, choose, close_page, needs_browser, open_menu
from tests.web_panel.pictures import post

pytestmark = [*needs_browser, pytest.mark.slow]

GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
HAND = ["7C", "8D", "8S", "9H"]
VOICE = """() => {
  window.said = [];
  speechSynthesis.speak = (utterance) => said.push(utterance);
  speechSynthesis.cancel = () => {};
}"""
RECORD = """() => {
  window.seen = [];
  const table = document.getElementById("table-cards");
  const look = () => {
    const lit = [...table.querySelectorAll(".is-lit")].map((card) => card.textContent).join(" ");
    const now = `${table.querySelector(".count")?.textContent}: ${lit}`;
    if (lit && seen.at(-1) !== now) seen.push(now);
  };
  new MutationObserver(look).observe(table, { subtree: true, attributes: true, childList: true, characterData: true });
}"""


def open_page(browser: Browser, program: Program, motion: str) -> Page:
    post(program.address, "commands/new-game", GAME)
    post(program.address, "commands/starter", {"card": "JS"})
    post(program.address, "commands/accept-pegs", {})
    post(program.address, "commands/show", {})
    page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion=motion, locale="en")  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE_MS)
    page.goto(program.address)
    expect(page.locator("#card-input .input-title")).to_have_text("Count Ben’s hand")
    return page


@pytest.fixture
def moving(browser: Browser, program: Program) -> Iterator[Page]:
    page = open_page(browser, program, "no-preference")
    page.evaluate(RECORD)
    yield page
    close_page(page)


def count(program: Program) -> None:
    post(program.address, "commands/count", {"cards": HAND})


def test_the_last_series_of_the_play_gives_its_place_to_the_next_hand(moving: Page, program: Program) -> None:
    expect(moving.locator("#table-cards h2")).to_have_text(["Starter", "Ben’s hand"])
    count(program)
    expect(moving.locator("#table-cards .count")).to_have_text("12")


def test_combinations_light_up_one_after_the_other(moving: Page, program: Program) -> None:
    count(program)
    expect(moving.locator("#table-cards .cadence")).to_contain_text("a double run of three is twelve")
    steps = moving.evaluate("seen")
    assert steps == ["2: 7♣ 8♦", "4: 7♣ 8♠", "12: 7♣ 8♦ 9♥", "12: 7♣ 8♠ 9♥", "12: 8♦ 8♠", "12: 7♣ 8♦ 8♠ 9♥"]
    expect(moving.locator("#table-cards .is-lit")).to_have_count(0)
    expect(moving.locator(".tally li")).to_have_count(3)


def test_a_peg_that_is_moved_meanwhile_does_not_begin_the_count_again(moving: Page, program: Program) -> None:
    count(program)
    expect(moving.locator("#table-cards .is-lit")).to_have_count(2)
    post(program.address, "commands/accept-pegs", {})
    expect(moving.locator(".tally li")).to_have_count(3)
    expect(moving.locator("#table-cards .cadence")).not_to_be_empty()
    assert moving.evaluate("seen.filter((each) => each.startsWith('2:')).length") == 1


def test_the_lights_follow_the_voice(moving: Page, program: Program) -> None:
    moving.evaluate(VOICE)
    choose(moving, "Read aloud")
    count(program)
    moving.wait_for_function("() => said.length === 5")
    texts = moving.evaluate("said.map((utterance) => utterance.text.trim())")
    assert texts == [
        "Ben’s hand: a seven, an eight, an eight, a nine.",
        "Fifteen two",
        "Fifteen four",
        "A double run of three is twelve",
        "Ben, peg twelve, to twelve.",
    ]
    expect(moving.locator("#spoken")).to_contain_text("a double run of three is twelve. Ben, peg twelve, to twelve.")
    tally = moving.locator(".tally li")
    for number in range(3):
        expect(tally).to_have_count(number)
        moving.evaluate("(at) => said[at].onstart()", number + 1)
        expect(tally).to_have_count(number + 1)
        expect(moving.locator(".series h2")).to_have_text(texts[number + 1])
        moving.evaluate("(at) => said[at].onend()", number + 1)
    expect(moving.locator("#table-cards .cadence")).to_contain_text("a double run of three is twelve")
    moving.evaluate("localStorage.clear()")


def test_a_browser_without_a_voice_counts_by_itself(moving: Page, program: Program) -> None:
    moving.evaluate(VOICE)
    choose(moving, "Read aloud")
    count(program)
    expect(moving.locator("#table-cards .cadence")).to_contain_text("a double run of three is twelve")
    moving.evaluate("localStorage.clear()")


def test_reduced_motion_shows_the_final_list_at_once(browser: Browser, program: Program) -> None:
    page = open_page(browser, program, "reduce")
    page.evaluate(RECORD)
    count(program)
    expect(page.locator(".tally li")).to_have_count(3)
    assert page.evaluate("seen") == []
    rows = page.locator(".tally li").last.locator(".cards")
    assert [row.replace("\n", "") for row in rows.all_text_contents()] == ["7♣8♦9♥", "7♣8♠9♥", "8♦8♠"]
    close_page(page)


def test_four_colours_are_chosen_in_the_menu_and_kept(browser: Browser, program: Program) -> None:
    page = open_page(browser, program, "reduce")
    count(program)
    diamond = page.locator('#table-cards [data-suit="D"]').first
    expect(diamond).to_have_css("color", "rgb(192, 23, 43)")
    open_menu(page).locator("#four-colours").click()
    expect(diamond).to_have_css("color", "rgb(26, 89, 180)")
    page.reload()
    expect(diamond).to_have_css("color", "rgb(26, 89, 180)")
    open_menu(page).locator("#four-colours").click()
    expect(diamond).to_have_css("color", "rgb(192, 23, 43)")
    close_page(page)
