"""A font whose every letter is a box of the same size, so that text looks and wraps the same on every machine.

The pictures that tests compare are drawn with it: the fonts that a machine has, and how it draws them, change nothing.
The file is built here, table by table, as in the OpenType specification 1.9 (TrueType outlines).
"""

from __future__ import annotations

import struct
from base64 import b64encode
from functools import cache

UNITS = 1000
"""Units of the em square; all lengths below are in them."""
WIDTH = 540
ASCENT, DESCENT = 900, -200
BOX = (70, 0, WIDTH - 70, 560)
"""Left, bottom, right and top of the box."""

FIRST, LAST = 0x20, 0x2BFF
"""The characters in the font: Latin, Cyrillic, punctuation, arrows and signs."""
BLANKS = frozenset({0x20, 0xA0, 0x2009, 0x202F})

BLANK_GLYPH, BOX_GLYPH = 1, 2
GLYPHS = 3

CHECKSUM_OF_FONT = 0xB1B0AFBA
EPOCH = bytes(8)


def box_glyph() -> bytes:
    """A closed contour of four points."""
    left, bottom, right, top = BOX
    header = struct.pack(">hhhhhHH", 1, left, bottom, right, top, 3, 0)
    flags = bytes([1] * 4)  # on the curve, with 16-bit steps
    steps_x = struct.pack(">4h", left, 0, right - left, 0)
    steps_y = struct.pack(">4h", bottom, top - bottom, 0, bottom - top)
    return header + flags + steps_x + steps_y


def character_map() -> bytes:
    """Format 4 with one segment, and the closing one."""
    glyphs = [BLANK_GLYPH if code in BLANKS else BOX_GLYPH for code in range(FIRST, LAST + 1)]
    segments = 2
    counts = struct.pack(">4H", segments * 2, 4, 1, 0)
    ranges = struct.pack(">2HH2H", LAST, 0xFFFF, 0, FIRST, 0xFFFF)
    shifts = struct.pack(">2h2H", 0, 1, segments * 2, 0)
    body = counts + ranges + shifts + struct.pack(f">{len(glyphs)}H", *glyphs)
    table = struct.pack(">3H", 4, len(body) + 6, 0) + body
    return struct.pack(">2H2HI", 0, 1, 3, 1, 12) + table


def tables() -> dict[bytes, bytes]:
    """Tag -> content, without the checksum of the whole font."""
    glyph = box_glyph() + b"\0" * (-len(box_glyph()) % 4)
    left, bottom, right, top = BOX
    name = "Box".encode("utf-16-be")
    names = b"".join(struct.pack(">6H", 3, 1, 0x409, number, len(name), 0) for number in (1, 2, 4, 6))
    return {
        b"OS/2": os2_table(),
        b"cmap": character_map(),
        b"glyf": glyph,
        b"head": struct.pack(">IIIIHH", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, UNITS)
        + EPOCH * 2
        + struct.pack(">4hHHhhh", left, bottom, right, top, 0, 6, 2, 0, 0),
        b"hhea": struct.pack(">I3hH11hH", 0x10000, ASCENT, DESCENT, 0, WIDTH, 0, 0, right, 1, *[0] * 7, GLYPHS),
        b"hmtx": struct.pack(">HhHhHh", WIDTH, 0, WIDTH, 0, WIDTH, left),
        b"loca": struct.pack(">4H", 0, 0, 0, len(glyph) // 2),
        b"maxp": struct.pack(">I14H", 0x10000, GLYPHS, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": struct.pack(">3H", 0, 4, 6 + len(names)) + names + name,
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, -100, 50, 1, 0, 0, 0, 0),
    }


def os2_table() -> bytes:
    """Version 4, with the metrics that browsers read for the height of a line."""
    head = struct.pack(">HhHHH", 4, WIDTH, 400, 5, 0)
    scripts = struct.pack(">10hh", *[100] * 10, 0)
    ranges = struct.pack(">10B4I4s", *[0] * 10, 1, 0, 0, 0, b"TEST")
    style = struct.pack(">3H", 0x40, FIRST, 0xFFFF)
    heights = struct.pack(">3h2H", ASCENT, DESCENT, 0, ASCENT, -DESCENT)
    pages = struct.pack(">2I", 1, 0)
    letters = struct.pack(">2h3H", BOX[3], ASCENT, 0, 32, 1)
    return head + scripts + ranges + style + heights + pages + letters


def checksum(content: bytes) -> int:
    """The sum of the 32-bit words of a table."""
    padded = content + b"\0" * (-len(content) % 4)
    return int(sum(struct.unpack(f">{len(padded) // 4}I", padded))) & 0xFFFFFFFF


@cache
def box_font() -> bytes:
    """The font file."""
    found = tables()
    offset = 12 + 16 * len(found)
    power = 1 << (len(found).bit_length() - 1)
    directory = struct.pack(">I4H", 0x10000, len(found), power * 16, power.bit_length() - 1, (len(found) - power) * 16)
    body = b""
    head_at = 0
    for tag, content in sorted(found.items()):
        if tag == b"head":
            head_at = offset + len(body)
        directory += tag + struct.pack(">3I", checksum(content), offset + len(body), len(content))
        body += content + b"\0" * (-len(content) % 4)
    font = directory + body
    adjustment = struct.pack(">I", (CHECKSUM_OF_FONT - checksum(font)) & 0xFFFFFFFF)
    return font[: head_at + 8] + adjustment + font[head_at + 12 :]


def box_font_style() -> str:
    """CSS that sets all text in the font."""
    source = b64encode(box_font()).decode()
    faces = f'@font-face {{ font-family: Box; font-weight: 100 900; src: url("data:font/ttf;base64,{source}"); }}'
    return f"{faces}\n*, ::before, ::after, ::placeholder {{ font-family: Box !important; }}"
