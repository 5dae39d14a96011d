"""A whole board of modelled parts, connected to a modelled Pi as pins.toml says."""

from __future__ import annotations

from collections.abc import Callable

from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, LIGHTS_ENABLE, SENSOR_LATCH, header_pins
from tests.board_drivers.bench_pi import BenchPi
from tests.board_drivers.chips import Ahct125, KeyMatrix, LightStrips, OledChip, SensorStrips, Wire

LIGHTS_PER_STRIP = 5
TIMEOUT_S = 120.0
"""How long a test waits for a thread before it fails."""


class BenchBoard:
    """So many strips with their LEDs, a keypad and an SH1106 OLED, on the wires of `pi`."""

    def __init__(self, pi: BenchPi, strips: int, *, is_sk9822: bool = False) -> None:
        sclk, mosi, ce1 = (_wire(pi, use) for use in ("spi_sclk", "spi_mosi", "spi_ce1"))
        clock, data = Wire(), Wire()
        Ahct125(ce1, ins=(sclk, mosi), outs=(clock, data))
        self.strips = SensorStrips(strips, sclk, _wire(pi, SENSOR_LATCH), _wire(pi, "spi_miso"))
        self.rail = _wire(pi, LIGHTS_ENABLE)
        self.lights = LightStrips(LIGHTS_PER_STRIP * strips, clock, data, self.rail, is_sk9822=is_sk9822)
        self.keys = KeyMatrix([_wire(pi, row) for row in KEYPAD_ROWS], [_wire(pi, column) for column in KEYPAD_COLUMNS])
        self.oled = OledChip(first_column=2)
        pi.i2c.append(self.oled)

    def press(self, legend: str) -> None:
        """Press a key and wait until it has been scanned often enough to be debounced."""
        before = self.keys.scans
        self.keys.press(legend)
        self._await(lambda: self.keys.scans >= before + 5)

    def release(self, legend: str) -> None:
        """Release a key and wait until the scanning stops."""
        self.keys.release(legend)
        self._await(lambda: self.keys.is_idle)

    def _await(self, done: Callable[[], bool]) -> None:
        with self.keys.driven:
            assert self.keys.driven.wait_for(done, TIMEOUT_S), "the keypad is not scanned"


def _wire(pi: BenchPi, use: str) -> Wire:
    return pi.gpio[header_pins().bcm(use)]
