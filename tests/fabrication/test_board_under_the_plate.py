"""The circuit board under the plate: enough wood around its clips, enough space for its parts, no collisions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

from firmware_host.board.matrix import light_order
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline, Turn
from firmware_host.circuits.catalogue import HALL
from firmware_host.circuits.netlist import matrix_circuit
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.board_space import (
    BoardSpace,
    board_space,
    clip_places,
    clips,
    grown,
    mouth,
    recess,
    screw_engagement_mm,
)
from firmware_host.fabrication.dimensions import load_case, load_table
from firmware_host.fabrication.pockets import Pocket, pockets_of

CASE = load_case()
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]
ALL = pytest.mark.parametrize("plan", PLANS)
TOLERANCE_MM = 0.01
WOOD_MM = 0.8
"""Least wood between the recess and a hole beside it."""


def drawn_space(plan: BoardPlan) -> BoardSpace:
    space = board_space(plan.id)
    assert space, f"no board is drawn for {plan.id}: python -m hardware.kicad.make"
    return space


def gap_mm(one: Outline, other: Outline) -> float:
    """Distance between the edges; negative if they overlap, then the smaller overlap of both axes."""
    aside = max(one.left_mm, other.left_mm) - min(one.right_mm, other.right_mm)
    above = max(one.bottom_mm, other.bottom_mm) - min(one.top_mm, other.top_mm)
    return max(aside, above)


def edge_mm(inner: Outline, outer: Outline) -> float:
    """The least distance of a box from the edges of the one that it is in."""
    sides = (inner.left_mm - outer.left_mm, inner.bottom_mm - outer.bottom_mm)
    return min(*sides, outer.right_mm - inner.right_mm, outer.top_mm - inner.top_mm)


def away_mm(place: tuple[float, float], box: Outline) -> float:
    """Distance of a place from a box."""
    x, y = place
    return math.dist(place, (min(max(x, box.left_mm), box.right_mm), min(max(y, box.bottom_mm), box.top_mm)))


def bounds(pocket: Pocket) -> Outline:
    xs, ys = zip(*pocket.corners, strict=True)
    return Outline(min(xs), min(ys), max(xs), max(ys))


def drilled(plan: BoardPlan) -> Iterator[tuple[tuple[float, float], float]]:
    """Centres and diameters of all holes that go through the plate."""
    for hole in plan.holes:
        yield (hole.x_mm, hole.y_mm), plan.plate.hole_mm
        yield (hole.led_x_mm, hole.led_y_mm), plan.plate.light_mm
    yield from ((place, CASE.screws.hole_mm) for place in CASE.screws.places(plan.plate))


@ALL
def test_every_part_of_the_circuit_has_a_box_on_the_board_and_a_height(plan: BoardPlan) -> None:
    space = drawn_space(plan)
    wanted = [part.ref for part in matrix_circuit(plan).parts if not part.kind.is_bare]
    assert [part.ref for part in space.parts] == wanted
    for part in space.parts:
        assert part.height_mm > 0, part.ref
        assert gap_mm(part.box, space.outline) < 0, part.ref
    assert load_table("magnets")["switch"]["height_mm"] <= HALL.height_mm


@ALL
def test_switches_and_lights_are_under_their_holes_and_light_pipes(plan: BoardPlan) -> None:
    """In the order of the chain of lights; a package is at its place to a fraction of a millimetre."""
    boxes = {part.ref: part.box for part in drawn_space(plan).parts}
    for number, hole in enumerate(light_order(plan), start=1):
        for ref, place in (
            (f"U{100 + number}", (hole.x_mm, hole.y_mm)),
            (f"D{number}", (hole.led_x_mm, hole.led_y_mm)),
        ):
            box = boxes[ref]
            centre = (box.left_mm + box.right_mm) / 2, (box.bottom_mm + box.top_mm) / 2
            assert math.dist(centre, place) < TOLERANCE_MM, ref


@ALL
def test_every_part_has_clearance_in_its_pocket_or_the_recess(plan: BoardPlan) -> None:
    pockets = pockets_of(plan, CASE)
    for part in drawn_space(plan).parts:
        around = grown(part.box, CASE.pocket.clearance_mm - 2e-3)
        assert (
            any(pocket.contains(around) for pocket in pockets)
            or part.box.right_mm > drawn_space(plan).outline.right_mm - 1
        ), part.ref
        room = CASE.stack.spacer_mm
        if any(gap_mm(part.box, hollow) < 0 for hollow in recess(plan, CASE)):
            room += CASE.stack.sheet_mm + CASE.recess.depth_mm
        assert part.height_mm + CASE.pocket.above_mm <= room, part.ref


@ALL
def test_the_recess_leaves_wood_beside_every_hole_and_above(plan: BoardPlan) -> None:
    for hollow in recess(plan, CASE):
        assert min(away_mm(place, hollow) - diameter / 2 for place, diameter in drilled(plan)) >= WOOD_MM
    assert plan.plate.thickness_mm - CASE.recess.depth_mm >= CASE.pilot.min_wood_above_mm


@ALL
def test_a_usb_plug_fits_into_the_mouth(plan: BoardPlan) -> None:
    """An overmold of 12.35 x 6.5 mm, in the middle of the socket's height, beside the legs; a thin wall is cut out."""
    opening, socket = mouth(plan, CASE), drawn_space(plan).part("J1")
    assert opening
    assert min(opening.top_mm - opening.bottom_mm, opening.right_mm - opening.left_mm) >= 12.35
    legs = [Outline(x, y, x, y) for x, y in CASE.screws.places(plan.plate)]
    assert min(gap_mm(opening, leg) for leg in legs) >= CASE.leg.wide_mm / math.sqrt(3) + 1.0
    above = socket.height_mm / 2 + 6.5 / 2 - CASE.stack.spacer_mm - CASE.stack.sheet_mm
    assert above + CASE.pocket.above_mm <= CASE.recess.depth_mm
    boxes = [box for pocket in pockets_of(plan, CASE) for box in pocket.boxes]
    plate = Outline(0.0, 0.0, plan.plate.width_mm, plan.plate.height_mm)
    walls = [edge_mm(box, plate) for box in boxes if gap_mm(box, opening) < 0]
    assert min(walls) == pytest.approx(CASE.recess.wall_mm) and edge_mm(opening, plate) == 0


