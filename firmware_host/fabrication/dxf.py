"""Writes a drawing as DXF release 12 for mills and laser cutters; one unit is one millimetre.

The group codes follow the AutoCAD Release 12 DXF reference. ezdxf is not used, because it needs numpy, which is too
large for a Pi. `make hardware` audits these files with ezdxf.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from firmware_host.fabrication.shapes import (
    CAP_HEIGHT,
    Anchor,
    Circle,
    Drawing,
    Layer,
    Point,
    Polyline,
    Rectangle,
    Shape,
    Text,
    format_number,
)

_COLOURS: Mapping[Layer, int] = {
    Layer.PEG: 7,
    Layer.LED: 1,
    Layer.OUTLINE: 3,
    Layer.SCREWS: 5,
    Layer.PILOT: 6,
    Layer.POCKET: 4,
    Layer.RECESS: 2,
    Layer.ENGRAVE: 30,
}
_NOTES_COLOUR = 8
_QUARTER_BULGE = math.tan(math.pi / 8)  # DXF bulge of an arc: the tangent of a quarter of its angle
_ALIGN = {Anchor.LEFT: 0, Anchor.MIDDLE: 1, Anchor.RIGHT: 2}

_METRIC = 1
_MILLIMETRES = 4
"""Values of $MEASUREMENT and $INSUNITS; release 12 does not know them, but programs that do read the unit there."""

Code = tuple[int, str | int | float]


def as_dxf(drawing: Drawing) -> str:
    """The drawing as DXF text. Characters outside ASCII become question marks."""
    codes = (*_header(drawing), (0, "SECTION"), (2, "ENTITIES"), *_entities(drawing), (0, "ENDSEC"), (0, "EOF"))
    return "".join(f"{code}\n{_value(value)}\n" for code, value in codes)


def _value(value: str | int | float) -> str:
    return format_number(value, 6) if isinstance(value, float) else str(value)


def _header(drawing: Drawing) -> Iterator[Code]:
    layers = sorted({shape.layer for shape in drawing.shapes}, key=lambda layer: layer.value)
    yield from ((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"))
    yield from ((9, "$MEASUREMENT"), (70, _METRIC), (9, "$INSUNITS"), (70, _MILLIMETRES))
    yield from ((9, "$EXTMIN"), (10, 0.0), (20, 0.0), (9, "$EXTMAX"), (10, drawing.width_mm), (20, drawing.height_mm))
    yield from ((0, "ENDSEC"), (0, "SECTION"), (2, "TABLES"))
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, 1), (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid line"))
    yield from ((72, 65), (73, 0), (40, 0.0), (0, "ENDTAB"), (0, "TABLE"), (2, "LAYER"), (70, len(layers)))
    for layer in layers:
        yield from ((0, "LAYER"), (2, layer.value), (70, 0), (62, _COLOURS.get(layer, _NOTES_COLOUR)))
        yield 6, "CONTINUOUS"
    yield from ((0, "ENDTAB"), (0, "ENDSEC"))


def _entities(drawing: Drawing) -> Iterator[Code]:
    for shape in drawing.shapes:
        yield from _entity(shape)


def _entity(shape: Shape) -> Iterator[Code]:
    layer = (8, shape.layer.value)
    match shape:
        case Circle(_, centre, diameter_mm):
            yield from ((0, "CIRCLE"), layer, *_at(centre), (40, diameter_mm / 2))
        case Polyline(_, places, is_closed):
            yield from _polyline(layer, [(place, 0.0) for place in places], is_closed)
        case Rectangle():
            yield from _polyline(layer, list(_corners(shape)), True)
        case Text(_, place, text, size_mm, anchor, turn):
            plain = text.encode("ascii", "replace").decode()
            yield from ((0, "TEXT"), layer, *_at(place), (40, size_mm * CAP_HEIGHT), (1, plain))
            yield from (*([(50, turn)] if turn else []), (72, _ALIGN[anchor]))
            yield from ((11, place[0]), (21, place[1]), (31, 0.0))


def _polyline(layer: Code, corners: list[tuple[Point, float]], is_closed: bool) -> Iterator[Code]:
    yield from ((0, "POLYLINE"), layer, (66, 1), *_at((0.0, 0.0)), (70, int(is_closed)))
    for place, bulge in corners:
        yield from ((0, "VERTEX"), layer, *_at(place), (42, bulge))
    yield from ((0, "SEQEND"), layer)


def _corners(rectangle: Rectangle) -> Iterator[tuple[Point, float]]:
    """(Vertex, bulge) counterclockwise from the lower edge. A rounded corner is two vertices with an arc between."""
    (left, bottom) = rectangle.corner
    radius = rectangle.radius_mm
    right = left + rectangle.width_mm
    top = bottom + rectangle.height_mm
    if not radius:
        yield from (((left, bottom), 0.0), ((right, bottom), 0.0), ((right, top), 0.0), ((left, top), 0.0))
        return
    yield from (((left + radius, bottom), 0.0), ((right - radius, bottom), _QUARTER_BULGE))
    yield from (((right, bottom + radius), 0.0), ((right, top - radius), _QUARTER_BULGE))
    yield from (((right - radius, top), 0.0), ((left + radius, top), _QUARTER_BULGE))
    yield from (((left, top - radius), 0.0), ((left, bottom + radius), _QUARTER_BULGE))


def _at(place: Point) -> tuple[Code, Code, Code]:
    return (10, float(place[0])), (20, float(place[1])), (30, 0.0)
