"""Converts routes on the grid to copper: straight tracks, vias, and stitching vias between the ground zones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_host.circuits.layout import BoardLayout, Copper, Side, Track, Via
from hardware.pcb.grid import FREE, Route, RoutingGrid

STITCHING_GRID_MM = 0.4


def stitching_vias(grid: RoutingGrid, layout: BoardLayout, nets: Sequence[str]) -> list[Via]:
    """Vias that could connect the ground zones of both sides, on a fine grid wherever there is room."""
    both = {zone.net for zone in layout.zones if not zone.priority}
    vias: list[Via] = []
    for net in sorted(both):
        every = max(1, round(STITCHING_GRID_MM / grid.step))
        for row in range(every // 2, grid.rows, every):
            for column in range(every // 2, grid.columns, every):
                point = row * grid.columns + column
                if (
                    grid.fixed_vias[point] in (FREE, grid.numbers[net])
                    and point not in grid.routes_near_via
                    and not grid.via_blocked.get(point)
                ):
                    vias.append(Via(net, *grid.at(point)))
    return vias


def as_copper(grid: RoutingGrid, nets: Sequence[str], routes: Iterable[Route], stitching: Sequence[Via]) -> Copper:
    """Tracks and vias of the routes, merged into the longest straight segments, without duplicates, sorted."""
    tracks: dict[Track, None] = {}
    vias: dict[Via, None] = {}
    for route in routes:
        net = nets[route.net - 1]
        for corner, following in _segments(grid, route.points):
            if abs(corner - following) == grid.layer:
                vias[Via(net, *grid.at(corner))] = None
            else:
                first, last = sorted((grid.at(corner), grid.at(following)))
                tracks[Track(net, grid.side(corner), *first, *last, route.width)] = None
    return Copper(sorted(tracks, key=track_order), sorted(vias, key=via_order), stitching)


def track_order(track: Track) -> tuple[str, Side, float, float, float, float]:
    """Sorts tracks by net, side and position."""
    return track.net, track.side, track.x1, track.y1, track.x2, track.y2


def via_order(via: Via) -> tuple[str, float, float]:
    """Sorts vias by net and position."""
    return via.net, via.x, via.y


def _segments(grid: RoutingGrid, points: Sequence[int]) -> Iterable[tuple[int, int]]:
    corner = points[0]
    heading = 0
    for here, following in zip(points, points[1:], strict=False):
        if heading and following - here != heading:
            yield corner, here
            corner = here
        heading = following - here
    if len(points) > 1:
        yield corner, points[-1]
