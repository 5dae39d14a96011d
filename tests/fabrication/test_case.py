"""The case holds Pi, plugs, display, button and sound: nothing collides, and everything can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.circuits.netlist import matrix_circuit
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.bezel import bezel_layout
from firmware_host.fabrication.dimensions import Case, load_case, load_table
from firmware_host.fabrication.enclosure import PI_KINDS, Block, blocks, pi_floor_mm, pi_screws
from firmware_host.fabrication.enclosure_walls import bosses, openings, pillars, solid_blocks, vents

CASE = load_case()
KINDS = pytest.mark.parametrize("pi", PI_KINDS)
MOST_BRIDGED_MM = 20.0
"""A printer spans this much in the air without supports."""


def collisions(case: Case, pi: str) -> list[tuple[str, str]]:
    """Pairs of blocks of different owners that are nearer than the clearance."""
    found = blocks(case, pi)
    pairs = [(one, other) for one, other in combinations(found, 2) if one.owner != other.owner]
    pairs += [(one, wall) for one in found for wall in solid_blocks(case, pi)]
    return [(one.name, other.name) for one, other in pairs if one.overlaps(other, clearance(case, one, other))]


def clearance(case: Case, one: Block, other: Block) -> float:
    """None between the case and what is fixed to it."""
    is_fixed = {one.owner, other.owner} in ({"speaker", "case"}, {"display", "case"}, {"Pi", "case"})
    return 0.0 if is_fixed else case.box.clearance_mm


def outside(case: Case, pi: str) -> Iterator[str]:
    """Blocks that reach into a wall where it has no opening for them."""
    box, lid, holes = case.box, case.bezel, list(openings(case, pi))
    for block in blocks(case, pi):
        wall = box.wall_mm + (box.clearance_mm if block.owner == "Pi" else 0.0)
        sides = {
            "left": block.left < wall,
            "right": block.right > lid.width_mm - wall,
            "front": block.front < wall,
            "back": block.back > lid.height_mm - wall,
        }
        for side in (side for side, reaches in sides.items() if reaches):
            if not any(hole.name == side and passes(hole, block, side) for hole in holes):
                yield f"{block.name}, {side}"
        if block.bottom < box.floor_mm or block.top > box.inside_mm:
            yield f"{block.name}, height"


def passes(hole: Block, block: Block, side: str) -> bool:
    is_high = hole.bottom <= block.bottom and block.top <= hole.top
    if side in ("left", "right"):
        return is_high and hole.front <= block.front and block.back <= hole.back
    return is_high and hole.left <= block.left and block.right <= hole.right


@KINDS
def test_nothing_in_the_case_collides(pi: str) -> None:
    assert collisions(CASE, pi) == []


@KINDS
def test_everything_is_inside_the_walls_or_in_an_opening(pi: str) -> None:
    assert list(outside(CASE, pi)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"pi_x_mm": 12.0},
        {"pi_x_mm": 2.5},
        {"pi_y_mm": 4.0},
        {"pi_y_mm": 40.0},
        {"inside_mm": 40.0},
        {"boss_height_mm": 0.5},
        {"cable_y_mm": 30.0, "cable_z_mm": 20.0},
    ],
)
def test_a_wrong_measure_is_found(change: dict[str, Any]) -> None:
    case = replace(CASE, box=replace(CASE.box, **change))
    assert collisions(case, "full") or any(outside(case, "full"))


@KINDS
def test_the_screws_of_the_pi_have_posts_from_the_floor(pi: str) -> None:
    posts = {(post.x, post.y): post.top for post in bosses(CASE, pi)}
    assert posts == dict.fromkeys(pi_screws(CASE, pi), pi_floor_mm(CASE) - CASE.box.pi_board_mm)


@KINDS
def test_the_openings_are_in_front_of_what_they_are_for(pi: str) -> None:
    table, found = load_table("case")["pi"][pi], blocks(CASE, pi)
    card = next(block for block in found if block.name == "Pi: card")
    left = next(hole for hole in openings(CASE, pi) if hole.name == "left")
    assert passes(left, card, "left")
    if table["openings"]["right"]:
        sockets = next(block for block in found if block.name == "Pi: usb and network")
        right = [hole for hole in openings(CASE, pi) if hole.name == "right" and hole.top < CASE.box.inside_mm]
        covered = sum(hole.back - hole.front for hole in right)
        assert covered > 0.95 * (sockets.back - sockets.front)
        assert all(hole.bottom <= sockets.bottom and sockets.top <= hole.top for hole in right)


@KINDS
def test_the_base_prints_without_supports_on_a_common_bed(pi: str) -> None:
    """It stands on its floor; only the upper edges of openings hang in the air, and those are short."""
    room = CASE.joint.bed_mm - 2 * CASE.joint.bed_margin_mm
    assert CASE.bezel.width_mm <= room and CASE.bezel.height_mm <= room
    for hole in openings(CASE, pi):
        if hole.top <= CASE.box.inside_mm:
            span = hole.right - hole.left if hole.name == "front" else hole.back - hole.front
            assert span <= MOST_BRIDGED_MM, hole


@KINDS
def test_openings_and_vents_leave_pillars_and_posts_whole(pi: str) -> None:
    solids = [block for block in solid_blocks(CASE, pi) if block.name in ("pillar", "boss")]
    for hole in (*openings(CASE, pi), *vents(CASE)):
        assert not [block for block in solids if block.overlaps(hole)], hole


def test_the_screws_of_the_lid_are_over_its_pillars() -> None:
    assert [(post.x, post.y) for post in pillars(CASE)] == list(bezel_layout(CASE).screws)
    assert CASE.box.pillar_deep_mm > 10 - CASE.bezel.thickness_mm, "room for a screw of 10 mm"


def test_the_legs_leave_room_for_the_plugs_under_the_circuit_board() -> None:
    below = [part for part in matrix_circuit(load_plan("classic-61")).parts if part.kind.hand_fitted]
    assert below
    for part in below:
        plug = load_table("case")["plug"][part.kind.name]
        assert CASE.leg.length_mm >= CASE.stack.board_mm + plug["plugged_mm"] + plug["bend_mm"], part.ref
    assert CASE.leg.wide_mm <= CASE.screws.head_mm, "no circuit board is under the head of a screw, so none is at a leg"


@pytest.mark.parametrize("board", plan_ids())
def test_the_screws_of_the_plate_reach_into_the_legs(board: str) -> None:
    stack, plate = CASE.stack, load_plan(board).plate
    engaged = CASE.leg.screw_mm - plate.thickness_mm - stack.sheet_mm - stack.spacer_mm
    assert 4.0 <= engaged <= CASE.leg.length_mm / 2
