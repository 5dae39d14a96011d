"""What a laser engraves on the plate: lines, numbers, names, the star of the game hole.

Each lane has lines on both sides. A light is 5.08 mm from its own hole and, on most boards, only 7.62 mm from the hole
of the next lane; the line runs in the middle between this hole and the light, so each light is in one field with its
hole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from firmware_host.board.components import PlannedHole
from firmware_host.board.course import Hole
from firmware_host.board.drawing.labels import Label, names, numbers, skunk_lines, title
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP
from hardware.fabrication.shapes import Anchor, Layer, Point, Polyline, Shape, Text

_TEXT_MM, _TITLE_MM = 2.6, 6.0
_STAR_RAYS, _STAR_MM, _STAR_INNER = 8, 3.8, 0.6
"""Smaller than the distance from the game hole to its light."""


@dataclass(frozen=True, slots=True)
class Lane:
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
    """The lanes of a board from below upward. The line between two lanes is in the middle of what is nearest to it."""
    rows = [tuple(row) for row in _rows(plan)]
    spans = [_span(row) for row in rows]
    half_mm = (plan.lane_mm - plan.pattern.light_mm) / 2
    pitch_mm = plan.pattern.pitch_mm
    found = []
    for number, row in enumerate(rows):
        low, high = spans[number]
        before = spans[number - 1][1] if number else -math.inf
        after = spans[number + 1][0] if number + 1 < len(spans) else math.inf
        across = [hole.x_mm for hole in row]
        found.append(
            Lane(
                min(across) - pitch_mm / 2,
                max(across) + pitch_mm / 2,
                round(low - min(half_mm, (low - before) / 2), 3),
                round(high + min(half_mm, (after - high) / 2), 3),
                row,
            )
        )
    return tuple(found)


def engraving(plan: BoardPlan) -> Iterator[Shape]:
    """All lines and texts of the plate, from its lower left corner."""
    own = lanes(plan)
    for y_mm, pieces in _lines(own):
        yield from (Polyline(Layer.ENGRAVE, ((left, y_mm), (right, y_mm))) for left, right in pieces)
    for lane in own:
        yield from (
            Polyline(Layer.ENGRAVE, ((x_mm, lane.below_mm), (x_mm, lane.above_mm))) for x_mm in _fives(plan, lane)
        )
    yield _star(plan)
    for target in plan.targets:
        for skunk in skunk_lines(plan, target):
            yield Polyline(Layer.ENGRAVE, skunk.ends)
            yield _text(skunk.name, _TEXT_MM)
    yield from (_text(label, _TEXT_MM) for label in (*numbers(plan), *names(plan)))
    yield _text(title(plan), _TITLE_MM)


def _rows(plan: BoardPlan) -> Iterator[Sequence[PlannedHole]]:
    """The holes of each row that runs in x, from below upward; rows across have no lanes."""
    along = [hole for hole in plan.holes if hole.led_x_mm == hole.x_mm]
    for _, row in groupby(sorted(along, key=lambda hole: (hole.y_mm, hole.x_mm)), key=lambda hole: hole.y_mm):
        yield tuple(row)


def _span(row: Sequence[PlannedHole]) -> tuple[float, float]:
    heights = [height for hole in row for height in (hole.y_mm, hole.led_y_mm)]
    return min(heights), max(heights)


def _lines(own: Sequence[Lane]) -> Iterator[tuple[float, list[tuple[float, float]]]]:
    """Each line once: its height, and where it begins and ends. Two lanes share the line between them."""
    edges = [(round(y_mm, 3), lane.left_mm, lane.right_mm) for lane in own for y_mm in (lane.below_mm, lane.above_mm)]
    for y_mm, found in groupby(sorted(edges), key=lambda edge: edge[0]):
        ends = list(found)
        yield y_mm, [(min(left for _, left, _ in ends), max(right for _, _, right in ends))]


def _fives(plan: BoardPlan, lane: Lane) -> Iterator[float]:
    """Where a line crosses the lane: after every fifth hole of the track."""
    for one, other in pairwise(lane.holes):
        lower = min(one.hole, other.hole)
        if Hole(0) < lower and lower % HOLES_PER_STRIP == 0 and abs(one.hole - other.hole) == 1:
            yield (one.x_mm + other.x_mm) / 2


def _star(plan: BoardPlan) -> Polyline:
    """A star around the game hole."""
    game = plan.at(0, plan.game_hole)
    corners = []
    for corner in range(2 * _STAR_RAYS):
        angle, reach_mm = math.pi * corner / _STAR_RAYS, _STAR_MM * (_STAR_INNER if corner % 2 else 1.0)
        corners.append((game.x_mm + reach_mm * math.cos(angle), game.y_mm + reach_mm * math.sin(angle)))
    return Polyline(Layer.ENGRAVE, tuple(corners), is_closed=True)


def _text(label: Label, height_mm: float) -> Text:
    """A label whose place is its middle. Turned, it runs upward."""
    x_mm, y_mm = label.place
    down_mm = height_mm * 0.36
    place = (x_mm + down_mm, y_mm) if label.is_turned else (x_mm, y_mm - down_mm)
    return Text(
        Layer.ENGRAVE,
        place,
        label.text,
        height_mm,
        Anchor.RIGHT if label.ends_here else Anchor.MIDDLE,
        turn=90.0 if label.is_turned else 0.0,
    )
