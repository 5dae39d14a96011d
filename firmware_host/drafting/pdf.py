"""Pages of a drawing as PDF 1.4, in true size: just the lines, circles and letters that a drill template has.

The drawing is in the file once; each page shows a part of it. No library: those for Python either bring a picture
engine along or draw text and tables, and all this needs is a dozen operators (PDF Reference 1.4, chapter 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware_host.drafting.marks import Anchor, Drawing, Frame, Layer, Lettering, Mark, Point, Ring, Stroke, number

POINTS_PER_MM = 72 / 25.4
_BEND = 0.5523  # a quarter circle as one Bezier curve: how far its handles reach, for a radius of 1
_INKS: Mapping[Layer, str] = {
    Layer.LED: "0.7 0.07 0.1 RG",
    Layer.SCREWS: "0.04 0.35 0.66 RG",
    Layer.PILOT: "0.54 0.17 0.89 RG",
}
_USUAL_INK, _PEN_MM = "0 0 0 RG", 0.2
# Widths of Helvetica's letters in thousandths of its size, near enough to centre a short note.
_LETTER_WIDTH, _NARROW, _NARROW_WIDTH = 0.54, frozenset(" .,:;ijltf()'1"), 0.3


@dataclass(frozen=True, slots=True)
class Page:
    """Paper that shows the `window` (left, bottom, right, top) of a drawing at `place`, and marks of its own."""

    width_mm: float
    height_mm: float
    window: tuple[float, float, float, float]
    place: Point
    own: tuple[Mark, ...] = ()


def as_pdf(drawing: Drawing, pages: Sequence[Page]) -> bytes:
    """The pages in their order. Letters beyond Latin-1 show as question marks."""
    kids = " ".join(f"{6 + 2 * index} 0 R" for index in range(len(pages)))
    box = f"0 0 {number(drawing.width_mm)} {number(drawing.height_mm)}"
    title = drawing.title.replace("\\", "").replace("(", "[").replace(")", "]")
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        _stream(f"/Type/XObject/Subtype/Form/BBox[{box}]/Resources<</Font<</F 3 0 R>>>>", _inked(drawing.marks)),
        f"<</Title({title})>>".encode("latin-1", "replace"),
    ]
    for index, page in enumerate(pages):
        objects += [_page(page, 7 + 2 * index), _stream("", _shown(page))]
    return _file(objects)


def whole(drawing: Drawing) -> Page:
    """One page as large as the drawing."""
    return Page(drawing.width_mm, drawing.height_mm, (0, 0, drawing.width_mm, drawing.height_mm), (0, 0))


def _page(page: Page, contents: int) -> bytes:
    size = " ".join(number(side_mm * POINTS_PER_MM, 4) for side_mm in (page.width_mm, page.height_mm))
    resources = "<</Font<</F 3 0 R>>/XObject<</D 4 0 R>>>>"
    return (f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {size}]/Resources{resources}/Contents {contents} 0 R>>").encode()


def _shown(page: Page) -> Iterator[str]:
    left, bottom, right, top = page.window
    yield f"{number(POINTS_PER_MM, 6)} 0 0 {number(POINTS_PER_MM, 6)} 0 0 cm q"
    yield f"{_pair(page.place)} {_pair((right - left, top - bottom))} re W n"
    yield f"1 0 0 1 {_pair((page.place[0] - left, page.place[1] - bottom))} cm /D Do Q"
    yield from _inked(page.own)


def _inked(marks: Sequence[Mark]) -> Iterator[str]:
    yield f"{_PEN_MM} w"
    ink = ""
    for mark in marks:
        if (wanted := _INKS.get(mark.layer, _USUAL_INK)) != ink:
            ink = wanted
            yield ink
        yield from _drawn(mark)


def _drawn(mark: Mark) -> Iterator[str]:
    match mark:
        case Ring(_, (x, y), diameter_mm):
            radius = diameter_mm / 2
            yield from _rounded((x - radius, y - radius), diameter_mm, diameter_mm, radius)
        case Frame(_, corner, width_mm, height_mm, round_mm):
            yield from _rounded(corner, width_mm, height_mm, round_mm)
        case Stroke(_, places, is_closed):
            ways = (f"{_pair(place)} {'l' if index else 'm'}" for index, place in enumerate(places))
            yield f"{' '.join(ways)} {'s' if is_closed else 'S'}"
        case Lettering(_, (x, y), text, size_mm, anchor):
            shift = {Anchor.LEFT: 0.0, Anchor.MIDDLE: 0.5, Anchor.RIGHT: 1.0}[anchor] * _width_mm(text, size_mm)
            plain = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            yield f"BT /F {number(size_mm)} Tf {_pair((x - shift, y))} Td ({plain}) Tj ET"


def _rounded(corner: Point, width_mm: float, height_mm: float, round_mm: float) -> Iterator[str]:
    """A rectangle from its lower edge on, counterclockwise; rounded off altogether, it is a circle."""
    (left, bottom), rest = corner, round_mm * (1 - _BEND)
    right, top = left + width_mm, bottom + height_mm
    yield f"{_pair((left + round_mm, bottom))} m"
    for (x, y), (ahead_x, ahead_y) in (
        ((right, bottom), (1, 0)),
        ((right, top), (0, 1)),
        ((left, top), (-1, 0)),
        ((left, bottom), (0, -1)),
    ):
        aside_x, aside_y = -ahead_y, ahead_x
        bend = [(x - rest * ahead_x, y - rest * ahead_y), (x + rest * aside_x, y + rest * aside_y)]
        yield f"{_pair((x - round_mm * ahead_x, y - round_mm * ahead_y))} l"
        yield f"{_pair(bend[0])} {_pair(bend[1])} {_pair((x + round_mm * aside_x, y + round_mm * aside_y))} c"
    yield "s"


def _pair(place: Point) -> str:
    return f"{number(place[0])} {number(place[1])}"


def _width_mm(text: str, size_mm: float) -> float:
    return size_mm * sum(_NARROW_WIDTH if letter in _NARROW else _LETTER_WIDTH for letter in text)


def _stream(facts: str, lines: Iterator[str]) -> bytes:
    body = "\n".join(lines).encode("latin-1", "replace")
    return f"<<{facts}/Length {len(body)}>>\nstream\n".encode() + body + b"\nendstream"


def _file(objects: Sequence[bytes]) -> bytes:
    """The objects, numbered from 1, and the table of where each begins."""
    written, starts = bytearray(b"%PDF-1.4\n"), []
    for index, body in enumerate(objects, start=1):
        starts.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (index, body)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size, at = len(objects) + 1, len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, table)
    written += b"trailer\n<</Size %d/Root 1 0 R/Info 5 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, at)
    return bytes(written)
