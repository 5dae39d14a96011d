"""The spacer in pieces for a 3D printer, with joints that keep them aligned.

Each piece has dovetails on its right and upper cut, and its neighbours have the sockets. A cut from below upward
crosses the pockets of rows only, so every rib between two pockets has a joint of its own, as wide as the rib allows. A
cut from left to right runs between two rows.

```
      rib  |__    socket    A cut keeps clear of all screws. Dovetails are as wide as in the drawing, sockets
   ________|  \\            wider by `fit_mm` on each side.
           |__/
```
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, product

from msgspec import Struct

from firmware_host.board.components import Plate
from firmware_host.board.plan import BoardPlan
from firmware_host.board.plan_reader import PlanError
from firmware_host.board.strip import Outline
from firmware_host.fabrication.board_space import around, clips
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.pockets import Pocket, pockets_of
from firmware_host.fabrication.shapes import Circle, Drawing, Layer, Point, Polyline, Shape, Text, translated

_STEP_MM = 0.5
_ARC_STEPS = 8
_APART_MM = 8.0

Span = tuple[float, float]
Line = tuple[Point, ...]


class Piece(Struct, frozen=True):
    """One piece where it lies on the plate, counted from 1 at the lower left. `screws` are centres and diameters."""

    number: int
    outline: Line
    openings: tuple[Line, ...]
    screws: tuple[tuple[Point, float], ...]

    @property
    def corner(self) -> Point:
        """The lower left corner of its bounding box."""
        return min(x for x, _ in self.outline), min(y for _, y in self.outline)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height, dovetails included."""
        left, bottom = self.corner
        return max(x for x, _ in self.outline) - left, max(y for _, y in self.outline) - bottom


def spacer_pieces(plan: BoardPlan, case: Case) -> tuple[Piece, ...]:
    """All pieces, row by row from the lower left. Raises PlanError if there is no place for a cut."""
    return tuple(_Splitter(plan, case).pieces())


def pieces_drawing(plan: BoardPlan, case: Case) -> Drawing:
    """A picture of the pieces, moved apart, with their numbers."""
    splitter = _Splitter(plan, case)
    shapes = list[Shape]()
    for piece, (column, row) in zip(splitter.pieces(), splitter.cells(), strict=True):
        own = (*piece_shapes(piece, Layer.PRINT, Layer.SHEET), _number(piece))
        shapes += (translated(shape, _APART_MM * column, _APART_MM * row) for shape in own)
    width_mm, height_mm = (
        side + _APART_MM * len(cuts)
        for side, cuts in ((plan.plate.width_mm, splitter.cuts_x), (plan.plate.height_mm, splitter.cuts_y))
    )
    return Drawing(f"{plan.id}: pieces of the spacer", width_mm, height_mm, tuple(shapes))


def piece_cut(plan: BoardPlan, piece: Piece) -> Drawing:
    """One piece for a machine, with the lower left corner of its bounding box at the origin."""
    left, bottom = piece.corner
    shapes = tuple(translated(shape, -left, -bottom) for shape in piece_shapes(piece, Layer.OUTLINE, Layer.POCKET))
    return Drawing(f"{plan.id}: spacer, piece {piece.number}", *piece.size_mm, shapes)


def piece_shapes(piece: Piece, sheet: Layer, opening: Layer) -> Iterator[Shape]:
    """The outline, the openings and the screw holes of a piece, on these layers."""
    yield Polyline(sheet, piece.outline, is_closed=True)
    yield from (Polyline(opening, corners, is_closed=True) for corners in piece.openings)
    yield from (Circle(Layer.SCREWS, centre, diameter_mm) for centre, diameter_mm in piece.screws)


def _number(piece: Piece) -> Text:
    """In the first rib above the lower edge, near the left side."""
    left, bottom = piece.corner
    return Text(Layer.NOTES, (left + 10.0, bottom + 2.5), str(piece.number), 5.0)


