"""How soon the first page can be used on a slow phone: Chromium at a quarter of its speed. Printed, never asserted."""

from __future__ import annotations

from statistics import median

import pytest
from playwright.sync_api import Browser

from tests.panel.browsing import Program, needs_browser
from tests.panel.browsing import browser as browser
from tests.panel.browsing import program as program
from tests.panel.pictures import post

pytestmark = [*needs_browser, pytest.mark.bench]

SLOWER = 4
TIMES = 7

WHEN_USABLE = """new Promise((usable) => {
  const look = () => document.querySelector('.peg') && document.querySelector('#typing .asked')?.textContent
    ? usable(performance.now()) : requestAnimationFrame(look);
  look();
})"""
"""Milliseconds since the address was opened until the board is drawn and the keys of cards ask for something."""


@pytest.mark.parametrize("slower", [1, SLOWER])
def test_the_first_page_can_be_used(browser: Browser, program: Program, slower: int) -> None:
    post(program.address, "orders/new-game", {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0})
    waited = sorted(once(browser, program.address, slower) for _ in range(TIMES))
    print(f"\nCPU / {slower}: usable within {median(waited):.0f} ms (median of {TIMES}), {waited[-1]:.0f} ms at worst")


def once(browser: Browser, address: str, slower: int) -> float:
    """A phone that never was here: nothing is kept from an earlier visit."""
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    phone.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address, wait_until="commit")
    waited = float(page.evaluate(WHEN_USABLE))
    phone.close()
    return waited
