"""Pockets of the spacer: one opening along each row of holes, and one for the controller.

The circuit board rests on the ribs between them. Where a part reaches out of its row, the opening is wider.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.components import PlannedHole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline, Turn
from firmware_host.fabrication.board_space import around, board_space, grown, mouth
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.shapes import Point


class Pocket(Struct, frozen=True):
    """One opening, as boxes side by side along its row of holes. The row runs in y if `is_upright`, otherwise in x."""

    boxes: tuple[Outline, ...]
    is_upright: bool

    @property
    def corners(self) -> tuple[Point, ...]:
        """The outline as a polygon, in mm on the plate."""
        horizontal = [_swapped(box) if self.is_upright else box for box in self.boxes]
        below = [point for b in horizontal for point in ((b.left_mm, b.bottom_mm), (b.right_mm, b.bottom_mm))]
        above = [point for b in reversed(horizontal) for point in ((b.right_mm, b.top_mm), (b.left_mm, b.top_mm))]
        return tuple((y, x) if self.is_upright else (x, y) for x, y in (*below, *above))

    def contains(self, box: Outline) -> bool:
        """Whether `box` lies completely inside."""
        horizontal, own = (
            (box, self.boxes) if not self.is_upright else (_swapped(box), tuple(map(_swapped, self.boxes)))
        )
        beside = [step for step in own if step.left_mm < horizontal.right_mm and horizontal.left_mm < step.right_mm]
        return (
            own[0].left_mm <= horizontal.left_mm
            and horizontal.right_mm <= own[-1].right_mm
            and all(step.bottom_mm <= horizontal.bottom_mm and horizontal.top_mm <= step.top_mm for step in beside)
        )


def pockets_of(plan: BoardPlan, case: Case) -> tuple[Pocket, ...]:
    """All pockets of the spacer: one per row in the order of the chain, then those of the parts beside the rows."""
    space = board_space(plan.id)
    parts = [grown(part.box, case.pocket.clearance_mm) for part in space.parts] if space else []
    rows = [(_stretched(_row_outline(holes, plan, case), parts, upright), upright) for holes, upright in _rows(plan)]
    beside = [part for part in parts if not any(part.overlaps(row) for row, _ in rows)]
    groups = _merged(beside, case.pocket.merge_mm)
    wide = [grown(row, case.pocket.wall_mm) for row, _ in rows]
    single = [part for part in groups if part in beside and any(part.overlaps(row) for row in wide)]
    found = []
    for (row, is_upright), reach in zip(rows, wide, strict=True):
        own = [part for part in parts if part.overlaps(row)] + [part for part in single if part.overlaps(reach)]
        found.append(_pocket(row, own, is_upright=is_upright))
    return (*found, *(_with_mouth(group, plan, case) for group in groups if group not in single))


def _stretched(row: Outline, parts: Iterable[Outline], is_upright: bool) -> Outline:
    """A row that is as long as its parts."""
    whole = around([row, *(part for part in parts if part.overlaps(row))])
    if is_upright:
        return replace(row, bottom_mm=whole.bottom_mm, top_mm=whole.top_mm)
    return replace(row, left_mm=whole.left_mm, right_mm=whole.right_mm)


def _rows(plan: BoardPlan) -> Iterator[tuple[Sequence[PlannedHole], bool]]:
    """The holes of each row, and whether it runs in y."""
    for _, holes in groupby(plan.holes, key=lambda hole: plan.strips[hole.strip].row):
        row = list(holes)
        yield row, plan.strips[row[0].strip].turn is Turn.UP


def _row_outline(holes: Sequence[PlannedHole], plan: BoardPlan, case: Case) -> Outline:
    """What the switches and lights of a row need."""
    pocket = case.pocket
    is_upright = plan.strips[holes[0].strip].turn is Turn.UP
    along = [hole.y_mm if is_upright else hole.x_mm for hole in holes]
    hole, light = (holes[0].x_mm, holes[0].led_x_mm) if is_upright else (holes[0].y_mm, holes[0].led_y_mm)
    beside = (hole - pocket.hole_mm, light + pocket.light_mm)
    if light < hole:
        beside = (light - pocket.light_mm, hole + pocket.hole_mm)
    low, high = (round(edge, 3) for edge in beside)
    lying = Outline(round(min(along) - pocket.end_mm, 3), low, round(max(along) + pocket.end_mm, 3), high)
    return _swapped(lying) if is_upright else lying


def _pocket(outline: Outline, parts: Sequence[Outline], *, is_upright: bool) -> Pocket:
    if is_upright:
        steps = _joined(_steps(_swapped(outline), list(map(_swapped, parts))))
        return Pocket(tuple(map(_swapped, steps)), is_upright)
    return Pocket(tuple(_joined(_steps(outline, parts))), is_upright)


def _steps(row: Outline, parts: Sequence[Outline]) -> Iterator[Outline]:
    """Splits the pocket wherever a part begins or ends that is not inside the row; parts widen their step."""
    wide = [part for part in parts if part.bottom_mm < row.bottom_mm or row.top_mm < part.top_mm]
    left = min(part.left_mm for part in (row, *parts))
    right = max(part.right_mm for part in (row, *parts))
    cuts = {left, right, *(x for part in wide for x in (part.left_mm, part.right_mm))}
    for low, high in pairwise(sorted(cuts)):
        own = [part for part in wide if part.left_mm < high and low < part.right_mm]
        bottom = min(part.bottom_mm for part in (row, *own))
        top = max(part.top_mm for part in (row, *own))
        yield Outline(low, bottom, high, top)


def _joined(steps: Iterator[Outline]) -> Iterator[Outline]:
    for _, same_height in groupby(steps, key=lambda step: (step.bottom_mm, step.top_mm)):
        run = list(same_height)
        yield Outline(run[0].left_mm, run[0].bottom_mm, run[-1].right_mm, run[0].top_mm)


def _merged(parts: Iterable[Outline], gap_mm: float) -> list[Outline]:
    """Boxes around parts that are nearer to each other than the gap."""
    boxes = list[Outline]()
    for part in parts:
        box = part
        while near := [other for other in boxes if other.overlaps(grown(box, gap_mm))]:
            boxes = [other for other in boxes if other not in near]
            box = around([box, *near])
        boxes.append(box)
    return boxes


def _with_mouth(box: Outline, plan: BoardPlan, case: Case) -> Pocket:
    """A pocket for parts beside the rows; that of the USB socket goes on to a thin wall at the edge of the plate."""
    plug = mouth(plan, case)
    if not plug or not plug.overlaps(box):
        return Pocket((box,), is_upright=False)
    wall = case.recess.wall_mm
    plate = plan.plate
    if plug.left_mm == 0:
        return Pocket((replace(plug, left_mm=wall, right_mm=box.left_mm), box), is_upright=False)
    if plug.right_mm == plate.width_mm:
        right = round(plate.width_mm - wall, 3)
        return Pocket((box, replace(plug, left_mm=box.right_mm, right_mm=right)), is_upright=False)
    if plug.bottom_mm == 0:
        return Pocket((replace(plug, bottom_mm=wall, top_mm=box.bottom_mm), box), is_upright=True)
    top = round(plate.height_mm - wall, 3)
    return Pocket((box, replace(plug, bottom_mm=box.top_mm, top_mm=top)), is_upright=True)


def _swapped(box: Outline) -> Outline:
    """With x and y exchanged, so that an upright row can be treated as a horizontal one."""
    return Outline(box.bottom_mm, box.left_mm, box.top_mm, box.right_mm)
