"""The layout of the main page: nothing jumps while a deal is played, and what matters is on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from time import sleep

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware_host.config.languages import LANGUAGES
from tests.web_panel.browsing import Program, close_page, needs_browser
from tests.web_panel.pictures import post
from tests.web_panel.scenes import scenes_named

pytestmark = [*needs_browser, pytest.mark.slow]

SIZES = {"small phone": (360, 640), "phone": (390, 844), "tablet": (768, 1024), "laptop": (1280, 800)}
MOST_SHIFT = 0.05
"""Cumulative layout shift of a whole deal, as web.dev/cls defines it."""
SETTLED_S = 0.3
WATCH_SHIFTS = """() => {
  window.shift = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
}"""
DEAL: list[tuple[str, dict[str, object]]] = [
    ("starter", {"card": "JH"}),
    ("accept-pegs", {}),
    ("play", {"card": "7D"}),
    ("play", {"card": "8C"}),
    ("play", {"card": "9S"}),
    ("accept-pegs", {}),
    ("show", {}),
    ("skip", {}),
    ("skip", {}),
    ("count", {"cards": ["5S", "JD", "TC", "QC"]}),
    ("accept-pegs", {}),
    ("next-deal", {"deal": 1}),
]
"""Commands of a deal with everything that the page shows: points, a series, a count, the end."""


def game(program: Program, names: list[str]) -> None:
    body = {"variant": "six_card", "names": names, "board": "classic-61", "dealer": 0, "scores": [27, 29]}
    post(program.address, "commands/new-game", body)


def board_part(page: Page) -> str:
    """Wait for the part of the board on which the pegs are moved: the lane, or on a desk the drawing."""
    is_desk = page.viewport_size is not None and page.viewport_size["width"] >= 900
    part = "#drawing" if is_desk else "#lane"
    page.locator(f"{part} .peg").first.wait_for()
    return part


@pytest.fixture(params=list(SIZES))
def sized(browser: Browser, program: Program, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = SIZES[request.param]
    page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    yield page
    close_page(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_jumps_from_the_deal_to_the_last_count(sized: Page, program: Program, language: str) -> None:
    game(program, ["Ann", "Ben"])
    sized.goto(f"{program.address}?lang={language}")
    board_part(sized)
    expect(sized.locator("#primary")).to_have_attribute("aria-disabled", "true")
    sized.evaluate(WATCH_SHIFTS)
    for command, body in DEAL:
        post(program.address, f"commands/{command}", body)
        sleep(SETTLED_S)
    shift = sized.evaluate("shift")
    print(f"layout shift {shift:.3f}")
    assert shift <= MOST_SHIFT


@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_prompt_board_keys_and_primary_are_on_the_screen(sized: Page, program: Program, language: str) -> None:
    game(program, ["Maximiliana-Konstantinowa", "Bartholomew-Augustus Zed"])
    post(program.address, "commands/starter", {"card": "JH"})
    sized.goto(f"{program.address}?lang={language}")
    board = board_part(sized)
    expect(sized.locator("#primary")).to_have_class("primary")
    assert sized.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in ("#scores", "#prompt", "#detail", board, "#card-input .ranks", "#primary"):
        box = sized.locator(part).bounding_box()
        assert box and sized.viewport_size and box["y"] >= 0, part
        assert box["y"] + box["height"] <= sized.viewport_size["height"], part


@pytest.mark.parametrize("scene", ["four-sides", "six-sides"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_all_rows_of_the_lane_are_above_the_dock(browser: Browser, program: Program, scene: str, language: str) -> None:
    """On the smallest phone, with long names: scores, whose turn it is, and every peg."""
    (wanted,) = scenes_named([scene])
    wanted.prepare(program.address)
    page = browser.new_page(viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    page.goto(f"{program.address}?lang={language}")
    board_part(page)
    page.locator("#card-input .key").first.wait_for()
    dock = page.locator("#dock").bounding_box()
    assert dock
    for part in ("#scores", "#prompt", "#lane", *(["#table-cards"] if scene == "four-sides" else [])):
        box = page.locator(part).bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= dock["y"] + 1, (part, box, dock)
    cut = page.locator("#scores .score").evaluate_all(
        "all => all.filter((each) => each.scrollWidth > each.clientWidth)"
    )
    assert not cut
    close_page(page)


def test_every_target_of_a_finger_is_large_enough(browser: Browser, program: Program) -> None:
    """44 px, except for text links within a line; the keys of a pad keep their height on the smallest phone."""
    game(program, ["Ann", "Ben"])
    page = browser.new_page(viewport={"width": 360, "height": 640})
    page.goto(program.address)
    expect(page.locator("#card-input .input-title")).to_have_text("Starter card")
    page.locator("#more").click()
    small = page.evaluate(
        """() => [...document.querySelectorAll("#dock button, #menu button, #menu a")]
          .filter((each) => each.offsetParent && !each.closest(".pad-head"))
          .filter((each) => each.getBoundingClientRect().height < 44 || each.getBoundingClientRect().width < 40)
          .map((each) => each.innerText)"""
    )
    assert small == []
    close_page(page)


@pytest.mark.parametrize("size", [(844, 390), (640, 360)])
@pytest.mark.parametrize(("variant", "players"), [("three_hand", 3), ("four_single", 4), ("six_hand", 6)])
def test_the_cards_are_in_view_on_a_phone_on_its_side(
    browser: Browser, program: Program, variant: str, players: int, size: tuple[int, int]
) -> None:
    names = ["Ann", "Ben", "Cat", "Dan", "Eva", "Finn"][:players]
    post(program.address, "commands/new-game", {"variant": variant, "names": names, "dealer": 0})
    for command, card in (("starter", "5H"), ("play", "7D"), ("play", "8C")):
        post(program.address, f"commands/{command}", {"card": card})
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    page.goto(program.address)
    for part in ("#scores", "#prompt", "#table-cards .series", ".ranks", "#primary"):
        page.locator(part).wait_for()
        box = page.locator(part).bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= size[1], (part, box)
    close_page(page)
