"""The magnetic design keeps its margins; fuse and USB source carry the current."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from board_drivers.light_chain import COLOUR_MA, FULL, FULL_BRIGHTNESS, IDLE_MA, within_budget
from board_drivers.serial_lights import BOARD_MA, FUSE_MA
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.settings_sources import load_settings
from firmware_host.fabrication.dimensions import load_case, load_table
from firmware_host.fabrication.magnet_field import Rod
from firmware_host.fabrication.magnets import (
    FOUR,
    Magnetics,
    among_four_mt,
    crosstalk,
    least_remanence_mt,
    magnetics,
)
from firmware_host.fabrication.power import power_of

DESIGN = magnetics(load_case())
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]


@pytest.mark.parametrize("gap_mm", [1.0, 2.1, 3.2, 5.0, 8.0])
@pytest.mark.parametrize(("diameter_mm", "length_mm"), [(2.0, 3.0), (2.0, 5.0), (3.0, 3.0)])
def test_the_numeric_field_agrees_with_the_closed_formula_on_the_axis(
    diameter_mm: float, length_mm: float, gap_mm: float
) -> None:
    rod = Rod(diameter_mm, length_mm, 1220.0)
    assert rod.axial_mt(gap_mm) == pytest.approx(rod.on_axis_mt(gap_mm), rel=2e-4)


def test_the_far_field_of_a_rod_is_that_of_a_dipole() -> None:
    """Beside a dipole the axial field is -B_r V / (4 pi r^3), an independent check off the axis."""
    rod, away_mm = Rod(2.0, 0.1, 1220.0), 40.0
    volume, pi = 3.141592653589793 * 0.1, 3.141592653589793
    assert rod.axial_mt(-0.05 + 1e-9, away_mm) == pytest.approx(-1220.0 * volume / (4 * pi * away_mm**3), rel=1e-2)


def has_margin(plan: BoardPlan, design: Magnetics) -> bool:
    """Whether, in the worst case, a peg among four others operates its switch with margin, and an empty hole is off."""
    four = crosstalk(plan, design)[FOUR]
    is_on = among_four_mt(plan, design) >= design.min_margin * design.operate_mt
    return is_on and four.towards_mt < design.release_mt


@pytest.mark.parametrize("plan", PLANS)
def test_the_design_has_margin_in_the_worst_case(plan: BoardPlan) -> None:
    assert has_margin(plan, DESIGN)


@pytest.mark.parametrize("plan", PLANS)
def test_n35_has_the_remanence_that_every_board_needs(plan: BoardPlan) -> None:
    assert least_remanence_mt(plan, DESIGN) < DESIGN.weak_rod.remanence_mt


@pytest.mark.parametrize("plan", PLANS)
def test_a_stronger_magnet_has_more_margin(plan: BoardPlan) -> None:
    n52 = replace(DESIGN, rod=Rod(2.0, 5.0, 1480.0), weak_rod=Rod(2.0, 5.0, 1430.0))
    assert has_margin(plan, n52)
    assert among_four_mt(plan, n52) > among_four_mt(plan, DESIGN)


def test_a_peg_the_wrong_way_round_is_not_read_and_may_hold_its_neighbours_on() -> None:
    turned = replace(DESIGN, rod=Rod(2.0, 5.0, -1220.0), weak_rod=Rod(2.0, 5.0, -1170.0))
    assert turned.peg_worst_mt < 0
    assert crosstalk(load_plan("classic-61"), turned)[FOUR].towards_mt > DESIGN.release_mt


def test_the_speaker_is_far_enough_where_its_field_is_half_of_the_release_level() -> None:
    assert DESIGN.speaker.on_axis_mt(DESIGN.speaker_mm) == pytest.approx(DESIGN.release_mt / 2)
    assert DESIGN.speaker.on_axis_mt(50) > DESIGN.release_mt, "nearer than that it holds switches on"


@pytest.mark.parametrize(
    "design",
    [
        replace(DESIGN, gap_mm=DESIGN.gap_mm + 3),
        replace(DESIGN, operate_mt=18.0),
        replace(DESIGN, release_mt=-1.2),
        replace(DESIGN, weak_rod=Rod(2.0, 5.0, 400.0)),
    ],
    ids=["gap too large", "operate point too high", "release point too low", "magnet too weak"],
)
def test_a_design_without_margin_is_detected(design: object) -> None:
    assert isinstance(design, type(DESIGN))
    assert not has_margin(load_plan("classic-61"), design)


def test_the_gap_follows_from_the_stack() -> None:
    assert pytest.approx(2.1) == DESIGN.gap_mm


def test_the_switch_releases_before_the_peg_leaves_its_hole() -> None:
    assert DESIGN.rod.reach_mm(DESIGN.release_mt) - DESIGN.gap_mm < load_plan("classic-61").plate.thickness_mm


@pytest.mark.parametrize("plan", PLANS)
@settings(max_examples=25)
@given(data=st.data())
def test_the_lights_never_exceed_the_current_limit_and_the_fuse(plan: BoardPlan, data: st.DataObject) -> None:
    power, colour = power_of(plan), st.tuples(*[st.integers(0, FULL)] * 3)
    some = data.draw(st.lists(colour, min_size=1, max_size=8))
    frame = [some[light % len(some)] for light in range(power.lights)]
    brightness, dimmed = within_budget(frame, power.lights_ma - power.dark_ma)
    drawn_ma = power.lights * IDLE_MA + sum(map(sum, dimmed)) / FULL * COLOUR_MA * brightness / FULL_BRIGHTNESS
    assert drawn_ma <= power.lights_ma + 1e-6 <= FUSE_MA - BOARD_MA
    assert power.dark_ma < power.lights_ma < power.white_ma


@pytest.mark.parametrize("plan", PLANS)
def test_the_usb_source_is_the_smallest_that_is_large_enough(plan: BoardPlan) -> None:
    power, wanted_ma = power_of(plan), power_of(plan).lights_ma + BOARD_MA
    smaller = [size for size in load_table("power")["sources_a"] if size < power.source_a]
    assert power.source_a * 1000 >= wanted_ma
    assert all(size * 1000 < wanted_ma for size in smaller)


def test_a_custom_board_gets_a_default_current_limit() -> None:
    mine = replace(load_plan("classic-61"), id="mine")
    assert power_of(mine).lights_ma == 800


def test_the_default_setting_lights_ma_fits_the_default_board(tmp_path: Path) -> None:
    usual = load_settings(None, {"HOME": str(tmp_path)}, {})
    assert usual.board == "classic-61"
    assert usual.lights_ma == power_of(load_plan(usual.board)).lights_ma
