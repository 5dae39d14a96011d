"""The main page in a real browser with the real program."""

from __future__ import annotations

import re
from time import sleep
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.web_panel.browsing import (
    PAUSE_S,
    Program,
    choose,
    close_context,
    close_page,
    drag,
    middle,
    needs_browser,
    open_menu,
)
from tests.web_panel.pictures import post

pytestmark = [*needs_browser, pytest.mark.slow]

ASLEEP_S = 3.5
"""Longer than a page may be hidden without a new stream."""
AT_ONCE_MS = 20_000
"""Sooner than a page tries its stream again by its own timers, and long enough for a busy machine."""


def begin(page: Page) -> None:
    """A new game from its page; Red deals."""
    page.goto(urljoin(page.url, "/new-game"))
    page.locator("#dealers label").nth(1).click()
    page.locator("#new-game [type=submit]").click()
    if page.locator("#end-game").count():
        page.locator("#end-game [value=yes]").click()
    page.wait_for_url(re.compile(r":\d+/$"))
    expect(page.locator("#log li")).to_have_count(1)  # the log of the game before is gone
    expect(page.locator(".score")).to_have_text(["0", "0"])


def peg_of(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{name} peg"))


def hole_of(page: Page, track: int, hole: int) -> tuple[float, float]:
    return middle(page.locator(f'.hole[data-track="{track}"][data-hole="{hole}"] .well'))


def test_a_peg_dragged_by_the_mouse_scores(page: Page) -> None:
    begin(page)
    drag(page, peg_of(page, "red back"), hole_of(page, 0, 8))
    expect(page.locator(".score")).to_have_text(["8", "0"])
    expect(page.locator("#log li").first).to_contain_text("now 8")
    expect(peg_of(page, "red front")).to_have_attribute("aria-label", "red front peg, hole 8")


def test_a_peg_dropped_near_a_hole_snaps_into_it(page: Page) -> None:
    begin(page)
    x, y = hole_of(page, 1, 12)
    drag(page, peg_of(page, "blue back"), (x + 6, y - 9))
    expect(page.locator(".score")).to_have_text(["0", "12"])


def test_a_peg_on_the_drawing_follows_a_finger(browser: Browser, program: Program) -> None:
    size: ViewportSize = {"width": 360, "height": 780}
    phone = browser.new_context(viewport=size, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = phone.new_page()
    page.goto(program.address)
    begin(page)
    peg = page.locator('#drawing [aria-label^="blue back"]')
    peg.scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
    (x, y), (to_x, to_y) = middle(peg.locator(".head")), hole_of(page, 1, 7)
    glass = phone.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (x, y))
    for step in range(1, 6):  # the finger ends below the hole: a dragged peg is drawn above it
        touch("touchMove", (x + (to_x - x) * step / 5, y + (to_y + 9 - y) * step / 5))
    touch("touchEnd")
    expect(page.locator(".score")).to_have_text(["0", "7"])
    assert page.evaluate("scrollY") == scrolled
    close_context(phone)


def test_everything_can_be_done_by_keyboard(page: Page) -> None:
    keyboard = page.keyboard
    page.locator("#more").focus()
    keyboard.press("Enter")
    page.locator("#new-game").focus()
    keyboard.press("Enter")
    expect(page.locator("#new-game [type=submit]")).to_be_enabled()
    page.locator("#dealers input").nth(1).press("Space")
    page.locator("#new-game [type=submit]").press("Enter")
    if page.locator("#end-game").count():
        page.locator("#end-game [value=yes]").press("Enter")
    peg = peg_of(page, "red back")
    peg.focus()
    keyboard.press("Enter")
    expect(peg).to_have_attribute("data-state", "lifted")
    keyboard.press("Shift+ArrowRight")
    for _ in range(3):
        keyboard.press("ArrowRight")
    expect(page.locator("#announcement")).to_have_text("hole 7")
    keyboard.press("Enter")
    expect(page.locator(".score")).to_have_text(["7", "0"])


def test_the_keyboard_enters_cards_and_does_what_is_next(page: Page) -> None:
    begin(page)
    page.locator("#card-input .input-title:has-text(' ')").wait_for()
    for key in "js":  # a jack as starter: two for the dealer
        page.keyboard.press(key)
    expect(page.locator("#prompt")).to_have_text("Two for his heels, Red.")
    expect(page.locator("#primary")).to_have_class("primary")
    sleep(PAUSE_S)
    page.keyboard.press("Enter")
    expect(page.locator(".score")).to_have_text(["2", "0"])
    expect(page.locator("#prompt")).to_have_text("Blue leads.")
    page.keyboard.press("7")
    expect(page.locator("#table-cards .count")).to_have_text("7")
    sleep(PAUSE_S)  # nobody has read the new state sooner
    page.keyboard.press("z")
    expect(page.locator("#prompt")).to_have_text("Blue leads.")


def test_l_lifts_the_peg_over_its_lit_hole(page: Page) -> None:
    begin(page)
    page.locator("#card-input .input-title:has-text(' ')").wait_for()
    for key in "js":
        page.keyboard.press(key)
    expect(page.locator("#prompt")).to_have_text("Two for his heels, Red.")
    page.keyboard.press("l")
    page.keyboard.press("Enter")
    expect(page.locator(".score")).to_have_text(["2", "0"])


def test_a_tap_on_the_lit_hole_moves_the_peg(page: Page) -> None:
    begin(page)
    page.locator("#card-input .input-title:has-text(' ')").wait_for()
    for key in "js":
        page.keyboard.press(key)
    expect(page.locator("#prompt")).to_have_text("Two for his heels, Red.")
    page.mouse.click(*hole_of(page, 0, 4))  # not this one
    expect(page.locator("#prompt")).to_have_text("Two for his heels, Red.")
    page.mouse.click(*hole_of(page, 0, 2))
    expect(page.locator(".score")).to_have_text(["2", "0"])


def test_back_closes_a_dialog_and_stays_on_the_page(page: Page) -> None:
    begin(page)
    open_menu(page)
    page.go_back()
    expect(page.locator("#menu")).to_be_hidden()
    choose(page, "The game so far")
    expect(page.locator("#log-dialog")).to_be_visible()
    page.go_back()
    expect(page.locator("#log-dialog")).to_be_hidden()
    expect(page.locator("#prompt")).to_have_text("Red deals.")


@pytest.mark.parametrize("path", ["settings", "new-game", "help"])
def test_a_link_of_the_menu_opens_its_page(page: Page, program: Program, path: str) -> None:
    begin(page)
    open_menu(page).locator(f'a[href="/{path}"]').click()
    page.wait_for_url(f"{program.address}{path}")
    page.go_back()
    expect(page.locator("#menu")).to_be_hidden()
    expect(page.locator("#prompt")).to_have_text("Red deals.")


def test_the_primary_place_ignores_a_second_press_at_once(page: Page, program: Program) -> None:
    """The next button slides under the finger: a double tap must not press it."""
    begin(page)
    page.locator("#card-input .input-title:has-text(' ')").wait_for()
    for key in "js":
        page.keyboard.press(key)
    expect(page.locator("#prompt")).to_have_text("Two for his heels, Red.")
    post(program.address, "commands/accept-pegs", {})
    post(program.address, "commands/show", {})
    for _ in range(3):
        post(program.address, "commands/skip", {})
    expect(page.locator("#primary")).to_contain_text("Next deal")
    sleep(PAUSE_S)
    page.locator("#primary").dblclick()
    expect(page.locator("#prompt")).to_have_text("Blue deals.")
    page.locator("#primary").evaluate("button => button.click()")  # an outline now, which does nothing
    expect(page.locator("#prompt")).to_have_text("Blue deals.")


def test_what_costs_somebody_something_asks_once_more(page: Page, program: Program) -> None:
    begin(page)
    post(program.address, "commands/starter", {"card": "5H"})
    post(program.address, "commands/show", {})
    open_menu(page).get_by_role("button", name="Skip: Blue").click()
    expect(page.locator("#confirm-question")).to_contain_text("Skip Blue’s hand?")
    page.locator("#confirm-dialog").get_by_role("button", name="Cancel").click()
    expect(page.locator("#prompt")).to_have_text("Count Blue’s hand.")
    choose(page, "Skip: Blue")
    expect(page.locator("#prompt")).to_have_text("Count Red’s hand.")


def test_a_wrong_peg_changes_no_score_and_is_moved_back_by_a_press(page: Page, program: Program) -> None:
    begin(page)
    for command, card in (("starter", "5H"), ("play", "7D"), ("play", "8C")):
        post(program.address, f"commands/{command}", {"card": card})
    expect(page.locator("#prompt")).to_have_text("Fifteen for two, Red.")
    drag(page, peg_of(page, "red back"), hole_of(page, 0, 5))
    expect(page.locator("#prompt")).to_have_text("3 holes too many, Red.")
    expect(page.locator("#status")).to_have_attribute("data-tone", "error")
    expect(page.locator(".score")).to_have_text(["2", "0"])
    expect(page.locator(".peg-label").first).to_have_text("3 too many")
    expect(page.locator("#primary")).to_contain_text("Move it back to 2")
    sleep(PAUSE_S)
    page.locator("#primary").click()
    expect(page.locator("#prompt")).to_have_text("Blue plays next.")


def test_a_page_that_wakes_up_is_right_at_once(page: Page, program: Program) -> None:
    begin(page)
    hide = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true})"
    tell = "document.dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(f"() => {{ {hide % 'true'}; {tell} }}")
    page.context.set_offline(True)
    sleep(ASLEEP_S)
    post(program.address, "commands/starter", {"card": "5H"})
    page.context.set_offline(False)
    page.evaluate(f"() => {{ {hide % 'false'}; {tell} }}")
    expect(page.locator("#prompt")).to_have_text("Blue leads.", timeout=AT_ONCE_MS)


