"""The least time from a peg or a key to light, display and phone, for the circuit board under the holes.

Rule: nothing is measured here. Periods come from the firmware and the default settings, what the chips add from their
datasheets; the times of the board itself are those of the benchmark `sensing_board`.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from board_drivers import keypad_matrix
from board_drivers.scan_protocol import Frame, Kind, encode
from firmware_host.config.settings import Settings
from firmware_host.tracking.timing import Timing
from tests.firmware.rig import FIRMWARE

BAUD, BITS_OF_BYTE = 115_200, 10
CHANGE_BYTES = len(encode(Frame(Kind.CHANGE, 1, bytes(4 + 3))))
"""Of the frame that reports one changed strip: the time since the reset, then three bytes."""
KEYS_BYTES = len(encode(Frame(Kind.KEYS, 1, bytes(2))))
"""Of the frame that reports the sixteen keys at the board."""
USB_FRAME_MS = 1.0
"""A full-speed device is asked once in each frame of USB."""
DISPLAY_MS = 25.0
"""1,024 bytes and their addresses over I2C at 400 kHz, nine clocks a byte."""


class Floor(Struct, frozen=True):
    """The least time that a stage takes, on average and at worst."""

    mean_ms: float
    worst_ms: float

    def __add__(self, other: Floor) -> Floor:
        return Floor(self.mean_ms + other.mean_ms, self.worst_ms + other.worst_ms)


def always(ms: float) -> Floor:
    """A stage that never varies."""
    return Floor(ms, ms)


def firmware_number(name: str, file: str) -> int:
    """A constant of the firmware, by its `#define`."""
    found = re.search(rf"^#define {name} (\d+)", (FIRMWARE / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, name
    return int(found[1])


SETTINGS, TIMING = Settings(state_folder=Path()), Timing()
SCAN_MS, EQUAL_SCANS = firmware_number("SCAN_MS", "main_avr.c"), firmware_number("DEBOUNCE_SCANS", "scan.h")

SEEN = Floor((EQUAL_SCANS - 0.5) * SCAN_MS, EQUAL_SCANS * SCAN_MS)
LOOK = Floor(500 / SETTINGS.scan_hz, 1000 / SETTINGS.scan_hz)
DISPLAY = always(DISPLAY_MS)
SETTLED, SETTLED_AS_OWED = always(1000 * SETTINGS.settle_s), always(1000 * TIMING.owed_settle_s)
KEY_SCAN_MS = 1000 * keypad_matrix.SCAN_S
KEY = Floor((keypad_matrix.EQUAL_SCANS - 1) * KEY_SCAN_MS, keypad_matrix.EQUAL_SCANS * KEY_SCAN_MS)
KEY_TO_DISPLAY = KEY + DISPLAY


def sent(frame_bytes: int) -> Floor:
    """A frame from the board to the host."""
    return always(1e3 * frame_bytes * BITS_OF_BYTE / BAUD + USB_FRAME_MS)


def to_host(scan_ms: float, frame_bytes: int = CHANGE_BYTES) -> Floor:
    """From a peg set down, or a key, until the host has seen it, for a board that scans all holes in `scan_ms`."""
    return SEEN + always(scan_ms) + sent(frame_bytes) + LOOK


def peg_to_light(scan_ms: float, lit_ms: float) -> Floor:
    """From a peg set down to the light beside it; `lit_ms` is the way of a picture, from its first byte on the wire."""
    return to_host(scan_ms) + always(lit_ms)


def peg_to_display(scan_ms: float) -> Floor:
    """From a peg set down, by exactly the points that are due, to the score on the display."""
    return to_host(scan_ms) + SETTLED_AS_OWED + DISPLAY


def board_key_to_display(scan_ms: float) -> Floor:
    """From a key at the board to its page on the display; the keys are read after each scan."""
    return to_host(scan_ms, KEYS_BYTES) + DISPLAY
