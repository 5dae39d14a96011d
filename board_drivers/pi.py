"""The whole board on a Raspberry Pi: every driver, opened on the header's pins."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from board_drivers import light_chain, sensor_chain
from board_drivers.header import Header
from board_drivers.keypad_matrix import KeypadMatrix
from board_drivers.light_chain import LightChain
from board_drivers.oled import OledGlass
from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.piezo import Piezo, open_piezo
from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, LIGHTS_ENABLE, SENSOR_LATCH
from board_drivers.ports import PegSensors
from board_drivers.sensor_chain import SensorChain
from board_drivers.serial_scanner import SerialScanner

SENSORS_SELECT, LIGHTS_SELECT = 0, 1


@dataclass(frozen=True, slots=True)
class Wiring:
    """What differs from one board to the next. `oled`: the display's chip, one of `oled.CHIPS`.

    `lights_ma` is what all lights together may draw.
    """

    strips: int
    lights: int
    lights_ma: float
    oled: str


class PiBoard:
    """A `Board`. Make one with `open_pi_board`."""

    def __init__(self, header: Header, wiring: Wiring, scanner: SerialScanner | None) -> None:
        rail = header.output(LIGHTS_ENABLE)
        lights_port = header.spi(LIGHTS_SELECT, light_chain.rate_hz(wiring.lights))
        self._header, self._scanner = header, scanner
        self.sensors: PegSensors = scanner or own_chain(header, wiring.strips)
        self.lights = LightChain(rail, lights_port, wiring.lights, wiring.lights_ma)
        rows = [header.output(row, active_high=False) for row in KEYPAD_ROWS]
        self.keypad = KeypadMatrix(rows, [header.input(column) for column in KEYPAD_COLUMNS])
        self._glass = OledGlass(wiring.oled)
        self.scoreboard = OledScoreboard(self._glass)
        self.sounder: Piezo = open_piezo(header)
        self._is_closed = False

    def ailments(self) -> Sequence[str]:
        return (self._glass.lament,) if self._glass.lament else ()

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self.sounder.close()
            self.keypad.close()
            if self._scanner:
                self._scanner.close()
            self.lights.close()
            self._glass.close()
            self._header.close()


def own_chain(header: Header, strips: int) -> SensorChain:
    """The sensors on the Pi's own pins."""
    latch = header.output(SENSOR_LATCH, active_high=False)
    return SensorChain(latch, header.spi(SENSORS_SELECT, sensor_chain.RATE_HZ), strips)


def open_pi_board(wiring: Wiring, scanner: SerialScanner | None = None) -> PiBoard:
    """With a scanner, the sensors are behind it, and the rest on the header.

    Raises DriverFault for what this Pi does not let us open, and lets go of the rest again.

    A broken chain of sensors or a missing display is no reason not to start: `scan` tells of the one, and the other
    is tried again. Nor is a piezo's line that is not to be had.
    """
    header = Header()
    try:
        return PiBoard(header, wiring, scanner)
    except BaseException:
        with suppress(Exception):  # what went wrong first is what can be mended
            header.close()
        raise
