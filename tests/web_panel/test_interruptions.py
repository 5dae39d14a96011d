"""Back, sleep, a clock that jumps, two tabs, a slow line, and actions that the board refuses, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from time import sleep

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.web_panel.browsing import (
    PATIENCE_MS,
    PAUSE_S,
    Program,
    close_context,
    drag,
    middle,
    needs_browser,
    open_menu,
)
from tests.web_panel.pictures import GAME, TWO_PLAYERS, look, post

pytestmark = [*needs_browser, pytest.mark.slow]

AT_ONCE_MS = 20_000
"""Sooner than a page notices by its own timers that a stream is dead, and long enough for a busy machine."""
HOUR_MS = 3_600_000


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="en")
    context.set_default_timeout(PATIENCE_MS)
    yield context
    close_context(context)


def opened(context: BrowserContext, program: Program) -> Page:
    page = context.new_page()
    page.goto(program.address)
    expect(page.locator(".score").first).to_be_visible()
    return page


def owe_two_points(program: Program) -> None:
    """Ann has two points to peg."""
    post(program.address, "commands/new-game", TWO_PLAYERS)
    post(program.address, "commands/starter", {"card": "JH"})


# Back.


DIALOGS = ["#open-log", '[data-command="correct"]', '[data-command="show"]', ".pair-button"]


@pytest.mark.parametrize("opens", DIALOGS)
def test_back_closes_each_dialog_of_the_game(context: BrowserContext, program: Program, opens: str) -> None:
    post(program.address, "commands/new-game", GAME)
    for command, body in (("starter", {"card": "5H"}), ("play", {"card": "7D"})):
        post(program.address, f"commands/{command}", body)
    page = opened(context, program)
    open_menu(page).locator(opens).click()
    expect(page.locator("dialog[open]:not(#menu)")).to_have_count(1)
    page.go_back()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("#prompt")).to_have_text("Ann plays next.")


def test_back_closes_the_dialogs_of_other_pages(context: BrowserContext, program: Program) -> None:
    post(program.address, "commands/new-game", GAME)
    page = opened(context, program)
    page.goto(f"{program.address}new-game")
    page.locator("#new-game [type=submit]:enabled").click()
    expect(page.locator("#end-game")).to_be_visible()
    page.go_back()
    expect(page.locator("#end-game")).to_be_hidden()
    assert page.url.endswith("/new-game")


# Sleep and wake.


def test_a_computer_that_slept_with_the_page_open_is_right_at_once(context: BrowserContext, program: Program) -> None:
    """Its stream may have died meanwhile without a word. Nothing but the time of day tells that it slept."""
    post(program.address, "commands/new-game", TWO_PLAYERS)
    page = opened(context, program)
    with page.expect_request("**/api/v1/stream*", timeout=AT_ONCE_MS):
        page.evaluate(f"() => {{ const now = Date.now; Date.now = () => now() + {HOUR_MS}; }}")
    post(program.address, "commands/starter", {"card": "5H"})
    expect(page.locator("#prompt")).to_have_text("Ben leads.", timeout=AT_ONCE_MS)


@pytest.mark.parametrize("change", ["online", "offline"])
def test_a_change_of_the_network_opens_the_stream_anew(context: BrowserContext, program: Program, change: str) -> None:
    post(program.address, "commands/new-game", TWO_PLAYERS)
    page = opened(context, program)
    with page.expect_request("**/api/v1/stream*", timeout=AT_ONCE_MS):
        page.evaluate(f"dispatchEvent(new Event('{change}'))")


def test_a_page_without_network_says_so(context: BrowserContext, program: Program) -> None:
    post(program.address, "commands/new-game", TWO_PLAYERS)
    page = opened(context, program)
    context.set_offline(True)
    expect(page.locator("#health")).to_contain_text("No connection")
    post(program.address, "commands/starter", {"card": "5H"})
    context.set_offline(False)
    expect(page.locator("#prompt")).to_have_text("Ben leads.")
    expect(page.locator("#health")).to_have_text("")


def test_a_page_that_comes_back_from_the_cache_is_right(context: BrowserContext, program: Program) -> None:
    post(program.address, "commands/new-game", TWO_PLAYERS)
    page = opened(context, program)
    page.goto(f"{program.address}help")
    post(program.address, "commands/starter", {"card": "5H"})
    page.go_back()
    expect(page.locator("#prompt")).to_have_text("Ben leads.")


# Two tabs.


def test_two_tabs_show_the_same_game(context: BrowserContext, program: Program) -> None:
    post(program.address, "commands/new-game", TWO_PLAYERS)
    one, other = opened(context, program), opened(context, program)
    one.keyboard.press("5")
    one.keyboard.press("h")
    for page in (one, other):
        expect(page.locator("#prompt")).to_have_text("Ben leads.")
    other.bring_to_front()
    other.wait_for_timeout(600)  # nobody has read the new state sooner
    other.keyboard.press("z")
    expect(one.locator("#prompt")).to_have_text("Ann deals.")


def test_the_same_points_pressed_in_two_tabs_count_once(context: BrowserContext, program: Program) -> None:
    owe_two_points(program)
    pages = [opened(context, program) for _ in range(2)]
    for page in pages:
        expect(page.locator("#primary")).to_contain_text("Peg 2 for Ann")
    sleep(PAUSE_S)
    for page in pages:
        page.locator("#primary").evaluate("button => { setTimeout(() => button.click()); }")
    for page in pages:
        expect(page.locator("#prompt")).to_have_text("Ben leads.")
        expect(page.locator(".score")).to_have_text(["2", "0"])


# A slow line, and refusals.


def test_on_a_slow_line_a_press_is_acknowledged_and_counts_once(context: BrowserContext, program: Program) -> None:
    post(program.address, "commands/new-game", GAME)
    for command, body in (("starter", {"card": "5H"}), ("show", {}), ("skip", {}), ("skip", {}), ("skip", {})):
        post(program.address, f"commands/{command}", body)
    page = opened(context, program)
    expect(page.locator("#primary")).to_contain_text("Next deal")

    def answer_late(route: Route) -> None:
        page.wait_for_timeout(1500)
        route.continue_()

    page.route("**/commands/next-deal*", answer_late)
    sleep(PAUSE_S)
    with page.expect_response("**/commands/next-deal*"):
        page.locator("#primary").click()
        page.locator("#primary").click()
        expect(page.locator("#primary .label")).to_have_text("One moment …")
    expect(page.locator("#prompt")).to_have_text("Ben deals.")
    assert look(program.address)["deal"]["number"] == 2


REASON = "That hole is taken."


def refuse(route: Route) -> None:
    """The answer of the board to what the rules do not allow."""
    body = json.dumps({"kind": "refused", "message": REASON, "localized": REASON})
    route.fulfill(status=409, content_type="application/json", body=body)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(refuse, REASON), (lambda route: route.abort(), "Not sent. Check the Wi-Fi and try again.")],
    ids=["refused", "not sent"],
)
@pytest.mark.parametrize("step", ["lift", "place"])
def test_a_dragged_peg_goes_back_with_a_reason(
    context: BrowserContext, program: Program, step: str, answer: Callable[[Route], None], reason: str
) -> None:
    post(program.address, "commands/new-game", GAME)
    page = opened(context, program)
    peg = page.locator("#drawing .peg[aria-label^='red back']")
    peg.wait_for()
    before = peg.get_attribute("aria-label")
    page.route(f"**/pegs/{step}*", answer, times=1)
    drag(page, peg, middle(page.locator('.hole[data-track="0"][data-hole="50"] .well')))
    expect(page.locator("#notice")).to_contain_text(reason)
    expect(peg).to_have_attribute("aria-label", str(before))
    expect(page.locator(".score")).to_have_text(["43", "45"])


def test_a_refused_primary_action_says_why_and_can_be_pressed_again(context: BrowserContext, program: Program) -> None:
    owe_two_points(program)
    page = opened(context, program)
    page.route("**/pegs/lift*", refuse)
    expect(page.locator("#primary")).to_contain_text("Peg 2 for Ann")
    sleep(PAUSE_S)
    page.locator("#primary").click()
    expect(page.locator("#notice")).to_contain_text(REASON)
    expect(page.locator(".score")).to_have_text(["0", "0"])
    page.unroute("**/pegs/lift*")
    sleep(PAUSE_S)
    page.locator("#primary").click()
    expect(page.locator(".score")).to_have_text(["2", "0"])


def test_a_refused_card_stays_out_of_the_series(context: BrowserContext, program: Program) -> None:
    post(program.address, "commands/new-game", GAME)
    post(program.address, "commands/starter", {"card": "5H"})
    page = opened(context, program)
    page.route("**/commands/play*", refuse)
    page.keyboard.press("7")
    expect(page.locator("#notice")).to_contain_text(REASON)
    expect(page.locator("#table-cards .count")).to_have_text("0")
    expect(page.locator("#prompt")).to_have_text("Ben leads.")
