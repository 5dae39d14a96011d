"""The wiring of a sensing board: every hole has its place, its light and a name on its lines."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.board.matrix import ROWS
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.matrix_wiring import matrix_wiring

CLASSIC = load_plan("classic-61")


@pytest.mark.parametrize("plan_id", plan_ids())
def test_every_hole_has_a_switch_and_a_light(plan_id: str) -> None:
    plan = load_plan(plan_id)
    wiring = matrix_wiring(plan, plan)
    assert wiring
    assert sorted(wiring.sensors.values()) == sorted(hole.sensor for hole in plan.holes)
    assert sorted(wiring.lights) == sorted(hole.led for hole in plan.holes)
    assert len(wiring.column_holes) == wiring.columns and len(wiring.row_holes) == ROWS


@pytest.mark.parametrize("place", [(0, 0), (3, 14), (2, 15)])
def test_snapshot_has_a_peg_where_its_bit_is_zero(place: tuple[int, int]) -> None:
    wiring = matrix_wiring(CLASSIC, CLASSIC)
    assert wiring
    column, row = place
    state = bytearray(b"\xff" * wiring.strips)
    state[2 * column + row // 8] = 0xFF & ~(1 << row % 8)
    assert wiring.magnets_in(bytes(state)) == {wiring.sensors[place]}


def test_bit_of_a_switch_that_is_not_there_is_no_peg() -> None:
    wiring = matrix_wiring(CLASSIC, CLASSIC)
    assert wiring and (7, 15) not in wiring.sensors
    assert wiring.magnets_in(b"\xff" * 15 + b"\x7f") == frozenset()


def test_holes_keep_their_switch_when_people_have_rewired_the_strips() -> None:
    rewired = CLASSIC.rewired(tuple(reversed(range(CLASSIC.strip_count))))
    printed, used = matrix_wiring(CLASSIC, CLASSIC), matrix_wiring(CLASSIC, rewired)
    assert printed and used
    for place, sensor in printed.sensors.items():
        hole = CLASSIC.at_sensor[sensor]
        assert (rewired.at_sensor[used.sensors[place]].hole, rewired.at_sensor[used.sensors[place]].track) == (
            hole.hole,
            hole.track,
        )


def test_lines_are_named_by_their_holes() -> None:
    wiring = matrix_wiring(CLASSIC, CLASSIC)
    assert wiring
    assert wiring.column_holes[1] == "red 16 to 30, blue back start"
    assert wiring.row_holes[0] == "red 1, red 16, red 45, red 60, blue 1, blue 16, blue 45, blue 60"


def test_plan_that_does_not_fit_has_no_matrix() -> None:
    few = replace(CLASSIC, holes=tuple(hole for hole in CLASSIC.holes if hole.strip < 7))
    assert matrix_wiring(few, few) is None
