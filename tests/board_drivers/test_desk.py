"""Kit `desk` on modelled hardware: keypad and display on the header, and nothing that reads pegs."""

from __future__ import annotations

from pathlib import Path

import pytest

from board_drivers.simulated import SimulatedBoard
from firmware_host.board.peg_source import PegSource
from firmware_host.startup.boards import wizard_steps_of
from firmware_host.ui.wizard_commands import Step
from tests.board_drivers.app_on_bench import IGNORE_LUMA_DEPRECATION, real_parts_settings, running_app, wait_for
from tests.board_drivers.bench_board import TIMEOUT_S, BenchBoard
from tests.board_drivers.bench_pi import BenchPi
from tests.board_drivers.desk_game import DEALERS_POINTS, DESK, NEW_GAME, OTHERS_POINTS, PLAY, SHOW, STARTER

pytestmark = IGNORE_LUMA_DEPRECATION


@pytest.fixture
def bench(pi: BenchPi) -> BenchBoard:
    """A Pi with a keypad and a display, without any strip."""
    return BenchBoard(pi, strips=0)


def test_one_deal_by_keys_counts_and_is_shown(bench: BenchBoard, pi: BenchPi, tmp_path: Path) -> None:
    with running_app(real_parts_settings(tmp_path, **DESK)) as running:
        for legend in (*NEW_GAME, *STARTER, *PLAY, *SHOW):
            bench.press(legend)
            bench.release(legend)
        expected = (DEALERS_POINTS, OTHERS_POINTS)
        snapshot = wait_for(running, lambda now: now.table is not None and now.table.scores == expected)
        assert snapshot.table and snapshot.table.is_by_hand and not snapshot.fault
        reference = SimulatedBoard(sensor_count=1, led_count=1)
        reference.scoreboard.show(snapshot.oled_page)
        with bench.oled.written:
            assert bench.oled.written.wait_for(lambda: bench.oled.pixels() == reference.oled_pixels(), TIMEOUT_S)
    assert not pi.spi and not bench.rail.is_high, "no chain is opened"


def test_set_up_has_no_step_for_missing_parts(tmp_path: Path) -> None:
    desk = real_parts_settings(tmp_path, **DESK).parts
    assert set(Step) - set(wizard_steps_of(desk)) == {Step.SENSORS, Step.LIGHTS}
    lights = real_parts_settings(tmp_path, kit="lights", keys="page", display="page").parts
    assert set(Step) - set(wizard_steps_of(lights)) == {Step.SENSORS, Step.KEYS, Step.SOUND}
    assert lights.peg_sources == (PegSource.BY_HAND,)
