"""The openings of the spacer: one along each row of strips, as wide as their parts ask, with a post at each screw.

The strips' long sides rest on the spacer wherever no part is in the way, and their screws pull against the posts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline, Turn
from firmware_host.board.wood import PlannedStrip
from firmware_host.drafting.marks import Point
from firmware_host.drafting.strips import rooms_of, screws_of
from firmware_host.drafting.truths import Case


@dataclass(frozen=True, slots=True)
class Pocket:
    """An opening as boxes that lie side by side along its row, each with a whole side to the next."""

    boxes: tuple[Outline, ...]
    is_upright: bool

    @property
    def corners(self) -> tuple[Point, ...]:
        """Its outline, round it once."""
        lying = [_swapped(box) if self.is_upright else box for box in self.boxes]
        below = [point for b in lying for point in ((b.left_mm, b.bottom_mm), (b.right_mm, b.bottom_mm))]
        above = [point for b in reversed(lying) for point in ((b.right_mm, b.top_mm), (b.left_mm, b.top_mm))]
        return tuple((y, x) if self.is_upright else (x, y) for x, y in (*below, *above))

    def holds(self, box: Outline) -> bool:
        """Whether this box lies in it altogether."""
        lying, own = (box, self.boxes) if not self.is_upright else (_swapped(box), tuple(map(_swapped, self.boxes)))
        beside = [step for step in own if step.left_mm < lying.right_mm and lying.left_mm < step.right_mm]
        return (
            own[0].left_mm <= lying.left_mm
            and lying.right_mm <= own[-1].right_mm
            and all(step.bottom_mm <= lying.bottom_mm and lying.top_mm <= step.top_mm for step in beside)
        )


def pockets_of(plan: BoardPlan, case: Case) -> tuple[Pocket, ...]:
    """The openings of the spacer, row by row along the chain."""
    clear = case.pocket.clear_mm
    parts = [(room.strip, _grown(room.box, clear)) for room in rooms_of(plan)]
    per_strip = len(screws_of(plan)) // plan.strip_count
    posts = [
        (place // per_strip, _grown(Outline(x, y, x, y), case.pocket.post_mm / 2))
        for place, (x, y) in enumerate(screws_of(plan))
    ]
    found = []
    for _, row in groupby(plan.strips, key=lambda strip: strip.row):
        strips = list(row)
        numbers = {strip.number for strip in strips}
        own = [[box for number, box in boxes if number in numbers] for boxes in (parts, posts)]
        found.append(_pocket(strips, own[0], own[1], case))
    return tuple(found)


def _pocket(strips: Sequence[PlannedStrip], parts: list[Outline], posts: list[Outline], case: Case) -> Pocket:
    is_upright, outlines = strips[0].turn is Turn.UP, [strip.outline for strip in strips]
    if is_upright:
        outlines, parts, posts = ([_swapped(box) for box in boxes] for boxes in (outlines, parts, posts))
    whole = Outline(
        min(box.left_mm for box in outlines) - case.pocket.beyond_mm,
        outlines[0].bottom_mm + case.pocket.rim_mm,
        max(box.right_mm for box in outlines) + case.pocket.beyond_mm,
        outlines[0].top_mm - case.pocket.rim_mm,
    )
    wide = [part for part in parts if part.bottom_mm < whole.bottom_mm or whole.top_mm < part.top_mm]
    steps = tuple(_joined(_steps(whole, wide, posts)))
    return Pocket(tuple(map(_swapped, steps)) if is_upright else steps, is_upright)


def _steps(whole: Outline, parts: Sequence[Outline], posts: Sequence[Outline]) -> Iterator[Outline]:
    """Cut wherever a part or a post begins or ends: parts widen a step, a post narrows it from its nearer side."""
    cuts = {whole.left_mm, whole.right_mm, *(x for box in (*parts, *posts) for x in (box.left_mm, box.right_mm))}
    middle = (whole.bottom_mm + whole.top_mm) / 2
    for left, right in pairwise(sorted(x for x in cuts if whole.left_mm <= x <= whole.right_mm)):
        bottom, top = whole.bottom_mm, whole.top_mm
        for part in (part for part in parts if part.left_mm < right and left < part.right_mm):
            bottom, top = min(bottom, part.bottom_mm), max(top, part.top_mm)
        for post in (post for post in posts if post.left_mm < right and left < post.right_mm):
            if (post.bottom_mm + post.top_mm) / 2 > middle:
                top = post.bottom_mm
            else:
                bottom = post.top_mm
        yield Outline(left, bottom, right, top)


def _joined(steps: Iterator[Outline]) -> Iterator[Outline]:
    for _, alike in groupby(steps, key=lambda step: (step.bottom_mm, step.top_mm)):
        run = list(alike)
        yield Outline(run[0].left_mm, run[0].bottom_mm, run[-1].right_mm, run[0].top_mm)


def _grown(box: Outline, by_mm: float) -> Outline:
    return Outline(
        round(box.left_mm - by_mm, 3),
        round(box.bottom_mm - by_mm, 3),
        round(box.right_mm + by_mm, 3),
        round(box.top_mm + by_mm, 3),
    )


def _swapped(box: Outline) -> Outline:
    """Mirrored at the diagonal: a row laid across becomes one that lies."""
    return Outline(box.bottom_mm, box.left_mm, box.top_mm, box.right_mm)
