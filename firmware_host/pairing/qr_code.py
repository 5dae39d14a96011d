"""The pairing picture on the display: a QR code with the panel's address, and the code in letters beside it."""

from __future__ import annotations

from functools import lru_cache

from board_drivers.font import glyph

GAP_MODULES = 4
"""Between the QR code and the letters: the quiet zone that ISO/IEC 18004 requires on each side of a QR code."""
CODE_LINES = 2

Picture = tuple[tuple[bool, ...], ...]
"""Rows from the top, modules from the left; True is dark."""


def pairing_url(address: str, code: str) -> str:
    """The URL in the QR code. `address` is the panel's and ends in a slash.

    It is in capitals, because a QR code packs two capitals into 11 bits (alphanumeric mode) and so stays small. Scheme
    and host do not depend on case, and the page accepts capitals.
    """
    return f"{address}in/{code}".upper()


@lru_cache(maxsize=1)
def pairing_picture(address: str, code: str) -> Picture:
    """The picture for this panel and code, one module a cell.

    A URL of up to 47 characters makes at most 25 rows, so the OLED of 64 rows can show two pixels for each module.
    """
    import segno  # with the XML and HTTP modules that it needs, a tenth of the time to start

    qr = [[bool(module) for module in row] for row in segno.make_qr(pairing_url(address, code)).matrix]
    letters = draw_code(code, len(qr))
    return tuple((*row, *beside) for row, beside in zip(qr, letters, strict=True))


def draw_code(code: str, height: int) -> list[list[bool]]:
    """The code on CODE_LINES lines, vertically centred in `height` rows, with GAP_MODULES empty columns on its left."""
    line_length = -(-len(code) // CODE_LINES)
    lines = [
        draw_line(code[start : start + line_length].ljust(line_length)) for start in range(0, len(code), line_length)
    ]
    drawn = [[False] * GAP_MODULES + row for line in lines for row in (*line, [False] * len(line[0]))]
    above = (height - len(drawn)) // 2
    blank = [False] * len(drawn[0])
    return [blank] * above + drawn + [blank] * (height - above - len(drawn))


def draw_line(text: str) -> list[list[bool]]:
    """The glyphs of the text side by side, as rows of pixels."""
    cells = [glyph(letter) for letter in text]
    return [[lit for cell in cells for lit in cell[row]] for row in range(len(cells[0]))]
