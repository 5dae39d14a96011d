"""The lines that are engraved on a plate: around each lane, after every fifth hole, the star, and the skunk lines.

The picture of the board and the file for the laser both draw these. Each lane has lines on both sides, so each light
shares a field with its hole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from firmware_host.board.components import PlannedHole
from firmware_host.board.course import Hole
from firmware_host.board.drawing.labels import Label, SkunkLine, skunk_lines
from firmware_host.board.drawing.projection import Point
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP

Line = tuple[Point, ...]
"""Straight lines from point to point, in mm on the plate."""

_OUTSIDE_MM = 3.3
"""From the holes or lights of a lane to its line, on a side without a neighbour: the numbers have room beyond."""
_STAR_RAYS = 8
_STAR_MM = 3.8
_STAR_INNER = 0.6
"""Smaller than the distance from the game hole to its light."""


class Lane(Struct, frozen=True):
    """A row of holes in x with its lights, and the heights of the lines below and above it. All in mm."""

    left_mm: float
    right_mm: float
    below_mm: float
    above_mm: float
    holes: tuple[PlannedHole, ...]

    def contains(self, place: Point) -> bool:
        """Whether a place is between the lines of this lane."""
        return self.left_mm <= place[0] <= self.right_mm and self.below_mm < place[1] < self.above_mm


def lanes(plan: BoardPlan) -> tuple[Lane, ...]:
    """The lanes of a board from below upward. Neighbours share the line in the middle between them."""
    rows = list(_rows(plan))
    spans = [_span(row) for row in rows]
    gaps_mm = [math.inf, *(after[0] - before[1] for before, after in pairwise(spans)), math.inf]
    reaches_mm = [gap / 2 if gap <= plan.lane_mm - plan.pattern.light_mm + 0.01 else _OUTSIDE_MM for gap in gaps_mm]
    found = []
    for row, (low, high), (below, above) in zip(rows, spans, pairwise(reaches_mm), strict=True):
        across = [hole.x_mm for hole in row]
        half_mm = plan.pattern.pitch_mm / 2
        edges = round(low - below, 3), round(high + above, 3)
        found.append(Lane(min(across) - half_mm, max(across) + half_mm, *edges, row))
    return tuple(found)


def lane_lines(plan: BoardPlan) -> Iterator[Line]:
    """The lines along the lanes; two lanes share the line between them."""
    edges = [(y_mm, lane.left_mm, lane.right_mm) for lane in lanes(plan) for y_mm in (lane.below_mm, lane.above_mm)]
    for y_mm, found in groupby(sorted(edges), key=lambda edge: edge[0]):
        ends = list(found)
        yield (min(left for _, left, _ in ends), y_mm), (max(right for _, _, right in ends), y_mm)


def five_hole_lines(plan: BoardPlan) -> Iterator[Line]:
    """The lines across the lanes, after every fifth hole of a track."""
    for lane in lanes(plan):
        for one, other in pairwise(lane.holes):
            lower = min(one.hole, other.hole)
            if Hole(0) < lower and lower % HOLES_PER_STRIP == 0 and abs(one.hole - other.hole) == 1:
                x_mm = (one.x_mm + other.x_mm) / 2
                yield (x_mm, lane.below_mm), (x_mm, lane.above_mm)


def star_outlines(plan: BoardPlan) -> tuple[Line, ...]:
    """The star around each game hole, a closed line without its last point."""
    return tuple(map(_star_around, plan.game_holes))


def _star_around(game: PlannedHole) -> Line:
    corners = []
    for corner in range(2 * _STAR_RAYS):
        angle = math.pi * corner / _STAR_RAYS
        reach_mm = _STAR_MM * (_STAR_INNER if corner % 2 else 1.0)
        corners.append((game.x_mm + reach_mm * math.cos(angle), game.y_mm + reach_mm * math.sin(angle)))
    return tuple(corners)


def all_skunk_lines(plan: BoardPlan) -> Iterator[SkunkLine]:
    """The skunk lines of all targets; a line that several targets share has all its names."""
    names: dict[tuple[Point, Point], list[Label]] = {}
    for target in plan.targets:
        for line in skunk_lines(plan, target):
            names.setdefault(line.ends, []).append(line.name)
    for ends, labels in names.items():
        text = ", ".join(dict.fromkeys(label.text for label in labels))
        yield SkunkLine(Label(text, labels[0].place, labels[0].is_turned, labels[0].ends_here), ends)


def _rows(plan: BoardPlan) -> Iterator[tuple[PlannedHole, ...]]:
    """The holes of each row that runs in x, from below upward; rows across have no lanes."""
    along = [hole for hole in plan.holes if hole.led_x_mm == hole.x_mm]
    for _, row in groupby(sorted(along, key=lambda hole: (hole.y_mm, hole.x_mm)), key=lambda hole: hole.y_mm):
        yield tuple(row)


def _span(row: Sequence[PlannedHole]) -> tuple[float, float]:
    heights = [height for hole in row for height in (hole.y_mm, hole.led_y_mm)]
    return min(heights), max(heights)
