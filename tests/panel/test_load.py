"""Two hundred phones watch one board: all have the last word, and it costs little. How soon is for the bench."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.panel.browsing import CHROMIUM, Program
from tests.panel.crowd import Crowd, crowd, post
from web_panel.stream import Pace

pytestmark = pytest.mark.slow

PHONES = 200
MORE_MIB = 25
BEGIN = {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0}
CARD, NO_CARD = '"starter":"5♥"'.encode(), b'"starter":null'


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    post(program.port, "orders/new-game", BEGIN)
    yield program
    program.switch_off()


def turn_up_and_back(watching: Crowd) -> list[float]:
    told = watching.delays_s("starter", {"card": "5H"}, CARD)
    return told + watching.delays_s("undo", {}, NO_CARD)


def test_two_hundred_phones_have_the_final_state_cheaply(program: Program) -> None:
    assert Pace().streams == PHONES
    before_mib = program.memory_mib
    with crowd(program.port, PHONES) as watching:
        for _ in range(10):
            turn_up_and_back(watching)
        assert len({json.loads(watcher.state)["prompt"] for watcher in watching.watchers}) == 1
        assert program.memory_mib - before_mib < MORE_MIB


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"NOT TESTED IN A BROWSER: no {CHROMIUM}. Mend: apt install chromium")
def test_the_next_page_polls_and_follows_all_the_same(program: Program, browser: Browser) -> None:
    with crowd(program.port, PHONES):
        page = browser.new_page()
        page.goto(f"{program.address}big?lang=en")
        expect(page.locator("#health")).to_have_text("Following a little behind", timeout=20_000)
        post(program.port, "orders/correct", {"side": 1, "score": 17, "reason": "a slip"})
        expect(page.locator("#figures output").last).to_have_text("17", timeout=20_000)
        page.close()


def test_the_next_phone_is_told_to_poll_and_can(program: Program) -> None:
    with crowd(program.port, PHONES):
        line = HTTPConnection("127.0.0.1", program.port, timeout=5)
        line.request("GET", "/api/v1/stream")
        full = line.getresponse()
        assert full.status == 503 and int(full.headers["Retry-After"]) > 0
        assert "poll" in json.loads(full.read())["detail"]
        line.request("GET", "/api/v1/state")
        assert json.load(line.getresponse())["game"]["phase"] == "deal"
        line.close()
