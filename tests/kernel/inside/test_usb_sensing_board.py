"""The drivers of a sensing board on a USB tty that Debian's own kernel finds, loses and finds again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from board_drivers.ports import Colour, DriverError, SensorFrame
from board_drivers.scanner_board import ScannerBoard
from board_drivers.serial_scanner import AUTO, SerialScanner, port_finder
from board_drivers.simulated import SimulatedBoard
from firmware_host.config.board_plans import load_plan
from firmware_host.config.matrix_wiring import matrix_wiring
from tests.kernel.inside.usb_plug import SensingBoardAtFarEnd, UsbPlug

PORT = Path("/dev/ttyACM0")
SCAN_S, TIMEOUT_S = 0.02, 300.0
LIGHTS_MA = 3000
PLAN = load_plan("classic-61")
PLACE = (3, 7)
RED: Colour = (9, 0, 0)
BLUE: Colour = (0, 0, 9)


@pytest.fixture(scope="module")
def far_end() -> SensingBoardAtFarEnd:
    """With a peg in one hole."""
    far_end = SensingBoardAtFarEnd(8, PLAN.sensor_count)
    far_end.board.place_peg(PLACE)
    return far_end


@pytest.fixture(scope="module")
def plug() -> UsbPlug:
    return UsbPlug()


@pytest.fixture
def board(plug: UsbPlug, far_end: SensingBoardAtFarEnd) -> Iterator[ScannerBoard]:
    plug.plug_in()
    wait_until(PORT.exists, "the kernel to find it")
    scanner = SerialScanner(port_finder(AUTO), PLAN.strip_count, matrix=matrix_wiring(PLAN, PLAN))
    board = ScannerBoard(scanner, SimulatedBoard(PLAN.bit_count, PLAN.led_count), LIGHTS_MA)
    wait_until(lambda: scan(board) == peg(board), "the peg")
    yield board
    board.close()
    plug.unplug()
    wait_until(lambda: not PORT.exists(), "the kernel to remove it")


def peg(board: ScannerBoard) -> SensorFrame:
    wiring = matrix_wiring(PLAN, PLAN)
    assert wiring
    return frozenset({wiring.sensors[PLACE]})


def scan(board: ScannerBoard) -> SensorFrame | str:
    """The frame, or the device of the fault."""
    try:
        return board.sensors.scan()
    except DriverError as fault:
        return fault.device


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    end_s = monotonic() + TIMEOUT_S
    while not is_so():
        assert monotonic() < end_s, f"expected {what}"
        sleep(SCAN_S)


def await_lights(board: ScannerBoard, far_end: SensingBoardAtFarEnd, colour: Colour) -> None:
    """Show it again and again, as the host does, until every light has it."""

    def is_shown() -> bool:
        with suppress(DriverError):
            board.lights.show([colour] * PLAN.led_count)
        scan(board)
        return far_end.board.lights == [colour] * PLAN.sensor_count

    wait_until(is_shown, f"all lights to be {colour}")


def test_pegs_and_lights_share_the_cable(board: ScannerBoard, far_end: SensingBoardAtFarEnd) -> None:
    await_lights(board, far_end, RED)
    far_end.board.lift_peg(PLACE)
    wait_until(lambda: scan(board) == frozenset(), "an empty board")
    far_end.board.place_peg(PLACE)
    await_lights(board, far_end, BLUE)
    wait_until(lambda: scan(board) == peg(board), "the peg")


def test_unplugged_board_is_lost_and_its_lights_return(
    board: ScannerBoard, far_end: SensingBoardAtFarEnd, plug: UsbPlug
) -> None:
    await_lights(board, far_end, RED)
    plug.unplug()
    wait_until(lambda: scan(board) in ("Board lost", "No scanner"), "the board to be lost")
    wait_until(lambda: not PORT.exists(), "its port to go")
    plug.plug_in()
    await_lights(board, far_end, BLUE)
    wait_until(lambda: scan(board) == peg(board), "the peg again")
