"""Requirements of the strips on plate and spacer: positions of their screws, and space for their parts.

The screws of a strip enter from below through spacer and sheet and end in the wood, so the upper side of the plate has
no holes for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.board.plan_reader import PlanError
from firmware_host.board.strip import Outline
from firmware_host.circuits.layout import Body
from firmware_host.circuits.row_boards import SIZES, RowBoard, row_boards
from firmware_host.circuits.row_bodies import bodies
from firmware_host.circuits.row_placement import SCREW_MM, row_layout
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.shapes import Point

__all__ = ["SCREW_MM", "PartSpace", "part_spaces", "pilot_depth_mm", "screw_engagement_mm", "strip_screws"]


class PartSpace(Struct, frozen=True):
    """The space that one part needs under the plate, its strip, and its height above the circuit board."""

    strip: int
    ref: str
    box: Outline
    height_mm: float


def strip_screws(plan: BoardPlan) -> tuple[Point, ...]:
    """Screw positions of all strips, two per strip in chain order, in mm from the lower left corner of the plate."""
    screws = row_layout(plan.pattern, 1).screws
    return tuple(strip.place(screw.x, screw.y) for strip in plan.strips for screw in screws)


def screw_engagement_mm(case: Case) -> float:
    """Thread engagement of a strip's screw in the wood in mm."""
    return case.pilot.screw_mm - case.stack.board_mm - case.stack.spacer_mm - case.stack.sheet_mm


def pilot_depth_mm(plan: BoardPlan, case: Case) -> float:
    """Depth in mm of the blind holes for the strips' screws. Raises PlanError if they would pierce the plate."""
    depth = case.pilot.depth_mm
    above = case.pilot.min_wood_above_mm
    thickness = plan.plate.thickness_mm
    if thickness < depth + above:
        wanted = f"{depth + above:g} or more for the strips' screws (or shorter screws in hardware/case.toml)"
        raise PlanError("plate.thickness_mm", wanted, f"{thickness:g}")
    return depth


def part_spaces(plan: BoardPlan) -> Iterator[PartSpace]:
    """The space of every part on the upper side of every row board."""
    on_board = {size: list(bodies(plan.pattern, size)) for size in SIZES}
    for board in row_boards(plan):
        for part in on_board[len(board.strips)]:
            yield _space(plan, board, part)


def _space(plan: BoardPlan, board: RowBoard, part: Body) -> PartSpace:
    reach_mm = plan.pattern.reach_mm
    last = len(board.strips) - 1
    cell = min(last, int((part.rect.left + part.rect.right) / 2 // reach_mm))
    rect = part.rect.moved(-cell * reach_mm, 0)
    strip = board.strips[cell]
    corners = strip.place(rect.left, rect.top), strip.place(rect.right, rect.bottom)
    (left, right), (bottom, top) = (sorted(side) for side in zip(*corners, strict=True))
    return PartSpace(strip.number, part.ref, Outline(left, bottom, right, top), part.height_mm)
