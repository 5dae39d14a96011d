"""The picture on the display while the door is open: the panel's address as a QR code, and the code in letters."""

from __future__ import annotations

from functools import lru_cache

import segno

from board_drivers.lettering import glyph

GAP_MODULES = 4
"""The quiet zone that a QR code asks for on each side."""
ROWS_OF_CODE = 2

Picture = tuple[tuple[bool, ...], ...]


def address_of_code(address: str, code: str) -> str:
    """The page that a scanned code opens, in capitals: a QR code then packs eleven bits a pair, and stays small.

    Scheme and host are the same in any letters; the page takes capitals too. `address` ends in a slash.
    """
    return f"{address}in/{code}".upper()


@lru_cache(maxsize=1)
def doorplate(address: str, code: str) -> Picture:
    """Rows of modules, True is dark. An address of up to 38 letters makes 25 rows: two pixels a module on the OLED."""
    square = [[bool(module) for module in row] for row in segno.make_qr(address_of_code(address, code)).matrix]
    letters = in_letters(code, len(square))
    return tuple((*row, *beside) for row, beside in zip(square, letters, strict=True))


def in_letters(code: str, height: int) -> list[list[bool]]:
    """The code in two lines of letters, in the middle of `height` rows, with a gap to its left."""
    half = -(-len(code) // ROWS_OF_CODE)
    lines = [line_of(code[start : start + half].ljust(half)) for start in range(0, len(code), half)]
    written = [[False] * GAP_MODULES + row for line in lines for row in (*line, [False] * len(line[0]))]
    above = (height - len(written)) // 2
    blank = [False] * len(written[0])
    return [blank] * above + written + [blank] * (height - above - len(written))


def line_of(text: str) -> list[list[bool]]:
    cells = [glyph(letter) for letter in text]
    return [[lit for cell in cells for lit in cell[row]] for row in range(len(cells[0]))]
