"""The budget of a first visit, as far as it is no timing: bytes, requests, and layout shift while the page loads."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.web_panel.browsing import Program, close_context, in_chromium
from tests.web_panel.pictures import TWO_PLAYERS, post
from tests.web_panel.visits import IS_USABLE, PHONE, visit

MOST_BYTES = 100_000
MOST_REQUESTS = 17
"""A slow line answers six at a time, so every six cost a round trip."""
MOST_SHIFT = 0.05
FILTERS = """() => {
  const found = [];
  for (let each = document.querySelector("#drawing .peg"); each; each = each.parentElement) {
    if (getComputedStyle(each).filter !== "none") found.push(each.tagName);
  }
  return found;
}"""
"""The elements around a peg that have a filter."""
DESK: ViewportSize = {"width": 1280, "height": 800}


@in_chromium
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("has_game", [False, True], ids=["first screen", "game"])
def test_a_first_visit_is_small_and_nothing_jumps(
    browser: Browser, program: Program, size: ViewportSize, has_game: bool
) -> None:
    if has_game:
        post(program.address, "commands/new-game", TWO_PLAYERS)
    found = visit(browser, program.address, size=size)
    print(f"{found.sent_bytes / 1000:.1f} kB, {found.requests} requests, layout shift {found.layout_shift:.4f}")
    assert found.sent_bytes <= MOST_BYTES and found.requests <= MOST_REQUESTS
    assert found.layout_shift <= MOST_SHIFT


@in_chromium
def test_nothing_around_a_peg_is_filtered(browser: Browser, program: Program) -> None:
    """A filter around the pegs would draw the whole board again for each step of a drag: 4 frames of 5 came late."""
    post(program.address, "commands/new-game", TWO_PLAYERS)
    page = browser.new_page(viewport=DESK)
    page.goto(program.address)
    page.wait_for_function(IS_USABLE)
    page.locator("#drawing .peg").first.wait_for()
    assert page.evaluate(FILTERS) == []
    close_context(page.context)
