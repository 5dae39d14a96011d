"""Games on a board that people own, on the page: by touch, by keyboard, in four languages; how many taps they take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.web_panel.browsing import (
    PATIENCE_MS,
    PAUSE_S,
    Program,
    close_context,
    needs_browser,
    next_turn,
    running,
)
from tests.web_panel.phones import LAN_NAME, BoardSession, new_browser
from tests.web_panel.pictures import look, post
from tests.web_panel.test_accessibility import axe as axe
from tests.web_panel.test_accessibility import violations

pytestmark = [*needs_browser, pytest.mark.slow]

PHONE: ViewportSize = {"width": 390, "height": 844}
SIZES: list[ViewportSize] = [
    PHONE,
    {"width": 320, "height": 640},
    {"width": 390, "height": 664},
    {"width": 844, "height": 390},
    {"width": 1280, "height": 800},
]
LANGUAGES = ["en", "fr", "pl", "ru"]
SIX = ["Ann", "Ben", "Cat", "Dan", "Eva", "Finn"]
COUNT_TAPS = "() => { window.taps = 0; addEventListener('click', () => (taps += 1), true); }"
CUT_OFF = """() => [...document.querySelectorAll("#tallies b, #number-pad :is(.key, h2), #primary .label, #prompt")]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent)"""
"""The texts that do not fit in their place."""

BROKEN = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
  return each.checkVisibility() && new Set(tops).size > 1;
}).map((each) => each.textContent)"""
"""The texts that are broken into lines."""
ZOOMED: ViewportSize = {"width": 195, "height": 422}
"""A phone of 390 x 844 at 200 %."""
LONG_NAMES = ["Maximilianne", "Konstantynka", "Александрина", "Barthélemine", "Wilhelminaaa", "Ann"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """With a name for the board on the network."""
    yield from new_browser()


def begin(program: Program, names: tuple[str, ...] = ("Ann", "Ben"), **game: object) -> None:
    body = {"variant": "six_card", "names": list(names), "dealer": 0, "pegs": "by_hand", **game}
    post(program.address, "commands/new-game", body)


def open_phone(
    browser: Browser, program: Program, size: ViewportSize = PHONE, language: str = "en", **more: Any
) -> Page:
    context = browser.new_context(viewport=size, has_touch=True, reduced_motion="reduce", **more)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{program.address}?lang={language}")
    return page


@pytest.fixture
def phone(browser: Browser, program: Program) -> Iterator[Page]:
    begin(program)
    page = open_phone(browser, program)
    page.locator("#number-pad").wait_for()
    page.evaluate(COUNT_TAPS)
    yield page
    close_context(page.context)


def score(page: Page, side: int, points: int) -> None:
    """Tap who scores, then how many."""
    page.locator(f'.score-tile[data-side="{side}"]').tap()
    if points > 12:
        page.locator("#number-pad .wide").tap()
    with next_turn(page):
        page.get_by_role("button", name=str(points), exact=True).tap()


def press_primary(page: Page) -> None:
    page.wait_for_timeout(PAUSE_S * 1000)
    with next_turn(page):
        page.locator("#primary").tap()


def test_a_score_takes_two_taps_and_a_deal_fifteen(phone: Page, program: Program) -> None:
    score(phone, 0, 8)
    assert phone.evaluate("taps") == 2
    expect(phone.locator("#prompt")).to_have_text("Ann +8, now 8. Peg 0 to 8.")
    for side, points in ((1, 2), (0, 1), (1, 1), (1, 10), (0, 6), (0, 4)):
        score(phone, side, points)
    press_primary(phone)
    taps = phone.evaluate("taps")
    print(f"a deal without cards: {taps} taps")
    assert taps <= 15 and look(program.address)["deal"]["number"] == 2


def test_points_are_taken_back_with_one_tap(phone: Page, program: Program) -> None:
    score(phone, 0, 8)
    phone.wait_for_timeout(PAUSE_S * 1000)
    with next_turn(phone):
        phone.get_by_role("button", name="Take back 8").tap()
    expect(phone.locator("#prompt")).to_have_text("Ann back to 0. Front peg 0, back peg 0.")
    expect(phone.locator("#take-back")).to_be_hidden()
    assert [side["score"] for side in look(program.address)["sides"]] == [0, 0]


def test_cards_that_are_entered_need_no_tap_beside_their_keys(phone: Page, program: Program) -> None:
    phone.get_by_role("button", name="Enter cards").tap()
    phone.locator('[data-rank="4"]').tap()
    phone.get_by_role("button", name="spades").tap()
    for rank in "5T":
        with next_turn(phone):
            phone.locator(f'[data-rank="{rank}"]').tap()
    expect(phone.locator("#prompt")).to_have_text("Fifteen for two, Ann. Peg 0 to 2.")
    expect(phone.locator("#primary")).to_contain_text("Waiting for Ben’s card")
    assert phone.evaluate("taps") == 5
    score(phone, 1, 3)  # somebody missed a card: the scores stay buttons
    expect(phone.locator("#prompt")).to_have_text("Ben +3, now 3. Peg 0 to 3.")
    expect(phone.locator(".ranks")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_by_touch(browser: Browser, program: Program, language: str) -> None:
    """From the first card to the last hole: who deals, scores, deals, and the game that follows."""
    begin(program, variant="five_card", dealer=None)
    page = open_phone(browser, program, language=language)
    with next_turn(page):
        page.locator("#card-input .choices button").first.tap()
    for number in range(3):
        score(page, 0, 4)
        score(page, 1, 15 if number else 2)
        press_primary(page)
    score(page, 1, 29)
    state = look(program.address)
    assert (state["game"]["phase"], state["game"]["winner"]) == ("over", 1)
    expect(page.locator("#ending")).to_be_visible()
    press_primary(page)
    assert look(program.address)["own_pegs"], "the next game has the same pegs"
    close_context(page.context)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_by_keyboard(browser: Browser, program: Program, language: str) -> None:
    begin(program, variant="five_card")
    page = open_phone(browser, program, language=language)
    page.locator("#number-pad").wait_for()
    for number, points in enumerate(("12", "9", "29", "2", "29")):
        for key in ("1" if number % 2 == 0 else "2", *points):
            page.keyboard.press(key)
        with next_turn(page):
            page.keyboard.press("Enter")
    assert [side["score"] for side in look(program.address)["sides"]] == [61, 14]
    assert look(program.address)["game"]["winner"] == 0
    close_context(page.context)


def test_the_keyboard_gives_up_a_side(phone: Page, program: Program) -> None:
    for key in ("1", "4", "Escape", "2", "7"):
        phone.keyboard.press(key)
    with next_turn(phone):
        phone.keyboard.press("Enter")
    assert [side["score"] for side in look(program.address)["sides"]] == [0, 7]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}x{size['height']}")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [("Ann", "Ben"), tuple(SIX)], ids=["two", "six"])
def test_everything_that_is_tapped_is_in_view(
    browser: Browser, program: Program, size: ViewportSize, language: str, names: tuple[str, ...]
) -> None:
    variant = {2: "six_card", 6: "six_hand"}[len(names)]
    begin(program, names, variant=variant)
    post(program.address, "commands/move", {"side": 0, "points": 8})
    page = open_phone(browser, program, size, language)
    page.locator("#number-pad .key").first.wait_for()
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    for part in ("#primary", "#undo", "#number-pad .key >> nth=0", "#number-pad .wide", ".score-tile >> nth=-1"):
        box = page.locator(part).bounding_box()
        assert box and box["height"] >= 44 and box["y"] >= 0, (part, box)
        assert box["y"] + box["height"] <= size["height"], (part, box)
    close_context(page.context)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [("Ann", "Ben"), tuple(SIX), tuple(LONG_NAMES)], ids=["two", "six", "long"])
