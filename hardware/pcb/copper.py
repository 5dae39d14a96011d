"""From ways through the grid to what is laid on a board: straight tracks, vias, and the ties between poured copper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hardware.pcb.field import FREE, Field, Route
from hardware.pcb.layout import Copper, Sheet, Side, Track, Via


def stitches(field: Field, sheet: Sheet, nets: Sequence[str]) -> list[Via]:
    """Vias that tie the ground of both sides together wherever there is room, on a coarse raster."""
    both = {area.net for area in sheet.areas if not area.rank}
    vias: list[Via] = []
    for net in sorted(both):
        every = max(1, round(sheet.stitch_mm / field.step))
        for row in range(every // 2, field.rows, every):
            for column in range(every // 2, field.columns, every):
                point = row * field.columns + column
                if (
                    field.fixed_vias[point] in (FREE, field.numbers[net])
                    and point not in field.via_rivals
                    and not field.via_ban.get(point)
                ):
                    vias.append(Via(net, *field.at(point)))
    return vias


def as_copper(field: Field, nets: Sequence[str], routes: Iterable[Route], ties: Sequence[Via]) -> Copper:
    """Straight pieces as long as they go, each once."""
    tracks: dict[Track, None] = {}
    vias: dict[Via, None] = {}
    for route in routes:
        net = nets[route.net - 1]
        for corner, following in _straights(field, route.points):
            if abs(corner - following) == field.layer:
                vias[Via(net, *field.at(corner))] = None
            else:
                first, last = sorted((field.at(corner), field.at(following)))
                tracks[Track(net, field.side(corner), *first, *last, route.width)] = None
    return Copper(sorted(tracks, key=_track_order), sorted(vias, key=_via_order), ties)


def _track_order(track: Track) -> tuple[str, Side, float, float, float, float]:
    return track.net, track.side, track.x1, track.y1, track.x2, track.y2


def _via_order(via: Via) -> tuple[str, float, float]:
    return via.net, via.x, via.y


def _straights(field: Field, points: Sequence[int]) -> Iterable[tuple[int, int]]:
    corner, heading = points[0], 0
    for here, following in zip(points, points[1:], strict=False):
        if heading and following - here != heading:
            yield corner, here
            corner = here
        heading = following - here
    if len(points) > 1:
        yield corner, points[-1]