class _Splitter:
    """Cuts one spacer. `cuts_x` and `cuts_y` are the places of the cuts in mm from the lower left corner."""

    def __init__(self, plan: BoardPlan, case: Case) -> None:
        self.plate = plan.plate
        self.joint = case.joint
        self.wall_mm = case.pocket.wall_mm
        self.pockets = pockets_of(plan, case)
        rows = len({strip.row for strip in plan.strips})
        self._uncut = [pocket for n, pocket in enumerate(self.pockets) if pocket.is_upright or n >= rows]
        self.screws = (
            *((place, case.screws.hole_mm) for place in case.screws.places(plan.plate)),
            *((place, case.clip.hole_mm) for place in clips(plan, case)),
        )
        clip_mm = case.clip.hole_mm / 2 + self.joint.length_mm + self.wall_mm
        self._clips = clips(plan, case), clip_mm
        self._plate_screws = case.screws.places(plan.plate), case.screws.head_mm / 2 + self.joint.length_mm
        self.cuts_x = self._cuts(plan.plate.width_mm, self._is_free_x, lambda _: True, "plate.width_mm")
        self.cuts_y = self._cuts(plan.plate.height_mm, self._is_free_y, self._has_rib, "plate.height_mm")

    def cells(self) -> Iterator[tuple[int, int]]:
        """Column and row of each piece."""
        return ((column, row) for row, column in product(range(len(self.cuts_y) + 1), range(len(self.cuts_x) + 1)))

    def pieces(self) -> Iterator[Piece]:
        """All pieces in the order of `cells`."""
        for number, (column, row) in enumerate(self.cells(), start=1):
            across = list(pairwise((0.0, *self.cuts_x, self.plate.width_mm)))[column]
            up = list(pairwise((0.0, *self.cuts_y, self.plate.height_mm)))[row]
            inside = (pocket for pocket in self.pockets if _is_within(_box(pocket), across, up))
            screws = (screw for screw in self.screws if _holds(across, screw[0][0]) and _holds(up, screw[0][1]))
            outline = tuple(_rounded(self._outline(across, up), self.plate))
            yield Piece(number, outline, tuple(pocket.corners for pocket in inside), tuple(screws))

    def _cuts(
        self, side_mm: float, is_free: Callable[[float], bool], is_good: Callable[[float], bool], key: str
    ) -> tuple[float, ...]:
        """The places of as few cuts as possible, each near its even share, at a good place if there is one."""
        largest_mm = self.joint.bed_mm - 2 * self.joint.bed_margin_mm
        count = math.ceil(side_mm / largest_mm)
        found: list[float] = []
        for number in range(1, count):
            ideal = side_mm * number / count
            offsets = (sign * step * _STEP_MM for step in range(int(ideal / _STEP_MM)) for sign in (1, -1))
            before = found[-1] if found else 0.0
            last = side_mm - (count - number) * (largest_mm - self.joint.length_mm) - self.joint.length_mm
            places = (round(ideal + offset, 3) for offset in offsets)
            fitting = (x for x in places if last <= x <= before + largest_mm - self.joint.length_mm)
            free = [x for x in fitting if is_free(x)]
            found += [next(filter(is_good, free), free[0] if free else math.nan)]
        sizes = [high - low + self.joint.length_mm for low, high in pairwise((0.0, *found, side_mm))]
        if any(map(math.isnan, sizes)):
            wanted = f"a place to cut the spacer into pieces of {largest_mm:g} mm (or a larger bed_mm in case.toml)"
            raise PlanError(key, wanted, f"{side_mm:g}")
        return tuple(found)

    def _is_free_x(self, x_mm: float) -> bool:
        clip_screws, clip_mm = self._clips
        screws, screw_mm = self._plate_screws
        uncut = map(_box, self._uncut)
        clear_mm = self.joint.length_mm + 2 * self.wall_mm
        return (
            all(abs(x_mm - x) >= clip_mm for x, _ in clip_screws)
            and all(abs(x_mm - x) >= screw_mm for x, _ in screws)
            and not any(box.left_mm - clear_mm < x_mm < box.right_mm + clear_mm for box in uncut)
        )

    def _has_rib(self, y_mm: float) -> bool:
        """Whether the pockets below a cut leave room for a joint in the rib between."""
        rib_mm = self.joint.min_head_mm + 2 * (self.wall_mm + self.joint.fit_mm)
        return not any(box.top_mm < y_mm < box.top_mm + rib_mm for pocket in self.pockets for box in pocket.boxes)

    def _is_free_y(self, y_mm: float) -> bool:
        clip_screws, clip_mm = self._clips
        screws, screw_mm = self._plate_screws
        clear_mm = self.joint.length_mm + 2 * self.wall_mm
        boxes = map(_box, self.pockets)
        return (
            all(abs(y_mm - y) >= clip_mm for _, y in clip_screws)
            and all(abs(y_mm - y) >= screw_mm for _, y in screws)
            and not any(box.bottom_mm - clear_mm < y_mm < box.top_mm + self.wall_mm for box in boxes)
        )

    def _outline(self, across: Span, up: Span) -> Iterator[Point]:
        """Counterclockwise from the lower left corner."""
        (left, right) = across
        (bottom, top) = up
        fit_mm = self.joint.fit_mm
        yield from self._along(across, bottom, fit_mm if bottom > 0 else None)
        yield from self._upward(right, up, 0.0 if right < self.plate.width_mm else None, is_left=True)
        yield from reversed(list(self._along(across, top, 0.0 if top < self.plate.height_mm else None)))
        yield from reversed(list(self._upward(left, up, fit_mm if left > 0 else None, is_left=False)))

    def _along(self, across: Span, y_mm: float, fit_mm: float | None) -> Iterator[Point]:
        """An edge from left to right; with joints if `fit_mm` is not None."""
        yield across[0], y_mm
        if fit_mm is not None:
            for span in _shares(across, self.joint.spacing_mm):
                yield from ((x, y_mm + out) for x, out in self._dovetail(span, fit_mm))
        yield across[1], y_mm

    def _upward(self, x_mm: float, up: Span, fit_mm: float | None, *, is_left: bool) -> Iterator[Point]:
        """An edge from below upward. A cut follows the pockets that it crosses, on the side of its piece."""
        yield x_mm, up[0]
        if fit_mm is not None:
            crossed = [pocket for pocket in self.pockets if _crosses(_box(pocket), x_mm, up)]
            crossed.sort(key=lambda pocket: _box(pocket).bottom_mm)
            near = [self._near(pocket, x_mm) for pocket in crossed]
            edges = [up[0], *(edge for span in near for edge in span), up[1]]
            for number, rib in enumerate(zip(edges[::2], edges[1::2], strict=True)):
                for span in _shares(rib, self.joint.spacing_mm):
                    yield from ((x_mm + out, y) for y, out in self._dovetail(span, fit_mm))
                if number < len(crossed):
                    yield from _beside(crossed[number], x_mm, is_left=is_left)
        yield x_mm, up[1]

    def _near(self, pocket: Pocket, x_mm: float) -> Span:
        """The lower and upper edge of a pocket where a joint at the cut might meet it."""
        reach_mm = self.joint.length_mm + self.wall_mm + self.joint.fit_mm
        boxes = [box for box in pocket.boxes if box.left_mm < x_mm + reach_mm and x_mm - self.wall_mm < box.right_mm]
        return min(box.bottom_mm for box in boxes), max(box.top_mm for box in boxes)

    def _dovetail(self, span: Span, fit_mm: float) -> Iterator[tuple[float, float]]:
        """The corners of a joint in the middle of a rib, as (place along the cut, distance from it)."""
        joint = self.joint
        middle = (span[0] + span[1]) / 2
        head_mm = min(joint.head_mm, span[1] - span[0] - 2 * (self.wall_mm + joint.fit_mm))
        if head_mm < joint.min_head_mm:
            return
        neck_mm = joint.neck_share * head_mm
        for half, out in ((-neck_mm, 0.0), (-head_mm, 1.0), (head_mm, 1.0), (neck_mm, 0.0)):
            yield middle + half / 2 + math.copysign(fit_mm, half), out * (joint.length_mm + fit_mm)