def test_escape_puts_a_peg_back(page: Page) -> None:
    begin(page)
    peg = peg_of(page, "blue back")
    peg.focus()
    for key in ("Enter", "ArrowRight", "Escape"):
        page.keyboard.press(key)
    expect(peg).to_have_attribute("aria-label", "blue back peg, back start hole")
    expect(page.locator(".score")).to_have_text(["0", "0"])


def test_a_lifted_peg_survives_a_reload(page: Page) -> None:
    begin(page)
    page.locator("#drawing").scroll_into_view_if_needed()
    drag(page, peg_of(page, "red back"), (640, 790))
    expect(page.locator("#drawing")).to_have_attribute("data-tray", "1")
    page.reload()
    lying = page.locator(".peg[data-unknown]")
    expect(lying).to_have_count(1)
    drag(page, lying, hole_of(page, 0, 5))
    expect(page.locator(".score")).to_have_text(["5", "0"])


def test_the_keyboard_types_on_the_keypad_while_it_has_the_focus(page: Page) -> None:
    begin(page)
    before = page.locator("#oled").get_attribute("src")
    open_menu(page).get_by_role("button", name="Display and sixteen keys").click()
    expect(page.locator("#keypad button").first).to_be_focused()
    page.keyboard.press("5")
    expect(page.locator("#prompt")).to_have_text("The starter is 5. Which suit?")
    expect(page.locator("#oled")).not_to_have_attribute("src", str(before))