def test_a_phone_zoomed_in_twice_shows_whole_numbers_and_scores(
    browser: Browser, program: Program, language: str, names: tuple[str, ...]
) -> None:
    variant = {2: "six_card", 6: "six_hand"}[len(names)]
    begin(program, names, variant=variant)
    post(program.address, "commands/move", {"side": 0, "points": 8})
    page = open_phone(browser, program, ZOOMED, language)
    page.locator("#number-pad .key").first.wait_for()
    assert_fits_zoomed(page, "#tallies b, .numbers .key:not(.wide)")
    page.locator(".score-tile").first.tap()
    page.locator("#number-pad .wide").tap()
    assert_fits_zoomed(page, "#tallies b, .numbers .key:not(.wide)")
    page.keyboard.press("Escape")
    page.locator("#number-pad .other").tap()
    page.locator(".ranks").wait_for()
    assert_fits_zoomed(page, "#tallies b, .ranks .key:not(.go)")
    close_context(page.context)


def assert_fits_zoomed(page: Page, on_one_line: str) -> None:
    """Nothing is cut off, broken or covered, and the primary place has room for words."""
    assert page.evaluate(CUT_OFF) == [] == page.evaluate(BROKEN, on_one_line)
    assert page.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"]
    page.evaluate("scrollTo(0, 0)")
    parts = [page.locator(part).bounding_box() for part in ("#tallies", "#status", "#peg-strip", "#dock")]
    for above, below in zip(parts, parts[1:], strict=False):
        assert above and below and above["y"] + above["height"] <= below["y"], parts
    primary = page.locator("#primary").bounding_box()
    assert primary and primary["width"] > ZOOMED["width"] / 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [SIX, LONG_NAMES], ids=["six", "long"])
