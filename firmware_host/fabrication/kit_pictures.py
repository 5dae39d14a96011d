"""Picture of the five kits: for the page of the hardware, to which the installer's question leads."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.fabrication.shapes import Circle, Drawing, Layer, Point, Rectangle, Shape, Text, rectangle

_CELL_MM = 46.0
_HIGH_MM = 52.0
_FLOOR_MM = 17.0
_LETTER_MM = 3.6
_SMALL_MM = 2.7
_HOLES = 7
KITS = (
    ("page", "the page"),
    ("wood", "your own board"),
    ("desk", "and keypad, display"),
    ("lights", "and lights beside it"),
    ("sensing", "a board that reads pegs"),
)
"""Kit -> what it adds, from the left."""


def kits_drawing() -> Drawing:
    """One picture for each kit, from the left."""
    shapes = [shape for number in range(len(KITS)) for shape in _kit(number)]
    return Drawing("what you play on", _CELL_MM * len(KITS), _HIGH_MM, tuple(shapes))


def _kit(number: int) -> Iterator[Shape]:
    kit, words = KITS[number]
    x = number * _CELL_MM
    yield Rectangle(Layer.NOTES, (x + 1.5, 1.5), _CELL_MM - 3.0, _HIGH_MM - 3.0, 2.0)
    yield Text(Layer.NOTES, (x + _CELL_MM / 2, 9.0), kit, _LETTER_MM)
    yield Text(Layer.NOTES, (x + _CELL_MM / 2, 4.5), words, _SMALL_MM)
    if kit in ("desk", "lights"):
        yield from _keypad((x + 6.0, 33.0))
        yield from _display((x + 22.0, 35.0))
    else:
        yield from _phone((x + 17.0, 31.0))
    if kit == "page":
        yield Rectangle(Layer.WOOD, (x + 18.6, 37.6), 8.8, 4.8, 0.5)
        yield from _pegs((x + 20.6, 40.0), 2.4)
    else:
        yield from _board((x + 5.0, _FLOOR_MM), lit=kit == "sensing")
    if kit == "lights":
        yield from _circuit((x + 5.0, _FLOOR_MM - 4.1), 3.2)
        yield from _lights((x + 5.0, _FLOOR_MM - 2.5))
    if kit == "sensing":
        yield from _circuit((x + 5.0, _FLOOR_MM - 2.6), 1.8)


def _phone(corner: Point) -> Iterator[Shape]:
    yield Rectangle(Layer.CHIP, corner, 12.0, 18.0, 1.6)
    yield rectangle(Layer.BORE, corner[0] + 1.0, corner[1] + 2.0, corner[0] + 11.0, corner[1] + 16.4)


def _keypad(corner: Point) -> Iterator[Shape]:
    yield Rectangle(Layer.PRINT, corner, 14.0, 14.0, 1.0)
    for row in range(4):
        for column in range(4):
            left, bottom = corner[0] + 1.2 + 3.1 * column, corner[1] + 1.2 + 3.1 * row
            yield rectangle(Layer.BORE, left, bottom, left + 2.3, bottom + 2.3)


def _display(corner: Point) -> Iterator[Shape]:
    yield Rectangle(Layer.CHIP, corner, 19.0, 10.0, 0.6)
    yield rectangle(Layer.SHEET, corner[0] + 1.5, corner[1] + 1.5, corner[0] + 17.5, corner[1] + 8.5)
    yield Text(Layer.NOTES, (corner[0] + 9.5, corner[1] + 3.6), "47   52", _LETTER_MM)


def _board(corner: Point, *, lit: bool) -> Iterator[Shape]:
    """A piece of wood with two rows of holes, and lights beside the upper row."""
    x, y = corner
    yield Rectangle(Layer.WOOD, corner, _CELL_MM - 10.0, 12.0, 1.2)
    for hole in range(_HOLES):
        at = x + 3.6 + 4.8 * hole
        yield from (Circle(Layer.BORE, (at, y + up), 2.0) for up in (3.4, 7.4))
    if lit:
        yield from _lights((x, y + 10.4))
    yield from _pegs((x + 3.6 + 4.8 * 2, y + 7.4), 4.8)


def _circuit(corner: Point, high_mm: float) -> Iterator[Shape]:
    """One circuit board as long as the wood."""
    yield Rectangle(Layer.STRIP, corner, _CELL_MM - 10.0, high_mm, 0.4)


def _lights(left: Point) -> Iterator[Shape]:
    """A row of lights, one of them on."""
    for hole in range(_HOLES):
        yield Circle(Layer.GLOW if hole == 4 else Layer.SHEET, (left[0] + 3.6 + 4.8 * hole, left[1]), 1.6)


def _pegs(first: Point, pitch_mm: float) -> Iterator[Shape]:
    for steps in (0, 2):
        yield Circle(Layer.MAGNET, (first[0] + steps * pitch_mm, first[1]), 2.6)
