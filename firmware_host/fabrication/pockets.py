"""Pockets of the spacer: one opening along each row of strips, with room for the parts and a post at each screw.

The long sides of the strips rest on the spacer wherever no part is in the way. The screws pull the strips against the
posts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from firmware_host.board.components import PlannedStrip
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline, Turn
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.shapes import Point
from firmware_host.fabrication.strips import part_spaces, strip_screws


class Pocket(Struct, frozen=True):
    """One opening, as boxes side by side along its row of strips. The row runs in y if `is_upright`, otherwise in x."""

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
    """All pockets of the spacer, one per row in the order of the chain."""
    clearance = case.pocket.clearance_mm
    parts = [(space.strip, _grown(space.box, clearance)) for space in part_spaces(plan)]
    per_strip = len(strip_screws(plan)) // plan.strip_count
    posts = [
        (place // per_strip, _grown(Outline(x, y, x, y), case.pocket.post_width_mm / 2))
        for place, (x, y) in enumerate(strip_screws(plan))
    ]
    found = []
    for _, row in groupby(plan.strips, key=lambda strip: strip.row):
        strips = list(row)
        numbers = {strip.number for strip in strips}
        own = [[box for number, box in boxes if number in numbers] for boxes in (parts, posts)]
        found.append(_pocket(strips, own[0], own[1], case))
    return tuple(found)


def _pocket(strips: Sequence[PlannedStrip], parts: list[Outline], posts: list[Outline], case: Case) -> Pocket:
    is_upright = strips[0].turn is Turn.UP
    outlines = [strip.outline for strip in strips]
    if is_upright:
        outlines, parts, posts = ([_swapped(box) for box in boxes] for boxes in (outlines, parts, posts))
    whole = Outline(
        min(box.left_mm for box in outlines) - case.pocket.end_margin_mm,
        outlines[0].bottom_mm + case.pocket.rim_mm,
        max(box.right_mm for box in outlines) + case.pocket.end_margin_mm,
        outlines[0].top_mm - case.pocket.rim_mm,
    )
    wide = [part for part in parts if part.bottom_mm < whole.bottom_mm or whole.top_mm < part.top_mm]
    steps = tuple(_joined(_steps(whole, wide, posts)))
    return Pocket(tuple(map(_swapped, steps)) if is_upright else steps, is_upright)


def _steps(whole: Outline, parts: Sequence[Outline], posts: Sequence[Outline]) -> Iterator[Outline]:
    """Splits the pocket wherever a part or a post begins or ends. Parts widen a step; a post narrows it on its side."""
    cuts = {whole.left_mm, whole.right_mm, *(x for box in (*parts, *posts) for x in (box.left_mm, box.right_mm))}
    middle = (whole.bottom_mm + whole.top_mm) / 2
    for left, right in pairwise(sorted(x for x in cuts if whole.left_mm <= x <= whole.right_mm)):
        bottom = whole.bottom_mm
        top = whole.top_mm
        for part in (part for part in parts if part.left_mm < right and left < part.right_mm):
            bottom = min(bottom, part.bottom_mm)
            top = max(top, part.top_mm)
        for post in (post for post in posts if post.left_mm < right and left < post.right_mm):
            if (post.bottom_mm + post.top_mm) / 2 > middle:
                top = post.bottom_mm
            else:
                bottom = post.top_mm
        yield Outline(left, bottom, right, top)


def _joined(steps: Iterator[Outline]) -> Iterator[Outline]:
    for _, same_height in groupby(steps, key=lambda step: (step.bottom_mm, step.top_mm)):
        run = list(same_height)
        yield Outline(run[0].left_mm, run[0].bottom_mm, run[-1].right_mm, run[0].top_mm)


def _grown(box: Outline, by_mm: float) -> Outline:
    return Outline(
        round(box.left_mm - by_mm, 3),
        round(box.bottom_mm - by_mm, 3),
        round(box.right_mm + by_mm, 3),
        round(box.top_mm + by_mm, 3),
    )


def _swapped(box: Outline) -> Outline:
    """With x and y exchanged, so that an upright row can be treated as a horizontal one."""
    return Outline(box.bottom_mm, box.left_mm, box.top_mm, box.right_mm)
