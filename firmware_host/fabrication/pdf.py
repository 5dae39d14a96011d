"""Writes pages of a drawing as PDF 1.4 at true size: lines, circles and text, as drill templates need them.

The drawing is stored once as a form XObject; each page shows a part of it. No PDF library is used, because a dozen
operators are enough (PDF Reference 1.4, chapter 4).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from firmware_host.fabrication.shapes import (
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

POINTS_PER_MM = 72 / 25.4
_BEND = 0.5523  # length of the handles of a Bezier curve that approximates a quarter circle of radius 1
_COLOURS: Mapping[Layer, str] = {
    Layer.LED: "0.7 0.07 0.1 RG",
    Layer.SCREWS: "0.04 0.35 0.66 RG",
    Layer.PILOT: "0.54 0.17 0.89 RG",
}
_DEFAULT_COLOUR = "0 0 0 RG"
_LINE_MM = 0.2
# Approximate widths of Helvetica letters as shares of the font size, good enough to centre a short note.
_LETTER_WIDTH = 0.54
_NARROW = frozenset(" .,:;ijltf()'1")
_NARROW_WIDTH = 0.3


class Page(Struct, frozen=True):
    """One sheet of paper. All lengths in mm.

    It shows the part `window` (left, bottom, right, top) of the drawing with its lower left corner at `place`. `own`
    are shapes that are only on this page.
    """

    width_mm: float
    height_mm: float
    window: tuple[float, float, float, float]
    place: Point
    own: tuple[Shape, ...] = ()


def as_pdf(drawing: Drawing, pages: Sequence[Page]) -> bytes:
    """The bytes of a PDF file with these pages. Characters outside Latin-1 become question marks."""
    kids = " ".join(f"{6 + 2 * index} 0 R" for index in range(len(pages)))
    box = f"0 0 {format_number(drawing.width_mm)} {format_number(drawing.height_mm)}"
    title = drawing.title.replace("\\", "").replace("(", "[").replace(")", "]")
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        _stream(f"/Type/XObject/Subtype/Form/BBox[{box}]/Resources<</Font<</F 3 0 R>>>>", _operators(drawing.shapes)),
        f"<</Title({title})>>".encode("latin-1", "replace"),
    ]
    for index, page in enumerate(pages):
        objects += [_page(page, 7 + 2 * index), _stream("", _page_operators(page))]
    return _file(objects)


def full_page(drawing: Drawing) -> Page:
    """A page of the size of the drawing that shows all of it."""
    return Page(drawing.width_mm, drawing.height_mm, (0, 0, drawing.width_mm, drawing.height_mm), (0, 0))


def _page(page: Page, contents: int) -> bytes:
    size = " ".join(format_number(side_mm * POINTS_PER_MM, 4) for side_mm in (page.width_mm, page.height_mm))
    resources = "<</Font<</F 3 0 R>>/XObject<</D 4 0 R>>>>"
    return (f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {size}]/Resources{resources}/Contents {contents} 0 R>>").encode()


def _page_operators(page: Page) -> Iterator[str]:
    left, bottom, right, top = page.window
    yield f"{format_number(POINTS_PER_MM, 6)} 0 0 {format_number(POINTS_PER_MM, 6)} 0 0 cm q"
    yield f"{_pair(page.place)} {_pair((right - left, top - bottom))} re W n"
    yield f"1 0 0 1 {_pair((page.place[0] - left, page.place[1] - bottom))} cm /D Do Q"
    yield from _operators(page.own)


def _operators(shapes: Sequence[Shape]) -> Iterator[str]:
    yield f"{_LINE_MM} w"
    colour = ""
    for shape in shapes:
        if (wanted := _COLOURS.get(shape.layer, _DEFAULT_COLOUR)) != colour:
            colour = wanted
            yield colour
        yield from _shape_operators(shape)


def _shape_operators(shape: Shape) -> Iterator[str]:
    match shape:
        case Circle(_, (x, y), diameter_mm):
            radius = diameter_mm / 2
            yield from _rounded((x - radius, y - radius), diameter_mm, diameter_mm, radius)
        case Rectangle(_, corner, width_mm, height_mm, radius_mm):
            yield from _rounded(corner, width_mm, height_mm, radius_mm)
        case Polyline(_, places, is_closed):
            steps = (f"{_pair(place)} {'l' if index else 'm'}" for index, place in enumerate(places))
            yield f"{' '.join(steps)} {'s' if is_closed else 'S'}"
        case Text(_, (x, y), text, size_mm, anchor, turn):
            right = math.cos(math.radians(turn))
            up = math.sin(math.radians(turn))
            shift = {Anchor.LEFT: 0.0, Anchor.MIDDLE: 0.5, Anchor.RIGHT: 1.0}[anchor] * _width_mm(text, size_mm)
            plain = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            place = (x - shift * right, y - shift * up)
            turned = " ".join(_pair(pair) for pair in ((right, up), (-up, right), place))
            move = f"{turned} Tm" if turn else f"{_pair(place)} Td"
            yield f"BT /F {format_number(size_mm)} Tf {move} ({plain}) Tj ET"


def _rounded(corner: Point, width_mm: float, height_mm: float, radius_mm: float) -> Iterator[str]:
    """A rectangle with rounded corners, counterclockwise from the lower edge; with the largest radius a circle."""
    (left, bottom) = corner
    rest = radius_mm * (1 - _BEND)
    right = left + width_mm
    top = bottom + height_mm
    yield f"{_pair((left + radius_mm, bottom))} m"
    for (x, y), (ahead_x, ahead_y) in (
        ((right, bottom), (1, 0)),
        ((right, top), (0, 1)),
        ((left, top), (-1, 0)),
        ((left, bottom), (0, -1)),
    ):
        aside_x = -ahead_y
        aside_y = ahead_x
        bend = [(x - rest * ahead_x, y - rest * ahead_y), (x + rest * aside_x, y + rest * aside_y)]
        yield f"{_pair((x - radius_mm * ahead_x, y - radius_mm * ahead_y))} l"
        yield f"{_pair(bend[0])} {_pair(bend[1])} {_pair((x + radius_mm * aside_x, y + radius_mm * aside_y))} c"
    yield "s"


def _pair(place: Point) -> str:
    return f"{format_number(place[0])} {format_number(place[1])}"


def _width_mm(text: str, size_mm: float) -> float:
    return size_mm * sum(_NARROW_WIDTH if letter in _NARROW else _LETTER_WIDTH for letter in text)


def _stream(entries: str, lines: Iterator[str]) -> bytes:
    body = "\n".join(lines).encode("latin-1", "replace")
    return f"<<{entries}/Length {len(body)}>>\nstream\n".encode() + body + b"\nendstream"


def _file(objects: Sequence[bytes]) -> bytes:
    """The PDF file: the objects, numbered from 1, the cross-reference table and the trailer."""
    written = bytearray(b"%PDF-1.4\n")
    starts = []
    for index, body in enumerate(objects, start=1):
        starts.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (index, body)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size = len(objects) + 1
    at = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, table)
    written += b"trailer\n<</Size %d/Root 1 0 R/Info 5 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, at)
    return bytes(written)
