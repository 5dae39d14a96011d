"""The circuit board under the plate: its outline, the space of its parts, and the clips and the recess that it needs.

`hardware/kicad/<board>-space.csv` has the outline and the parts of a drawn board, as `python -m hardware.kicad.make`
writes them; there is none for a plan of your own.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from board_drivers.hardware_files import hardware_file
from firmware_host.board.plan import BoardPlan
from firmware_host.board.plan_reader import PlanError
from firmware_host.board.strip import Outline
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.shapes import Point

CUTOUT = "cutout"
"""The name of a piece that the outline lacks at a corner."""
SOCKET = "J1"
"""The USB socket, whose mouth is at an edge of the board."""


class PartSpace(Struct, frozen=True):
    """The space that one part needs: its box on the plate, and its height above the circuit board."""

    ref: str
    box: Outline
    height_mm: float


class BoardSpace(Struct, frozen=True):
    """The outline of the circuit board on the plate, the pieces that it lacks, and the space of each part."""

    outline: Outline
    cutouts: tuple[Outline, ...]
    parts: tuple[PartSpace, ...]

    def part(self, ref: str) -> PartSpace:
        """The part with this reference. Raises LookupError if there is none."""
        for part in self.parts:
            if part.ref == ref:
                return part
        raise LookupError(f"expected a part {ref}, got none")


@cache
def board_space(board: str) -> BoardSpace | None:
    """The space of a drawn board by the id of its plan; None if no board is drawn for this plan."""
    file = hardware_file("kicad", f"{board}-space.csv")
    if not file.is_file():
        return None
    with file.open(encoding="utf-8", newline="") as lines:
        outline, *spaces = [_space(*line) for line in csv.reader(lines)]
    cutouts = tuple(space.box for space in spaces if space.ref == CUTOUT)
    return BoardSpace(outline.box, cutouts, tuple(space for space in spaces if space.ref != CUTOUT))


def _space(ref: str, *numbers: str) -> PartSpace:
    left, bottom, right, top, height = map(float, numbers)
    return PartSpace(ref, Outline(left, bottom, right, top), height)


class ClipPlace(Struct, frozen=True):
    """A clip: its screw, in mm from the plate's lower left corner, and the space that it takes."""

    screw: Point
    box: Outline


def clip_places(plan: BoardPlan, case: Case) -> tuple[ClipPlace, ...]:
    """The clips that hold the board. An even number is on each side, so that none is in its middle.

    Where a piece of the outline is missing there is none.
    """
    space = board_space(plan.id)
    found = tuple(_clips(space.outline, case)) if space else ()
    return tuple(clip for clip in found if space and not any(clip.box.overlaps(gap) for gap in space.cutouts))


def clips(plan: BoardPlan, case: Case) -> tuple[Point, ...]:
    """The screws of the clips, in mm from the plate's lower left corner."""
    return tuple(clip.screw for clip in clip_places(plan, case))


def _clips(board: Outline, case: Case) -> Iterator[ClipPlace]:
    clip = case.clip
    half = clip.length_mm / 2
    for edge, out in ((board.bottom_mm, -1), (board.top_mm, 1)):
        low, high = sorted((edge - out * clip.tongue_mm, edge + out * clip.foot_mm))
        for x in _shares(board.left_mm, board.right_mm, clip.span_mm):
            yield ClipPlace((x, edge + out * clip.beside_mm), Outline(x - half, low, x + half, high))
    for edge, out in ((board.left_mm, -1), (board.right_mm, 1)):
        low, high = sorted((edge - out * clip.tongue_mm, edge + out * clip.foot_mm))
        for y in _shares(board.bottom_mm, board.top_mm, clip.span_mm):
            yield ClipPlace((edge + out * clip.beside_mm, y), Outline(low, y - half, high, y + half))


def _shares(first_mm: float, last_mm: float, span_mm: float) -> Iterator[float]:
    """Two places on each of the equal parts of a side, a fifth from their ends; no part is longer than the span."""
    count = math.ceil((last_mm - first_mm) / span_mm)
    step = (last_mm - first_mm) / count
    return (round(first_mm + step * (number + share), 3) for number in range(count) for share in (0.2, 0.8))


def screw_engagement_mm(case: Case) -> float:
    """Thread engagement of a clip's screw in the wood in mm."""
    stack = case.stack
    return case.pilot.screw_mm - case.clip.over_mm - stack.board_mm - stack.spacer_mm - stack.sheet_mm


def pilot_depth_mm(plan: BoardPlan, case: Case) -> float:
    """Depth in mm of the blind holes for the clips' screws. Raises PlanError if they would pierce the plate."""
    depth = case.pilot.depth_mm
    above = case.pilot.min_wood_above_mm
    thickness = plan.plate.thickness_mm
    if thickness < depth + above:
        wanted = f"{depth + above:g} or more for the clips' screws (or shorter screws in hardware/case.toml)"
        raise PlanError("plate.thickness_mm", wanted, f"{thickness:g}")
    return depth


def mouth(plan: BoardPlan, case: Case) -> Outline | None:
    """Where the plug of the USB cable comes in: from the socket to the side of the plate that it looks to."""
    space = board_space(plan.id)
    if not space:
        return None
    socket = space.part(SOCKET).box
    board = space.outline
    x = (socket.left_mm + socket.right_mm) / 2
    y = (socket.bottom_mm + socket.top_mm) / 2
    half = case.recess.plug_mm / 2
    ways = (
        (socket.left_mm - board.left_mm, Outline(0.0, y - half, socket.right_mm, y + half)),
        (board.right_mm - socket.right_mm, Outline(socket.left_mm, y - half, plan.plate.width_mm, y + half)),
        (socket.bottom_mm - board.bottom_mm, Outline(x - half, 0.0, x + half, socket.top_mm)),
        (board.top_mm - socket.top_mm, Outline(x - half, socket.bottom_mm, x + half, plan.plate.height_mm)),
    )
    _, nearest = min(ways, key=lambda way: way[0])
    return grown(nearest, 0.0)


def recess(plan: BoardPlan, case: Case) -> tuple[Outline, ...]:
    """The recess in the lower side of the plate: for the USB plug, and for parts that the spacer is too thin for."""
    space = board_space(plan.id)
    if not space or not (plug := mouth(plan, case)):
        return ()
    room = case.stack.spacer_mm - case.pocket.above_mm
    high = [grown(part.box, case.pocket.clearance_mm) for part in space.parts if part.height_mm > room]
    return plug, around(high)


def grown(box: Outline, by_mm: float) -> Outline:
    """Larger by this on every side."""
    return Outline(
        round(box.left_mm - by_mm, 3),
        round(box.bottom_mm - by_mm, 3),
        round(box.right_mm + by_mm, 3),
        round(box.top_mm + by_mm, 3),
    )


def around(boxes: Sequence[Outline]) -> Outline:
    """The bounding box. Raises ValueError if there are no boxes."""
    return Outline(
        min(box.left_mm for box in boxes),
        min(box.bottom_mm for box in boxes),
        max(box.right_mm for box in boxes),
        max(box.top_mm for box in boxes),
    )
