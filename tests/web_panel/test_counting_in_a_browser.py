"""Counting a hand, leaving a deal and losing a seat in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.browsing import Program, choose, needs_browser, open_menu, until
from tests.web_panel.phones import LAN_NAME, BoardSession, new_browser
from tests.web_panel.pictures import look, post

pytestmark = [*needs_browser, pytest.mark.slow]

PLAY = ("J", "K", "5", "6", "T", "K", "Q", "A")
"""Ben leads and plays J 5 10 Q, in two series to 31."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from new_browser()


@pytest.fixture
def session(browser: Browser, tmp_path: Path) -> Iterator[BoardSession]:
    program = Program(tmp_path, {"CRIBBOARD_NAMES_ON_LAN": f'["{LAN_NAME}"]'})
    session = BoardSession(browser, program)
    yield session
    session.clear()
    program.switch_off()
    assert not session.errors


def choose_without_confirming(page: Page, name: str) -> None:
    open_menu(page).get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def page(session: BoardSession) -> Page:
    session.begin()
    return session.phone()


def play_out(session: BoardSession) -> None:
    post(session.address, "commands/starter", {"card": "5H"})
    for card in PLAY:
        post(session.address, "commands/play", {"card": card})


def test_a_hand_known_by_rank_asks_for_nobs(session: BoardSession, page: Page) -> None:
    play_out(session)
    choose(page, "Count Ben’s hand")  # in the menu, because points wait to be pegged
    expect(page.locator(".input-title")).to_have_text("Is the jack of ♥ there? (his nobs, 1 point)")
    page.keyboard.press("h")
    expect(page.locator("#table-cards .count").last).to_have_text("18")  # the jack rules a flush out


def test_a_count_with_unknown_suits_has_a_plus(session: BoardSession, page: Page) -> None:
    play_out(session)
    post(session.address, "commands/count", {})
    expect(page.locator("#table-cards .count").last).to_have_text("17+")
    expect(page.locator("#table-cards .cadence")).to_contain_text("At least 17:")


def test_the_letter_of_a_suit_answers_the_board_that_asks_for_one(session: BoardSession, page: Page) -> None:
    open_menu(page).get_by_role("button", name="Display and sixteen keys").click()
    page.keyboard.press("h")  # no key of the board
    page.keyboard.press("5")
    expect(page.locator("#prompt")).to_have_text("The starter is 5. Which suit?")
    page.keyboard.press("h")
    expect(page.locator("#table-cards .card").first).to_have_text("5♥")


def test_a_double_click_on_next_deal_ends_one_deal(session: BoardSession, page: Page) -> None:
    post(session.address, "commands/starter", {"card": "5H"})
    post(session.address, "commands/show", {})
    for _ in range(3):
        post(session.address, "commands/skip", {})
    next_deal = page.locator("#primary")
    expect(next_deal).to_contain_text("Next deal")
    page.wait_for_timeout(500)  # the primary place ignores taps right after a change
    next_deal.click(click_count=2, delay=20)
    until(lambda: look(session.address)["deal"]["number"] > 1)
    page.wait_for_timeout(350)
    assert look(session.address)["deal"]["number"] == 2
    choose_without_confirming(page, "End this deal")
    expect(page.locator("#confirm-question")).to_have_text("Skip this deal? It has not been played.")
    page.keyboard.press("Enter")  # Cancel has the focus
    expect(page.locator("#confirm-dialog")).to_be_hidden()
    assert look(session.address)["deal"]["number"] == 2
    choose(page, "End this deal")
    expect(page.locator("#log li").first).to_have_text("Ann deals.")
    assert look(session.address)["deal"]["number"] == 3


def test_a_hand_is_skipped_after_a_question_and_logged(session: BoardSession, page: Page) -> None:
    post(session.address, "commands/starter", {"card": "5H"})
    post(session.address, "commands/show", {})
    choose_without_confirming(page, "Skip: Ben")
    expect(page.locator("#confirm-question")).to_have_text("Skip Ben’s hand? It gets no points here.")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    choose(page, "Skip: Ben")
    expect(page.locator("#log li").first).to_have_text("Ben’s hand is skipped.")


def test_a_player_has_no_button_to_skip_the_hand_of_another(session: BoardSession) -> None:
    session.pair("Olga")  # the first phone is the owner
    ann, ben = session.pair("Ann"), session.pair("Ben")
    session.begin()
    for phone, name in ((ann, "Ann"), (ben, "Ben")):
        expect(phone.locator(".own-hand h2")).to_have_text(f"{name}: your cards")
    post(session.address, "commands/starter", {"card": "5H"})
    post(session.address, "commands/show", {})
    expect(open_menu(ben).get_by_role("button", name="Skip: Ben")).to_be_visible()
    expect(open_menu(ann).get_by_role("button", name="Skip: Ben")).to_have_count(0)


def test_a_phone_that_lost_its_seat_sees_why(session: BoardSession) -> None:
    session.begin()
    ann = session.sit(session.phone(), "Ann")
    watcher = session.phone()
    session.begin(names=["Cat", "Dan"])
    status = ann.locator("#phone .phone-status")
    expect(status).to_have_text("Ann is not in this game. Choose another seat, or watch.")
    ann.reload()
    expect(status).to_have_text("Ann is not in this game. Choose another seat, or watch.")
    expect(watcher.locator("#card-input .input-title")).to_have_text("Starter card")
    ann.get_by_role("button", name="Sit as Cat").click()
    expect(ann.locator(".own-hand h2")).to_have_text("Cat: your cards")


def test_a_page_says_who_holds_the_seat_whose_cards_it_cannot_enter(session: BoardSession) -> None:
    session.begin()
    watcher = session.phone()
    session.sit(session.phone(), "Ben")
    expect(watcher.locator("#held-seat")).to_be_hidden()
    post(session.address, "commands/starter", {"card": "5H"})
    expect(watcher.locator("#held-seat")).to_have_text("Only Ben can do that, or the board’s keys.")
