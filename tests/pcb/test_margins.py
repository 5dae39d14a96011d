"""The electrical margins of revision C by ngspice: matrix, lights, supply, connectors, and the Pi."""

from __future__ import annotations

import shutil

import pytest
from msgspec.structs import replace

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.netlist import matrix_circuit
from firmware_host.config.board_plans import load_plan
from hardware.kicad.connectors import (
    CHIP_A,
    CONTACTS,
    contact_of,
    discharge,
    mistakes,
    supply_step_v,
    wrong_plug,
)
from hardware.kicad.layouts import BOARDS
from hardware.kicad.margins import (
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
    FAST,
    HALL_MIN_V,
    TYPICAL,
    Assumed,
    gate_column,
    ghost,
    light_line,
    plug_in,
    row_line,
)
from hardware.kicad.pi_supply import COMPUTERS, PORT_A, SUPPLIES, WARNING_V, Computer, pi_volts, plugged_v

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not shutil.which("ngspice"), reason="NOT TESTED HERE: ngspice not found. Fix: sudo apt install ngspice"
    ),
]
PLANS = [load_plan(board) for board in BOARDS]
LARGEST = PLANS[-1]
CIRCUIT = matrix_circuit(PLANS[0])
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


@pytest.mark.parametrize("computer", COMPUTERS, ids=[computer.name for computer in COMPUTERS])
def test_a_pi_on_a_good_supply_feeds_the_board_without_a_warning(computer: Computer) -> None:
    assert pi_volts(computer, PORT_A, SUPPLIES[0]) > WARNING_V


def test_only_a_port_without_a_switch_lets_the_plug_pull_the_pi_down() -> None:
    zero, *others = (plugged_v(computer, LARGEST, FAST, SUPPLIES[0]) for computer in COMPUTERS)
    assert zero < WARNING_V < min(others)


def test_resistors_behind_the_part_that_clamps_keep_a_discharge_from_the_controller() -> None:
    keypad = contact_of(CIRCUIT, CONTACTS["J2, keypad"])
    assert discharge(replace(keypad, series_ohm=0.0), FAST)["chip_a"] > CHIP_A > discharge(keypad, FAST)["chip_a"]
    assert discharge(contact_of(CIRCUIT, CONTACTS["J1, CC"]), FAST)["chip_a"] < CHIP_A


def test_a_discharge_into_the_supply_stays_below_what_the_controller_bears() -> None:
    assert all(supply_step_v(CIRCUIT, corner) + TYPICAL.supply_v < CONTROLLER_MAX_V for corner in CORNERS.values())


def test_a_lead_of_the_display_that_is_exchanged_burns_it_and_a_turned_plug_does_not() -> None:
    exchanged, turned, *_ = (wrong_plug(mistake, FAST) / mistake.allowed_a for mistake in mistakes(CIRCUIT))
    assert turned < 1 < exchanged


@ALL
@EACH
def test_plugging_in_leaves_the_controller_whole(plan: BoardPlan, corner: Assumed) -> None:
    assert plug_in(plan, corner)["high_v"] <= CONTROLLER_MAX_V
