"""The case holds Pi, hub, plugs, display, button and speaker: nothing collides, and everything can be reached."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import combinations
from typing import Any
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from firmware_host.circuits.hub_placement import HUB_LAYOUT
from firmware_host.circuits.layout import Side
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.bezel import bezel_layout
from firmware_host.fabrication.dimensions import Case, load_case, load_table
from firmware_host.fabrication.enclosure import (
    PI_KINDS,
    Block,
    blocks,
    driver_blocks,
    high_parts,
    hub_part,
    hub_screws,
    jack_axis,
    pi_floor_mm,
    pi_screws,
)
from firmware_host.fabrication.enclosure_walls import bosses, openings, pillars, solid_blocks, vents
from hardware.pcb.sexpr import Node, child, children, floats, parse

CASE = load_case()
KINDS = pytest.mark.parametrize("pi", PI_KINDS)
MOST_BRIDGED_MM = 20.0
"""A printer spans this much in the air without supports."""


def family(block: Block) -> str:
    return block.owner.split()[0]


def collisions(case: Case, pi: str) -> list[tuple[str, str]]:
    """Pairs of blocks that are nearer than the clearance; parts of the hub may touch each other, but not overlap."""
    found = blocks(case, pi)
    pairs = [(one, other) for one, other in combinations(found, 2) if not is_one_piece(one, other)]
    pairs += [(one, wall) for one in found for wall in solid_blocks(case, pi)]
    return [(one.name, other.name) for one, other in pairs if one.overlaps(other, clearance(case, one, other))]


def is_one_piece(one: Block, other: Block) -> bool:
    """Blocks of one owner, and a part of the hub with the board that it is soldered to."""
    return one.owner == other.owner or (family(one) == family(other) == "hub" and "hub" in (one.owner, other.owner))


def clearance(case: Case, one: Block, other: Block) -> float:
    is_joined = family(one) == family(other) == "hub" or {family(one), family(other)} in ({"hub", "Pi"}, {"case", "Pi"})
    is_fixed = {one.owner, other.owner} in ({"speaker", "case"}, {"display", "case"}) or other.name == "support"
    return 0.0 if is_joined or is_fixed else case.box.clearance_mm


def outside(case: Case, pi: str) -> Iterator[str]:
    """Blocks that reach into a wall where it has no opening for them."""
    box, lid, holes = case.box, case.bezel, list(openings(case, pi))
    for block in blocks(case, pi):
        wall = box.wall_mm + (box.clearance_mm if family(block) in ("hub", "Pi") else 0.0)
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
        {"hub_x_mm": 12.0},
        {"hub_x_mm": 2.5},
        {"hub_y_mm": 4.0},
        {"hub_y_mm": 30.0},
        {"inside_mm": 40.0},
        {"boss_height_mm": 0.5},
        {"cable_y_mm": 60.0, "cable_z_mm": 20.0},
    ],
)
def test_a_wrong_measure_is_found(change: dict[str, Any]) -> None:
    case = replace(CASE, box=replace(CASE.box, **change))
    assert collisions(case, "full") or any(outside(case, "full"))


@KINDS
def test_a_screwdriver_reaches_every_screw_of_the_hub(pi: str) -> None:
    """With the lid off; the plugs may be in."""
    in_the_way = [block for block in (*blocks(CASE, pi), *solid_blocks(CASE, pi)) if block.owner not in on_the_lid()]
    for driver in driver_blocks(CASE):
        assert [block.name for block in in_the_way if block.overlaps(driver)] == [], driver.name


def on_the_lid() -> set[str]:
    return {"display", "button", "keypad"}


@KINDS
def test_the_screws_of_pi_and_hub_have_posts_from_the_floor(pi: str) -> None:
    posts = {(post.x, post.y): post.top for post in bosses(CASE, pi)}
    low = CASE.box.floor_mm + CASE.box.boss_height_mm
    assert all(posts[screw] == low for screw in pi_screws(CASE, pi))
    for screw in hub_screws(CASE):
        assert screw in posts, "the standoff of the hub stands on a post, or on the Pi over one"
        assert posts[screw] == (low if screw in pi_screws(CASE, pi) else pi_floor_mm(CASE))


@KINDS
def test_the_openings_are_in_front_of_what_they_are_for(pi: str) -> None:
    table, found = load_table("case")["pi"][pi], blocks(CASE, pi)
    jack = next(block for block in found if block.name == "hub: J2")
    across, height = jack_axis(CASE)
    assert across == pytest.approx((jack.front + jack.back) / 2) and jack.bottom < height < jack.top
    assert CASE.box.plug_hole_mm > jack.back - jack.front
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
    assert CASE.box.plug_hole_mm <= MOST_BRIDGED_MM


@KINDS
def test_openings_and_vents_leave_pillars_and_posts_whole(pi: str) -> None:
    solids = [block for block in solid_blocks(CASE, pi) if block.name in ("pillar", "boss")]
    for hole in (*openings(CASE, pi), *vents(CASE)):
        assert not [block for block in solids if block.overlaps(hole)], hole


def test_the_screws_of_the_lid_are_over_its_pillars() -> None:
    assert [(post.x, post.y) for post in pillars(CASE)] == list(bezel_layout(CASE).screws)
    assert CASE.box.pillar_deep_mm > 10 - CASE.bezel.thickness_mm, "room for a screw of 10 mm"


def test_every_high_part_of_the_hub_has_the_outline_of_its_footprint() -> None:
    """Compared with the outlines on the fabrication layer of the committed board."""
    outlines = committed_outlines()
    for part in high_parts():
        left, top, right, bottom = hub_part(part)["box"]
        if HUB_LAYOUT.places[part.ref].side is Side.BOTTOM:
            top, bottom = -bottom, -top
        own = outlines[part.ref]
        assert left <= own[0] + 0.06 and top <= own[1] + 0.06, part.ref
        assert right >= own[2] - 0.06 and bottom >= own[3] - 0.06, part.ref


def committed_outlines() -> dict[str, Sequence[float]]:
    """Left, top, right and bottom edge of each part of the hub, in its own coordinates."""
    packed = files("hardware.hub").joinpath("hub-kicad.zip").read_bytes()
    with ZipFile(io.BytesIO(packed)) as archive:
        board = parse(archive.read("hub.kicad_pcb").decode())
    return {reference(part): outline(part) for part in children(board, "footprint") if outline(part)}


def reference(part: Node) -> str:
    return next(str(found[2]) for found in children(part, "property") if found[1] == "Reference")


def outline(part: Node) -> Sequence[float]:
    points: list[tuple[float, ...]] = []
    for kind in ("fp_line", "fp_rect", "fp_circle", "fp_arc", "fp_poly"):
        for shape in children(part, kind):
            if re.fullmatch(r"[FB]\.Fab", str((child(shape, "layer") or ["", ""])[1])):
                ends = [tuple(floats(end)) for key in ("start", "mid", "end") for end in children(shape, key)]
                ends += [tuple(floats(xy)) for pts in children(shape, "pts") for xy in children(pts, "xy")]
                centre = [tuple(floats(found)) for found in children(shape, "center")]
                points += [*ends, *((2 * x - ends[0][0], 2 * y - ends[0][1]) for x, y in centre)]
    xs, ys = zip(*points, strict=True) if points else ((), ())
    return (min(xs), min(ys), max(xs), max(ys)) if points else ()


def test_the_legs_leave_room_for_the_plugs_under_the_row_boards() -> None:
    for name in ("JST XH 2", "Molex PicoBlade 8"):
        _, plugged_mm, bend_mm = load_table("case")["hub_part"][name]["heights"]
        assert CASE.leg.length_mm >= CASE.stack.board_mm + plugged_mm + bend_mm
    assert CASE.leg.wide_mm <= CASE.screws.head_mm, "no strip is under the head of a screw, so none is beside a leg"


@pytest.mark.parametrize("board", plan_ids())
def test_the_screws_of_the_plate_reach_into_the_legs(board: str) -> None:
    stack, plate = CASE.stack, load_plan(board).plate
    engaged = CASE.leg.screw_mm - plate.thickness_mm - stack.sheet_mm - stack.spacer_mm
    assert 4.0 <= engaged <= CASE.leg.length_mm / 2
