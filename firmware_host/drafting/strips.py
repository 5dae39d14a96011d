"""What the strips ask of plate and spacer: holes for their screws and room for their parts, for each in its place.

A strip's screws come from below, through spacer and sheet, and end in the wood: the upper side of the plate is whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_host.board.facts import PlanError
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline
from firmware_host.board.wood import PlannedStrip
from firmware_host.drafting.marks import Point
from firmware_host.drafting.truths import Case
from hardware.pcb.layout import Body
from hardware.strip.bodies import bodies
from hardware.strip.placement import SCREW_MM, strip_sheet
from hardware.stripboard import strip as stripboard

__all__ = ["SCREW_MM", "Room", "bite_mm", "deep_mm", "rooms_of", "screws_of"]


@dataclass(frozen=True, slots=True)
class Room:
    """Where a part of a strip stands under the plate, and how far it reaches towards it."""

    strip: int
    ref: str
    is_by_hand: bool
    box: Outline
    height_mm: float


def screws_of(plan: BoardPlan) -> tuple[Point, ...]:
    """The screws of every strip, in chain order, from the plate's lower left corner."""
    screws = strip_sheet(plan.pattern).screws
    return tuple(strip.place(screw.x, screw.y) for strip in plan.strips for screw in screws)


def bite_mm(case: Case) -> float:
    """How deep a strip's screw goes into the wood, through the most sheets there may be."""
    sheets_mm = case.stack.sheets_by_hand * case.stack.sheet_mm
    return case.pilot.screw_mm - case.stack.board_mm - case.stack.spacer_mm - sheets_mm


def deep_mm(plan: BoardPlan, case: Case) -> float:
    """How deep the holes for the strips' screws are. Raises PlanError for a plate that they would pierce."""
    deep, roof, thickness = case.pilot.deep_mm, case.pilot.roof_mm, plan.plate.thickness_mm
    if thickness < deep + roof:
        wanted = f"{deep + roof:g} or more, for the strips' screws (or shorter ones, in hardware/case.toml)"
        raise PlanError("plate.thickness_mm", wanted, f"{thickness:g}")
    return deep


def rooms_of(plan: BoardPlan) -> Iterator[Room]:
    """Every part of every strip, once as a board house makes it and once on stripboard: one spacer fits both."""
    made, by_hand = list(bodies(plan.pattern)), list(stripboard.bodies(plan.pattern))
    for strip in plan.strips:
        yield from (_room(strip, part, is_by_hand=False) for part in made)
        yield from (_room(strip, part, is_by_hand=True) for part in by_hand)


def _room(strip: PlannedStrip, part: Body, *, is_by_hand: bool) -> Room:
    corners = strip.place(part.rect.left, part.rect.top), strip.place(part.rect.right, part.rect.bottom)
    (left, right), (bottom, top) = (sorted(side) for side in zip(*corners, strict=True))
    return Room(strip.number, part.ref, is_by_hand, Outline(left, bottom, right, top), part.height_mm)
