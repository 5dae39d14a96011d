"""The engraved lines separate the lanes, so that no light is taken for that of another lane."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from hardware.fabrication.engraving import engraving, lanes
from hardware.fabrication.shapes import Polyline, Text

PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]


@pytest.mark.parametrize("plan", PLANS)
def test_each_light_shares_its_field_with_its_own_hole_and_no_other_lane(plan: BoardPlan) -> None:
    found = lanes(plan)
    along = [hole for hole in plan.holes if hole.led_x_mm == hole.x_mm]
    assert sum(len(lane.holes) for lane in found) == len(along)
    for lane in found:
        inside = {hole.sensor for hole in lane.holes}
        for hole in along:
            for place in ((hole.x_mm, hole.y_mm), (hole.led_x_mm, hole.led_y_mm)):
                assert lane.contains(place) == (hole.sensor in inside)


@pytest.mark.parametrize("plan", PLANS)
def test_lines_keep_clear_of_holes_and_lights(plan: BoardPlan) -> None:
    for lane in lanes(plan):
        for hole in plan.holes:
            for y_mm in (lane.below_mm, lane.above_mm):
                if lane.left_mm <= hole.x_mm <= lane.right_mm:
                    assert abs(hole.y_mm - y_mm) >= plan.plate.hole_mm / 2 + 1
                    assert abs(hole.led_y_mm - y_mm) >= plan.plate.light_mm / 2 + 0.2


def test_on_the_board_for_four_the_line_is_half_way_between_a_light_and_the_next_lane() -> None:
    lower, upper = lanes(load_plan("continuous-121-4"))[:2]
    light_mm, next_mm = lower.holes[0].led_y_mm, upper.holes[0].y_mm
    assert (light_mm - lower.holes[0].y_mm, next_mm - light_mm) == pytest.approx((5.08, 10.16))
    assert lower.above_mm == upper.below_mm == pytest.approx((light_mm + next_mm) / 2)


@pytest.mark.parametrize("plan", PLANS)
def test_a_line_follows_every_fifth_hole_and_every_name_is_engraved(plan: BoardPlan) -> None:
    shapes = list(engraving(plan))
    crossing = [shape for shape in shapes if isinstance(shape, Polyline) and shape.places[0][0] == shape.places[1][0]]
    for lane in lanes(plan):
        for one, other in pairwise(lane.holes):
            between = (one.x_mm + other.x_mm) / 2
            is_five = min(one.hole, other.hole) > 0 and min(one.hole, other.hole) % 5 == 0
            drawn = any(
                math.isclose(line.places[0][0], between) and line.places[0][1] == lane.below_mm for line in crossing
            )
            assert drawn == is_five, f"{one.track} {one.hole}"
    texts = {shape.text for shape in shapes if isinstance(shape, Text)}
    assert {plan.title, "game", *(f"{track.name} start" for track in plan.track_info)} <= texts
    assert "skunk" in texts
