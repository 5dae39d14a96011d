"""The pieces of the spacer fit the printer, and joined they are the spacer again."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace
from shapely import Polygon, contains_xy, union_all
from shapely.geometry.base import BaseGeometry

from firmware_host.board.plan import BoardPlan
from firmware_host.board.plan_reader import PlanError
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.board_space import clips
from firmware_host.fabrication.dimensions import Case, load_case
from firmware_host.fabrication.pieces import Piece, spacer_pieces
from firmware_host.fabrication.pockets import pockets_of
from firmware_host.fabrication.shapes import Point

CASE = load_case()
TIGHT = replace(CASE, joint=replace(CASE.joint, fit_mm=0.0))
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]


def is_inside(place: Point, corners: Sequence[Point]) -> bool:
    """Whether a ray from the place to the right crosses the polygon an odd number of times."""
    x, y = place
    crossings = 0
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossings += 1
    return crossings % 2 == 1


def is_material(piece: Piece, place: Point) -> bool:
    return is_inside(place, piece.outline) and not any(is_inside(place, opening) for opening in piece.openings)


def inside(area: BaseGeometry, places: Sequence[Point]) -> Any:
    """An array of 1 for each place that is in the area, and 0 for the others."""
    return contains_xy(area, places).astype(int)


def filled(pieces: Sequence[Piece], places: Sequence[Point]) -> Any:
    """An array: how many pieces have material at each place."""
    solids = (Polygon(piece.outline).difference(union_all([*map(Polygon, piece.openings)])) for piece in pieces)
    return sum(inside(solid, places) for solid in solids)


def pockets_in(plan: BoardPlan) -> BaseGeometry:
    """The area of all pockets."""
    return union_all([Polygon(pocket.corners) for pocket in pockets_of(plan, CASE)])


def some_places(plan: BoardPlan, pieces: Sequence[Piece]) -> Iterator[Point]:
    """Places all over the plate but its corners, and many near the cuts."""
    chance, corner = random.Random(61), plan.plate.corner_mm
    for _ in range(500):
        yield chance.uniform(corner, plan.plate.width_mm - corner), chance.uniform(0, plan.plate.height_mm)
    for piece in pieces:
        (left, bottom), (wide, high) = piece.corner, piece.size_mm
        if left > 0:
            yield from ((left + chance.uniform(-1, 5), chance.uniform(bottom, bottom + high)) for _ in range(400))
        if bottom > 0:
            yield from ((chance.uniform(left, left + wide), bottom + chance.uniform(-1, 5)) for _ in range(400))


@pytest.mark.parametrize("plan", PLANS)
def test_joined_pieces_are_the_spacer_and_share_no_place(plan: BoardPlan) -> None:
    pieces, pockets = spacer_pieces(plan, TIGHT), pockets_in(plan)
    places = [*some_places(plan, pieces)]
    wanted = 1 - inside(pockets, places)
    assert not (wrong := [place for place, at in zip(places, filled(pieces, places) != wanted, strict=True) if at]), (
        wrong
    )


@pytest.mark.parametrize("plan", PLANS)
def test_sockets_leave_a_gap_around_dovetails(plan: BoardPlan) -> None:
    """With the fit, pieces still share no place, and only a thin gap is lost."""
    pieces = spacer_pieces(plan, CASE)
    places = [*some_places(plan, pieces)]
    counts = filled(pieces, places)[inside(pockets_in(plan), places) == 0]
    assert counts.max() == 1
    assert 0 < sum(counts == 0) < len(counts) / 50


@pytest.mark.parametrize("plan", PLANS)
def test_every_piece_fits_the_bed_and_every_screw_is_in_one_piece(plan: BoardPlan) -> None:
    pieces = spacer_pieces(plan, CASE)
    assert [piece.number for piece in pieces] == list(range(1, len(pieces) + 1)) and len(pieces) > 1
    for piece in pieces:
        assert max(piece.size_mm) <= CASE.joint.bed_mm - 2 * CASE.joint.bed_margin_mm
    wanted = sorted((*CASE.screws.places(plan.plate), *clips(plan, CASE)))
    assert sorted(place for piece in pieces for place, _ in piece.screws) == wanted
    for piece in pieces:
        assert all(is_material(piece, place) for place, _ in piece.screws), "a screw hole is cut by an edge"


@pytest.mark.parametrize("plan", PLANS)
def test_every_rib_at_a_cut_has_a_joint(plan: BoardPlan) -> None:
    """So that no rib can bend up beside its neighbour."""
    pieces = spacer_pieces(plan, CASE)
    for one, other in combinations(pieces, 2):
        (left, bottom), (wide, _) = one.corner, one.size_mm
        if other.corner[1] == bottom and other.corner[0] > left:
            cut = left + wide - CASE.joint.length_mm
            rows = [
                pocket
                for pocket in pockets_of(plan, CASE)
                if any(is_inside((cut, y), pocket.corners) for y in range(int(bottom), int(bottom + one.size_mm[1])))
            ]
            tips = sum(x == left + wide for x, _ in one.outline)
            assert tips == 2 * (len(rows) + 1)


def test_a_spacer_that_fits_the_bed_stays_whole() -> None:
    largest = replace(CASE, joint=replace(CASE.joint, bed_mm=380.0))
    assert len(spacer_pieces(load_plan("classic-61"), largest)) == 1


def test_without_a_place_for_a_cut_the_error_says_what_to_change() -> None:
    small = replace(CASE, joint=replace(CASE.joint, bed_mm=60.0))
    with pytest.raises(PlanError, match="or a larger bed_mm in case.toml"):
        spacer_pieces(load_plan("continuous-121-4"), small)


def test_a_case_with_another_bed_is_cut_otherwise() -> None:
    large: Case = replace(CASE, joint=replace(CASE.joint, bed_mm=300.0))
    assert len(spacer_pieces(load_plan("continuous-121-4"), large)) == 2
