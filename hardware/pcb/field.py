"""The grid that tracks run on: which of its points a track or a via of a net may take.

Two layers of knowledge: what never moves (pads, edges, screws, poured power) and what tracks laid so far keep others
from. A point is a number: side, row and column in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, hypot

from hardware.pcb.layout import (
    CLEARANCE_MM,
    EDGE_MM,
    HOLE_TO_HOLE_MM,
    VIA_DRILL_MM,
    VIA_MM,
    Area,
    Pad,
    Rect,
    Sheet,
    Side,
)

FREE, NOBODY = 0, -1
NEAR = 4
SLACK_MM = 0.01
"""For the scallops between two points of a track, and for KiCad's rounding."""


@dataclass(frozen=True, slots=True)
class Route:
    """A way through the grid from one pad to another, and the net it belongs to (as a number from 1)."""

    net: int
    width: float
    points: tuple[int, ...]


class Field:
    """The points of a board, and who may take them."""

    def __init__(self, sheet: Sheet, pads: Iterable[Pad], nets: Sequence[str]) -> None:
        self.step = sheet.grid_mm
        self.columns = floor(sheet.width_mm / self.step) + 1
        self.rows = floor(sheet.height_mm / self.step) + 1
        self.layer = self.columns * self.rows
        self.numbers = {net: number for number, net in enumerate(nets, start=1)}
        self._pads, self._sheet = tuple(pads), sheet
        self.widths = sorted({sheet.track_mm, *sheet.widths.values()})
        self._fixed = {width: self._keep(width) for width in self.widths}
        self._fixed_vias = self._keep_vias()
        self._taken: dict[float, dict[int, list[int]]] = {width: {} for width in self.widths}
        self._taken_vias: dict[int, list[int]] = {}
        self.via_ban: dict[int, int] = {}

    def at(self, point: int) -> tuple[float, float]:
        """Where a point is, in mm."""
        row, column = divmod(point % self.layer, self.columns)
        return round(column * self.step, 4), round(row * self.step, 4)

    def side(self, point: int) -> Side:
        return Side(point // self.layer)

    def neighbourhood(self, point: int) -> int:
        """The same number for points that lie close together: what is learned at one holds for all."""
        row, column = divmod(point % self.layer, self.columns)
        return point - (row % NEAR) * self.columns - column % NEAR

    def inside(self, rect: Rect, side: Side) -> Iterator[int]:
        """The points in a rectangle of one side."""
        for row in range(max(0, ceil(rect.top / self.step)), min(self.rows - 1, floor(rect.bottom / self.step)) + 1):
            start = side * self.layer + row * self.columns
            first = max(0, ceil(rect.left / self.step))
            yield from range(start + first, start + min(self.columns - 1, floor(rect.right / self.step)) + 1)

    def around(self, x: float, y: float, reach: float, side: Side) -> Iterator[int]:
        """The points nearer than so far to a place."""
        for point in self.inside(Rect(x - reach, y - reach, x + reach, y + reach), side):
            px, py = self.at(point)
            if hypot(px - x, py - y) < reach:
                yield point

    def fixed(self, width: float) -> Sequence[int]:
        """For each point, the only net that may ever run there this wide; FREE or NOBODY."""
        return self._fixed[width]

    @property
    def fixed_vias(self) -> Sequence[int]:
        """The same for a via, on the points of the top."""
        return self._fixed_vias

    def rivals(self, width: float) -> dict[int, list[int]]:
        """The routes that keep others of this width from a point."""
        return self._taken[width]

    @property
    def via_rivals(self) -> dict[int, list[int]]:
        return self._taken_vias

    def lay(self, key: int, route: Route) -> None:
        """Keep others from this route."""
        self._mark(key, route, add=True)

    def lift(self, key: int, route: Route) -> None:
        """Free what it had taken."""
        self._mark(key, route, add=False)

    def changes(self, points: Sequence[int]) -> Iterator[int]:
        """The points of the top where a route changes sides."""
        for point, following in zip(points, points[1:], strict=False):
            if abs(following - point) == self.layer:
                yield point % self.layer

    def _mark(self, key: int, route: Route, *, add: bool) -> None:
        reach = route.width / 2 + CLEARANCE_MM + SLACK_MM
        for width in self.widths:
            self._note(self._taken[width], key, self._near(route.points, reach + width / 2), add=add)
        vias = set(self.changes(route.points))
        flat = {point % self.layer for point in self._near(route.points, reach + VIA_MM / 2)}
        apart = VIA_MM + CLEARANCE_MM + SLACK_MM
        flat |= self._near(vias, apart)
        self._note(self._taken_vias, key, flat, add=add)
        for width in self.widths:
            near = self._near(vias, VIA_MM / 2 + CLEARANCE_MM + SLACK_MM + width / 2)
            both = near | {point + self.layer for point in near}
            self._note(self._taken[width], key, both, add=add)
        for point in self._near(vias, VIA_DRILL_MM + HOLE_TO_HOLE_MM + SLACK_MM) - vias:
            self.via_ban[point] = self.via_ban.get(point, 0) + (1 if add else -1)

    def _near(self, points: Iterable[int], reach: float) -> set[int]:
        span = floor(reach / self.step)
        offsets = [
            (rows * self.columns + columns, columns)
            for rows in range(-span, span + 1)
            for columns in range(-span, span + 1)
            if hypot(rows, columns) * self.step < reach
        ]
        near = set[int]()
        for point in points:
            column, flat = point % self.columns, point % self.layer
            for offset, aside in offsets:
                if 0 <= column + aside < self.columns and 0 <= flat + offset < self.layer:
                    near.add(point + offset)
        return near

    @staticmethod
    def _note(taken: dict[int, list[int]], key: int, points: Iterable[int], *, add: bool) -> None:
        for point in points:
            keys = taken.setdefault(point, [])
            if add:
                keys.append(key)
            else:
                keys.remove(key)
                if not keys:
                    del taken[point]

    def _keep(self, width: float) -> list[int]:
        fixed = [FREE] * (2 * self.layer)
        half = width / 2
        for side in Side:
            self._edges(fixed, side, EDGE_MM + half)
            for screw in self._sheet.screws:
                for point in self.around(screw.x, screw.y, screw.clear + half, side):
                    fixed[point] = NOBODY
        for area in self._sheet.owned():
            self._claim(fixed, area.rect, area.side, self.numbers[area.net], CLEARANCE_MM + half + SLACK_MM)
        for pad in self._pads:
            owner = self.numbers[pad.net] if pad.net else NOBODY
            for side in pad.sides:
                self._claim(fixed, pad.rect, side, owner, CLEARANCE_MM + half + SLACK_MM)
        return fixed

    def _keep_vias(self) -> list[int]:
        """Vias stay off all pads, their own too: solder would run down the hole."""
        fixed = [FREE] * self.layer
        reach = VIA_MM / 2
        self._edges(fixed, Side.TOP, EDGE_MM + reach)
        for screw in self._sheet.screws:
            for point in self.around(screw.x, screw.y, screw.clear + reach, Side.TOP):
                fixed[point] = NOBODY
        for area in self._sheet.owned():
            self._claim(fixed, area.rect, Side.TOP, self.numbers[area.net], CLEARANCE_MM + reach + SLACK_MM)
        for pad in self._pads:
            owner = self.numbers[pad.net] if pad.net else NOBODY
            self._claim(fixed, pad.rect, Side.TOP, owner, CLEARANCE_MM + reach + SLACK_MM)
            self._claim(fixed, pad.rect, Side.TOP, NOBODY, reach + SLACK_MM)
            if pad.drill:
                self._claim(fixed, pad.rect, Side.TOP, NOBODY, CLEARANCE_MM + reach)
        return fixed

    def _edges(self, fixed: list[int], side: Side, reach: float) -> None:
        free = set(self.inside(Rect(reach, reach, self._sheet.width_mm - reach, self._sheet.height_mm - reach), side))
        for point in range(side * self.layer, (side + 1) * self.layer):
            if point not in free:
                fixed[point] = NOBODY

    def _claim(self, fixed: list[int], rect: Rect, side: Side, owner: int, reach: float) -> None:
        for point in self.inside(rect.grown(reach), side):
            x, y = self.at(point)
            away = hypot(max(rect.left - x, 0, x - rect.right), max(rect.top - y, 0, y - rect.bottom))
            if away < reach and fixed[point] != owner:
                fixed[point] = owner if fixed[point] == FREE else NOBODY


def area_points(field: Field, area: Area) -> frozenset[int]:
    """Where a track may end in poured copper."""
    return frozenset(field.inside(area.rect.grown(-0.3), area.side))
