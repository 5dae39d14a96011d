"""Fills copper zones: the zone's rectangle, minus everything that must keep its distance, in pieces that are connected.

KiCad's command line checks and plots the fills that a board file holds, but does not compute them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from shapely import STRtree, make_valid
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from firmware_host.circuits.layout import (
    EDGE_MM,
    VIA_MM,
    BoardLayout,
    Copper,
    CopperZone,
    Pad,
    Rect,
    Side,
    Track,
    Via,
)

POUR_CLEARANCE_MM = 0.2
"""Distance of a zone from copper of other nets; more than the rule of the board house."""
THINNEST_MM = 0.2
SPOKE_GAP_MM = 0.25
SPOKE_MM = 0.5
_MARGIN_MM = 0.01
"""Added because arcs are drawn as chords, inside the true circle."""
_ROUND = 8
"""Segments per quarter of a circle."""


class Pour(Struct, frozen=True):
    """The filled area of one zone, as polygons that may have holes. `zone` is the first of those that were merged."""

    zone: CopperZone
    outline: Polygon
    pieces: tuple[Polygon, ...]


def board_outline(layout: BoardLayout) -> BaseGeometry:
    """The board without its cutouts."""
    gone = [box(rect.left, rect.top, rect.right, rect.bottom) for rect in layout.cutouts]
    return box(0, 0, layout.width_mm, layout.height_mm).difference(unary_union(gone))


def pad_shape(pad: Pad) -> BaseGeometry:
    """The copper of a pad."""
    rect = pad.rect
    wide = rect.right - rect.left
    high = rect.bottom - rect.top
    whole = box(rect.left, rect.top, rect.right, rect.bottom)
    if pad.shape in ("circle", "oval"):
        reach = min(wide, high) / 2
        x = (rect.left + rect.right) / 2
        y = (rect.top + rect.bottom) / 2
        along = wide / 2 - reach
        aside = high / 2 - reach
        spine = LineString([(x - along, y - aside), (x + along, y + aside)]) if along or aside else Point(x, y)
        return spine.buffer(reach, quad_segs=_ROUND)
    return whole


def fill(layout: BoardLayout, pads: Sequence[Pad], copper: Copper) -> list[Pour]:
    """The fills of all zones, without islands."""
    zones = merged_zones(layout)
    raw = _filled_areas(layout, zones, pads, copper)
    pieces = [(number, piece) for number, shape in raw.items() for piece in polygons(shape)]
    return _without_islands(zones, pieces, pads, copper)


class _Groups:
    """The connected groups of the copper of one net, as a union-find over pieces, vias, pads and tracks."""

    def __init__(
        self,
        zones: Sequence[tuple[CopperZone, Polygon]],
        net: str,
        pieces: Sequence[tuple[int, Polygon]],
        pads: Sequence[Pad],
        copper: Copper,
    ) -> None:
        self.own = [index for index, (number, _) in enumerate(pieces) if zones[number][0].net == net]
        self._side = {index: zones[pieces[index][0]][0].side for index in self.own}
        self._tree = STRtree([pieces[index][1] for index in self.own])
        self._parent: dict[int, int] = {}
        items: list[tuple[BaseGeometry, tuple[Side, ...]]] = [
            (pad_shape(pad), pad.sides) for pad in pads if pad.net == net
        ]
        items += [(_ring(via), tuple(Side)) for via in copper.vias if via.net == net]
        items += [(_line(track), (track.side,)) for track in copper.tracks if track.net == net]
        shapes = STRtree([shape for shape, _ in items])
        for key, (shape, sides) in enumerate(items, start=len(pieces)):
            for index in self._hit(shape, sides):
                self._union(index, key)
            for other in shapes.query(shape, predicate="intersects"):
                if set(sides) & set(items[int(other)][1]):
                    self._union(key, len(pieces) + int(other))
        own_pads = sum(pad.net == net for pad in pads)
        self._with_pads = {self.find(len(pieces) + number) for number in range(own_pads)}

    def find(self, key: int) -> int:
        """The representative of the group of an item."""
        while (parent := self._parent.get(key, key)) != key:
            key = parent
        return key

    def holds_pads(self, index: int) -> bool:
        """Whether the group of this piece has a pad."""
        root = self.find(index)
        return any(self.find(other) == root for other in self._with_pads)

    def _hit(self, shape: BaseGeometry, sides: Sequence[Side]) -> Iterable[int]:
        found = (self.own[int(i)] for i in self._tree.query(shape, predicate="intersects"))
        return [index for index in found if self._side[index] in sides]

    def _union(self, one: int, other: int) -> None:
        self._parent[self.find(other)] = self.find(one)


def _ring(via: Via) -> BaseGeometry:
    return Point(via.x, via.y).buffer(VIA_MM / 2 - 0.02)


def _line(track: Track) -> BaseGeometry:
    return LineString([(track.x1, track.y1), (track.x2, track.y2)])


def merged_zones(layout: BoardLayout) -> list[tuple[CopperZone, Polygon]]:
    """The zones with their outlines; overlapping ones of one net, side and priority become one."""
    shapes: dict[tuple[str, Side, int], list[BaseGeometry]] = {}
    for zone in layout.zones:
        rect = zone.rect
        shapes.setdefault((zone.net, zone.side, zone.priority), []).append(
            box(rect.left, rect.top, rect.right, rect.bottom)
        )
    found = []
    for (net, side, priority), boxes in shapes.items():
        for outline in polygons(unary_union(boxes)):
            found.append((CopperZone(net, side, Rect(*outline.bounds), priority), outline))
    return found


def _filled_areas(
    layout: BoardLayout, zones: Sequence[tuple[CopperZone, Polygon]], pads: Sequence[Pad], copper: Copper
) -> Mapping[int, BaseGeometry]:
    raw: dict[int, BaseGeometry] = {}
    for number in sorted(range(len(zones)), key=lambda number: -zones[number][0].priority):
        zone, outline = zones[number]
        area = _zone_area(zone, outline, layout, pads, copper)
        for other, filled in raw.items():
            above = zones[other][0]
            if above.side is zone.side and above.net != zone.net:
                area = area.difference(filled.buffer(POUR_CLEARANCE_MM + _MARGIN_MM, quad_segs=_ROUND))
        opened = area.buffer(-THINNEST_MM / 2, quad_segs=_ROUND).buffer(THINNEST_MM / 2 - 0.001, quad_segs=_ROUND)
        raw[number] = make_valid(opened.simplify(0.005))
    return raw


def _zone_area(
    zone: CopperZone, outline: Polygon, layout: BoardLayout, pads: Sequence[Pad], copper: Copper
) -> BaseGeometry:
    board = board_outline(layout).buffer(-EDGE_MM - 0.02, join_style="mitre")
    area = outline.intersection(board)
    away = POUR_CLEARANCE_MM + _MARGIN_MM
    holes: list[BaseGeometry] = [
        Point(screw.x, screw.y).buffer(screw.clearance + 0.01, quad_segs=16) for screw in layout.screws
    ]
    if zone.side is Side.TOP:
        holes += [Point(dot.x, dot.y).buffer(dot.clearance + _MARGIN_MM) for dot in layout.fiducials]
    for pad in pads:
        shape = pad_shape(pad)
        if pad.net != zone.net:
            if zone.side in pad.sides or pad.drill:
                holes.append(shape.buffer(away, quad_segs=_ROUND))
        elif pad.drill:  # spokes, so that a soldering iron can heat the pin
            middle = shape.centroid
            reach = max(pad.rect.right - pad.rect.left, pad.rect.bottom - pad.rect.top) / 2 + SPOKE_GAP_MM + 0.2
            cross = unary_union(
                [
                    LineString([(middle.x - reach, middle.y), (middle.x + reach, middle.y)]),
                    LineString([(middle.x, middle.y - reach), (middle.x, middle.y + reach)]),
                ]
            ).buffer(SPOKE_MM / 2, cap_style="flat")
            holes.append(shape.buffer(SPOKE_GAP_MM, quad_segs=_ROUND).difference(shape).difference(cross))
    for via in copper.vias:
        if via.net != zone.net:
            holes.append(Point(via.x, via.y).buffer(VIA_MM / 2 + away, quad_segs=_ROUND))
    for track in copper.tracks:
        if track.net != zone.net and track.side is zone.side:
            line = LineString([(track.x1, track.y1), (track.x2, track.y2)])
            holes.append(line.buffer(track.width / 2 + away, quad_segs=_ROUND))
    return area.difference(unary_union(holes))


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """The polygons of a geometry, without specks."""
    if isinstance(shape, Polygon):
        return [shape] if shape.area > 0.05 else []
    parts: Iterable[BaseGeometry] = getattr(shape, "geoms", ())
    return [polygon for part in parts for polygon in polygons(part)]


def _without_islands(
    zones: Sequence[tuple[CopperZone, Polygon]],
    pieces: Sequence[tuple[int, Polygon]],
    pads: Sequence[Pad],
    copper: Copper,
) -> list[Pour]:
    """Keeps the pieces that are connected to a pad of their net, directly or through other copper."""
    kept: set[int] = set()
    for net in {zone.net for zone, _ in zones}:
        groups = _Groups(zones, net, pieces, pads, copper)
        kept |= {index for index in groups.own if groups.holds_pads(index)}
    return [
        Pour(
            zone,
            outline,
            tuple(piece for index, (owner, piece) in enumerate(pieces) if owner == number and index in kept),
        )
        for number, (zone, outline) in enumerate(zones)
    ]


def as_outline(polygon: Polygon) -> list[tuple[float, float]]:
    """The polygon as one closed line without holes: each hole is joined to the outline by a cut of no width."""
    outer = [(x, y) for x, y in polygon.exterior.coords[:-1]]
    rings = [[(x, y) for x, y in ring.coords[:-1]] for ring in polygon.interiors]
    rings.sort(key=lambda ring: min(ring))
    for ring in rings:
        start = ring.index(min(ring))
        x, y = ring[start]
        crossing, after = _left_of(outer, x, y)
        loop = [*ring[start:], *ring[:start], ring[start]]
        outer = [*outer[: after + 1], crossing, *loop, crossing, *outer[after + 1 :]]
    return outer


def _left_of(outline: Sequence[tuple[float, float]], x: float, y: float) -> tuple[tuple[float, float], int]:
    """The nearest point of the outline to the left of (x, y), and the index of the point before it."""
    best = -1e9
    after = -1
    for index, (x1, y1) in enumerate(outline):
        x2, y2 = outline[(index + 1) % len(outline)]
        if (y1 <= y < y2) or (y2 <= y < y1):
            crossing = x1 + (y - y1) / (y2 - y1) * (x2 - x1)
            if best < crossing <= x:
                best = crossing
                after = index
    if after < 0:
        raise ValueError(f"zone: expected an outline to the left of {x:g}, {y:g}, got none")
    return (best, y), after
