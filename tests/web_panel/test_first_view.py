"""The first view of a running game: state and drawing come with the page, in one answer."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser

from firmware_host.game.commands import StartGame
from tests.web_panel.browsing import Program, close_context, in_chromium
from tests.web_panel.conftest import API, Rig
from tests.web_panel.pictures import TWO_PLAYERS, post
from tests.web_panel.visits import IS_USABLE
from web_panel.app import AccessPolicy

FIRST_VIEW = re.compile(r'<script type="application/json" id="first-view">(.*?)</script>', re.DOTALL)


def first_view(rig: Rig, path: str = "/") -> Any:
    """What the page brings; None if it brings nothing."""
    found = FIRST_VIEW.search(rig.get(path).text)
    return found and json.loads(found[1])


@pytest.mark.parametrize("language", ["en", "fr", "ru", "pl"])
def test_the_page_of_a_game_brings_its_state_and_drawing(rig: Rig, language: str) -> None:
    rig.begin()
    brought = first_view(rig, f"/?lang={language}")
    assert brought["state"] == json.loads(rig.get(f"{API}/state?lang={language}").text)
    drawing = brought["drawing"]
    assert drawing["address"].endswith(f"?lang={language}")
    assert drawing["svg"] == rig.get(drawing["address"]).text


def test_without_a_game_there_is_nothing_to_bring(rig: Rig) -> None:
    assert first_view(rig) is None


def test_who_may_not_watch_gets_no_state() -> None:
    rig = Rig(is_simulated=False, access_policy=AccessPolicy(is_watching_open=lambda: False))
    rig.host.execute(StartGame(rig.host.setup.games[0], ("Ann", "Ben")))
    assert rig.get(f"{API}/state").status_code == 403
    assert first_view(rig) is None
    rig.host.stop()


def test_a_name_cannot_end_the_script_element(rig: Rig) -> None:
    rig.begin(names=["</script><b>", "Ben"])
    assert first_view(rig)["state"]["sides"][0]["name"] == "</script><b>"
    assert "</script><b>" not in rig.get("/").text


@in_chromium
def test_a_browser_asks_for_neither(browser: Browser, program: Program) -> None:
    """The game is drawn before the stream brings a state, and the drawing is not fetched."""
    post(program.address, "commands/new-game", TWO_PLAYERS)
    page = browser.new_page()
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/api/v1/stream*", lambda route: route.abort())
    page.route("**/api/v1/state*", lambda route: route.abort())
    page.goto(program.address)
    page.wait_for_function(IS_USABLE)
    assert not [url for url in asked if "/boards/" in url]
    assert page.locator("#prompt").inner_text().strip()
    close_context(page.context)
