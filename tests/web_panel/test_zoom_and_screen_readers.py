"""Zoom of 400 %, forced colours, and what a screen reader announces, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.browsing import PAUSE_S, Program, needs_browser
from tests.web_panel.launcher import FIXED_DATE
from tests.web_panel.phones import new_browser
from tests.web_panel.pictures import GAME, post
from tests.web_panel.scenes import SCENES, Scene, SceneRunner, scene_runner, scenes_named, settle

pytestmark = [*needs_browser, pytest.mark.slow]

ZOOMED = {"width": 320, "height": 256}
"""CSS pixels of a window of 1280 x 1024 at 400 %, as WCAG 1.4.10 names them."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from new_browser()


@pytest.fixture(scope="module")
def runner(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SceneRunner]:
    with scene_runner(tmp_path_factory.mktemp("states"), FIXED_DATE, browser) as runner:
        yield runner


LIVE = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log], output"

NESTED = """(live) => [...document.querySelectorAll(live)]
  .filter((each) => each.parentElement.closest(live)).map((each) => each.outerHTML.slice(0, 80))"""

STUCK = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const { position } = getComputedStyle(each);
  const isBrief = each.matches(".skip-link, dialog, #notice, #offline");
  return /sticky|fixed/.test(position) && each.checkVisibility() && !isBrief;
}).filter((each) => {
  const { top, bottom } = each.getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0) > innerHeight / 2;
}).map((each) => each.id || each.className)"""
"""What sticks to an edge and covers more than half of the window."""


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: str(scene.name))
def test_at_400_percent_nothing_scrolls_sideways_or_covers_the_page(runner: SceneRunner, scene: Scene) -> None:
    """And no live region is in another, which would be announced twice."""
    runner.prepare(scene)
    with runner.opened(scene) as page:
        assert page.evaluate(NESTED, LIVE) == []
        page.set_viewport_size({"width": ZOOMED["width"], "height": ZOOMED["height"]})
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"]
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert page.evaluate(STUCK) == []


def test_at_400_percent_a_card_and_a_peg_can_be_entered(runner: SceneRunner) -> None:
    (scene,) = scenes_named(("deal",))
    runner.prepare(scene)
    with runner.opened(scene) as page:
        page.set_viewport_size({"width": ZOOMED["width"], "height": ZOOMED["height"]})
        page.locator('#card-input [data-rank="J"]').click()
        page.locator('#card-input [data-suit="S"]').click()
        expect(page.locator("#primary")).to_contain_text("Peg 2 for Ann")
        page.wait_for_timeout(PAUSE_S * 1000)
        page.locator("#primary").click()
        expect(page.locator(".score")).to_have_text(["45", "45"])


# Forced colours.


def look_of(page: Page, selector: str, pseudo: str = "") -> tuple[str, ...]:
    """Computed style that forced colours leave visible."""
    names = (
        "outline-style",
        "border-top-color",
        "border-top-style",
        "border-top-width",
        "background-color",
        "translate",
    )
    read = """([selector, names, pseudo]) => {
      const style = getComputedStyle(document.querySelector(selector), pseudo);
      return names.map((name) => style.getPropertyValue(name));
    }"""
    found: list[str] = page.evaluate(read, [selector, list(names), pseudo])
    return tuple(found)


def test_in_forced_colours_choices_and_the_next_side_can_be_seen(runner: SceneRunner) -> None:
    (play, peg, settings) = scenes_named(("play", "peg", "settings"))
    with runner.opened(settings, forced_colors="active") as page:
        assert look_of(page, ".segmented label:has(:checked)") != look_of(page, ".segmented label:not(:has(:checked))")
        switch = page.locator("input.switch:checked").first
        switch.evaluate("each => each.classList.add('first-on')")
        on = look_of(page, ".first-on"), look_of(page, ".first-on", "::before")
        switch.evaluate("each => { each.checked = false; }")
        off = look_of(page, ".first-on"), look_of(page, ".first-on", "::before")
        assert on[0] != off[0] and on[1][-1] != off[1][-1]
        assert off[0][4] != off[1][4], "the knob has the colour of its ground"
    runner.prepare(play)
    with runner.opened(play, forced_colors="active") as page:
        assert look_of(page, ".side.is-next") != look_of(page, ".side:not(.is-next)")
    runner.prepare(peg)
    with runner.opened(peg, forced_colors="active") as page:
        assert look_of(page, "#primary.primary") != look_of(page, "#more")


# Live regions.

WATCH_LIVE = """(live) => {
  window.said = [];
  new MutationObserver((changes) => {
    const elements = changes.map(({ target }) => (target.closest ? target : target.parentElement));
    const regions = new Set(elements.map((element) => element?.closest(live)));
    for (const region of regions) {
      if (region?.checkVisibility() && region.textContent.trim()) window.said.push(region.textContent.trim());
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Collects what live regions say, a text for each change."""

TURNS: list[tuple[str, dict[str, object], str, str]] = [
    ("starter", {"card": "5H"}, "Ben leads.", "The starter is the five of hearts. Ben leads."),
    ("play", {"card": "7D"}, "Ann plays next.", "Ben: seven of diamonds. Seven. Ann to play."),
    ("play", {"card": "8S"}, "Fifteen for two, Ann.", "Fifteen for two, Ann. Ann, peg two, to "),
    ("accept-pegs", {}, "Ben plays next.", "Ben to play."),
    ("show", {}, "Count Ben’s hand.", "Count Ben’s hand."),
    ("count", {"cards": ["7D", "8D", "8H", "9C"]}, "Ben’s hand: 12 points.", "a double run of three is twelve."),
]
"""Commands, what the page shows after each, and what is said."""


def test_each_turn_is_announced_once(runner: SceneRunner, browser: Browser) -> None:
    (scene,) = scenes_named(("deal",))
    runner.prepare(scene)
    with runner.opened(scene) as page:
        address = runner.program(scene.setup).address
        page.evaluate(WATCH_LIVE, LIVE)
        for command, body, shown, announced in TURNS:
            page.evaluate("window.said = []")
            post(address, f"commands/{command}", body)
            expect(page.locator("#prompt")).to_have_text(shown)
            page.wait_for_function("text => said.some((each) => each.includes(text))", arg=announced)
            page.wait_for_timeout(300)  # for what must not be said
            said = list(dict.fromkeys(page.evaluate("window.said")))
            assert sum(announced in text for text in said) == 1, (command, said)
            assert not [(one, other) for one in said for other in said if one != other and one in other], said


def test_the_board_tells_each_peg_once_and_each_button_has_a_name(runner: SceneRunner) -> None:
    (scene,) = scenes_named(("peg",))
    runner.prepare(scene)
    for size in ("390x844", "1280x800"):
        with runner.opened(scene, size=size) as page:
            pegs = page.get_by_role("button", name="peg").all()
            labels = [peg.get_attribute("aria-label") or peg.inner_text() for peg in pegs if peg.is_visible()]
            assert len(labels) == len(set(labels)), labels
            unnamed = """() => [...document.querySelectorAll("button, a, input, select")]
              .filter((each) => each.checkVisibility() && !each.ariaLabel && !each.title && !each.textContent.trim()
                && !each.labels?.length && !each.hasAttribute("aria-labelledby"))
              .map((each) => each.outerHTML.slice(0, 80))"""
            assert page.evaluate(unnamed) == []


# A whole deal by keyboard alone.


def test_a_deal_is_played_by_keyboard_alone(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    program = Program(tmp_path_factory.mktemp("keyboard"))
    page = browser.new_page(reduced_motion="reduce", locale="en")
    page.goto(program.address)
    page.locator("#start").wait_for()
    post(program.address, "commands/new-game", GAME)
    page.reload()
    expect(page.locator("#prompt")).to_have_text("Ann deals.")
    page.locator("#card-input .input-title:has-text(' ')").wait_for()  # the page takes keys

    def press(keys: str, prompt: str) -> None:
        for key in keys.split():
            page.wait_for_timeout(PAUSE_S * 1000 if key == "Enter" else 50)
            page.keyboard.press(key)
        expect(page.locator("#prompt")).to_have_text(prompt)
        assert page.evaluate("document.activeElement !== document.body"), "the focus is lost"

    press("q h", "Ben leads.")
    press("k", "Ann plays next.")
    press("5", "Fifteen for two, Ann.")
    press("Enter", "Ben plays next.")
    press("6", "Ann plays next.")
    press("t", "Thirty-one for two, Ann.")
    press("Enter", "Ben leads.")
    page.close()
    program.switch_off()