def test_six_fit_on_a_phone_on_its_side(browser: Browser, program: Program, language: str, names: list[str]) -> None:
    begin(program, tuple(names), variant="six_hand", scores=[60, 60, 60, 60, 60, 110])
    page = open_phone(browser, program, {"width": 844, "height": 390}, language)
    page.locator("#number-pad .key").first.wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") <= 390
    assert page.evaluate(CUT_OFF) == []
    close_context(page.context)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_about_a_suit_fits_every_screen(browser: Browser, program: Program, language: str) -> None:
    begin(program)
    page = open_phone(browser, program, language=language)
    page.locator("#number-pad .other").tap()
    page.locator(".ranks .key").first.tap()
    page.locator(".suits").wait_for()
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], size
        erase = page.locator("#card-input .erase").bounding_box()
        assert erase and erase["x"] + erase["width"] <= size["width"], size
    assert page.locator(".score-tile .name").first.evaluate("each => each.scrollWidth <= each.clientWidth")
    close_context(page.context)


@pytest.mark.parametrize("entry", ["points", "cards"])
@pytest.mark.parametrize("names", [("Ann", "Ben"), tuple(SIX)], ids=["two", "six"])
def test_the_end_of_a_game_fits_every_screen(
    browser: Browser, program: Program, names: tuple[str, ...], entry: str
) -> None:
    begin(program, names, variant={2: "six_card", 6: "six_hand"}[len(names)])
    if entry == "cards":
        post(program.address, "commands/starter", {"card": "JC"})
    post(program.address, "commands/correct", {"side": 0, "score": 121, "reason": "by agreement"})
    page = open_phone(browser, program)
    page.locator("#ending .race svg").wait_for()
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], size
        boxes = {part: page.locator(part).bounding_box() for part in ("#status", "#peg-strip", "#ending", "#primary")}
        for part in ("#status", "#peg-strip", "#ending"):
            box = boxes[part]
            assert box and box["width"] >= min(size["width"] - 32, 500), (part, size, box)
        primary = boxes["#primary"]
        assert primary and primary["y"] + primary["height"] <= size["height"], (size, primary)
    close_context(page.context)


def test_nothing_is_taken_back_in_a_replay(browser: Browser, program: Program) -> None:
    begin(program, scores=[100, 0])
    post(program.address, "commands/move", {"side": 0, "points": 21})
    page = open_phone(browser, program)
    page.locator("#ending .race svg").wait_for()
    expect(page.locator("#take-back")).to_be_visible()
    page.locator("#replay").tap()
    page.locator("#playback input").wait_for()
    expect(page.locator("#take-back")).to_be_hidden()
    close_context(page.context)


@pytest.mark.parametrize("language", LANGUAGES)
def test_fallen_pegs_have_a_line_of_the_menu(browser: Browser, program: Program, language: str) -> None:
    begin(program)
    page = open_phone(browser, program, {"width": 320, "height": 640}, language)
    page.locator("#more").tap()
    page.locator("#open-fallen").wait_for()
    assert page.evaluate(BROKEN, "#open-fallen") == []
    close_context(page.context)


