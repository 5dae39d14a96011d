"""One strip on a breadboard is enough for the whole way: magnet, leap, journal, light, and the page on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import Client

from board_drivers import oled
from firmware_host.assemble import CannotServe, Running, assemble
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.cribbage.variants import rules_for
from firmware_host.drafting.power import power_of
from firmware_host.plans import demo_plan
from firmware_host.settings import Settings, load_settings
from firmware_host.table.orders import StartGame
from tests.drivers.bench_board import BenchBoard
from tests.drivers.bench_pi import BenchPi
from tests.drivers.whole_house import LUMA_READS_PICTURES, on_real_parts, opened, seen

pytestmark = LUMA_READS_PICTURES

PLAN = demo_plan()
FILE = Path(__file__).parents[2] / "hardware" / "demo" / "one-strip.toml"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """As the page for makers has them."""
    return on_real_parts(tmp_path, board=str(FILE), lights_ma=int(power_of(PLAN).lights_ma))


@pytest.fixture
def strip(pi: BenchPi) -> BenchBoard:
    """One strip, with both pegs in its start holes."""
    strip = BenchBoard(pi, PLAN.strip_count)
    for sensor in PLAN.frame_of([START_HOLES]):
        strip.strips.place_peg(sensor)
    return strip


@pytest.fixture
def running(strip: BenchBoard, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(oled, "PATIENCE_S", (0.001,))
    with opened(settings) as made:
        yield made


@pytest.mark.parametrize("points", [1, 2])
def test_the_first_leap_is_pegged_lit_and_shown_on_a_phone(running: Running, strip: BenchBoard, points: int) -> None:
    running.host.submit(StartGame(rules_for("six_card", {"target": 61}), ("Ann", "Ben"), PLAN.id))
    strip.strips.lift_peg(PLAN.at(0, START_HOLES[0]).sensor)
    strip.strips.place_peg(PLAN.at(0, Hole(points)).sensor)
    seen(running, lambda now: bool(now.table and now.table.scores[0] == points))
    assert strip.lights.colours[PLAN.at(0, Hole(points)).led] != (0, 0, 0)
    state = Client(running.server.application).get("/api/v1/state", environ_base={"REMOTE_ADDR": "127.0.0.1"})
    assert state.json and state.json["sides"][0]["score"] == points


def test_a_wire_that_comes_loose_is_told_and_the_game_goes_on(running: Running, strip: BenchBoard) -> None:
    strip.strips.floats[0] = 1
    assert "chain" in seen(running, lambda now: bool(now.trouble)).trouble.lower()
    strip.strips.floats.clear()
    assert seen(running, lambda now: not now.trouble)


def test_more_lights_than_the_limit_allows_in_the_dark_are_refused(
    pi: BenchPi, strip: BenchBoard, tmp_path: Path
) -> None:
    too_little = load_settings(None, {}, {"simulate": False, "state_folder": tmp_path, "lights_ma": 100})
    with pytest.raises(CannotServe, match="125 lights in the dark"):
        assemble(too_little)
