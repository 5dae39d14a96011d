"""The electrical margins of revision C by ngspice: matrix, rows, the lines of the lights, supply."""

from __future__ import annotations

import shutil

import pytest

from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from hardware.kicad.margins import (
    BOARDS,
    HALL_ON_S,
    PAGE,
    SETTLE_S,
    first_line_m,
    page,
    pitch_m,
    row_length_m,
    scan_s,
)
from hardware.kicad.models import (
    CORNERS,
    HALL_MIN_V,
    TYPICAL,
    Assumed,
    gate_column,
    ghost,
    light_line,
    plug_in,
    row_line,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not shutil.which("ngspice"), reason="NOT TESTED HERE: ngspice not found. Fix: sudo apt install ngspice"
    ),
]
PLANS = [load_plan(board) for board in BOARDS]
LARGEST = PLANS[-1]
EACH = pytest.mark.parametrize("plan", PLANS, ids=[plan.id for plan in PLANS])
ALL = pytest.mark.parametrize("corner", CORNERS.values(), ids=list(CORNERS))
LOW_V, ABOVE_V = -0.5, 0.5
CONTROLLER_MAX_V = 6.0


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m hardware.kicad.margins"


@EACH
def test_all_holes_are_read_in_five_milliseconds(plan: BoardPlan) -> None:
    assert scan_s(plan) <= 5e-3


@ALL
def test_a_column_is_up_and_its_rows_settle_while_the_firmware_waits(corner: Assumed) -> None:
    column = gate_column(LARGEST, corner)
    row = row_line(LARGEST, corner, row_length_m(LARGEST))
    assert column["column_v"] > HALL_MIN_V + 1.5
    assert column["up_s"] + HALL_ON_S + max(row["rise_s"], row["fall_s"]) < SETTLE_S / 2
    assert row["low_v"] < 0.15 * corner.supply_v


@ALL
def test_a_dead_column_differs_from_a_live_one_by_many_steps_of_the_converter(corner: Assumed) -> None:
    step_v = corner.supply_v / 1024
    assert gate_column(LARGEST, corner)["sense_v"] > 20 * step_v


def test_pegs_of_columns_that_are_off_do_not_show() -> None:
    assert ghost(PLANS[0], TYPICAL, clamps=False)["high_v"] > 0.95 * TYPICAL.supply_v


def test_outputs_with_diodes_to_their_supply_would_hold_all_rows_low() -> None:
    assert ghost(PLANS[0], TYPICAL, clamps=True)["high_v"] < 0.3 * TYPICAL.supply_v


@ALL
@EACH
def test_clock_and_data_stay_within_half_a_volt_of_the_supply(plan: BoardPlan, corner: Assumed) -> None:
    for length, first in ((first_line_m(plan), True), (pitch_m(plan), False)):
        found = light_line(plan, corner, length, first=first)
        assert found["low_v"] >= LOW_V
        assert found["above_v"] <= ABOVE_V


@ALL
@EACH
def test_plugging_in_leaves_the_controller_whole(plan: BoardPlan, corner: Assumed) -> None:
    assert plug_in(plan, corner)["high_v"] <= CONTROLLER_MAX_V
