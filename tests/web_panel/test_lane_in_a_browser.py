"""The lane of a phone in a real browser: taps, drags and keys move the pegs of a simulated board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import sleep
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Route, expect

from firmware_host.config.board_plans import load_plan
from tests.web_panel.browsing import (
    PATIENCE_MS,
    PAUSE_S,
    Program,
    close_context,
    close_page,
    drag,
    middle,
    needs_browser,
    until,
)
from tests.web_panel.pictures import look, post

pytestmark = [*needs_browser, pytest.mark.slow]

GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
ROW_PX = 44
Point = tuple[float, float]


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    phone = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    phone.set_default_timeout(PATIENCE_MS)
    phone.add_init_script("window.buzzes = []; navigator.vibrate = (pattern) => buzzes.push(pattern)")
    yield phone
    close_context(phone)


class LanePage:
    """The main page on a phone."""

    def __init__(self, phone: BrowserContext, program: Program, **game: Any) -> None:
        self.phone, self.program = phone, program
        post(program.address, "commands/new-game", GAME | game)
        self.page: Page = phone.new_page()
        self.errors = list[str]()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(program.address)
        self.page.locator(".lane .wells").first.wait_for()

    def state(self) -> Any:
        return look(self.program.address)

    def score(self, side: int) -> int:
        return int(self.state()["sides"][side]["score"])

    def window(self) -> range:
        """The scores that the lane shows."""
        svg = self.page.locator(".lane")
        first, pitch = float(svg.get_attribute("data-first") or 0), float(svg.get_attribute("data-pitch") or 1)
        box = svg.bounding_box()
        assert box
        return range(int(first), int(first) + round((box["width"] - 44) / pitch) + 1)

    def point(self, side: int, score: int, sides: int = 2) -> Point:
        """Where the hole of a score is."""
        svg = self.page.locator(".lane")
        box, pitch = svg.bounding_box(), float(svg.get_attribute("data-pitch") or 1)
        assert box and score in self.window(), (score, self.window())
        x = 22 + (score - self.window()[0]) * pitch
        y = (30 if sides > 2 else 40) + ROW_PX * side + (24 if side >= sides // 2 else 0)
        return box["x"] + x, box["y"] + y

    def tap(self, point: Point) -> None:
        self.page.touchscreen.tap(*point)

    def tap_lit_hole(self) -> None:
        self.tap(middle(self.page.locator(".lane .lit .ring")))

    def tap_hole(self, side: int, score: int) -> None:
        """Tap a hole that is not lit, and say yes."""
        self.tap(self.point(side, score))
        primary = self.page.locator("#primary")
        expect(primary).to_contain_text(f"in {score}?")
        sleep(PAUSE_S)
        primary.tap()

    def has_score(self, side: int, score: int) -> None:
        expect(self.page.locator(".score").nth(side)).to_have_text(str(score))


def glass(page: LanePage) -> Callable[..., None]:
    """A finger: `start`, `move` and `end` with the points that touch the glass."""
    session: CDPSession = page.phone.new_cdp_session(page.page)

    def touch(kind: Literal["Start", "Move", "End"], *points: Point) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touches})

    return touch


def test_two_laps_are_pegged_by_taps_alone(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program)
    score = 0
    while score < 121:
        leap = min(5, 121 - score)
        lane.tap_hole(0, score + leap)
        score += leap
        lane.has_score(0, score)
        until(lambda: lane.state()["guidance"]["topic"] != "pending")
    assert lane.state()["game"]["winner"] == 0
    assert not lane.errors


@pytest.mark.parametrize(
    ("start", "end", "game"),
    [
        (0, 2, {}),
        (29, 31, {}),
        (59, 61, {}),
        (119, 121, {}),
        (59, 61, {"target": 61}),
        (120, 121, {}),
        (119, 121, {"board": "continuous-121-2"}),
        (59, 61, {"board": "continuous-121-2", "target": 61}),
        (118, 120, {"variant": "seven_card"}),
        (179, 181, {"variant": "seven_card"}),
    ],
)
def test_a_tap_on_the_lit_hole_moves_the_peg(
    phone: BrowserContext, program: Program, start: int, end: int, game: dict[str, Any]
) -> None:
    lane = LanePage(phone, program, scores=[start, 0], **game)
    post(program.address, "commands/starter", {"card": "JH"})  # two for the dealer
    expect(lane.page.locator(".lane .lit text")).to_have_text(str(end))
    lane.tap_lit_hole()
    lane.has_score(0, end)
    expect(lane.page.locator(".lane .lit")).to_have_count(0)
    assert lane.page.evaluate("buzzes") == [25]


def test_the_field_of_the_lit_hole_is_48_by_64(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[20, 30])
    post(program.address, "commands/starter", {"card": "JH"})
    field = lane.page.locator(".lane .lit .field")
    field.wait_for()
    box = field.bounding_box()
    assert box and (box["width"], box["height"]) == (48, 64)
    lane.tap((box["x"] + 4, box["y"] + 4))
    lane.has_score(0, 22)


@pytest.mark.parametrize(("sides", "variant"), [(3, "three_hand"), (4, "four_single")])
def test_each_of_three_and_four_sides_is_pegged_by_taps(
    phone: BrowserContext, program: Program, sides: int, variant: str
) -> None:
    names, scores = ["Ann", "Ben", "Cem", "Dan"][:sides], [12, 14, 15, 17][:sides]
    plan = f"continuous-121-{sides}"
    for dealer in range(sides):
        lane = LanePage(phone, program, variant=variant, names=names, board=plan, scores=scores, dealer=dealer)
        post(program.address, "commands/starter", {"card": "JH"})
        lit = lane.page.locator(".lane .lit .ring")
        lit.wait_for()
        assert middle(lit) == pytest.approx(lane.point(dealer, scores[dealer] + 2, sides), abs=1)
        lane.tap_lit_hole()
        lane.has_score(dealer, scores[dealer] + 2)
        close_page(lane.page)


def test_sides_without_pegs_on_the_board_have_a_row(phone: BrowserContext, program: Program) -> None:
    names, scores = ["Ann", "Ben", "Cem", "Dan", "Eve", "Fay"], [12, 14, 15, 17, 13, 16]
    lane = LanePage(phone, program, variant="six_hand", names=names, board="continuous-121-4", scores=scores)
    expect(lane.page.locator(".lane .track")).to_have_count(6)
    lane.tap(lane.point(5, 20, 6))
    sleep(0.3)
    expect(lane.page.locator("#primary")).not_to_contain_text("Fay")


def test_a_question_is_withdrawn_by_another_tap(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[20, 22])
    before = lane.page.locator("#primary").inner_text()
    lane.tap(lane.point(0, 25))
    expect(lane.page.locator("#primary")).to_contain_text("Put Ann’s peg in 25?")
    lane.tap(lane.point(0, 20))  # a peg is there
    expect(lane.page.locator("#primary")).to_have_text(before)
    assert lane.score(0) == 20


def test_a_peg_on_the_lane_follows_a_finger_and_the_window_stays(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[20, 22])
    until(lambda: 20 in lane.window())
    window, scrolled = lane.window(), lane.page.evaluate("scrollY")
    finger = glass(lane)
    start = middle(lane.page.locator('.lane [aria-label^="red front"]'))
    end = lane.point(0, 26)
    finger("Start", start)
    finger("Move", (start[0] + 30, start[1] + 20))
    post(program.address, "commands/correct", {"side": 1, "score": 60, "reason": "elsewhere"})
    expect(lane.page.locator(".score").nth(1)).to_have_text("60")
    assert lane.window() == window
    finger("Move", (end[0], end[1] + 40))
    expect(lane.page.locator(".lane .target.is-shown")).to_have_count(1)
    finger("End")
    until(lambda: any(peg["score"] == 26 for peg in lane.state()["pegs"]))
    assert lane.page.evaluate("scrollY") == scrolled
    assert not lane.errors


def test_a_peg_is_dragged_by_the_mouse(browser: Browser, program: Program) -> None:
    context = browser.new_context(viewport={"width": 768, "height": 1024}, reduced_motion="reduce")
    lane = LanePage(context, program)
    drag(lane.page, lane.page.locator('.lane [aria-label^="blue back"]'), lane.point(1, 7))
    lane.has_score(1, 7)
    close_context(context)


def test_a_peg_dropped_away_from_the_lane_goes_back(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[20, 22])
    peg = lane.page.locator('.lane [aria-label^="blue front"]')
    x, y = middle(peg.locator(".head"))
    drag(lane.page, peg, (x, y - 300))
    until(lambda: any(peg["track"] == 1 and peg["score"] == 22 for peg in lane.state()["pegs"]))
    expect(peg).to_have_attribute("data-state", "in-hole")
    assert lane.score(1) == 22


def test_a_swipe_on_the_wood_moves_the_window(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[40, 42])
    until(lambda: 40 in lane.window())
    first = lane.window()[0]
    x, y = lane.point(0, lane.window()[-3])
    finger = glass(lane)
    finger("Start", (x, y))
    for step in range(1, 6):
        finger("Move", (x - 24 * step, y))
    finger("End")
    until(lambda: lane.window()[0] > first + 3)


def test_a_wrong_peg_is_crossed_out_until_it_is_home(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[20, 22])
    post(program.address, "commands/starter", {"card": "JH"})
    lane.page.locator(".lane .lit").wait_for()
    lane.tap_hole(0, 25)
    wrong = lane.page.locator(".lane .wrong .ring").first
    wrong.wait_for()
    assert middle(wrong) == pytest.approx(lane.point(0, 25), abs=1)
    expect(lane.page.locator(".lane .lit text")).to_have_text("22")
    expect(lane.page.locator(".lane .arc.is-back")).to_have_count(1)
    expect(lane.page.locator(".score").first).to_have_text("22")
    sleep(PAUSE_S)
    lane.page.locator("#primary").tap()
    expect(wrong).to_have_count(0)
    until(lambda: lane.state()["sides"][0]["owed"] == 0)
    assert lane.page.evaluate("buzzes") == [[45, 70, 45], 25]


def test_two_points_are_two_keystrokes_and_the_focus_stays(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[59, 40])
    post(program.address, "commands/starter", {"card": "JH"})
    lane.page.locator(".lane .lit").wait_for()
    for key in ("l", "Enter"):
        lane.page.keyboard.press(key)
    lane.has_score(0, 61)
    focused = lane.page.evaluate("document.activeElement.getAttribute('aria-label')")
    until(lambda: lane.state()["guidance"]["topic"] != "pending")
    assert focused.startswith("red") and focused.endswith("61 (hole 1)")
    assert lane.page.evaluate("document.activeElement.closest('.lane') !== null")


def test_two_points_without_a_light_are_four_keystrokes(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[59, 40])
    for key in ("l", "ArrowRight", "ArrowRight", "Enter"):
        lane.page.keyboard.press(key)
    lane.has_score(0, 61)


def test_the_window_keeps_the_other_front_peg_in_sight(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[50, 57])
    post(program.address, "commands/starter", {"card": "JH"})
    lane.page.locator(".lane .lit").wait_for()
    until(lambda: {52, 50, 57} <= set(lane.window()))


def test_a_peg_out_of_the_window_stands_at_its_edge(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[20, 100])
    post(program.address, "commands/starter", {"card": "JH"})
    edge = lane.page.locator('.lane [aria-label^="blue front"]')
    expect(edge).to_have_attribute("data-edge", "right")
    expect(edge.locator("text")).to_have_text("100")


def test_the_drawing_has_no_place_on_a_short_phone(browser: Browser, program: Program) -> None:
    phone = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    lane = LanePage(phone, program)
    expect(lane.page.locator("#drawing")).to_be_hidden()
    assert 10 <= len(lane.window()) <= 14
    lane.tap_hole(1, 4)
    lane.has_score(1, 4)
    close_context(phone)


def test_a_frame_shows_the_window_on_the_drawing(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[29, 28])
    frame, plan = lane.page.locator("#drawing .frame"), load_plan("classic-61")
    frame.wait_for()
    box = frame.bounding_box()
    sensors = [plan.at(side, plan.course(121).hole_of(score)).sensor for side in (0, 1) for score in lane.window()]
    for sensor in sensors:
        x, y = middle(lane.page.locator(f"#h-{sensor} .well"))
        assert box and box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]


def test_motion_is_an_arc_of_320_ms_or_none(browser: Browser, program: Program) -> None:
    for motion, durations in (("no-preference", {320}), ("reduce", set[int]())):
        phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion=motion)  # type: ignore[arg-type]
        lane = LanePage(phone, program, scores=[20, 22])
        post(program.address, "commands/starter", {"card": "JH"})
        lane.page.locator(".lane .lit").wait_for()
        lane.page.evaluate(
            "() => { window.made = []; const animate = Element.prototype.animate;"
            " Element.prototype.animate = function (...given) { made.push(given[1].duration);"
            " return animate.apply(this, given); } }"
        )
        lane.tap_lit_hole()
        lane.has_score(0, 22)
        assert set(lane.page.evaluate("made")) == durations
        close_context(phone)


def test_on_a_real_board_the_lane_only_shows(phone: BrowserContext, program: Program) -> None:
    def without_simulation(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("data-moves-pegs", ""))

    phone.route(program.address, without_simulation)
    lane = LanePage(phone, program, scores=[20, 22])
    post(program.address, "commands/starter", {"card": "JH"})
    lane.page.locator(".lane .lit").wait_for()
    assert lane.page.locator(".lane [role=button]").count() == 0
    lane.tap_lit_hole()
    lane.tap(lane.point(1, 27))
    sleep(0.5)
    assert lane.score(0) == 20 and lane.state()["sides"][0]["owed"] == 2
    expect(lane.page.locator("#primary")).to_have_text("Waiting for Ann’s peg")


def test_a_peg_in_nobodys_hole_goes_home_by_a_tap(phone: BrowserContext, program: Program) -> None:
    lane = LanePage(phone, program, scores=[20, 22])
    front = next(peg for peg in lane.state()["pegs"] if peg["track"] == 0 and peg["score"] == 20)
    post(program.address, "pegs/lift", {"sensor": front["sensor"]})
    expect(lane.page.locator(".lane .lit text")).to_have_text("20")
    lane.page.reload()  # the page does not know where it was
    lane.page.locator(".lane .lit").wait_for()
    lane.tap_lit_hole()
    until(lambda: front["sensor"] in [peg["sensor"] for peg in lane.state()["pegs"]])
    expect(lane.page.locator(".lane .lit")).to_have_count(0)


def test_the_visitors_own_side_is_the_lowest(phone: BrowserContext, program: Program) -> None:
    def seated(route: Route) -> None:
        answer = route.fetch()
        visitor, seat = answer.text(), "&#34;seat&#34;: "
        assert f"{seat}null" in visitor
        route.fulfill(response=answer, body=visitor.replace(f"{seat}null", f"{seat}0"))

    phone.route(program.address, seated)
    lane = LanePage(phone, program, scores=[20, 22])
    _, ann = middle(lane.page.locator('.lane [aria-label^="red front"] .head'))
    _, ben = middle(lane.page.locator('.lane [aria-label^="blue front"] .head'))
    assert ann > ben