def test_a_score_links_to_its_breakdown(page: Page, program: Program) -> None:
    begin(page)
    post(program.address, "commands/correct", {"side": 1, "score": 7, "reason": "a slip"})
    page.locator(".side .breakdown-link").nth(1).click()
    expect(page.locator("section:target")).to_contain_text("0 → 7")


def test_a_lost_connection_recovers_with_the_game(page: Page, program: Program) -> None:
    begin(page)
    drag(page, peg_of(page, "red back"), hole_of(page, 0, 8))
    expect(page.locator(".score")).to_have_text(["8", "0"])
    program.switch_off()
    expect(page.locator("#health")).to_contain_text("No connection. Trying again")
    page.locator("#undo").click()
    expect(page.locator("#notice")).to_contain_text("Not sent")
    program.switch_on()
    expect(page.locator("#health")).to_have_text("")
    expect(page.locator(".score")).to_have_text(["8", "0"])


def test_a_page_without_a_stream_polls(browser: Browser, program: Program) -> None:
    page = browser.new_page()
    page.route("**/stream*", lambda route: route.fulfill(status=503, headers={"Retry-After": "30"}))
    page.goto(program.address)
    expect(page.locator("#health")).to_have_text("Updates are slightly delayed")
    begin(page)
    close_page(page)


def test_the_first_page_is_small(browser: Browser, program: Program) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    requested, sizes = list[str](), list[float]()
    wire.on("Network.requestWillBeSent", lambda event: requested.append(event["request"]["url"]))
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(program.address)
    page.locator(".peg").first.wait_for()
    page.wait_for_load_state("load")
    own = [url for url in requested if url.startswith("http")]
    print(f"first page: {len(own)} requests, {sum(sizes) / 1000:.0f} kB")
    assert len(own) <= 22 and sum(sizes) <= 100_000, own
    close_page(page)
