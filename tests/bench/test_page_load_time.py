"""How soon the first page can be used in Chromium, at full speed and at a quarter of it, as on a slow phone."""

from __future__ import annotations

from statistics import median

import pytest
from playwright.sync_api import Browser

from tests.bench.recording import Recorder
from tests.web_panel.browsing import Program, close_context, needs_browser
from tests.web_panel.browsing import browser as browser
from tests.web_panel.browsing import program as program
from tests.web_panel.crowd import post

pytestmark = [*needs_browser, pytest.mark.bench]

SLOWER = 4

USABLE_AT = """() => document.querySelector('#drawing .peg')
  && document.querySelector('#card-input .input-title')?.textContent
  && performance.now()"""
"""Milliseconds from the navigation, once the board is drawn and the card keys say which card they want."""


def test_time_until_the_first_page_can_be_used(browser: Browser, program: Program, recorder: Recorder) -> None:
    post(program.port, "commands/new-game", {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0})
    loads = recorder.pick(full=7, small=1)
    fast_ms, slow_ms = ([load(browser, program.address, rate) for _ in range(loads)] for rate in (1, SLOWER))
    recorder.record(
        "page_load",
        {
            "median_ms": median(fast_ms),
            "worst_ms": max(fast_ms),
            "quarter_speed_median_ms": median(slow_ms),
            "quarter_speed_worst_ms": max(slow_ms),
        },
    )


def load(browser: Browser, address: str, slower: int) -> float:
    """Milliseconds on a phone with an empty cache whose processor runs at 1 / `slower` of its speed."""
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    phone.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address, wait_until="commit")
    usable_ms = float(page.wait_for_function(USABLE_AT).json_value())
    close_context(phone)
    return usable_ms
