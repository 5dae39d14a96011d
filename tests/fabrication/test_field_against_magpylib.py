"""The field of a peg agrees with magpylib, an independent program, which only `make test-slow` installs."""

from __future__ import annotations

from itertools import product

import pytest

from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.dimensions import load_case
from firmware_host.fabrication.magnet_field import Rod
from firmware_host.fabrication.magnets import FOUR, crosstalk, magnetics

magpylib = pytest.importorskip("magpylib", reason="not installed; `make test-slow` installs it")
pytestmark = pytest.mark.slow

DESIGN = magnetics(load_case())


def field_mt(rod: Rod, gap_mm: float, offset_mm: float) -> float:
    """The axial field by magpylib, whose units are metre and tesla."""
    magnet = magpylib.magnet.Cylinder(
        polarization=(0, 0, rod.remanence_mt / 1000), dimension=(rod.diameter_mm / 1000, rod.length_mm / 1000)
    )
    below_mm = rod.length_mm / 2 + gap_mm
    return float(magnet.getB((offset_mm / 1000, 0, -below_mm / 1000))[2]) * 1000


@pytest.mark.parametrize("rod", [DESIGN.rod, DESIGN.weak_rod, Rod(3.0, 3.0, 1430.0)], ids=str)
def test_the_axial_field_agrees(rod: Rod) -> None:
    for gap_mm, offset_mm in product((1.0, 1.5, 2.1, 3.2, 5.0, 8.0), (0.0, 0.7, 2.0, 5.08, 10.16, 12.7, 16.3)):
        assert rod.axial_mt(gap_mm, offset_mm) == pytest.approx(field_mt(rod, gap_mm, offset_mm), rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("board", plan_ids())
def test_the_limits_of_the_design_agree(board: str) -> None:
    """A weak peg among four strong ones switches its own hole, and four pegs do not switch an empty one."""
    plan = load_plan(board)
    worst_gap_mm = DESIGN.gap_mm + DESIGN.gap_plus_mm
    own_mt = field_mt(DESIGN.weak_rod, worst_gap_mm, DESIGN.offset_mm)
    assert own_mt == pytest.approx(DESIGN.peg_worst_mt, rel=1e-3)
    distances_mm = [distance for distance in (plan.pattern.pitch_mm, plan.lane_mm) for _ in range(2)]
    gaps_mm = [DESIGN.gap_mm - DESIGN.gap_minus_mm, DESIGN.gap_mm, worst_gap_mm]
    nearer, farther = (
        [sum(field_mt(DESIGN.rod, gap_mm, away + shift) for away in distances_mm) for gap_mm in gaps_mm]
        for shift in (-DESIGN.offset_mm, DESIGN.offset_mm)
    )
    four = crosstalk(plan, DESIGN)[FOUR]
    assert min(nearer) == pytest.approx(four.worst_mt, rel=1e-3)
    assert max(farther) == pytest.approx(four.towards_mt, rel=1e-3) and max(farther) < DESIGN.release_mt
    assert own_mt + min(nearer) >= DESIGN.min_margin * DESIGN.operate_mt