@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 640}], ids=["390", "320"])
def test_a_name_of_twelve_letters_is_whole(browser: Browser, program: Program, size: ViewportSize) -> None:
    begin(program, (LONG_NAMES[0], LONG_NAMES[1]))
    post(program.address, "commands/move", {"side": 0, "points": 8})
    page = open_phone(browser, program, size)
    page.locator("#number-pad .key").first.wait_for()
    for name in page.locator(".score-tile .name").all():
        assert name.evaluate("each => each.scrollHeight <= each.clientHeight && each.scrollWidth <= each.clientWidth")
    close_context(page.context)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_own_pegs_have_no_axe_violation(browser: Browser, program: Program, axe: str, scheme: Any) -> None:
    begin(program, tuple(SIX), variant="six_hand")
    post(program.address, "commands/move", {"side": 0, "points": 8})
    page = open_phone(browser, program, color_scheme=scheme, bypass_csp=True)
    page.locator("#number-pad").wait_for()
    assert violations(page, axe) == []
    page.locator(".score-tile").first.tap()
    page.locator("#number-pad .wide").tap()
    assert violations(page, axe) == []
    page.locator("#more").tap()
    page.locator("#open-fallen").tap()
    page.locator("#fallen-dialog").wait_for()
    assert violations(page, axe) == []
    close_context(page.context)


