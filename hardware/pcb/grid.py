"""The routing grid: which of its points a track or a via of a net may use.

There are two kinds of obstacles: fixed ones (pads, board edges, screws, power zones) and the routes found so far. A
point is one integer: `side * layer + row * columns + column`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, hypot

from msgspec import Struct

from firmware_host.circuits.layout import (
    CLEARANCE_MM,
    EDGE_MM,
    HOLE_TO_HOLE_MM,
    VIA_DRILL_MM,
    VIA_MM,
    BoardLayout,
    CopperZone,
    Pad,
    Rect,
    Side,
)

FREE = 0
BLOCKED = -1
"""Values of fixed obstacles beside net numbers: any net may use the point, or none."""
REGION_SIZE = 4
"""Points per side of a region in which conflicts are counted together."""
SLACK_MM = 0.01
"""Extra clearance, because distances are measured from grid points only and KiCad rounds coordinates."""


class Route(Struct, frozen=True):
    """A path through the grid from one terminal to another. `net` is the net number, from 1."""

    net: int
    width: float
    points: tuple[int, ...]


class RoutingGrid:
    """The points of a board and their obstacles."""

    def __init__(self, layout: BoardLayout, pads: Iterable[Pad], nets: Sequence[str]) -> None:
        self.step = layout.grid_mm
        self.columns = floor(layout.width_mm / self.step) + 1
        self.rows = floor(layout.height_mm / self.step) + 1
        self.layer = self.columns * self.rows
        self.numbers = {net: number for number, net in enumerate(nets, start=1)}
        self._pads = tuple(pads)
        self._layout = layout
        self.widths = sorted({layout.track_mm, *layout.widths.values()})
        self._fixed = {width: self._fixed_obstacles(width) for width in self.widths}
        self._fixed_vias = self._fixed_via_obstacles()
        self._near_tracks: dict[float, dict[int, list[int]]] = {width: {} for width in self.widths}
        self._near_vias: dict[int, list[int]] = {}
        self.via_blocked: dict[int, int] = {}

    def at(self, point: int) -> tuple[float, float]:
        """Position of a point in mm."""
        row, column = divmod(point % self.layer, self.columns)
        return round(column * self.step, 4), round(row * self.step, 4)

    def side(self, point: int) -> Side:
        return Side(point // self.layer)

    def region(self, point: int) -> int:
        """A point that represents the region of this point; conflicts in a region add to one history cost."""
        row, column = divmod(point % self.layer, self.columns)
        return point - (row % REGION_SIZE) * self.columns - column % REGION_SIZE

    def inside(self, rect: Rect, side: Side) -> Iterator[int]:
        """The points inside a rectangle on one side."""
        for row in range(max(0, ceil(rect.top / self.step)), min(self.rows - 1, floor(rect.bottom / self.step)) + 1):
            start = side * self.layer + row * self.columns
            first = max(0, ceil(rect.left / self.step))
            yield from range(start + first, start + min(self.columns - 1, floor(rect.right / self.step)) + 1)

    def around(self, x: float, y: float, reach: float, side: Side) -> Iterator[int]:
        """The points less than `reach` mm from a position."""
        for point in self.inside(Rect(x - reach, y - reach, x + reach, y + reach), side):
            px, py = self.at(point)
            if hypot(px - x, py - y) < reach:
                yield point

    def fixed(self, width: float) -> Sequence[int]:
        """For each point the number of the only net that may have a track of this width there, or FREE or BLOCKED."""
        return self._fixed[width]

    @property
    def fixed_vias(self) -> Sequence[int]:
        """The same for vias, for the points of the top side."""
        return self._fixed_vias

    def routes_near(self, width: float) -> dict[int, list[int]]:
        """The routes, by key, that are too close to a point for another track of this width."""
        return self._near_tracks[width]

    @property
    def routes_near_via(self) -> dict[int, list[int]]:
        """The routes, by key, that are too close to a point for another via."""
        return self._near_vias

    def add_route(self, key: int, route: Route) -> None:
        """Marks the points near this route as used."""
        self._mark(key, route, add=True)

    def remove_route(self, key: int, route: Route) -> None:
        """Frees the points that `add_route` marked."""
        self._mark(key, route, add=False)

    def via_points(self, points: Sequence[int]) -> Iterator[int]:
        """The points, on the top side, where a route changes sides."""
        for point, following in zip(points, points[1:], strict=False):
            if abs(following - point) == self.layer:
                yield point % self.layer

    def _mark(self, key: int, route: Route, *, add: bool) -> None:
        reach = route.width / 2 + CLEARANCE_MM + SLACK_MM
        for width in self.widths:
            self._update(self._near_tracks[width], key, self._near(route.points, reach + width / 2), add=add)
        vias = set(self.via_points(route.points))
        flat = {point % self.layer for point in self._near(route.points, reach + VIA_MM / 2)}
        apart = VIA_MM + CLEARANCE_MM + SLACK_MM
        flat |= self._near(vias, apart)
        self._update(self._near_vias, key, flat, add=add)
        for width in self.widths:
            near = self._near(vias, VIA_MM / 2 + CLEARANCE_MM + SLACK_MM + width / 2)
            both = near | {point + self.layer for point in near}
            self._update(self._near_tracks[width], key, both, add=add)
        for point in self._near(vias, VIA_DRILL_MM + HOLE_TO_HOLE_MM + SLACK_MM) - vias:
            self.via_blocked[point] = self.via_blocked.get(point, 0) + (1 if add else -1)

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
            column = point % self.columns
            flat = point % self.layer
            for offset, aside in offsets:
                if 0 <= column + aside < self.columns and 0 <= flat + offset < self.layer:
                    near.add(point + offset)
        return near

    @staticmethod
    def _update(taken: dict[int, list[int]], key: int, points: Iterable[int], *, add: bool) -> None:
        for point in points:
            keys = taken.setdefault(point, [])
            if add:
                keys.append(key)
            else:
                keys.remove(key)
                if not keys:
                    del taken[point]

    def _fixed_obstacles(self, width: float) -> list[int]:
        fixed = [FREE] * (2 * self.layer)
        half = width / 2
        for side in Side:
            self._block_edges(fixed, side, EDGE_MM + half)
            for screw in self._layout.screws:
                for point in self.around(screw.x, screw.y, screw.clearance + half, side):
                    fixed[point] = BLOCKED
        for dot in self._layout.fiducials:
            for point in self.around(dot.x, dot.y, dot.clearance + half, Side.TOP):
                fixed[point] = BLOCKED
        for zone in self._layout.single_net_zones():
            self._claim(fixed, zone.rect, zone.side, self.numbers[zone.net], CLEARANCE_MM + half + SLACK_MM)
        for pad in self._pads:
            owner = self.numbers[pad.net] if pad.net else BLOCKED
            for side in pad.sides:
                self._claim(fixed, pad.rect, side, owner, CLEARANCE_MM + half + SLACK_MM)
        return fixed

    def _fixed_via_obstacles(self) -> list[int]:
        """Vias keep away from all pads, also of their own net, because solder would flow into the hole."""
        fixed = [FREE] * self.layer
        reach = VIA_MM / 2
        self._block_edges(fixed, Side.TOP, EDGE_MM + reach)
        for screw in self._layout.screws:
            for point in self.around(screw.x, screw.y, screw.clearance + reach, Side.TOP):
                fixed[point] = BLOCKED
        for dot in self._layout.fiducials:
            for point in self.around(dot.x, dot.y, dot.clearance + reach, Side.TOP):
                fixed[point] = BLOCKED
        for zone in self._layout.single_net_zones():
            self._claim(fixed, zone.rect, Side.TOP, self.numbers[zone.net], CLEARANCE_MM + reach + SLACK_MM)
        for pad in self._pads:
            owner = self.numbers[pad.net] if pad.net else BLOCKED
            self._claim(fixed, pad.rect, Side.TOP, owner, CLEARANCE_MM + reach + SLACK_MM)
            self._claim(fixed, pad.rect, Side.TOP, BLOCKED, reach + SLACK_MM)
            if pad.drill:
                self._claim(fixed, pad.rect, Side.TOP, BLOCKED, CLEARANCE_MM + reach)
        return fixed

    def _block_edges(self, fixed: list[int], side: Side, reach: float) -> None:
        free = set(self.inside(Rect(reach, reach, self._layout.width_mm - reach, self._layout.height_mm - reach), side))
        for point in range(side * self.layer, (side + 1) * self.layer):
            if point not in free:
                fixed[point] = BLOCKED

    def _claim(self, fixed: list[int], rect: Rect, side: Side, owner: int, reach: float) -> None:
        for point in self.inside(rect.grown(reach), side):
            x, y = self.at(point)
            away = hypot(max(rect.left - x, 0, x - rect.right), max(rect.top - y, 0, y - rect.bottom))
            if away < reach and fixed[point] != owner:
                fixed[point] = owner if fixed[point] == FREE else BLOCKED


def zone_points(grid: RoutingGrid, zone: CopperZone) -> frozenset[int]:
    """The points where a track may end in a zone."""
    return frozenset(grid.inside(zone.rect.grown(-0.3), zone.side))
