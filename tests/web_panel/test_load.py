"""Two hundred streams of one board: all get the final state, with little memory. Latency is measured by the bench."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web_panel.browsing import CHROMIUM, Program, close_page
from tests.web_panel.crowd import Crowd, crowd, post
from web_panel.api.stream import StreamLimits

pytestmark = pytest.mark.slow

PHONES = 200
MAX_GROWTH_MIB = 25
BEGIN = {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0}
CARD, NO_CARD = '"starter":"5♥"'.encode(), b'"starter":null'


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    post(program.port, "commands/new-game", BEGIN)
    yield program
    program.switch_off()


def set_and_undo_starter(watching: Crowd) -> list[float]:
    delays_s = watching.delays_s("starter", {"card": "5H"}, CARD)
    return delays_s + watching.delays_s("undo", {}, NO_CARD)


def test_two_hundred_streams_get_the_final_state_with_little_memory(program: Program) -> None:
    assert StreamLimits().streams == PHONES
    before_mib = program.memory_mib
    with crowd(program.port, PHONES) as watching:
        for _ in range(10):
            set_and_undo_starter(watching)
        assert len({json.loads(watcher.state)["prompt"] for watcher in watching.watchers}) == 1
        assert program.memory_mib - before_mib < MAX_GROWTH_MIB


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"NOT TESTED IN A BROWSER: no {CHROMIUM}. Fix: apt install chromium")
def test_a_page_beyond_the_stream_limit_polls(program: Program, browser: Browser) -> None:
    with crowd(program.port, PHONES):
        page = browser.new_page()
        page.goto(f"{program.address}big?lang=en")
        expect(page.locator("#health")).to_have_text("Updates are slightly delayed")
        post(program.port, "commands/correct", {"side": 1, "score": 17, "reason": "a slip"})
        expect(page.locator("#big-scores .figure").last).to_have_text("17")
        close_page(page)


def test_a_stream_beyond_the_limit_is_503(program: Program) -> None:
    with crowd(program.port, PHONES):
        line = HTTPConnection("127.0.0.1", program.port, timeout=60)
        line.request("GET", "/api/v1/stream")
        full = line.getresponse()
        assert full.status == 503 and int(full.headers["Retry-After"]) > 0
        assert "poll" in json.loads(full.read())["detail"]
        line.request("GET", "/api/v1/state")
        assert json.load(line.getresponse())["game"]["phase"] == "deal"
        line.close()