CHOICES = ["", "Our own wooden board", "A board with sensors"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_violation_beside_cards(browser: Browser, program: Program, axe: str, scheme: Any) -> None:
    begin(program)
    for command, card in (("starter", "4S"), ("play", "T"), ("play", "5"), ("play", "K"), ("play", "6"), ("play", "7")):
        post(program.address, f"commands/{command}", {"card": card})
    page = open_phone(browser, program, color_scheme=scheme, bypass_csp=True)
    page.locator(".ranks").wait_for()
    assert violations(page, axe) == []
    close_context(page.context)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_violation_where_people_are_asked_what_they_play_on(
    browser: Browser, tmp_path: Any, axe: str, scheme: Any
) -> None:
    with running(tmp_path, {"XDG_CONFIG_HOME": str(tmp_path)}) as fresh:
        page = open_phone(browser, fresh, color_scheme=scheme, bypass_csp=True)
        page.locator("#start").wait_for()
        for choice in CHOICES:
            if choice:
                page.get_by_role("radio", name=choice).check()
            assert violations(page, axe) == []
        close_context(page.context)


def test_a_finished_series_stays_dimmed_and_keys_that_pass_31_are_dimmed(browser: Browser, program: Program) -> None:
    begin(program)
    post(program.address, "commands/starter", {"card": "4S"})
    for rank in "T5K6":
        post(program.address, "commands/play", {"card": rank, "says_goes": True})
    page = open_phone(browser, program)
    series = page.locator(".series.is-finished")
    expect(series.locator("h2")).to_have_text("Thirty-one for two, Ann.")
    expect(series.locator(".card")).to_have_count(4)
    for rank in "TJ":
        with next_turn(page):
            page.locator(f'[data-rank="{rank}"]').tap()
    expect(page.locator(".series.is-finished")).to_have_count(0)
    with next_turn(page):
        page.locator('[data-rank="9"]').tap()
    expect(page.locator(".ranks .is-over")).to_have_text(["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"])
    close_context(page.context)


def test_a_phone_each_names_its_own_points(browser: Browser, tmp_path: Any) -> None:
    """Each player scores for himself only, and both phones show what was scored last."""
    with running(tmp_path, {"CRIBBOARD_NAMES_ON_LAN": f'["{LAN_NAME}"]'}) as program:
        session = BoardSession(browser, program)
        session.begin(pegs="by_hand", scores=[39, 58])
        session.pair("Cat")  # the first phone is the owner's, who may score for all
        phones = [session.pair(name) for name in ("Ann", "Ben")]
        for side, (page, points) in enumerate(zip(phones, (8, 2), strict=True)):
            expect(page.locator(f'.score-tile[data-side="{side}"]')).to_have_attribute("aria-disabled", "false")
            expect(page.locator(f'.score-tile[data-side="{1 - side}"]')).to_have_attribute("aria-disabled", "true")
            page.locator(f'.score-tile[data-side="{side}"]').click()
            page.locator("#number-pad").get_by_role("button", name=str(points), exact=True).click()
            said = ("Ann +8, now 47. Peg 39 to 47.", "Ben +2, now 60. Peg 58 to 60.")[side]
            for each in phones:
                expect(each.locator("#prompt")).to_have_text(said)
                expect(each.locator(".own-hand")).to_be_hidden()
        session.clear()
        assert not session.errors


MADE_BEFORE_THE_SEAT = """document.addEventListener("readystatechange", () => {
  const { dataset } = document.getElementById("phone");
  dataset.visitor = JSON.stringify({ ...JSON.parse(dataset.visitor), seat: null });
}, { once: true });"""


def test_a_page_made_while_its_phone_took_a_seat_knows_the_seat(browser: Browser, tmp_path: Any) -> None:
    """The page of a phone that was just added is loaded anew; its request for the seat may arrive behind that."""
    with running(tmp_path, {"CRIBBOARD_NAMES_ON_LAN": f'["{LAN_NAME}"]'}) as program:
        session = BoardSession(browser, program)
        session.begin(pegs="by_hand", scores=[39, 58])
        session.pair("Cat")
        page = session.pair("Ben")
        own = page.locator('.score-tile[data-side="1"]')
        expect(own).to_have_attribute("aria-disabled", "false")
        page.add_init_script(MADE_BEFORE_THE_SEAT)
        page.reload()
        expect(own).to_have_attribute("aria-disabled", "false")
        session.clear()


def test_a_tap_without_an_answer_is_sent_again_and_counts_once(phone: Page, program: Program) -> None:
    """The line breaks behind the request: the board has counted, but its answer is lost."""
    requests: list[str] = []

    def lose_answer(route: Route) -> None:
        requests.append(str(route.request.post_data))
        if len(requests) == 1:
            route.fetch()
            return route.abort()
        return route.continue_()

    phone.route("**/commands/move*", lose_answer)
    with phone.expect_response("**/commands/move*"):
        score(phone, 0, 8)
    assert len(requests) == 2
    expect(phone.locator("#notice")).to_be_hidden()
    assert requests[0] == requests[1]
    assert look(program.address)["sides"][0]["score"] == 8


WAKE_LOCK = "Object.defineProperty(navigator, 'wakeLock', { value: %s });"
COUNTED = "{ request: async (kind) => { window.locks = [...(window.locks ?? []), kind]; } }"


@pytest.mark.parametrize(("wake_lock", "locks"), [(COUNTED, ["screen", "screen"]), ("undefined", None)])
def test_the_screen_stays_on_or_the_menu_says_why_not(
    browser: Browser, program: Program, wake_lock: str, locks: list[str] | None
) -> None:
    """The browser drops the lock of a page that is hidden, so it is asked for again."""
    begin(program)
    context = browser.new_context(viewport=PHONE, has_touch=True)
    context.add_init_script(WAKE_LOCK % wake_lock)
    page = context.new_page()
    page.goto(program.address)
    page.locator("#number-pad").wait_for()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("#more").tap()
    expect(page.locator("#screen-note")).to_be_visible(visible=locks is None)
    assert page.evaluate("window.locks ?? null") == locks
    close_context(context)


def test_in_forced_colours_the_chosen_and_the_next_side_can_be_seen(browser: Browser, program: Program) -> None:
    begin(program)
    post(program.address, "commands/move", {"side": 0, "points": 8})
    page = open_phone(browser, program, forced_colors="active")
    page.locator("#number-pad").wait_for()
    width = "each => getComputedStyle(each).borderTopWidth"
    tiles = page.locator(".score-tile")
    assert tiles.nth(0).evaluate(width) != tiles.nth(1).evaluate(width)
    tiles.nth(1).tap()
    expect(tiles.nth(1)).to_have_attribute("aria-pressed", "true")
    assert tiles.nth(1).evaluate(width) == "4px"
    peg = page.locator("#peg-strip svg.front path").first
    assert peg.evaluate("each => getComputedStyle(each).fill") == "rgb(185, 47, 38)", "the strip keeps its colours"
    close_context(page.context)


def test_fallen_pegs_are_found_by_number_street_and_hole(phone: Page, program: Program) -> None:
    score(phone, 0, 29)
    score(phone, 0, 29)
    score(phone, 0, 4)
    phone.locator("#more").tap()
    phone.locator("#open-fallen").tap()
    first = phone.locator(".fallen-side").first
    expect(first).to_contain_text("62street 3, group 1, hole 2")
    phone.get_by_text("twice, 60 holes").tap()
    expect(first).to_contain_text("62round 2, street 1, group 1, hole 2")
    phone.get_by_role("button", name="All pegs stand").tap()
    expect(phone.locator("#fallen-dialog")).to_be_hidden()


def test_the_first_screen_starts_a_game_on_the_own_board_with_one_tap(browser: Browser, tmp_path: Any) -> None:
    fresh = Program(tmp_path, {"CRIBBOARD_KIT": "wood"})
    page = open_phone(browser, fresh)
    page.get_by_role("button", name="Play on our board").tap()
    page.locator("#tallies").wait_for()
    assert look(fresh.address)["own_pegs"]
    close_context(page.context)
    fresh.switch_off()
