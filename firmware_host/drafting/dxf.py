"""A drawing as DXF, for mills and lasers: release 12, which every such program reads, one unit a millimetre.

Written here, in forty lines of group codes (AutoCAD Release 12 DXF reference): the library for it needs numpy, which is
too much to ask of a Pi. `make hardware` has that library audit what is written here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from firmware_host.drafting.marks import Anchor, Drawing, Frame, Layer, Lettering, Mark, Point, Ring, Stroke, number

_COLOURS: Mapping[Layer, int] = {
    Layer.PEG: 7,
    Layer.LED: 1,
    Layer.OUTLINE: 3,
    Layer.SCREWS: 5,
    Layer.PILOT: 6,
    Layer.POCKET: 4,
}
_NOTES_COLOUR = 8
_QUARTER = math.tan(math.pi / 8)  # the bulge of a quarter circle: the tangent of a quarter of its angle
_ALIGN = {Anchor.LEFT: 0, Anchor.MIDDLE: 1, Anchor.RIGHT: 2}

Code = tuple[int, str | int | float]


def as_dxf(drawing: Drawing) -> str:
    """The drawing as DXF text."""
    codes = (*_head(drawing), (0, "SECTION"), (2, "ENTITIES"), *_entities(drawing), (0, "ENDSEC"), (0, "EOF"))
    return "".join(f"{code}\n{_value(value)}\n" for code, value in codes)


def _value(value: str | int | float) -> str:
    return number(value, 6) if isinstance(value, float) else str(value)


def _head(drawing: Drawing) -> Iterator[Code]:
    layers = sorted({mark.layer for mark in drawing.marks}, key=lambda layer: layer.value)
    yield from ((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"))
    yield from ((9, "$EXTMIN"), (10, 0.0), (20, 0.0), (9, "$EXTMAX"), (10, drawing.width_mm), (20, drawing.height_mm))
    yield from ((0, "ENDSEC"), (0, "SECTION"), (2, "TABLES"))
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, 1), (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid line"))
    yield from ((72, 65), (73, 0), (40, 0.0), (0, "ENDTAB"), (0, "TABLE"), (2, "LAYER"), (70, len(layers)))
    for layer in layers:
        yield from ((0, "LAYER"), (2, layer.value), (70, 0), (62, _COLOURS.get(layer, _NOTES_COLOUR)))
        yield 6, "CONTINUOUS"
    yield from ((0, "ENDTAB"), (0, "ENDSEC"))


def _entities(drawing: Drawing) -> Iterator[Code]:
    for mark in drawing.marks:
        yield from _entity(mark)


def _entity(mark: Mark) -> Iterator[Code]:
    layer = (8, mark.layer.value)
    match mark:
        case Ring(_, centre, diameter_mm):
            yield from ((0, "CIRCLE"), layer, *_at(centre), (40, diameter_mm / 2))
        case Stroke(_, places, is_closed):
            yield from _polyline(layer, [(place, 0.0) for place in places], is_closed)
        case Frame():
            yield from _polyline(layer, list(_corners(mark)), True)
        case Lettering(_, place, text, size_mm, anchor):
            plain = text.encode("ascii", "replace").decode()
            yield from ((0, "TEXT"), layer, *_at(place), (40, size_mm), (1, plain), (72, _ALIGN[anchor]))
            yield from ((11, place[0]), (21, place[1]), (31, 0.0))


def _polyline(layer: Code, corners: list[tuple[Point, float]], is_closed: bool) -> Iterator[Code]:
    yield from ((0, "POLYLINE"), layer, (66, 1), *_at((0.0, 0.0)), (70, int(is_closed)))
    for place, bulge in corners:
        yield from ((0, "VERTEX"), layer, *_at(place), (42, bulge))
    yield from ((0, "SEQEND"), layer)


def _corners(frame: Frame) -> Iterator[tuple[Point, float]]:
    """Counterclockwise from the lower edge; a rounded corner is two of these with an arc between them."""
    (left, bottom), turn = frame.corner, frame.round_mm
    right, top = left + frame.width_mm, bottom + frame.height_mm
    if not turn:
        yield from (((left, bottom), 0.0), ((right, bottom), 0.0), ((right, top), 0.0), ((left, top), 0.0))
        return
    yield from (((left + turn, bottom), 0.0), ((right - turn, bottom), _QUARTER))
    yield from (((right, bottom + turn), 0.0), ((right, top - turn), _QUARTER))
    yield from (((right - turn, top), 0.0), ((left + turn, top), _QUARTER))
    yield from (((left, top - turn), 0.0), ((left, bottom + turn), _QUARTER))


def _at(place: Point) -> tuple[Code, Code, Code]:
    return (10, float(place[0])), (20, float(place[1])), (30, 0.0)
