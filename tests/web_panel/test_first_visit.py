"""The budget of a first visit, as far as it is no timing: bytes, requests, and layout shift while the page loads."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.web_panel.browsing import Program, in_chromium
from tests.web_panel.pictures import TWO_PLAYERS, post
from tests.web_panel.visits import PHONE, visit

MOST_BYTES = 100_000
MOST_REQUESTS = 17
"""A slow line answers six at a time, so every six cost a round trip."""
MOST_SHIFT = 0.05
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
