"""The demo board is a board: from a magnet's move to the score, the light and the page on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import Client

from board_drivers import oled
from firmware_host.app import RunningApp, build_app
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.config.board_plans import DEMO, demo_plan
from firmware_host.config.settings import Settings
from firmware_host.config.settings_sources import load_settings
from firmware_host.cribbage.variants import rules_for
from firmware_host.fabrication.power import power_of
from firmware_host.game.commands import StartGame
from firmware_host.startup.errors import StartupError
from tests.board_drivers.app_on_bench import IGNORE_LUMA_DEPRECATION, real_parts_settings, running_app, wait_for
from tests.board_drivers.bench_board import BenchBoard
from tests.board_drivers.bench_pi import BenchPi

pytestmark = IGNORE_LUMA_DEPRECATION

PLAN = demo_plan()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The settings that hardware/README.md gives."""
    return real_parts_settings(tmp_path, board=DEMO, lights_ma=int(power_of(PLAN).lights_ma))


@pytest.fixture
def strip(pi: BenchPi) -> BenchBoard:
    """One strip, with both pegs in its start holes."""
    strip = BenchBoard(pi, PLAN.strip_count)
    for sensor in PLAN.frame_of([START_HOLES]):
        strip.strips.place_peg(sensor)
    return strip


@pytest.fixture
def running(strip: BenchBoard, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningApp]:
    monkeypatch.setattr(oled, "RETRY_DELAYS_S", (0.001,))
    with running_app(settings) as app:
        yield app


@pytest.mark.parametrize("points", [1, 2])
def test_first_leap_is_scored_lit_and_shown_on_a_phone(running: RunningApp, strip: BenchBoard, points: int) -> None:
    running.host.submit(StartGame(rules_for("six_card", {"target": 61}), ("Ann", "Ben"), PLAN.id))
    strip.strips.lift_peg(PLAN.at(0, START_HOLES[0]).sensor)
    strip.strips.place_peg(PLAN.at(0, Hole(points)).sensor)
    wait_for(running, lambda now: bool(now.table and now.table.scores[0] == points))
    assert strip.lights.colours[PLAN.at(0, Hole(points)).led] != (0, 0, 0)
    state = Client(running.panel).get("/api/v1/state", environ_base={"REMOTE_ADDR": "127.0.0.1"})
    assert state.json and state.json["sides"][0]["score"] == points


def test_loose_wire_is_reported_and_the_game_goes_on(running: RunningApp, strip: BenchBoard) -> None:
    strip.strips.floats[0] = 1
    assert "chain" in wait_for(running, lambda now: bool(now.fault)).fault.lower()
    strip.strips.floats.clear()
    assert wait_for(running, lambda now: not now.fault)


def test_current_limit_below_the_idle_current_is_refused(pi: BenchPi, strip: BenchBoard, tmp_path: Path) -> None:
    settings = load_settings(None, {}, {"simulate": False, "state_folder": tmp_path, "lights_ma": 100})
    with pytest.raises(StartupError, match="125 lights in the dark"):
        build_app(settings)
