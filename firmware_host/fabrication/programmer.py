"""Drawing of the pads of J4 from above, where a programmer or the first supply is connected."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.circuits.catalogue import PROGRAMMING
from firmware_host.fabrication.shapes import Anchor, Circle, Drawing, Layer, Rectangle, Shape, Text, rectangle

SCALE = 4.0
"""Drawn size / true size."""
_PITCH_MM = 2.54 * SCALE
_PAD_MM = 1.7 * SCALE
_WIDE_MM = 150.0
_HIGH_MM = 62.0
_LEFT_MM = 70.0
_TOP_MM = 40.0
_LETTER_MM = 4.0
_WORDS = {"VCC": "5 V", "GND": "ground"}
_NOTE = "J4 from above, on the side of the chips. Pin 1 is square. First supply: 5 V at pin 2, ground at pin 6."


def programmer_drawing() -> Drawing:
    """The six pads with their numbers and what they are, as they lie beside the print."""
    board = Rectangle(
        Layer.STRIP, (_LEFT_MM - 8.0, _TOP_MM - 2 * _PITCH_MM - 8.0), _PITCH_MM + 16.0, 2 * _PITCH_MM + 22.0
    )
    shapes = (
        board,
        Text(Layer.NOTES, (_LEFT_MM + _PITCH_MM / 2, _TOP_MM + 8.0), "J4 ISP 5V", _LETTER_MM),
        *(shape for number in range(6) for shape in _pad(number)),
        Text(Layer.NOTES, (_WIDE_MM / 2, 3.0), _NOTE, 2.8),
    )
    return Drawing(f"J4, {SCALE:g} : 1", _WIDE_MM, _HIGH_MM, shapes)


def _pad(number: int) -> Iterator[Shape]:
    """Pads are numbered in pairs from the top: odd on the left, even on the right."""
    pin = PROGRAMMING.pins[number]
    is_left = number % 2 == 0
    x = _LEFT_MM + (0.0 if is_left else _PITCH_MM)
    y = _TOP_MM - number // 2 * _PITCH_MM
    half = _PAD_MM / 2
    yield (
        rectangle(Layer.METAL, x - half, y - half, x + half, y + half)
        if number == 0
        else Circle(Layer.METAL, (x, y), _PAD_MM)
    )
    yield Circle(Layer.BORE, (x, y), 1.0 * SCALE)
    text = f"{pin.number}: {_WORDS.get(pin.name, pin.name)}"
    away = -12.0 if is_left else 12.0
    yield Text(Layer.NOTES, (x + away, y - 1.4), text, _LETTER_MM, Anchor.RIGHT if is_left else Anchor.LEFT)
