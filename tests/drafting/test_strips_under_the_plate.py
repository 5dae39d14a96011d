"""Strips under the plate: their screws find wood, their parts find room, and no two claim the same place."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest

from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline, Turn
from firmware_host.drafting.pockets import Pocket, pockets_of
from firmware_host.drafting.strips import SCREW_MM, bite_mm, rooms_of, screws_of
from firmware_host.drafting.truths import the_case, told
from firmware_host.plans import demo_plan, load_plan, plan_ids
from hardware.pcb.catalogue import HALL
from hardware.strip.bodies import bodies
from hardware.strip.netlist import STRIP
from hardware.strip.placement import SCREW_CLEAR_MM, strip_sheet

CASE = the_case()
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]
ALL = [*PLANS, pytest.param(demo_plan(), id="one-strip")]
SLIP_MM = 0.01


def gap_mm(one: Outline, other: Outline) -> float:
    """From edge to edge; less than nought along the axis where they overlap less, if they do."""
    aside = max(one.left_mm, other.left_mm) - min(one.right_mm, other.right_mm)
    above = max(one.bottom_mm, other.bottom_mm) - min(one.top_mm, other.top_mm)
    return max(aside, above)


def bounds(pocket: Pocket) -> Outline:
    xs, ys = zip(*pocket.corners, strict=True)
    return Outline(min(xs), min(ys), max(xs), max(ys))


def centre_of(box: Outline) -> tuple[float, float]:
    return (box.left_mm + box.right_mm) / 2, (box.bottom_mm + box.top_mm) / 2


@pytest.mark.parametrize("plan", ALL)
def test_the_screws_of_a_strip_lie_midway_between_holes_and_midway_to_the_lights(plan: BoardPlan) -> None:
    """An independent way to the same places: from the holes and lights that are drilled."""
    at = {(hole.strip, hole.pos): hole for hole in plan.holes}
    screws = screws_of(plan)
    assert len(screws) == 2 * plan.strip_count
    seen = 0
    for strip in range(plan.strip_count):
        for screw, pair in zip(screws[2 * strip : 2 * strip + 2], ((0, 1), (3, 4)), strict=True):
            if all((strip, pos) in at for pos in pair):
                one, other = (at[strip, pos] for pos in pair)
                x = (one.x_mm + other.x_mm + one.led_x_mm + other.led_x_mm) / 4
                y = (one.y_mm + other.y_mm + one.led_y_mm + other.led_y_mm) / 4
                assert math.dist(screw, (x, y)) < SLIP_MM
                seen += 1
    assert seen >= 0.9 * len(screws)


@pytest.mark.parametrize("plan", ALL)
def test_parts_on_the_plate_are_where_the_plan_has_holes_and_lights(plan: BoardPlan) -> None:
    rooms = {(room.strip, room.ref): room for room in rooms_of(plan) if not room.is_by_hand}
    for hole in plan.holes:
        switch, light = rooms[hole.strip, f"U{hole.pos + 1}"], rooms[hole.strip, f"D{hole.pos + 1}"]
        assert math.dist(centre_of(switch.box), (hole.x_mm, hole.y_mm)) < 2 * SLIP_MM
        assert math.dist(centre_of(light.box), (hole.led_x_mm, hole.led_y_mm)) < 2 * SLIP_MM


@pytest.mark.parametrize("plan", ALL)
def test_wood_remains_round_every_screw_of_a_strip(plan: BoardPlan) -> None:
    pilot, plate = CASE.pilot, plan.plate
    drilled = [((hole.x_mm, hole.y_mm), plate.hole_mm) for hole in plan.holes]
    drilled += [((hole.led_x_mm, hole.led_y_mm), plate.light_mm) for hole in plan.holes]
    drilled += [(place, CASE.screws.hole_mm) for place in CASE.screws.places(plate)]
    for x, y in screws_of(plan):
        walls = [math.dist((x, y), place) - (drill + pilot.hole_mm) / 2 for place, drill in drilled]
        edges = [side - pilot.hole_mm / 2 for side in (x, y, plate.width_mm - x, plate.height_mm - y)]
        assert min(*walls, *edges) >= pilot.wall_mm
    screws = screws_of(plan)
    assert min(math.dist(*pair) for pair in combinations(screws, 2)) >= pilot.hole_mm + pilot.wall_mm


@pytest.mark.parametrize("plan", ALL)
def test_the_screws_bite_and_do_not_come_through(plan: BoardPlan) -> None:
    assert 5.0 <= bite_mm(CASE) < CASE.pilot.deep_mm
    assert plan.plate.thickness_mm - CASE.pilot.deep_mm >= CASE.pilot.roof_mm
    assert CASE.pilot.hole_mm < 2.0 < SCREW_MM


def test_every_part_is_measured_and_has_a_height() -> None:
    pattern = load_plan("classic-61").pattern
    measured, sheet = list(bodies(pattern)), strip_sheet(pattern)
    assert [body.ref for body in measured] == [part.ref for part in STRIP.parts]
    for body in measured:
        assert body.height_mm > 0
        assert 0 <= body.rect.left < body.rect.right <= sheet.width_mm
        assert 0 <= body.rect.top < body.rect.bottom <= sheet.height_mm
    assert told("magnets")["switch"]["height_mm"] <= HALL.height_mm


@pytest.mark.parametrize("plan", ALL)
def test_every_part_of_every_strip_lies_in_a_pocket_with_room_round_it_and_above(plan: BoardPlan) -> None:
    clear, pockets = CASE.pocket.clear_mm, pockets_of(plan, CASE)
    for room in rooms_of(plan):
        box = room.box
        around = Outline(box.left_mm - clear, box.bottom_mm - clear, box.right_mm + clear, box.top_mm + clear)
        inside = replace(around, left_mm=around.left_mm + 2e-3, right_mm=around.right_mm - 2e-3)
        inside = replace(inside, bottom_mm=inside.bottom_mm + 2e-3, top_mm=inside.top_mm - 2e-3)
        assert any(pocket.holds(inside) for pocket in pockets), f"{room.ref} of strip {room.strip}"
        assert room.height_mm > 0
        assert room.height_mm + clear <= CASE.stack.spacer_mm


@pytest.mark.parametrize("plan", ALL)
def test_holes_and_lights_are_seen_through_the_pockets(plan: BoardPlan) -> None:
    pockets = pockets_of(plan, CASE)
    for hole in plan.holes:
        for x, y in ((hole.x_mm, hole.y_mm), (hole.led_x_mm, hole.led_y_mm)):
            assert any(pocket.holds(Outline(x - 1, y - 1, x + 1, y + 1)) for pocket in pockets)


@pytest.mark.parametrize("plan", ALL)
def test_a_wall_remains_between_pockets_and_round_their_screws(plan: BoardPlan) -> None:
    pockets, least = pockets_of(plan, CASE), CASE.pocket.wall_mm - 1e-6
    for one, other in combinations(pockets, 2):
        if gap_mm(bounds(one), bounds(other)) > 1.0:
            continue
        assert min(gap_mm(mine, theirs) for mine in one.boxes for theirs in other.boxes) >= least
    for x, y in screws_of(plan):
        near = [pocket for pocket in pockets if gap_mm(bounds(pocket), Outline(x, y, x, y)) < 2.0]
        for box in (box for pocket in near for box in pocket.boxes):
            nearest = min(max(x, box.left_mm), box.right_mm), min(max(y, box.bottom_mm), box.top_mm)
            assert math.dist((x, y), nearest) - SCREW_MM / 2 >= least


@pytest.mark.parametrize("plan", ALL)
def test_strips_side_by_side_and_at_the_ends_keep_the_play_that_the_pattern_gives_them(plan: BoardPlan) -> None:
    for one, other in combinations(plan.strips, 2):
        assert gap_mm(one.outline, other.outline) >= plan.pattern.slack_mm - 1e-6, (one.number, other.number)


@pytest.mark.parametrize("plan", ALL)
def test_a_ribbon_can_leave_at_both_ends_of_every_row(plan: BoardPlan) -> None:
    """The end wires of a row stand in the open, and beyond the last strip there is air before wood or a screw."""
    rooms = {(room.strip, room.ref): room.box for room in rooms_of(plan) if not room.is_by_hand}
    heads = CASE.screws.head_mm / 2
    for pocket in pockets_of(plan, CASE):
        ends = [box for (_, ref), box in rooms.items() if ref in ("J1", "J2") and pocket.holds(box)]
        assert len(ends) == 2 * sum(pocket.holds(box) for (_, ref), box in rooms.items() if ref == "U3")
        for box in ends:
            for x, y in CASE.screws.places(plan.plate):
                nearest = min(max(x, box.left_mm), box.right_mm), min(max(y, box.bottom_mm), box.top_mm)
                assert math.dist((x, y), nearest) > heads + 1.0


def test_strip_heads_do_not_reach_tracks() -> None:
    assert SCREW_CLEAR_MM >= 4.0 / 2 and CASE.pocket.post_mm / 2 <= SCREW_CLEAR_MM


def test_a_pocket_tells_what_sticks_out_of_it() -> None:
    steps = (Outline(0, 0, 4, 4), Outline(4, 0, 6, 2), Outline(6, 0, 10, 4))
    lying, upright = (
        Pocket(steps, False),
        Pocket(tuple(Outline(b.bottom_mm, b.left_mm, b.top_mm, b.right_mm) for b in steps), True),
    )
    assert (
        lying.holds(Outline(1, 1, 9, 2)) and not lying.holds(Outline(1, 1, 9, 3)) and lying.holds(Outline(1, 1, 4, 4))
    )
    assert upright.holds(Outline(1, 1, 2, 9)) and not upright.holds(Outline(1, 1, 3, 9))
    assert not lying.holds(Outline(-1, 1, 2, 2)) and not lying.holds(Outline(9, 1, 11, 2))
    assert len(lying.corners) == 12 and set(upright.corners) == {(y, x) for x, y in lying.corners}


def test_a_strip_knows_its_places_however_it_lies() -> None:
    plan = load_plan("classic-61")
    for turn in Turn:
        strip = next(strip for strip in plan.strips if strip.turn is turn)
        box = strip.outline
        corner = {
            Turn.RIGHT: (box.left_mm, box.top_mm),
            Turn.LEFT: (box.right_mm, box.bottom_mm),
            Turn.UP: (box.left_mm, box.bottom_mm),
        }
        assert strip.place(0, 0) == corner[turn]
