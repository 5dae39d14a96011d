"""The sixteen wires of a keypad, a display, a piezo and a button that are wired to the Pi's header."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, PIEZO, HeaderPin, HeaderPins

DISPLAY_PART = "display"
KEYPAD_PART = "keypad"
PIEZO_PART = "piezo"
BUTTON_PART = "off button"

GROUND_PINS: Mapping[str, int] = {DISPLAY_PART: 6, BUTTON_PART: 9, PIEZO_PART: 14}
"""Part -> the ground pin nearest to its other wires, by its physical number."""
SUPPLY_PIN = 1
"""3.3 V for the display."""


class DeskWire(Struct, frozen=True):
    """One wire. `terminal` is the name printed on the part; `in_series` a part in the wire, "" for a plain wire."""

    part: str
    terminal: str
    pin: HeaderPin
    in_series: str = ""


def desk_wires(header: HeaderPins) -> tuple[DeskWire, ...]:
    """All sixteen, part by part."""
    return tuple(_wires(header))


def _wires(header: HeaderPins) -> Iterator[DeskWire]:
    at = {pin.physical: pin for pin in header.pins}
    of = {pin.use: pin for pin in header.pins}
    yield DeskWire(DISPLAY_PART, "VCC", at[SUPPLY_PIN])
    yield DeskWire(DISPLAY_PART, "GND", at[GROUND_PINS[DISPLAY_PART]])
    yield DeskWire(DISPLAY_PART, "SDA", of["oled_sda"])
    yield DeskWire(DISPLAY_PART, "SCL", of["oled_scl"])
    for number, use in enumerate(KEYPAD_ROWS, start=1):
        yield DeskWire(KEYPAD_PART, f"R{number}", of[use], "1N4148, its ring to the Pi")
    for number, use in enumerate(KEYPAD_COLUMNS, start=1):
        yield DeskWire(KEYPAD_PART, f"C{number}", of[use], "1 kohm")
    yield DeskWire(PIEZO_PART, "1", at[GROUND_PINS[PIEZO_PART]])
    yield DeskWire(PIEZO_PART, "2", of[PIEZO], "220 ohm")
    yield DeskWire(BUTTON_PART, "1", of["power_button"], "1 kohm")
    yield DeskWire(BUTTON_PART, "2", at[GROUND_PINS[BUTTON_PART]])
