"""The lettering of the OLED: what each character looks like in its cell of 6 x 8 pixels, and in larger ones.

The letters themselves are drawn in `lettering.txt`, as a person would draw them on squared paper.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product

CELL_WIDTH_PX = 6
CELL_HEIGHT_PX = 8
SCALES = (1, 2, 3)
MISSING = "□"  # stands for every character that nobody has drawn

Pixels = tuple[tuple[bool, ...], ...]
"""Rows from the top, each from the left; True is lit."""

# Characters that look the same are drawn once: Cyrillic as Latin, a typographer's spaces and minus as the plain ones.
TWINS = str.maketrans(
    "АВЕЁКМНОРСТХ" + "аеёорсух" + "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{MINUS SIGN}",
    "ABEËKMHOPCTX" + "aeëopcyx" + "  -",
)


@cache
def alphabet() -> Mapping[str, Pixels]:
    """Every drawn character, each in a cell of 8 rows of 6 pixels."""
    _preface, *bands = files("board_drivers").joinpath("lettering.txt").read_text("utf-8").split("\n\n")
    return {character: cell for band in bands for character, cell in _cells_of(band)}


def _cells_of(band: str) -> Iterator[tuple[str, Pixels]]:
    names, *rows = band.splitlines()
    for left in range(0, len(names), CELL_WIDTH_PX + 1):
        yield names[left], tuple(tuple(dot == "#" for dot in row[left : left + CELL_WIDTH_PX]) for row in rows)


@lru_cache(maxsize=1024)
def glyph(character: str, scale: int = 1) -> Pixels:
    """The picture of one character. An accent nobody drew is left off its letter; what is still unknown is a box."""
    twin = character.translate(TWINS)
    bare = unicodedata.normalize("NFD", twin)[0]
    drawn = alphabet()
    return enlarged(drawn.get(twin) or drawn.get(bare) or drawn[MISSING], scale)


def enlarged(pixels: Sequence[Sequence[bool]], scale: int) -> Pixels:
    """Every pixel as a square of `scale` pixels, and every stair as a slope.

    A stair is where two lit pixels touch only at a corner: the two dark ones beside that corner are half filled. Other
    corners stay square, so that an E keeps its edges while the bowl of a 6 becomes round.
    """
    large = [[lit for lit in row for _ in range(scale)] for row in pixels for _ in range(scale)]
    triangle = [(across, along) for across, along in product(range(scale), repeat=2) if across + along < scale - 1]
    for corner_y, corner_x, falls in _stairs(pixels):
        y, x = corner_y * scale, corner_x * scale
        for across, along in triangle:
            above, below = (x + across, x - 1 - across) if falls else (x - 1 - across, x + across)
            large[y - 1 - along][above] = large[y + along][below] = True
    return tuple(map(tuple, large))


def _stairs(pixels: Sequence[Sequence[bool]]) -> Iterator[tuple[int, int, bool]]:
    """Corners (y, x) at which lit pixels touch without sharing a side; True where the stroke falls to the right."""
    for y, x in product(range(1, len(pixels)), range(1, len(pixels[0]))):
        (upper_left, upper_right), (lower_left, lower_right) = pixels[y - 1][x - 1 : x + 1], pixels[y][x - 1 : x + 1]
        if upper_left == lower_right != upper_right == lower_left:
            yield y, x, upper_left


def fitted(text: str, columns: int) -> str:
    """`text` in at most `columns` cells (at least 1), one character a cell; an ellipsis ends what had to be cut."""
    composed = unicodedata.normalize("NFC", text).rstrip()
    return composed if len(composed) <= columns else composed[: columns - 1] + "…"
