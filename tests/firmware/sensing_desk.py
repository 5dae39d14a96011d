"""A sensing board on an emulated chip, its cable, and the drivers of the host."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from board_drivers.light_session import UNANSWERED
from board_drivers.matrix_wiring import MatrixWiring
from board_drivers.ports import Colour, DriverError
from board_drivers.scanner_board import ScannerBoard
from board_drivers.serial_scanner import SerialScanner, port_finder
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.matrix_wiring import matrix_wiring
from tests.firmware.driving import SCAN_S, TIMEOUT_S, await_frame
from tests.firmware.rig import SensingBoard, UsbCable

CLASSIC = load_plan("classic-61")
LARGEST = load_plan("continuous-121-4")
DARK: Colour = (0, 0, 0)
LIGHTS_MA = 3000
TINTS_OF_GAME = 8
"""At most, in a picture of a game."""
BAUD = 115_200
BITS_OF_BYTE = 10
STRONG_SUPPLY_MV = 1680
"""CC of a USB-C supply that promises 3 A."""


class Desk:
    """A board on its cable, and the drivers of the host."""

    def __init__(self, plan: BoardPlan, build: Callable[..., Path], cable: UsbCable) -> None:
        wiring = matrix_wiring(plan, plan)
        assert wiring
        self.plan, self.cable = plan, cable
        self.wiring: MatrixWiring = wiring
        self.place = {sensor: place for place, sensor in wiring.sensors.items()}
        self.chip = SensingBoard(build("all", "rig"), wiring.columns, len(wiring.lights), cable.far_end)
        self.scanner = SerialScanner(port_finder(str(cable.by_id)), plan.strip_count, matrix=wiring)
        self.board = ScannerBoard(self.scanner, SimulatedBoard(plan.bit_count, plan.led_count), LIGHTS_MA)

    def close(self) -> None:
        self.board.close()
        self.chip.close()

    def picture(self, colours: Sequence[Colour]) -> list[Colour]:
        """A frame of `HoleLights` in which the holes have these colours in turn."""
        frame = [DARK] * self.plan.led_count
        for number, hole in enumerate(self.plan.holes):
            frame[hole.led] = colours[number % len(colours)]
        return frame

    def shown(self) -> list[Colour]:
        """The same frame, as the pins of the chip wrote it; places without a hole are dark."""
        frame = [DARK] * self.plan.led_count
        for led, (_, colour) in zip(self.wiring.lights, self.chip.lights(), strict=True):
            frame[led] = colour
        return frame

    def show(self, frame: Sequence[Colour]) -> None:
        """Show it. On a busy computer the emulated chip may answer late, which is no fault of the lights here."""
        try:
            self.board.lights.show(frame)
        except DriverError as fault:
            if fault is not UNANSWERED:
                raise

    def await_picture(self, frame: Sequence[Colour]) -> None:
        """Show it, and wait until every light has its colour. Nothing else is ever shown than it or the one before."""
        before = self.shown()
        self.show(frame)
        until_s = time.monotonic() + TIMEOUT_S
        while (shown := self.shown()) != frame:
            assert shown == before, "two pictures are mixed"
            assert time.monotonic() < until_s
            time.sleep(SCAN_S)
            self.scanner.poll()

    def await_light_fault(self, frame: Sequence[Colour]) -> DriverError:
        until_s = time.monotonic() + TIMEOUT_S
        while time.monotonic() < until_s:
            try:
                self.board.lights.show(frame)
            except DriverError as fault:
                return fault
            time.sleep(0.1)
        pytest.fail("no fault of the lights")


@contextmanager
def classic_desk(build: Callable[..., Path], cable: UsbCable) -> Iterator[Desk]:
    """The classic board, once it has sent its first frame."""
    made = Desk(CLASSIC, build, cable)
    await_frame(made.scanner, frozenset())
    yield made
    made.close()


@contextmanager
def largest_desk(build: Callable[..., Path], cable: UsbCable) -> Iterator[Desk]:
    """The largest board, on a USB supply for 3 A."""
    made = Desk(LARGEST, build, cable)
    made.chip.command(f"source {STRONG_SUPPLY_MV}")
    made.chip.reset()
    await_frame(made.scanner, frozenset())
    yield made
    made.close()


class BoardTimes(NamedTuple):
    """The longest scan of all holes; `lit_ms`: the longest time from the first byte of a picture to its last light.

    In emulated cycles: how busy this computer is makes no difference.
    """

    scan_ms: float
    lit_ms: float


def measured_times(desk: Desk, pictures: int = TINTS_OF_GAME) -> BoardTimes:
    """The times of a board that shows so many pictures of a game, one after the other."""
    picture = [(step, 2 * step, 255 - step) for step in range(TINTS_OF_GAME)]
    desk.chip.times()
    for start in (number % TINTS_OF_GAME for number in range(pictures)):
        desk.await_picture(desk.picture(picture[start:] + picture[:start]))
        desk.scanner.poll()
    times = desk.chip.times()
    sent = desk.scanner.session.lights.show([DARK] * len(desk.wiring.lights), LIGHTS_MA, 0.0)
    wire_ms = (len(sent) + (TINTS_OF_GAME - 1) * 3) * BITS_OF_BYTE / BAUD * 1000
    return BoardTimes(times.scan_us / 1000, wire_ms + times.lit_us / 1000)
