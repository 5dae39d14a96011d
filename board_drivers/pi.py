"""The board on a Raspberry Pi: opens every driver on the header's pins."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress

from msgspec import Struct

from board_drivers import light_chain, sensor_chain
from board_drivers.both_keypads import BothKeypads
from board_drivers.header import Header
from board_drivers.keypad_matrix import KeypadMatrix
from board_drivers.light_chain import LightChain
from board_drivers.oled import OledDisplay
from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.piezo import open_piezo
from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, LIGHTS_ENABLE, SENSOR_LATCH
from board_drivers.ports import Board, HoleLights, Keypad, PegSensors, Scoreboard, Sounder
from board_drivers.scanner_board import ScannerBoard
from board_drivers.sensor_chain import SensorChain
from board_drivers.simulated import SimulatedBoard

SENSORS_SELECT = 0
LIGHTS_SELECT = 1

BITS_PER_STRIP = 8
PEGS = "pegs"
LIGHTS = "lights"
KEYS = "keys"
DISPLAY = "display"
ALL_PARTS = (PEGS, LIGHTS, KEYS, DISPLAY)
"""The parts that can be on the header."""


class Wiring(Struct, frozen=True):
    """What differs from board to board: number of sensor strips and of LEDs, current limit, chip of the display.

    `lights_ma`: mA that all LEDs together may draw, idle current included. `oled`: one of `oled.CHIPS`, with its
    `oled_offset` and `is_oled_turned`; see `OledDisplay`. `parts`: those of ALL_PARTS that are on the header.
    """

    strips: int
    lights: int
    lights_ma: float
    oled: str
    oled_offset: int = 2
    is_oled_turned: bool = False
    parts: tuple[str, ...] = ALL_PARTS


class PiBoard:
    """A `Board` on the Pi's header; `open_pi_board` makes one.

    A part that is not on the header is that of the board `on_cable`, or else of `screen`: people have it on the page,
    or nobody has it. With a scanner neither chain is on the header: the first row has one plug, IN, for sensors and
    lights, and the scanner is in it.
    """

    def __init__(self, header: Header, wiring: Wiring, on_cable: ScannerBoard | None) -> None:
        screen = SimulatedBoard(wiring.strips * BITS_PER_STRIP, wiring.lights)
        self.screen = on_cable.screen if on_cable else screen
        others: Board = on_cable or screen
        self._others = others
        self.sensors: PegSensors = others.sensors
        self.lights: HoleLights = others.lights
        self.keypad: Keypad = others.keypad
        self.scoreboard: Scoreboard = others.scoreboard
        self._display: OledDisplay | None = None
        self._opened = ExitStack()
        self._opened.callback(header.close)
        self._opened.callback(others.close)
        try:
            if on_cable is None:
                self._open_chains(header, wiring)
            self._open_display_and_keys(header, wiring)
            self.sounder: Sounder = self._open_sounder(header)
        except BaseException:
            with suppress(Exception):  # the first error is raised, not one that follows from it
                self.close()
            raise

    def _open_chains(self, header: Header, wiring: Wiring) -> None:
        if PEGS in wiring.parts:
            self.sensors = header_sensor_chain(header, wiring.strips)
        if LIGHTS in wiring.parts:
            lights = header_light_chain(header, wiring)
            self._opened.callback(lights.close)
            self.lights = lights

    def _open_display_and_keys(self, header: Header, wiring: Wiring) -> None:
        if DISPLAY in wiring.parts:
            self._display = OledDisplay(wiring.oled, wiring.oled_offset, is_turned=wiring.is_oled_turned)
            self._opened.callback(self._display.close)
            self.scoreboard = OledScoreboard(self._display)
        if KEYS in wiring.parts:
            rows = [header.output(row, active_high=False) for row in KEYPAD_ROWS]
            keypad = KeypadMatrix(rows, [header.input(column) for column in KEYPAD_COLUMNS])
            self._opened.callback(keypad.close)
            self.keypad = BothKeypads(keypad, self.keypad)

    def _open_sounder(self, header: Header) -> Sounder:
        sounder = open_piezo(header)
        self._opened.callback(sounder.close)
        return sounder

    def faults(self) -> Sequence[str]:
        """The display's fault, if it has one."""
        own = (self._display.fault_text,) if self._display and self._display.fault_text else ()
        return (*own, *self._others.faults())

    def close(self) -> None:
        """Turn everything off and release the header. May be called twice."""
        self._opened.close()


def header_light_chain(header: Header, wiring: Wiring) -> LightChain:
    """The lights on the Pi's own SPI0, dark and with power. Raises DriverError if line or port cannot be opened."""
    rail = header.output(LIGHTS_ENABLE)
    port = header.spi(LIGHTS_SELECT, light_chain.rate_hz(wiring.lights))
    return LightChain(rail, port, wiring.lights, wiring.lights_ma)


def header_sensor_chain(header: Header, strips: int) -> SensorChain:
    """The chain of so many strips on the Pi's own SPI0. Raises DriverError if its line or port cannot be opened."""
    latch = header.output(SENSOR_LATCH, active_high=False)
    return SensorChain(latch, header.spi(SENSORS_SELECT, sensor_chain.RATE_HZ), strips)


def open_pi_board(wiring: Wiring, on_cable: ScannerBoard | None = None) -> PiBoard:
    """Open the board. With a scanner, `on_cable` has the sensors, and perhaps lights and keys; the display and the keys
    of `wiring` are on the header.

    Raises DriverError if a line or bus cannot be opened; everything opened before is released. A broken sensor chain,
    a missing display or a piezo line in use do not raise: `scan` reports the first, the display is retried, and the
    board stays silent.
    """
    return PiBoard(Header(), wiring, on_cable)
