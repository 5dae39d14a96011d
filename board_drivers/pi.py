"""The board on a Raspberry Pi: opens every driver on the header's pins."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

from msgspec import Struct

from board_drivers import light_chain, sensor_chain
from board_drivers.header import Header
from board_drivers.keypad_matrix import KeypadMatrix
from board_drivers.light_chain import LightChain
from board_drivers.oled import OledDisplay
from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.piezo import Piezo, open_piezo
from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, LIGHTS_ENABLE, SENSOR_LATCH
from board_drivers.ports import PegSensors
from board_drivers.sensor_chain import SensorChain
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedLights

SENSORS_SELECT = 0
LIGHTS_SELECT = 1


class Wiring(Struct, frozen=True):
    """What differs from board to board: number of sensor strips and of LEDs, current limit, chip of the display.

    `lights_ma`: mA that all LEDs together may draw, idle current included. `oled`: one of `oled.CHIPS`, with its
    `oled_offset` and `is_oled_turned`; see `OledDisplay`.
    """

    strips: int
    lights: int
    lights_ma: float
    oled: str
    oled_offset: int = 2
    is_oled_turned: bool = False


class PiBoard:
    """A `Board` on the Pi's header; `open_pi_board` makes one.

    With a scanner it has no lights: the first row has one plug, IN, for sensors and lights, and the scanner is in it.
    The page shows them.
    """

    def __init__(self, header: Header, wiring: Wiring, scanner: SerialScanner | None) -> None:
        self._header = header
        self._scanner = scanner
        self.sensors: PegSensors = scanner or header_sensor_chain(header, wiring.strips)
        has_lights = scanner is None
        self.lights = header_light_chain(header, wiring) if has_lights else SimulatedLights(wiring.lights, monotonic)
        rows = [header.output(row, active_high=False) for row in KEYPAD_ROWS]
        self.keypad = KeypadMatrix(rows, [header.input(column) for column in KEYPAD_COLUMNS])
        self._display = OledDisplay(wiring.oled, wiring.oled_offset, is_turned=wiring.is_oled_turned)
        self.scoreboard = OledScoreboard(self._display)
        self.sounder: Piezo = open_piezo(header)
        self._is_closed = False

    def faults(self) -> Sequence[str]:
        """The display's fault, if it has one."""
        return (self._display.fault_text,) if self._display.fault_text else ()

    def close(self) -> None:
        """Turn everything off and release the header. May be called twice."""
        if not self._is_closed:
            self._is_closed = True
            self.sounder.close()
            self.keypad.close()
            if self._scanner:
                self._scanner.close()
            self.lights.close()
            self._display.close()
            self._header.close()


def header_light_chain(header: Header, wiring: Wiring) -> LightChain:
    """The lights on the Pi's own SPI0, dark and with power. Raises DriverError if line or port cannot be opened."""
    rail = header.output(LIGHTS_ENABLE)
    port = header.spi(LIGHTS_SELECT, light_chain.rate_hz(wiring.lights))
    return LightChain(rail, port, wiring.lights, wiring.lights_ma)


def header_sensor_chain(header: Header, strips: int) -> SensorChain:
    """The chain of so many strips on the Pi's own SPI0. Raises DriverError if its line or port cannot be opened."""
    latch = header.output(SENSOR_LATCH, active_high=False)
    return SensorChain(latch, header.spi(SENSORS_SELECT, sensor_chain.RATE_HZ), strips)


def open_pi_board(wiring: Wiring, scanner: SerialScanner | None = None) -> PiBoard:
    """Open the board. With a `scanner` the sensors are read through it; keys, display and piezo are on the header.

    Raises DriverError if a line or bus cannot be opened; everything opened before is released. A broken sensor chain,
    a missing display or a piezo line in use do not raise: `scan` reports the first, the display is retried, and the
    board stays silent.
    """
    header = Header()
    try:
        return PiBoard(header, wiring, scanner)
    except BaseException:
        with suppress(Exception):  # report the first error, not one that follows from it
            header.close()
        raise
