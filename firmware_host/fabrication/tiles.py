"""Splits a drawing into overlapping A4 or Letter pages, with crosses to align them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from firmware_host.fabrication.pdf import Page
from firmware_host.fabrication.shapes import (
    Anchor,
    Circle,
    Drawing,
    Layer,
    Point,
    Polyline,
    Shape,
    Text,
    cross_lines,
    translated,
)
from firmware_host.fabrication.template import BAR_MM, scale_bar

PAPERS_MM: Mapping[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Paper sizes in portrait: width, height."""

EDGE_MM = 10.0
"""Unprinted margin; every printer can print up to here."""
FOOTER_MM = 14.0
OVERLAP_MM = 10.0
_ARM_MM = 4.0
_CROP_MM = 5.0
_CLEAR_MM = _ARM_MM + 2.0
_OFFSETS_MM = tuple(side * step for step in range(0, 25, 2) for side in (1, -1))


class Tiling(Struct, frozen=True):
    """The division of a drawing into sheets of one size: `across` columns and `up` rows."""

    paper_mm: tuple[float, float]
    across: int
    up: int

    @property
    def shown_mm(self) -> tuple[float, float]:
        """Width and height of the part of the drawing on one sheet, overlap included."""
        return self.paper_mm[0] - 2 * EDGE_MM, self.paper_mm[1] - 2 * EDGE_MM - FOOTER_MM

    @property
    def step_mm(self) -> tuple[float, float]:
        """Offset from one sheet to the next, in x and y."""
        return self.shown_mm[0] - OVERLAP_MM, self.shown_mm[1] - OVERLAP_MM

    @property
    def tiles(self) -> int:
        """Number of sheets."""
        return self.across * self.up


def best_tiling(drawing: Drawing, paper: str) -> Tiling:
    """Portrait or landscape, whichever needs fewer sheets. Raises KeyError for a paper not in `PAPERS_MM`."""
    width_mm, height_mm = PAPERS_MM[paper]
    return min(
        (_tiling(drawing, size) for size in ((width_mm, height_mm), (height_mm, width_mm))), key=lambda c: c.tiles
    )


def tile_pages(drawing: Drawing, paper: str) -> Sequence[Page]:
    """The pages, row by row from the bottom left; their footers number them in this order."""
    tiling = best_tiling(drawing, paper)
    return [_tile(drawing, tiling, row, column) for row in range(tiling.up) for column in range(tiling.across)]


def _tiling(drawing: Drawing, paper_mm: tuple[float, float]) -> Tiling:
    one = Tiling(paper_mm, 1, 1)

    def count(size_mm: float, step_mm: float) -> int:
        return max(1, math.ceil((size_mm - OVERLAP_MM) / step_mm))

    return Tiling(paper_mm, count(drawing.width_mm, one.step_mm[0]), count(drawing.height_mm, one.step_mm[1]))


def _tile(drawing: Drawing, tiling: Tiling, row: int, column: int) -> Page:
    (wide_mm, high_mm) = tiling.shown_mm
    (step_x, step_y) = tiling.step_mm
    left = column * step_x
    bottom = row * step_y
    place = EDGE_MM, EDGE_MM + FOOTER_MM
    own = (
        *_crop_marks(place, wide_mm, high_mm),
        *(
            translated(shape, place[0] - left, place[1] - bottom)
            for shape in _alignment_crosses(drawing, tiling, row, column)
        ),
        *scale_bar((EDGE_MM, EDGE_MM + 4.0)),
        _footer(drawing, tiling, row, column),
    )
    return Page(*tiling.paper_mm, (left, bottom, left + wide_mm, bottom + high_mm), place, own)


def _crop_marks(place: Point, wide_mm: float, high_mm: float) -> Iterator[Shape]:
    """Crop marks outside each corner of the shown part."""
    for x_mm, out_x in ((place[0], -1), (place[0] + wide_mm, 1)):
        for y_mm, out_y in ((place[1], -1), (place[1] + high_mm, 1)):
            yield Polyline(Layer.NOTES, ((x_mm + out_x, y_mm), (x_mm + out_x * _CROP_MM, y_mm)))
            yield Polyline(Layer.NOTES, ((x_mm, y_mm + out_y), (x_mm, y_mm + out_y * _CROP_MM)))


def _alignment_crosses(drawing: Drawing, tiling: Tiling, row: int, column: int) -> Iterator[Shape]:
    """Alignment crosses in the middle of each overlap, at the same points of the drawing on both sheets."""
    (wide_mm, high_mm) = tiling.shown_mm
    (step_x, step_y) = tiling.step_mm
    half_mm = OVERLAP_MM / 2
    for seam in range(max(1, column), min(column + 2, tiling.across)):
        x_mm = seam * step_x + half_mm
        for y_mm in _spread(row * step_y, min(row * step_y + high_mm, drawing.height_mm)):
            yield from _cross(drawing, [(x_mm, y_mm + off) for off in _OFFSETS_MM])
    for seam in range(max(1, row), min(row + 2, tiling.up)):
        y_mm = seam * step_y + half_mm
        for x_mm in _spread(column * step_x, min(column * step_x + wide_mm, drawing.width_mm)):
            yield from _cross(drawing, [(x_mm + off, y_mm) for off in _OFFSETS_MM])


def _spread(low_mm: float, high_mm: float) -> Iterator[float]:
    return (low_mm + share * (high_mm - low_mm) for share in (0.15, 0.5, 0.85))


def _cross(drawing: Drawing, places: Sequence[Point]) -> Iterator[Shape]:
    """A cross at the first of these places that is far enough from all holes."""
    hole_centres = [shape.centre for shape in drawing.shapes if isinstance(shape, Circle)]
    free = (place for place in places if all(math.dist(place, centre) > _CLEAR_MM for centre in hole_centres))
    yield from cross_lines(Layer.NOTES, next(free, places[0]), _ARM_MM)


def _footer(drawing: Drawing, tiling: Tiling, row: int, column: int) -> Text:
    text = (
        f"{drawing.title}, tile {row * tiling.across + column + 1} of {tiling.tiles}"
        f" (row {row + 1} from below, column {column + 1})."
    )
    return Text(Layer.NOTES, (EDGE_MM + BAR_MM + 5, EDGE_MM + 4.0), text, 2.6, Anchor.LEFT)
