"""The strip on stripboard as a picture: each piece from the side of its parts, and from the copper with its cuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from firmware_host.drafting.marks import Anchor, Drawing, Frame, Layer, Lettering, Mark, Point, Ring, Stroke, box, cross
from hardware.pcb.circuit import Part
from hardware.strip.netlist import HOLES, STRIP
from hardware.stripboard.strip import CASES, LIGHT_MM, REGISTER, SCREWS, SENSORS, column_of, strip_wiring
from hardware.stripboard.wiring import GRID_MM, End, Hole, Piece, Wiring

SCALE = 4.0
"""Four times as large as life."""
_STEP = GRID_MM * SCALE
_LEFT, _WIDE = 14.0, 244.0
_SMALL_MM, _USUAL_MM, _HEAD_MM = 1.7, 2.4, 3.6
_HOLE_MM, _TRACK_MM = 1.0, 1.9
_LANE_MM, _LANES_MM = 2.2, 14.0

Place = Callable[[Hole], Point]


def stripboard() -> Drawing:
    """Four views, one under the other."""
    wiring, marks, foot = strip_wiring(), list[Mark](), 0.0
    for piece, is_copper in ((REGISTER, True), (REGISTER, False), (SENSORS, True), (SENSORS, False)):
        height = (
            (piece.rows - 1 + 2 * piece.edge) * _STEP + 18.0 + (_LANES_MM if piece is REGISTER and not is_copper else 0)
        )
        marks += _view(wiring, piece, is_copper=is_copper, bottom=foot)
        foot += height
    title = f"The strip on stripboard, {SCALE:g} : 1"
    marks.append(Lettering(Layer.NOTES, (_LEFT, foot + 2), title, _HEAD_MM + 1, Anchor.LEFT))
    return Drawing(title, _WIDE, foot + 9, tuple(marks))


def _view(wiring: Wiring, piece: Piece, *, is_copper: bool, bottom: float) -> Iterator[Mark]:
    """One piece; from the copper it is turned over sideways, so that its columns run from right to left."""

    low = bottom + 3 + (_LANES_MM if piece is REGISTER and not is_copper else 0)
    wide, high = ((count - 1 + 2 * piece.edge) * _STEP for count in (piece.columns, piece.rows))

    def at(hole: Hole) -> Point:
        column = piece.columns - hole.column if is_copper else hole.column - 1
        return _LEFT + (column + piece.edge) * _STEP, low + (piece.rows - hole.row + piece.edge) * _STEP

    side = "the copper, turned over sideways; cuts red" if is_copper else "the side of the parts; tracks behind it pale"
    top = low + high
    yield Lettering(Layer.NOTES, (_LEFT, top + 5.5), f"{piece.title}, seen from {side}", _HEAD_MM, Anchor.LEFT)
    yield Frame(Layer.WOOD, (_LEFT, low), wide, high)
    yield from _tracks(wiring, piece, at, Layer.METAL if is_copper else Layer.TRACK)
    yield from (Ring(Layer.BORE, at(hole), _HOLE_MM * SCALE) for hole in piece.holes() if hole not in wiring.cuts)
    yield from _margin(piece, at, top)
    for cut in (cut for cut in sorted(wiring.cuts) if cut.piece == piece.name):
        yield from _cut(at(cut), is_copper=is_copper)
    yield from _parts(wiring, piece, at, is_copper=is_copper)
    if not is_copper:
        yield from _links(wiring, piece, at)
        yield from _names(wiring, piece, at)


def _tracks(wiring: Wiring, piece: Piece, at: Place, layer: Layer) -> Iterator[Mark]:
    """Copper from hole to hole, up to a cut."""
    half = _TRACK_MM * SCALE / 2
    lines: Sequence[Sequence[Hole]] = [
        [hole for hole in piece.holes() if (hole.row if piece.is_along else hole.column) == line]
        for line in range(1, (piece.rows if piece.is_along else piece.columns) + 1)
    ]
    for line in lines:
        for is_cut, run in groupby(line, key=lambda hole: hole in wiring.cuts):
            if not is_cut:
                ends = list(run)
                (x1, y1), (x2, y2) = at(ends[0]), at(ends[-1])
                left, right, low, high = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
                yield box(layer, left - half, low - half, right + half, high + half)


def _margin(piece: Piece, at: Place, top: float) -> Iterator[Mark]:
    for column in range(1, piece.columns + 1):
        yield Lettering(Layer.NOTES, (at(Hole(piece.name, column, 1))[0], top + 1), str(column), _USUAL_MM)
    for row in range(1, piece.rows + 1):
        place = (_LEFT - 4, at(Hole(piece.name, 1, row))[1] - 1)
        yield Lettering(Layer.NOTES, place, str(Hole(piece.name, 1, row))[-1], _USUAL_MM)


def _cut(place: Point, *, is_copper: bool) -> Iterator[Mark]:
    if is_copper:
        yield Ring(Layer.CUT, place, 2.0 * SCALE)
    yield from cross(Layer.CUT, place, 0.7 * SCALE)


def _parts(wiring: Wiring, piece: Piece, at: Place, *, is_copper: bool) -> Iterator[Mark]:
    """On S only what is flat lies on the side of the parts, the rest on the copper; on R all is on one side."""
    legs: dict[str, list[Hole]] = {}
    for (ref, _), hole in wiring.legs.items():
        if hole.piece == piece.name and ref[0] in "RCU":
            legs.setdefault(ref, []).append(hole)
    for ref, holes in legs.items():
        if is_copper == (piece is SENSORS and ref[0] in "RC"):
            yield from _body(ref, [at(hole) for hole in holes])
    if piece is SENSORS and not is_copper:
        lights = [at(Hole(piece.name, column_of(n), 1)) for n in HOLES]
        yield from _from_light_to_light(lights)
        for n, centre in zip(HOLES, lights, strict=True):
            yield from _light(f"D{n}", centre)


def _body(ref: str, legs: Sequence[Point]) -> Iterator[Mark]:
    xs, ys = zip(*legs, strict=True)
    left, right, low, high = min(xs), max(xs), min(ys), max(ys)
    if len(legs) == 3:  # a switch lies to the left of its legs, right under the hole of the board
        yield box(Layer.PART, left - 1.65 * _STEP, low + 0.2 * _STEP, left - 0.4 * _STEP, high - 0.2 * _STEP)
        yield from (Stroke(Layer.LEG, ((left - 0.4 * _STEP, (y + (low + high) / 2) / 2), (x, y))) for x, y in legs)
        yield Lettering(Layer.NOTES, (left - _STEP, (low + high) / 2 + 1.6), ref, _USUAL_MM)
        return
    inset = 0.26 * _STEP
    wide = (left - inset, right + inset) if right > left else (left - inset, left + inset)
    tall = (low + inset, high - inset) if high > low else (low - inset, low + inset)
    if high == low:
        wide = (left + inset, right - inset)
    yield from (Stroke(Layer.LEG, (place, ((left + right) / 2, (low + high) / 2))) for place in legs if len(legs) == 2)
    yield box(Layer.PART, wide[0], tall[0], wide[1], tall[1])
    middle = (left + right) / 2, (low + high) / 2
    if len(legs) > 2:
        yield Ring(Layer.PART, (wide[0] + 3, low + inset + 3), 2.5)  # the dot at leg 1
        yield Lettering(Layer.NOTES, (middle[0], low + inset + 1.2), ref, _HEAD_MM)
    else:
        yield Lettering(Layer.NOTES, (middle[0], middle[1] - _USUAL_MM * 0.36), ref, _USUAL_MM)


def _from_light_to_light(lights: Sequence[Point]) -> Iterator[Mark]:
    """Data and clock through the air, from the ribbon in to the ribbon out."""
    half, end = LIGHT_MM * SCALE / 2, 1.6 * _STEP
    y = lights[0][1]
    stops = [lights[0][0] - end, *(x + side * half for x, _ in lights for side in (-1, 1)), lights[-1][0] + end]
    for start, stop in zip(stops[::2], stops[1::2], strict=True):
        yield from (Stroke(Layer.WIRE, ((start, y + up), (stop, y + up))) for up in (4.0, 7.0))
    yield Lettering(Layer.NOTES, (stops[0] - 1, y + 4.9), "in 4, 5", _SMALL_MM, Anchor.RIGHT)
    yield Lettering(Layer.NOTES, (stops[-1] + 1, y + 4.9), "out 4, 5", _SMALL_MM, Anchor.LEFT)


def _light(ref: str, centre: Point) -> Iterator[Mark]:
    half = LIGHT_MM * SCALE / 2
    x, y = centre
    yield box(Layer.GLOW, x - half, y - half, x + half, y + half)
    yield Lettering(Layer.NOTES, (x, y - 1), ref, _USUAL_MM)


def _links(wiring: Wiring, piece: Piece, at: Place) -> Iterator[Mark]:
    """Insulated wires, straight; those along the two lower rows are drawn below the piece, each in its own lane."""
    links = sorted(wiring.links(piece.name), key=lambda link: abs(link[0].column - link[1].column))
    lane = at(Hole(piece.name, 1, piece.rows))[1] - piece.edge * _STEP
    for one, other in links:
        (x1, y1), (x2, y2) = at(one), at(other)
        if min(one.row, other.row) >= piece.rows - 1 and abs(one.column - other.column) > 1:
            lane -= _LANE_MM
            yield Stroke(Layer.WIRE, ((x1, y1), (x1, lane), (x2, lane), (x2, y2)))
        else:
            yield Stroke(Layer.WIRE, ((x1, y1), (x2, y2)))


def _names(wiring: Wiring, piece: Piece, at: Place) -> Iterator[Mark]:
    """Beside each hole what goes in there, unless the part is drawn."""
    for hole, words in sorted(words_at(wiring).items()):
        if hole.piece == piece.name:
            x, y = at(hole)
            aside = {"5 V": (1.6, Anchor.LEFT), "gnd": (-1.6, Anchor.RIGHT)}.get(words, (0.0, Anchor.MIDDLE))
            yield Lettering(Layer.NOTES, (x + aside[0], y - 0.42 * _STEP), words, _SMALL_MM, aside[1])


def words_at(wiring: Wiring) -> Mapping[Hole, str]:
    """A word for each hole that takes a wire or a leg of a chip: `in 6` is wire 6 of the ribbon from the Pi."""
    words: dict[Hole, str] = dict.fromkeys(SCREWS, "screw")
    for (ref, number), hole in wiring.legs.items():
        if ref in _RIBBONS:
            words[hole] = f"{_RIBBONS[ref]} {number}"
        elif ref in _WIRES:
            words[hole] = _WIRES[ref]
        elif ref == "U6":
            words[hole] = number
        elif ref[0] == "D":
            words[hole] = "5 V" if number == _VDD else "gnd"
    for one, other in wiring.leads():
        if isinstance(one, Hole) and isinstance(other, Hole):
            words |= {one: f"to {other}", other: f"to {one}"}
    return words


_RIBBONS = {"J1": "in", "J2": "out"}
_WIRES = {"TP1": "AUX", "TP2": "thick 5 V", "TP3": "thick gnd"}
_VDD = STRIP.part("D1").kind.by_name["VDD"][0].number


def stripboard_page() -> str:
    """`hardware/generated/stripboard.md`: the same as lists, to tick off with a pencil."""
    return "\n".join(_lines(strip_wiring())) + "\n"


def _lines(wiring: Wiring) -> Iterator[str]:
    yield "# The strip on stripboard"
    yield ""
    yield "Made by `cribboard draw` from the strip's netlist and `hardware/stripboard/strip.py`; a test follows the"
    yield "copper from hole to hole and finds each net whole and alone. `S4c` is piece S, column 4, row c, from the"
    yield "side of the parts. Go by the names of the legs: they are in another order in another case."
    yield ""
    yield "![Both pieces from both sides](stripboard.svg)"
    yield ""
    yield "| piece | holes | tracks | cut the tracks at |"
    yield "| :--- | :--- | :--- | :--- |"
    for piece in wiring.pieces:
        way = "along the length" if piece.is_along else "across"
        cuts = ", ".join(
            f"{cut}{' (screw)' * (cut in SCREWS)}" for cut in sorted(wiring.cuts) if cut.piece == piece.name
        )
        yield f"| {piece.title} | {piece.columns} x {piece.rows} | {way} | {cuts} |"
    yield from ("", "| part | | legs |", "| :--- | :--- | :--- |")
    yield from (f"| {part.ref} | {_what(part)} | {_legs(wiring, part)} |" for part in STRIP.parts)
    yield from (
        "",
        "| | wire on R, from | to | | wire between, from | to |",
        "| ---: | :--- | :--- | ---: | :--- | :--- |",
    )
    links, leads = wiring.links(REGISTER.name), wiring.leads()
    for number, (link, lead) in enumerate(zip_longest(links, leads), start=1):
        mine = f"{number} | {link[0]} | {link[1]}" if link else "| | "
        yield f"| {mine} | {number} | {_end(lead[0])} | {_end(lead[1])} |"


def _what(part: Part) -> str:
    return " ".join(filter(None, (part.value.removesuffix("-2020"), CASES.get(part.ref) or CASES.get(part.ref[0]))))


def _legs(wiring: Wiring, part: Part) -> str:
    """Each leg by its name, if it has one, and its hole; what is in no hole is on a wire."""
    named = ((pin, wiring.legs.get((part.ref, pin.number))) for pin in part.kind.pins)
    words = (f"{pin.name if part.ref[0] in 'UD' else pin.number} {hole or 'by wire'}" for pin, hole in named)
    return ", ".join(words)


def _end(end: End) -> str:
    if isinstance(end, Hole):
        return str(end)
    ref, number = end
    name = next(pin.name for pin in STRIP.part(ref).kind.pins if pin.number == number)
    return f"{_RIBBONS[ref]} {number}" if ref in _RIBBONS else f"{ref} {name}"
