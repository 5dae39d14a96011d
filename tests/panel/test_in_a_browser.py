"""The page in a real browser, before the real program: what a person does, and what a person sees."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.panel.browsing import Program, drag, middle, needs_browser

pytestmark = needs_browser


def begin(page: Page) -> None:
    page.get_by_role("button", name="New game", exact=True).click()
    page.get_by_label("First dealer").select_option("0")
    start(page).click()
    expect(page.locator("#game-dialog")).to_be_hidden()
    expect(page.locator("#log li")).to_have_count(1)  # nothing is left of the game before
    expect(page.locator(".score")).to_have_text(["0", "0"])


def start(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_role("button", name="Start", exact=True)


def peg_of(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{name} peg"))


def hole_of(page: Page, track: int, hole: int) -> tuple[float, float]:
    return middle(page.locator(f'.hole[data-track="{track}"][data-hole="{hole}"] .well'))


def test_a_peg_dragged_by_the_mouse_scores(page: Page) -> None:
    begin(page)
    drag(page, peg_of(page, "red back"), hole_of(page, 0, 8))
    expect(page.locator(".score")).to_have_text(["8", "0"])
    expect(page.locator("#log li").first).to_contain_text("to 8")
    expect(peg_of(page, "red front")).to_have_attribute("aria-label", "red front peg, hole 8")


@pytest.mark.slow
def test_a_peg_let_go_beside_a_hole_falls_into_it(page: Page) -> None:
    begin(page)
    x, y = hole_of(page, 1, 12)
    drag(page, peg_of(page, "blue back"), (x + 6, y - 9))
    expect(page.locator(".score")).to_have_text(["0", "12"])


def test_a_peg_follows_a_finger_on_a_phone(browser: Browser, program: Program) -> None:
    size: ViewportSize = {"width": 360, "height": 780}
    phone = browser.new_context(viewport=size, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = phone.new_page()
    page.goto(program.address)
    begin(page)
    page.locator("#drawing").scroll_into_view_if_needed()
    peg_of(page, "blue back").scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
    (x, y), (to_x, to_y) = middle(peg_of(page, "blue back").locator(".head")), hole_of(page, 1, 7)
    glass = phone.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (x, y))
    for step in range(1, 6):  # the finger ends below the hole, for a dragged peg stands above the finger
        touch("touchMove", (x + (to_x - x) * step / 5, y + (to_y + 15 - y) * step / 5))
    touch("touchEnd")
    expect(page.locator(".score")).to_have_text(["0", "7"])
    assert page.evaluate("scrollY") == scrolled
    phone.close()


def test_everything_can_be_done_by_keyboard(page: Page) -> None:
    keyboard = page.keyboard
    page.get_by_role("button", name="New game", exact=True).focus()
    keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    start(page).focus()
    keyboard.press("Enter")
    page.get_by_role("button", name="Red deals").press("Enter")
    peg = peg_of(page, "red back")
    peg.focus()
    keyboard.press("Enter")
    expect(peg).to_have_attribute("data-posture", "lifted")
    keyboard.press("Shift+ArrowRight")
    for _ in range(3):
        keyboard.press("ArrowRight")
    expect(page.locator("#spoken")).to_have_text("hole 7")
    keyboard.press("Enter")
    expect(page.locator(".score")).to_have_text(["7", "0"])


def test_escape_puts_a_peg_back(page: Page) -> None:
    begin(page)
    peg = peg_of(page, "blue back")
    peg.focus()
    for key in ("Enter", "ArrowRight", "Escape"):
        page.keyboard.press(key)
    expect(peg).to_have_attribute("aria-label", "blue back peg, back start hole")
    expect(page.locator(".score")).to_have_text(["0", "0"])


@pytest.mark.slow
def test_a_peg_in_the_hand_survives_a_reload(page: Page) -> None:
    begin(page)
    page.locator("#drawing").scroll_into_view_if_needed()
    drag(page, peg_of(page, "red back"), (640, 790))
    expect(page.locator("#drawing")).to_have_attribute("data-tray", "1")
    page.reload()
    lying = page.locator(".peg[data-unknown]")
    expect(lying).to_have_count(1)
    drag(page, lying, hole_of(page, 0, 5))
    expect(page.locator(".score")).to_have_text(["5", "0"])


def test_a_refusal_is_shown_in_the_words_of_people(page: Page) -> None:
    page.get_by_role("button", name="New game", exact=True).click()
    page.locator("select[name=board]").select_option("continuous-121-2")
    page.locator("select[name=game]").select_option("seven_card")
    page.evaluate("document.querySelector('select[name=target]').add(new Option('181 holes', '181', true, true))")
    start(page).click()
    expect(page.locator("#game-dialog .refused")).to_have_text("This board cannot carry that game")


def test_the_keyboard_types_on_the_keypad(page: Page) -> None:
    begin(page)
    before = page.locator("#oled").get_attribute("src")
    page.locator("#prompt").click()  # the focus is nowhere in particular
    page.keyboard.press("5")
    expect(page.locator("#prompt")).to_have_text("Starter 5_ suit?")
    expect(page.locator("#oled")).not_to_have_attribute("src", str(before))


@pytest.mark.slow
def test_a_connection_that_is_lost_heals_and_so_does_the_game(page: Page, program: Program) -> None:
    begin(page)
    drag(page, peg_of(page, "red back"), hole_of(page, 0, 8))
    expect(page.locator(".score")).to_have_text(["8", "0"])
    program.switch_off()
    expect(page.locator("#health")).to_contain_text("Connection lost, trying again")
    page.locator("#offers").get_by_text("Undo").click()
    expect(page.locator("#notice")).to_contain_text("Not sent")
    program.switch_on()
    expect(page.locator("#health")).to_have_text("")
    expect(page.locator(".score")).to_have_text(["8", "0"])


@pytest.mark.slow
def test_a_page_without_a_stream_polls(browser: Browser, program: Program) -> None:
    page = browser.new_page()
    page.route("**/stream*", lambda route: route.fulfill(status=503, headers={"Retry-After": "30"}))
    page.goto(program.address)
    expect(page.locator("#health")).to_have_text("Following a little behind")
    begin(page)
    page.close()


def test_the_first_page_is_light(browser: Browser, program: Program) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    asked, sizes = list[str](), list[float]()
    wire.on("Network.requestWillBeSent", lambda told: asked.append(told["request"]["url"]))
    wire.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    page.goto(program.address)
    page.locator(".peg").first.wait_for()
    page.wait_for_load_state("load")
    own = [url for url in asked if url.startswith("http")]
    print(f"first page: {len(own)} requests, {sum(sizes) / 1000:.0f} kB")
    assert len(own) <= 10 and sum(sizes) <= 100_000, own
    page.close()
