"""Reads copper back from Gerber and drill files and finds which pads it connects.

It shares nothing with the code that writes boards: the files that a board house gets are the only input. The netlist
found there must equal the netlist intended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from shapely import STRtree
from shapely.affinity import rotate, translate
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from firmware_host.circuits.layout import Pad

_FORMAT = re.compile(r"%FSLAX(\d)(\d)Y\d\d\*%")
_APERTURE = re.compile(r"%ADD(\d+)(\w+),([-\d.X]+)\*%")
_STEP = re.compile(r"(?:G0?([123]))?(?:X(-?\d+))?(?:Y(-?\d+))?(?:I-?\d+)?(?:J-?\d+)?D0?([123])\*")


class GerberError(ValueError):
    """A file has something that this reader does not know."""


def read_copper(text: str) -> list[BaseGeometry]:
    """The connected pieces of copper of one Gerber layer, in mm. Raises GerberError."""
    scale = 10.0 ** -int((_FORMAT.search(text) or _missing("a format line"))[2])
    apertures = {
        int(m[1]): _aperture(m[2], [float(size) for size in m[3].split("X")]) for m in _APERTURE.finditer(text)
    }
    shapes: list[BaseGeometry] = []
    region: list[tuple[float, float]] | None = None
    current = 0
    here = (0.0, 0.0)
    for line in text.splitlines():
        if line.startswith("G36"):
            region = []
        elif line.startswith("G37"):
            shapes += _regions(region or [])
            region = None
        elif line.startswith("%LPC"):
            raise GerberError("Gerber: expected dark polarity only, got a clear layer")
        elif line.startswith("%AM"):
            raise GerberError("Gerber: expected no aperture macros, got one")
        elif select := re.fullmatch(r"(?:G54)?D(\d\d+)\*", line):
            current = int(select[1])
        elif step := _STEP.fullmatch(line):
            if step[1] in ("2", "3"):
                raise GerberError("Gerber: expected straight lines, got an arc")
            there = (
                int(step[2]) * scale if step[2] else here[0],
                int(step[3]) * scale if step[3] else here[1],
            )
            if region is not None:
                if step[4] == "2" and region:
                    shapes += _regions(region)
                    region = []
                region.append(there)
            elif step[4] == "1":
                shapes.append(_stroke(apertures[current], here, there))
            elif step[4] == "3":
                shapes.append(_flash(apertures[current], there))
            here = there
    union = unary_union(shapes)
    return list(getattr(union, "geoms", [union]))


def _missing(what: str) -> re.Match[str]:
    raise GerberError(f"Gerber: expected {what}, got none")


def _aperture(kind: str, sizes: Sequence[float]) -> BaseGeometry:
    wide = sizes[0]
    high = sizes[1] if len(sizes) > 1 else sizes[0]
    if kind == "C":
        return Point(0, 0).buffer(wide / 2, quad_segs=16)
    if kind == "R":
        return box(-wide / 2, -high / 2, wide / 2, high / 2)
    if kind == "O":
        reach = min(wide, high) / 2
        spine = LineString([(-(wide / 2 - reach), -(high / 2 - reach)), (wide / 2 - reach, high / 2 - reach)])
        return spine.buffer(reach, quad_segs=16)
    if kind == "P":
        outline = Point(0, 0).buffer(wide / 2, quad_segs=int(sizes[1]))
        return rotate(outline, sizes[2] if len(sizes) > 2 else 0.0)
    raise GerberError(f"Gerber: expected an aperture of C, R, O or P, got {kind}")


def _flash(aperture: BaseGeometry, at: tuple[float, float]) -> BaseGeometry:
    return translate(aperture, *at)


def _stroke(aperture: BaseGeometry, start: tuple[float, float], end: tuple[float, float]) -> BaseGeometry:
    left, _, right, _ = aperture.bounds
    line: BaseGeometry = LineString([start, end]) if start != end else Point(start)
    return line.buffer((right - left) / 2, quad_segs=16)


def _regions(points: Sequence[tuple[float, float]]) -> list[BaseGeometry]:
    return [Polygon(points).buffer(0.0005)] if len(points) > 3 else []


def read_drills(text: str) -> Iterator[tuple[float, float, float]]:
    """The x, y and diameter of every hole of an Excellon file in mm."""
    sizes = {tool: float(size) for tool, size in re.findall(r"^(T\d+)C([\d.]+)$", text, re.M)}
    tool = ""
    for line in text.splitlines():
        if line in sizes:
            tool = line
        elif match := re.fullmatch(r"X(-?[\d.]+)Y(-?[\d.]+)(?:G85X(-?[\d.]+)Y(-?[\d.]+))?", line):
            x = float(match[1])
            y = float(match[2])
            if match[3]:  # a slot counts as a hole in its middle
                x = (x + float(match[3])) / 2
                y = (y + float(match[4])) / 2
            yield x, y, sizes[tool]


class Terminal(Struct, frozen=True):
    """Where a pin is soldered: its name, its net (None if open), its place in the Gerber files and its layers."""

    name: str
    net: str | None
    x: float
    y: float
    layers: tuple[int, ...]


class CopperCheck(Struct, frozen=True):
    """What the files of a board say: faults of the netlist, and the least distance of nets, ring, hole and wall."""

    faults: tuple[str, ...]
    clearance_mm: float
    ring_mm: float
    drill_mm: float
    hole_to_hole_mm: float
    nets: int


def check_copper(
    layers: Sequence[Sequence[BaseGeometry]],
    drills: Sequence[tuple[float, float, float]],
    terminals: Sequence[Terminal],
) -> CopperCheck:
    """Compares the copper of both layers, joined by the plated holes, with the nets of the terminals."""
    pieces = [(layer, piece) for layer, found in enumerate(layers) for piece in found]
    trees = [STRtree(list(found)) for found in layers]
    starts = [0, len(layers[0])]
    parent = list(range(len(pieces)))

    def find(key: int) -> int:
        while parent[key] != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    def at(layer: int, x: float, y: float) -> list[int]:
        return [starts[layer] + int(i) for i in trees[layer].query(Point(x, y), predicate="intersects")]

    rings = []
    for x, y, size in drills:
        hit = [key for layer in range(len(layers)) for key in at(layer, x, y)]
        for key in hit:
            parent[find(key)] = find(hit[0])
            rings.append(pieces[key][1].boundary.distance(Point(x, y)) - size / 2)
    groups: dict[str, set[int]] = {}
    owners: dict[int, str] = {}
    faults = []
    for terminal in terminals:
        hit = [find(key) for layer in terminal.layers for key in at(layer, terminal.x, terminal.y)]
        if not hit:
            faults.append(f"{terminal.name}: expected copper at {terminal.x:.2f}, {terminal.y:.2f}, got none")
            continue
        net = terminal.net or f"open {terminal.name}"
        groups.setdefault(net, set()).update(hit)
        for key in hit:
            if owners.setdefault(key, net) != net:
                faults.append(f"{terminal.name}: expected {net} alone on its copper, got {owners[key]} as well")
    for net, found in groups.items():
        if len(found) > 1:
            faults.append(f"{net}: expected one piece of copper, got {len(found)}")
    return CopperCheck(
        tuple(faults),
        _least_distance(pieces, find),
        min(rings, default=0.0),
        min((size for _, _, size in drills), default=0.0),
        _least_wall(drills),
        len(groups),
    )


def _least_wall(drills: Sequence[tuple[float, float, float]]) -> float:
    """The least distance between the edges of two holes, 9 mm if there is only one."""
    holes = [Point(x, y).buffer(size / 2, quad_segs=16) for x, y, size in drills]
    tree = STRtree(holes)
    least = 9.0
    for number, hole in enumerate(holes):
        for other in tree.query(hole.buffer(1.0, quad_segs=2)):
            if int(other) > number:
                least = min(least, hole.distance(holes[int(other)]))
    return least


def _least_distance(pieces: Sequence[tuple[int, BaseGeometry]], find: Callable[[int], int]) -> float:
    least = 9.0
    for layer in {layer for layer, _ in pieces}:
        keys = [key for key, (on, _) in enumerate(pieces) if on == layer]
        tree = STRtree([pieces[key][1] for key in keys])
        for key in keys:
            for other in tree.query(pieces[key][1].buffer(0.3, quad_segs=2)):
                far = keys[int(other)]
                if far > key and find(far) != find(key):
                    least = min(least, pieces[key][1].distance(pieces[far][1]))
    return least


def read_back(board: str, gerbers: Path, pads: Sequence[Pad], height_mm: float) -> CopperCheck:
    """Compares the copper in a board's Gerber and drill files with the nets of its numbered pads."""
    layers = [read_copper((gerbers / f"{board}-{side}_Cu.gbr").read_text(encoding="utf-8")) for side in "FB"]
    drills = list(read_drills((gerbers / f"{board}-PTH.drl").read_text(encoding="utf-8")))
    return check_copper(layers, drills, terminals_of(pads, height_mm))


def terminals_of(pads: Sequence[Pad], height_mm: float) -> Sequence[Terminal]:
    """The pads at their places in the Gerber files, whose y points up, with the nets intended."""
    return [
        Terminal(
            f"{pad.part}.{pad.number}",
            pad.net,
            (pad.rect.left + pad.rect.right) / 2,
            height_mm - (pad.rect.top + pad.rect.bottom) / 2,
            tuple(int(side) for side in pad.sides),
        )
        for pad in pads
    ]
