"""Magnets that switch their own hole and no other; power that supply, fuse and wire can carry."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board_drivers.light_chain import COLOUR_MA, FULL, FULL_BRIGHTNESS, IDLE_MA, within_budget
from firmware_host.board.plan import BoardPlan
from firmware_host.drafting.field import Rod
from firmware_host.drafting.magnets import by_hand, crosstalk, is_sound, magnetics
from firmware_host.drafting.power import power_of
from firmware_host.drafting.truths import the_case, told
from firmware_host.plans import demo_plan, load_plan, plan_ids
from firmware_host.settings import load_settings

DESIGN = magnetics(the_case())
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]


@pytest.mark.parametrize("gap_mm", [1.0, 2.1, 3.2, 5.0, 8.0])
@pytest.mark.parametrize(("diameter_mm", "length_mm"), [(2.0, 3.0), (2.0, 5.0), (3.0, 3.0)])
def test_the_sum_over_the_faces_agrees_with_the_closed_formula(
    diameter_mm: float, length_mm: float, gap_mm: float
) -> None:
    rod = Rod(diameter_mm, length_mm, 1220.0)
    assert rod.along_mt(gap_mm) == pytest.approx(rod.on_axis_mt(gap_mm), rel=2e-4)


def test_far_away_a_rod_is_a_dipole() -> None:
    """Beside a dipole the field along it is -B_r V / (4 pi r^3): another formula, for the sum off the axis."""
    rod, away_mm = Rod(2.0, 0.1, 1220.0), 40.0
    volume, pi = 3.141592653589793 * 0.1, 3.141592653589793
    assert rod.along_mt(-0.05 + 1e-9, away_mm) == pytest.approx(-1220.0 * volume / (4 * pi * away_mm**3), rel=1e-2)


@pytest.mark.parametrize("plan", PLANS)
def test_the_shipped_design_keeps_its_margin_with_all_against_it(plan: BoardPlan) -> None:
    assert is_sound(plan, DESIGN)
    assert DESIGN.own_worst_mt > 2 * DESIGN.operate_mt
    assert abs(crosstalk(plan, DESIGN)[2].worst_mt) < DESIGN.release_mt


@pytest.mark.parametrize("plan", PLANS)
def test_strips_by_hand_keep_it_too_but_not_under_a_single_sheet(plan: BoardPlan) -> None:
    stack = the_case().stack
    assert is_sound(plan, by_hand(the_case()))
    single = replace(the_case(), stack=replace(stack, sheets_by_hand=1))
    assert by_hand(the_case()).gap_mm - by_hand(single).gap_mm == pytest.approx(stack.sheet_mm)
    assert not is_sound(plan, by_hand(single))


@pytest.mark.parametrize(
    "spoilt",
    [
        replace(DESIGN, gap_mm=DESIGN.gap_mm + 3),
        replace(DESIGN, rod=Rod(3.0, 6.0, 1220.0)),
        replace(DESIGN, release_mt=0.5),
        replace(DESIGN, weak_rod=Rod(2.0, 5.0, 400.0)),
    ],
    ids=["a thick sheet", "a fat magnet", "a switch that lets go late", "a weak magnet"],
)
def test_a_design_without_margin_is_found_out(spoilt: object) -> None:
    assert isinstance(spoilt, type(DESIGN))
    assert not is_sound(load_plan("classic-61"), spoilt)


def test_the_gap_is_what_the_stack_leaves() -> None:
    assert pytest.approx(2.1) == DESIGN.gap_mm


def test_a_lifted_peg_is_let_go_before_it_has_left_the_wood() -> None:
    assert DESIGN.rod.reach_mm(DESIGN.release_mt) - DESIGN.gap_mm < load_plan("classic-61").plate.thickness_mm


@pytest.mark.parametrize("plan", [*PLANS, pytest.param(demo_plan(), id="one-strip")])
@settings(max_examples=25)
@given(data=st.data())
def test_whatever_is_lit_the_lights_keep_within_what_supply_and_fuse_are_chosen_for(
    plan: BoardPlan, data: st.DataObject
) -> None:
    power, colour = power_of(plan), st.tuples(*[st.integers(0, FULL)] * 3)
    some = data.draw(st.lists(colour, min_size=1, max_size=8))
    frame = [some[light % len(some)] for light in range(power.lights)]
    brightness, dimmed = within_budget(frame, power.lights_ma - power.dark_ma)
    drawn_ma = power.lights * IDLE_MA + sum(map(sum, dimmed)) / FULL * COLOUR_MA * brightness / FULL_BRIGHTNESS
    assert drawn_ma <= power.lights_ma + 1e-6 <= power.fuse_a * 1000
    assert power.dark_ma < power.lights_ma


@pytest.mark.parametrize("plan", [*PLANS, pytest.param(demo_plan(), id="one-strip")])
def test_supply_fuse_and_wire_carry_it_all(plan: BoardPlan) -> None:
    power, facts = power_of(plan), told("power")
    all_ma = power.lights_ma + sum(facts["rest_ma"].values())
    assert power.supply_a * 1000 >= facts["supply_headroom"] * all_ma
    assert power.fuse_a <= power.supply_a
    wire = next(wire for wire in facts["wire"] if wire["awg"] == power.wire_awg)
    assert wire["most_a"] * 1000 >= power.lights_ma and power.drop_v <= facts["drop_v"]


def test_a_makers_own_board_has_a_budget_too() -> None:
    mine = replace(load_plan("classic-61"), id="mine")
    assert power_of(mine).lights_ma == 800


def test_the_usual_limit_of_the_settings_is_the_classic_boards(tmp_path: Path) -> None:
    usual = load_settings(None, {"HOME": str(tmp_path)}, {})
    assert usual.board == "classic-61"
    assert usual.lights_ma == power_of(load_plan(usual.board)).lights_ma
