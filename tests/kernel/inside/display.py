"""Reads the display from its pixels: lines of text, and QR codes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import zxingcpp
from PIL import Image

from board_drivers.font import CELL_HEIGHT_PX, SCALES, Pixels
from board_drivers.simulated import SimulatedBoard

PHOTO_ZOOM = 4


def shows(pixels: Pixels, lines: Sequence[str]) -> bool:
    """Whether the display shows exactly these lines from top to bottom, each in any scale."""
    top = 0
    for line in lines:
        bands = (drawn(line, scale) for scale in SCALES)
        band = next((band for band in bands if pixels[top : top + len(band)] == band), None)
        if band is None:
            return False
        top += len(band)
    return not any(map(any, pixels[top:]))


def code_on(pixels: Pixels) -> str:
    """The text of the QR code on the display; empty if there is none."""
    picture = Image.frombytes("L", (len(pixels[0]), len(pixels)), bytes(255 * lit for row in pixels for lit in row))
    read = zxingcpp.read_barcodes(picture.resize((picture.width * PHOTO_ZOOM, picture.height * PHOTO_ZOOM)))
    return read[0].text if read else ""


@lru_cache(maxsize=256)
def drawn(line: str, scale: int) -> Pixels:
    """The expected pixels of one line of text, across the whole display."""
    board = SimulatedBoard(sensor_count=1, led_count=1)
    board.scoreboard.show([(line, scale)])
    return board.oled_pixels()[: CELL_HEIGHT_PX * scale]