def _beside(pocket: Pocket, x_mm: float, *, is_left: bool) -> Iterator[Point]:
    """The edge of the part of a pocket that is left or right of a cut, from its lower to its upper end on the cut."""
    boxes = [
        Outline(box.left_mm if is_left else max(box.left_mm, x_mm), box.bottom_mm, right_mm, box.top_mm)
        for box in pocket.boxes
        for right_mm in [min(box.right_mm, x_mm) if is_left else box.right_mm]
        if (box.left_mm < x_mm if is_left else box.right_mm > x_mm)
    ]
    below = [point for box in boxes for point in ((box.left_mm, box.bottom_mm), (box.right_mm, box.bottom_mm))]
    above = [point for box in boxes for point in ((box.left_mm, box.top_mm), (box.right_mm, box.top_mm))]
    yield from (*reversed(below), *above) if is_left else (*below, *reversed(above))


def _shares(span: Span, spacing_mm: float) -> Iterator[Span]:
    """A span in equal parts, one for each joint."""
    count = max(1, round((span[1] - span[0]) / spacing_mm))
    step = (span[1] - span[0]) / count
    return ((span[0] + number * step, span[0] + (number + 1) * step) for number in range(count))


def _rounded(outline: Iterable[Point], plate: Plate) -> Iterator[Point]:
    """The outline without repeated points, with the corners of the plate as arcs."""
    radius = plate.corner_mm
    width = plate.width_mm
    height = plate.height_mm
    arcs = {
        (0.0, 0.0): (radius, radius, 180),
        (width, 0.0): (width - radius, radius, 270),
        (width, height): (width - radius, height - radius, 0),
        (0.0, height): (radius, height - radius, 90),
    }
    last: Point | None = None
    for point in list(outline)[:-1]:  # the last one is the first again
        if point in arcs and point != last:
            x, y, start = arcs[point]
            for step in range(_ARC_STEPS + 1):
                angle = math.radians(start + 90 * step / _ARC_STEPS)
                yield round(x + radius * math.cos(angle), 4), round(y + radius * math.sin(angle), 4)
        elif point != last:
            yield point
        last = point


def _box(pocket: Pocket) -> Outline:
    return around(pocket.boxes)


def _is_within(box: Outline, across: Span, up: Span) -> bool:
    return across[0] <= box.left_mm and box.right_mm <= across[1] and up[0] <= box.bottom_mm and box.top_mm <= up[1]


def _crosses(box: Outline, x_mm: float, up: Span) -> bool:
    return box.left_mm < x_mm < box.right_mm and up[0] < box.bottom_mm and box.top_mm < up[1]


def _holds(span: Span, place: float) -> bool:
    return span[0] <= place < span[1]
