"""A drawing too large for the printer, cut into tiles of A4 or Letter that are laid on one another by their crosses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware_host.drafting.marks import Anchor, Drawing, Layer, Lettering, Mark, Point, Ring, Stroke, cross, moved
from firmware_host.drafting.pdf import Page
from firmware_host.drafting.template import BAR_MM, check_bar

PAPERS_MM: Mapping[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Sheets a home printer takes, standing: width, height."""

EDGE_MM = 10.0
"""No printer reaches the edge of its paper; all of them reach this far."""
FOOT_MM = 14.0
OVERLAP_MM = 10.0
_ARM_MM, _CROP_MM = 4.0, 5.0
_CLEAR_MM = _ARM_MM + 2.0
_ASIDE_MM = tuple(side * step for step in range(0, 25, 2) for side in (1, -1))


@dataclass(frozen=True, slots=True)
class Cut:
    """How a drawing falls on sheets of one size: so many across and up, each showing so much."""

    paper_mm: tuple[float, float]
    across: int
    up: int

    @property
    def shown_mm(self) -> tuple[float, float]:
        """The part of the drawing that one sheet shows."""
        return self.paper_mm[0] - 2 * EDGE_MM, self.paper_mm[1] - 2 * EDGE_MM - FOOT_MM

    @property
    def step_mm(self) -> tuple[float, float]:
        """From one sheet to the next."""
        return self.shown_mm[0] - OVERLAP_MM, self.shown_mm[1] - OVERLAP_MM

    @property
    def tiles(self) -> int:
        return self.across * self.up


def best_cut(drawing: Drawing, paper: str) -> Cut:
    """Standing or lying, whichever takes fewer sheets."""
    width_mm, height_mm = PAPERS_MM[paper]
    return min((_cut(drawing, size) for size in ((width_mm, height_mm), (height_mm, width_mm))), key=lambda c: c.tiles)


def tiles(drawing: Drawing, paper: str) -> Sequence[Page]:
    """The pages, row by row from below, numbered in this order."""
    cut = best_cut(drawing, paper)
    return [_tile(drawing, cut, row, column) for row in range(cut.up) for column in range(cut.across)]


def _cut(drawing: Drawing, paper_mm: tuple[float, float]) -> Cut:
    one = Cut(paper_mm, 1, 1)

    def count(size_mm: float, step_mm: float) -> int:
        return max(1, math.ceil((size_mm - OVERLAP_MM) / step_mm))

    return Cut(paper_mm, count(drawing.width_mm, one.step_mm[0]), count(drawing.height_mm, one.step_mm[1]))


def _tile(drawing: Drawing, cut: Cut, row: int, column: int) -> Page:
    (wide_mm, high_mm), (step_x, step_y) = cut.shown_mm, cut.step_mm
    left, bottom = column * step_x, row * step_y
    place = EDGE_MM, EDGE_MM + FOOT_MM
    own = (
        *_crops(place, wide_mm, high_mm),
        *(moved(mark, place[0] - left, place[1] - bottom) for mark in _seams(drawing, cut, row, column)),
        *check_bar((EDGE_MM, EDGE_MM + 4.0)),
        _foot(drawing, cut, row, column),
    )
    return Page(*cut.paper_mm, (left, bottom, left + wide_mm, bottom + high_mm), place, own)


def _crops(place: Point, wide_mm: float, high_mm: float) -> Iterator[Mark]:
    """Outside each corner of what is shown: where to cut the paper."""
    for x_mm, out_x in ((place[0], -1), (place[0] + wide_mm, 1)):
        for y_mm, out_y in ((place[1], -1), (place[1] + high_mm, 1)):
            yield Stroke(Layer.NOTES, ((x_mm + out_x, y_mm), (x_mm + out_x * _CROP_MM, y_mm)))
            yield Stroke(Layer.NOTES, ((x_mm, y_mm + out_y), (x_mm, y_mm + out_y * _CROP_MM)))


def _seams(drawing: Drawing, cut: Cut, row: int, column: int) -> Iterator[Mark]:
    """Crosses in the middle of each overlap, at the same places of the drawing on both of its sheets."""
    (wide_mm, high_mm), (step_x, step_y), half_mm = cut.shown_mm, cut.step_mm, OVERLAP_MM / 2
    for seam in range(max(1, column), min(column + 2, cut.across)):
        x_mm = seam * step_x + half_mm
        for y_mm in _spread(row * step_y, min(row * step_y + high_mm, drawing.height_mm)):
            yield from _sight(drawing, [(x_mm, y_mm + off) for off in _ASIDE_MM])
    for seam in range(max(1, row), min(row + 2, cut.up)):
        y_mm = seam * step_y + half_mm
        for x_mm in _spread(column * step_x, min(column * step_x + wide_mm, drawing.width_mm)):
            yield from _sight(drawing, [(x_mm + off, y_mm) for off in _ASIDE_MM])


def _spread(low_mm: float, high_mm: float) -> Iterator[float]:
    return (low_mm + share * (high_mm - low_mm) for share in (0.15, 0.5, 0.85))


def _sight(drawing: Drawing, places: Sequence[Point]) -> Iterator[Mark]:
    """A cross at the first of these places where it cannot be taken for a hole."""
    rings = [mark.centre for mark in drawing.marks if isinstance(mark, Ring)]
    free = (place for place in places if all(math.dist(place, centre) > _CLEAR_MM for centre in rings))
    yield from cross(Layer.NOTES, next(free, places[0]), _ARM_MM)


def _foot(drawing: Drawing, cut: Cut, row: int, column: int) -> Lettering:
    words = (
        f"{drawing.title}, tile {row * cut.across + column + 1} of {cut.tiles}"
        f" (row {row + 1} from below, column {column + 1})."
    )
    return Lettering(Layer.NOTES, (EDGE_MM + BAR_MM + 5, EDGE_MM + 4.0), words, 2.6, Anchor.LEFT)