@ALL
def test_there_is_enough_wood_around_every_screw_of_a_clip(plan: BoardPlan) -> None:
    pilot, plate = CASE.pilot, plan.plate
    places = clips(plan, CASE)
    for x, y in places:
        walls = [math.dist((x, y), place) - (wide + pilot.hole_mm) / 2 for place, wide in drilled(plan)]
        edges = [side - pilot.hole_mm / 2 for side in (x, y, plate.width_mm - x, plate.height_mm - y)]
        hollows = [away_mm((x, y), hollow) - pilot.hole_mm / 2 for hollow in recess(plan, CASE)]
        assert min(*walls, *edges, *hollows) >= pilot.wall_mm
    assert min(math.dist(*pair) for pair in combinations(places, 2)) >= CASE.clip.length_mm


@ALL
def test_clips_hold_the_board_and_meet_neither_legs_nor_connectors_nor_the_plug(plan: BoardPlan) -> None:
    space, opening = drawn_space(plan), mouth(plan, CASE)
    assert opening
    plugs = [part.box for part in space.parts if part.ref in ("J1", "J2", "J3")]
    legs = [Outline(x, y, x, y) for x, y in CASE.screws.places(plan.plate)]
    found = [clip.box for clip in clip_places(plan, CASE)]
    for box in found:
        assert -CASE.clip.tongue_mm == pytest.approx(gap_mm(box, space.outline))
        assert all(gap_mm(box, cutout) >= 0 for cutout in space.cutouts)
        assert min(gap_mm(box, leg) for leg in legs) >= CASE.leg.wide_mm / math.sqrt(3)
        assert min(gap_mm(box, other) for other in (*plugs, opening)) >= 1.0
        assert box.left_mm >= 0 and box.right_mm <= plan.plate.width_mm
    assert len(found) == len(clips(plan, CASE)) >= 8


@ALL
def test_the_screws_of_the_clips_hold_and_do_not_pierce_the_plate(plan: BoardPlan) -> None:
    assert 5.0 <= screw_engagement_mm(CASE) < CASE.pilot.depth_mm
    assert plan.plate.thickness_mm - CASE.pilot.depth_mm >= CASE.pilot.min_wood_above_mm
    assert CASE.pilot.hole_mm < 2.0 < CASE.clip.hole_mm


@ALL
def test_pockets_are_open_under_every_hole_and_light(plan: BoardPlan) -> None:
    pockets = pockets_of(plan, CASE)
    for hole in plan.holes:
        for x, y in ((hole.x_mm, hole.y_mm), (hole.led_x_mm, hole.led_y_mm)):
            assert any(pocket.contains(Outline(x - 1, y - 1, x + 1, y + 1)) for pocket in pockets)


@ALL
def test_spacer_walls_are_thick_enough(plan: BoardPlan) -> None:
    pockets, least = pockets_of(plan, CASE), CASE.pocket.wall_mm - 1e-6
    for one, other in combinations(pockets, 2):
        if gap_mm(bounds(one), bounds(other)) > 1.0:
            continue
        assert min(gap_mm(mine, theirs) for mine in one.boxes for theirs in other.boxes) >= least
    for place in clips(plan, CASE):
        nearest = min(away_mm(place, box) for pocket in pockets for box in pocket.boxes)
        assert nearest - CASE.clip.hole_mm / 2 >= least


def test_a_plan_without_a_drawn_board_gets_pockets_for_its_rows_alone() -> None:
    mine = replace(load_plan("classic-61"), id="mine")
    assert board_space("mine") is None and clips(mine, CASE) == () and recess(mine, CASE) == ()
    assert len(pockets_of(mine, CASE)) == len({strip.row for strip in mine.strips})


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
