"""Strips under the plate: enough wood around their screws, enough space for their parts, no collisions."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from msgspec.structs import replace

from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline, Turn
from firmware_host.circuits.catalogue import HALL
from firmware_host.circuits.row_boards import SIZES, row_boards
from firmware_host.circuits.row_bodies import bodies
from firmware_host.circuits.row_netlist import row_circuit
from firmware_host.circuits.row_placement import SCREW_CLEAR_MM, row_layout
from firmware_host.config.board_plans import demo_plan, load_plan, plan_ids
from firmware_host.fabrication.dimensions import load_case, load_table
from firmware_host.fabrication.pockets import Pocket, pockets_of
from firmware_host.fabrication.strips import SCREW_MM, part_spaces, screw_engagement_mm, strip_screws

CASE = load_case()
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]
ALL = [*PLANS, pytest.param(demo_plan(), id="one-strip")]
TOLERANCE_MM = 0.01


def gap_mm(one: Outline, other: Outline) -> float:
    """Distance between the edges; negative if they overlap, then the smaller overlap of both axes."""
    aside = max(one.left_mm, other.left_mm) - min(one.right_mm, other.right_mm)
    above = max(one.bottom_mm, other.bottom_mm) - min(one.top_mm, other.top_mm)
    return max(aside, above)


def bounds(pocket: Pocket) -> Outline:
    xs, ys = zip(*pocket.corners, strict=True)
    return Outline(min(xs), min(ys), max(xs), max(ys))


def centre_of(box: Outline) -> tuple[float, float]:
    return (box.left_mm + box.right_mm) / 2, (box.bottom_mm + box.top_mm) / 2


@pytest.mark.parametrize("plan", ALL)
def test_strip_screws_are_midway_between_two_holes_and_their_lights(plan: BoardPlan) -> None:
    """Calculated independently, from the drilled holes and lights."""
    at = {(hole.strip, hole.pos): hole for hole in plan.holes}
    screws = strip_screws(plan)
    assert len(screws) == 2 * plan.strip_count
    seen = 0
    for strip in range(plan.strip_count):
        for screw, pair in zip(screws[2 * strip : 2 * strip + 2], ((0, 1), (3, 4)), strict=True):
            if all((strip, pos) in at for pos in pair):
                one, other = (at[strip, pos] for pos in pair)
                x = (one.x_mm + other.x_mm + one.led_x_mm + other.led_x_mm) / 4
                y = (one.y_mm + other.y_mm + one.led_y_mm + other.led_y_mm) / 4
                assert math.dist(screw, (x, y)) < TOLERANCE_MM
                seen += 1
    assert seen >= 0.9 * len(screws)


@pytest.mark.parametrize("plan", ALL)
def test_switches_and_lights_are_under_their_holes_and_light_pipes(plan: BoardPlan) -> None:
    spaces = {
        (space.strip, space.ref[0], int(space.ref[1:]) % 100): space
        for space in part_spaces(plan)
        if space.ref[1:] > "99" or len(space.ref) > 3
    }
    for hole in plan.holes:
        switch, light = spaces[hole.strip, "U", hole.pos + 1], spaces[hole.strip, "D", hole.pos + 1]
        assert math.dist(centre_of(switch.box), (hole.x_mm, hole.y_mm)) < 2 * TOLERANCE_MM
        assert math.dist(centre_of(light.box), (hole.led_x_mm, hole.led_y_mm)) < 2 * TOLERANCE_MM


@pytest.mark.parametrize("plan", ALL)
def test_there_is_enough_wood_around_every_strip_screw(plan: BoardPlan) -> None:
    pilot, plate = CASE.pilot, plan.plate
    drilled = [((hole.x_mm, hole.y_mm), plate.hole_mm) for hole in plan.holes]
    drilled += [((hole.led_x_mm, hole.led_y_mm), plate.light_mm) for hole in plan.holes]
    drilled += [(place, CASE.screws.hole_mm) for place in CASE.screws.places(plate)]
    for x, y in strip_screws(plan):
        walls = [math.dist((x, y), place) - (drill + pilot.hole_mm) / 2 for place, drill in drilled]
        edges = [side - pilot.hole_mm / 2 for side in (x, y, plate.width_mm - x, plate.height_mm - y)]
        assert min(*walls, *edges) >= pilot.wall_mm
    screws = strip_screws(plan)
    assert min(math.dist(*pair) for pair in combinations(screws, 2)) >= pilot.hole_mm + pilot.wall_mm


@pytest.mark.parametrize("plan", ALL)
def test_strip_screws_hold_and_do_not_pierce_the_plate(plan: BoardPlan) -> None:
    assert 5.0 <= screw_engagement_mm(CASE) < CASE.pilot.depth_mm
    assert plan.plate.thickness_mm - CASE.pilot.depth_mm >= CASE.pilot.min_wood_above_mm
    assert CASE.pilot.hole_mm < 2.0 < SCREW_MM


@pytest.mark.parametrize("strips", SIZES)
def test_every_part_of_a_row_board_has_a_box_and_a_height(strips: int) -> None:
    pattern = load_plan("classic-61").pattern
    measured, layout = list(bodies(pattern, strips)), row_layout(pattern, strips)
    assert [body.ref for body in measured] == [part.ref for part in row_circuit(strips).parts if not part.kind.is_bare]
    for body in measured:
        assert body.height_mm > 0
        assert 0 <= body.rect.left < body.rect.right <= layout.width_mm
        assert 0 <= body.rect.top < body.rect.bottom <= layout.height_mm
    assert load_table("magnets")["switch"]["height_mm"] <= HALL.height_mm


@pytest.mark.parametrize("plan", ALL)
def test_every_part_has_clearance_in_its_pocket(plan: BoardPlan) -> None:
    clear, pockets = CASE.pocket.clearance_mm, pockets_of(plan, CASE)
    for space in part_spaces(plan):
        box = space.box
        around = Outline(box.left_mm - clear, box.bottom_mm - clear, box.right_mm + clear, box.top_mm + clear)
        inside = replace(around, left_mm=around.left_mm + 2e-3, right_mm=around.right_mm - 2e-3)
        inside = replace(inside, bottom_mm=inside.bottom_mm + 2e-3, top_mm=inside.top_mm - 2e-3)
        assert any(pocket.contains(inside) for pocket in pockets), f"{space.ref} of strip {space.strip}"
        assert space.height_mm > 0
        assert space.height_mm + clear <= CASE.stack.spacer_mm


@pytest.mark.parametrize("plan", ALL)
def test_pockets_are_open_under_every_hole_and_light(plan: BoardPlan) -> None:
    pockets = pockets_of(plan, CASE)
    for hole in plan.holes:
        for x, y in ((hole.x_mm, hole.y_mm), (hole.led_x_mm, hole.led_y_mm)):
            assert any(pocket.contains(Outline(x - 1, y - 1, x + 1, y + 1)) for pocket in pockets)


@pytest.mark.parametrize("plan", ALL)
def test_spacer_walls_are_thick_enough(plan: BoardPlan) -> None:
    pockets, least = pockets_of(plan, CASE), CASE.pocket.wall_mm - 1e-6
    for one, other in combinations(pockets, 2):
        if gap_mm(bounds(one), bounds(other)) > 1.0:
            continue
        assert min(gap_mm(mine, theirs) for mine in one.boxes for theirs in other.boxes) >= least
    for x, y in strip_screws(plan):
        near = [pocket for pocket in pockets if gap_mm(bounds(pocket), Outline(x, y, x, y)) < 2.0]
        for box in (box for pocket in near for box in pocket.boxes):
            nearest = min(max(x, box.left_mm), box.right_mm), min(max(y, box.bottom_mm), box.top_mm)
            assert math.dist((x, y), nearest) - SCREW_MM / 2 >= least


@pytest.mark.parametrize("plan", ALL)
def test_strips_keep_the_planned_gap_to_each_other(plan: BoardPlan) -> None:
    for one, other in combinations(plan.strips, 2):
        assert gap_mm(one.outline, other.outline) >= plan.pattern.slack_mm - 1e-6, (one.number, other.number)


@pytest.mark.parametrize("plan", ALL)
def test_every_board_has_its_connectors_away_from_the_screws_of_the_plate(plan: BoardPlan) -> None:
    heads = CASE.screws.head_mm / 2
    ends = [space.box for space in part_spaces(plan) if space.ref in ("J1", "J2")]
    assert len(ends) == 2 * len(row_boards(plan))
    for box in ends:
        for x, y in CASE.screws.places(plan.plate):
            nearest = min(max(x, box.left_mm), box.right_mm), min(max(y, box.bottom_mm), box.top_mm)
            assert math.dist((x, y), nearest) > heads + 1.0


@pytest.mark.parametrize("plan", PLANS)
def test_boards_of_six_strips_cover_each_row_but_its_rest(plan: BoardPlan) -> None:
    boards = row_boards(plan)
    assert [strip.number for board in boards for strip in board.strips] == list(range(plan.strip_count))
    assert {len(board.strips) for board in boards} <= set(SIZES)
    for row in {board.row for board in boards}:
        assert sum(len(board.strips) == 1 for board in boards if board.row == row) < 6


def test_strip_screw_heads_do_not_reach_copper() -> None:
    assert SCREW_CLEAR_MM >= 4.0 / 2 + 0.4 and CASE.pocket.post_width_mm / 2 <= SCREW_CLEAR_MM


def test_pocket_contains_only_boxes_that_are_completely_inside() -> None:
    steps = (Outline(0, 0, 4, 4), Outline(4, 0, 6, 2), Outline(6, 0, 10, 4))
    lying, upright = (
        Pocket(steps, False),
        Pocket(tuple(Outline(b.bottom_mm, b.left_mm, b.top_mm, b.right_mm) for b in steps), True),
    )
    assert (
        lying.contains(Outline(1, 1, 9, 2))
        and not lying.contains(Outline(1, 1, 9, 3))
        and lying.contains(Outline(1, 1, 4, 4))
    )
    assert upright.contains(Outline(1, 1, 2, 9)) and not upright.contains(Outline(1, 1, 3, 9))
    assert not lying.contains(Outline(-1, 1, 2, 2)) and not lying.contains(Outline(9, 1, 11, 2))
    assert len(lying.corners) == 12 and set(upright.corners) == {(y, x) for x, y in lying.corners}


def test_strip_coordinates_are_rotated_with_the_strip() -> None:
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
