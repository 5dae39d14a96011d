"""Drawing of the sixteen wires of kit `desk`: the header of the Pi in the middle, the parts beside it.

Every wire runs in a lane of its own. Those of the keypad to even pins pass under the header, the ground of the display
passes over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from board_drivers.desk_wires import BUTTON_PART, DISPLAY_PART, KEYPAD_PART, PIEZO_PART, DeskWire, desk_wires
from board_drivers.pins import HeaderPin, HeaderPins
from firmware_host.fabrication.shapes import Anchor, Drawing, Layer, Point, Polyline, Rectangle, Shape, Text, rectangle

_WIDE_MM = 190.0
_HIGH_MM = 140.0
_TOP_MM = 16.0
_ROW_MM = 5.4
_PIN_MM = 4.0
_LETTER_MM = 3.0
_SMALL_MM = 2.4
_MIDDLE_MM = 128.0
_LANE_MM = 2.2
_BOX_RIGHT_MM = 34.0
_SERIES_MM = 14.0
"""Length of the part in a wire, drawn as a box beside the terminal."""
_BOX_TOP: Mapping[str, float] = {DISPLAY_PART: 134.5, BUTTON_PART: 108.34, KEYPAD_PART: 82.0, PIEZO_PART: 112.0}
_FIRST_LANE: Mapping[str, int] = {DISPLAY_PART: 14, BUTTON_PART: 11, KEYPAD_PART: 1, PIEZO_PART: 1}


def desk_wiring_drawing(header: HeaderPins) -> Drawing:
    """Display, off button and keypad on the left, piezo on the right."""
    wires = desk_wires(header)
    ends = {wire.pin.physical for wire in wires}
    shapes: list[Shape] = [shape for pin in header.pins for shape in _pin(pin, is_used=pin.physical in ends)]
    for part in _BOX_TOP:
        shapes += _part(part, [wire for wire in wires if wire.part == part])
    shapes += _notes()
    return Drawing("sixteen wires of kit desk", _WIDE_MM, _HIGH_MM, tuple(shapes))


def _level(pin: HeaderPin) -> float:
    return _HIGH_MM - _TOP_MM - ((pin.physical - 1) // 2 + 0.5) * _ROW_MM


def _layer(pin: HeaderPin) -> Layer:
    return {"ground": Layer.CHIP, "3v3": Layer.METAL}.get(pin.use, Layer.STRIP)


def _pin(pin: HeaderPin, *, is_used: bool) -> Iterator[Shape]:
    is_left = pin.physical % 2 == 1
    x, y = _MIDDLE_MM + (-3.0 if is_left else 3.0), _level(pin)
    half = _PIN_MM / 2
    yield rectangle(_layer(pin) if is_used else Layer.PRINT, x - half, y - half, x + half, y + half)
    if is_used:
        place = (x - 3.0, y + 0.7) if is_left else (x + 3.0, y + 0.7)
        yield Text(Layer.NOTES, place, str(pin.physical), _SMALL_MM, Anchor.RIGHT if is_left else Anchor.LEFT)


def _part(part: str, wires: list[DeskWire]) -> Iterator[Shape]:
    top = _BOX_TOP[part]
    height = _ROW_MM * (len(wires) + 0.2)
    is_right = part == PIEZO_PART
    left = _MIDDLE_MM + 32.0 if is_right else 6.0
    width = _WIDE_MM - 4.0 - left if is_right else _BOX_RIGHT_MM - left
    yield Rectangle(Layer.SHEET, (left, top - height), width, height, 1.0)
    middle = left + width / 2 + (2.0 if is_right else -4.0)
    yield Text(Layer.NOTES, (middle, top - height / 2 - 1.0), part, _LETTER_MM)
    for row, wire in enumerate(wires):
        y = top - (row + 0.6) * _ROW_MM
        yield from _wire(wire, _FIRST_LANE[part] + row, (left if is_right else _BOX_RIGHT_MM, y), is_right=is_right)


def _wire(wire: DeskWire, lane: int, start: Point, *, is_right: bool) -> Iterator[Shape]:
    x, y = start
    away = -1.0 if is_right else 1.0
    yield Text(Layer.NOTES, (x - away, y - 1.0), wire.terminal, _LETTER_MM, Anchor.LEFT if is_right else Anchor.RIGHT)
    layer = Layer.LEG if wire.pin.use == "ground" else Layer.WIRE
    yield Polyline(layer, _route(wire, lane, start, is_right=is_right))
    if wire.in_series:
        near, far = sorted((x + away * 2.0, x + away * (2.0 + _SERIES_MM)))
        yield rectangle(Layer.BORE, near, y - 1.9, far, y + 1.9)
        text = "1N4148 >|" if wire.in_series.startswith("1N") else wire.in_series
        yield Text(Layer.NOTES, ((near + far) / 2, y - 0.9), text, _SMALL_MM)


def _route(wire: DeskWire, lane: int, start: Point, *, is_right: bool) -> tuple[Point, ...]:
    x, y = start
    is_odd = wire.pin.physical % 2 == 1
    level = _level(wire.pin)
    end = (_MIDDLE_MM + (-5.0 if is_odd else 5.0), level)
    if is_right:
        return (start, (x - 17.0 - lane * _LANE_MM, y), (x - 17.0 - lane * _LANE_MM, level), end)
    turn = _BOX_RIGHT_MM + 20.0 + (15 - lane) * _LANE_MM
    if is_odd:
        return (start, (turn, y), (turn, level), end)
    passing = _HIGH_MM - 7.0 if wire.part == DISPLAY_PART else 13.0 - (lane % 2) * _LANE_MM
    beyond = _MIDDLE_MM + 10.0 + (lane % 3) * _LANE_MM
    return (start, (turn, y), (turn, passing), (beyond, passing), (beyond, level), end)


def _notes() -> Iterator[Shape]:
    notes = (
        "Black: ground. Pin 1: 3.3 V. The ring of a diode is on the side of the Pi (>| points to the ring).",
        "Pin 1 is at the end of the header that is nearer to the memory card; even pins are at the edge of the Pi.",
    )
    for line, text in enumerate(notes):
        yield Text(Layer.NOTES, (4.0, 6.0 - 4.0 * line), text, _SMALL_MM, Anchor.LEFT)
