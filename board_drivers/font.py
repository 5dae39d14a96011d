"""The bitmap font of the OLED: each character in a cell of 6 x 8 pixels, and enlarged two and three times.

The glyphs are drawn as text in `font.txt`: # is lit, . is dark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product

from board_drivers.ports import TALL

CELL_WIDTH_PX = 6
CELL_HEIGHT_PX = 8
SCALES = (1, 2, 3)
MISSING = "□"  # shown in place of every character that the font lacks

Pixels = tuple[tuple[bool, ...], ...]
"""Rows from the top, each from the left; True is lit."""

# Characters that look the same share one glyph: Cyrillic with Latin, special spaces and minus with the ASCII ones.
TWINS = str.maketrans(
    "АВЕЁКМНОРСТХ" + "аеёорсух" + "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{MINUS SIGN}",
    "ABEËKMHOPCTX" + "aeëopcyx" + "  -",
)


@cache
def alphabet() -> Mapping[str, Pixels]:
    """Every character of the font, each as 8 rows of 6 pixels."""
    _preface, *bands = files("board_drivers").joinpath("font.txt").read_text("utf-8").split("\n\n")
    return {character: cell for band in bands for character, cell in _cells_of(band)}


def _cells_of(band: str) -> Iterator[tuple[str, Pixels]]:
    names, *rows = band.splitlines()
    for left in range(0, len(names), CELL_WIDTH_PX + 1):
        yield names[left], tuple(_row(row[left : left + CELL_WIDTH_PX]) for row in rows)


@cache
def _row(dots: str) -> tuple[bool, ...]:
    """The same tuple for each equal row: the glyphs have 1,900 rows, and there are 64 different ones at most."""
    return tuple(dot == "#" for dot in dots)


@lru_cache(maxsize=1024)
def glyph(character: str, scale: int = 1) -> Pixels:
    """The pixels of one character at a scale of `SCALES`, or TALL.

    A letter whose accent the font lacks is shown without it; any other unknown character is shown as a box.
    """
    twin = character.translate(TWINS)
    bare = unicodedata.normalize("NFD", twin)[0]
    drawn = alphabet()
    pixels = drawn.get(twin) or drawn.get(bare) or drawn[MISSING]
    return tuple(row for row in pixels for _ in range(2)) if scale == TALL else enlarged(pixels, scale)


def cell_px(scale: int) -> tuple[int, int]:
    """Width and height of a character at a scale of `SCALES`, or TALL, in pixels."""
    return (CELL_WIDTH_PX, 2 * CELL_HEIGHT_PX) if scale == TALL else (CELL_WIDTH_PX * scale, CELL_HEIGHT_PX * scale)


def enlarged(pixels: Sequence[Sequence[bool]], scale: int) -> Pixels:
    """The bitmap enlarged `scale` times, with diagonal strokes smoothed.

    Where two lit pixels touch only at a corner, half of each dark pixel beside that corner is filled. Other corners
    stay square, so that an E keeps its edges while the bowl of a 6 becomes round.
    """
    large = [[lit for lit in row for _ in range(scale)] for row in pixels for _ in range(scale)]
    triangle = [(across, along) for across, along in product(range(scale), repeat=2) if across + along < scale - 1]
    for corner_y, corner_x, falls in _diagonals(pixels):
        y = corner_y * scale
        x = corner_x * scale
        for across, along in triangle:
            above, below = (x + across, x - 1 - across) if falls else (x - 1 - across, x + across)
            large[y - 1 - along][above] = large[y + along][below] = True
    return tuple(map(tuple, large))


def _diagonals(pixels: Sequence[Sequence[bool]]) -> Iterator[tuple[int, int, bool]]:
    """Corners (y, x) at which lit pixels touch without sharing a side; True if the stroke falls to the right."""
    for y, x in product(range(1, len(pixels)), range(1, len(pixels[0]))):
        (upper_left, upper_right) = pixels[y - 1][x - 1 : x + 1]
        (lower_left, lower_right) = pixels[y][x - 1 : x + 1]
        if upper_left == lower_right != upper_right == lower_left:
            yield y, x, upper_left


def fitted(text: str, columns: int) -> str:
    """`text` cut to at most `columns` (1 or more) characters, NFC-composed; a cut text ends in an ellipsis."""
    composed = unicodedata.normalize("NFC", text).rstrip()
    return composed if len(composed) <= columns else composed[: columns - 1] + "…"
