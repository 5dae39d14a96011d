"""Lights and keys on the cable of a sensing board: when they start, when the cable is lost, and their current."""

from __future__ import annotations

import pytest

from board_drivers.light_chain import COLOUR_MA, FULL, FULL_BRIGHTNESS, IDLE_MA
from board_drivers.matrix_wiring import MatrixWiring
from board_drivers.ports import Colour, DriverError
from board_drivers.scanner_board import ScannerBoard
from board_drivers.serial_lights import BOARD_MA, FUSE_MA
from board_drivers.serial_port import Cable, PortInfo
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedBoard
from board_drivers.simulated_firmware import BOOT_S
from board_drivers.simulated_sensing_board import SimulatedSensingBoard
from tests.board_drivers.cables import UNPLUGGED, BenchScanner

LIGHTS = 245
RED: Colour = (200, 0, 0)
WHITE: Colour = (255, 255, 255)
DARK: Colour = (0, 0, 0)


class PullableCable:
    """The cable of a simulated board, which can be pulled."""

    def __init__(self, cable: Cable) -> None:
        self.is_pulled = False
        self._cable = cable

    def read(self) -> bytes:
        if self.is_pulled:
            raise UNPLUGGED
        return self._cable.read()

    def write(self, data: bytes) -> None:
        if self.is_pulled:
            raise UNPLUGGED
        self._cable.write(data)

    def close(self) -> None: ...


class Bench:
    """A board behind a cable, its drivers, and a clock."""

    def __init__(self, far_end: Cable | None = None, supply_ma: int = 3000, lights_ma: float = 10_000) -> None:
        self.now_s = 100.0
        self.simulated = SimulatedSensingBoard(8, LIGHTS, self.clock, supply_ma)
        self.cable = PullableCable(far_end or self.simulated)
        wiring = MatrixWiring(columns=8, sensors={}, lights=range(LIGHTS), column_holes=(), row_holes=())
        self.scanner = SerialScanner(
            lambda: [PortInfo("/dev/ttyUSB0", "WCH CH340")],
            3,
            matrix=wiring,
            open_cable=lambda path, baud: self.cable,
            clock=self.clock,
        )
        self.board = ScannerBoard(self.scanner, SimulatedBoard(0, LIGHTS), lights_ma)

    def clock(self) -> float:
        return self.now_s

    def start(self) -> Bench:
        self.scanner.poll()
        self.now_s += BOOT_S
        self.scanner.poll()
        return self

    @property
    def drawn_ma(self) -> float:
        colours_ma = sum(map(sum, self.simulated.lights)) / FULL * COLOUR_MA
        return LIGHTS * IDLE_MA + colours_ma * self.simulated.brightness / FULL_BRIGHTNESS


def test_lights_of_a_starting_board_wait_for_the_next_refresh() -> None:
    bench = Bench()
    bench.board.lights.show([RED] * LIGHTS)
    assert bench.simulated.lights == [DARK] * LIGHTS
    assert bench.board.screen.lights.frame == (RED,) * LIGHTS
    bench.start().board.lights.show([RED] * LIGHTS)
    assert bench.simulated.lights == [RED] * LIGHTS


def test_lights_of_a_lost_board_are_a_fault_and_stay_on_the_page() -> None:
    bench = Bench().start()
    bench.cable.is_pulled = True
    with pytest.raises(DriverError) as caught:
        bench.board.lights.show([RED] * LIGHTS)
    assert caught.value.device == "Board lost" and bench.board.screen.lights.frame == (RED,) * LIGHTS
    bench.cable.is_pulled = False
    bench.now_s += 1.0
    bench.scanner.poll()
    bench.simulated._send_hello()
    bench.scanner.poll()
    bench.board.lights.show([RED] * LIGHTS)
    assert bench.simulated.lights == [RED] * LIGHTS


def test_scanner_of_strips_has_no_lights() -> None:
    strips = BenchScanner(3)
    bench = Bench(strips.cable)
    strips.hello()
    strips.snapshot()
    assert bench.scanner.scan() == frozenset()
    with pytest.raises(DriverError, match="a scanner without lights"):
        bench.board.lights.show([RED] * LIGHTS)


@pytest.mark.parametrize(
    ("supply_ma", "lights_ma", "limit_ma"),
    [
        (500, 10_000, 500 - BOARD_MA),
        (1500, 800, 800),
        (3000, 10_000, FUSE_MA - BOARD_MA),
        (0, 10_000, FUSE_MA - BOARD_MA),
    ],
)
def test_lights_keep_to_setting_supply_and_fuse(supply_ma: int, lights_ma: float, limit_ma: float) -> None:
    bench = Bench(supply_ma=supply_ma, lights_ma=lights_ma).start()
    bench.board.lights.show([WHITE] * LIGHTS)
    assert 0.75 * limit_ma < bench.drawn_ma <= limit_ma


def test_keys_come_up_when_the_cable_is_lost() -> None:
    bench = Bench().start()
    bench.simulated.set_keys(0b11)
    bench.scanner.poll()
    assert [(edge.legend, edge.is_down) for edge in bench.board.keypad.edges()] == [("A", True), ("2", True)]
    bench.cable.is_pulled = True
    bench.scanner.poll()
    assert [(edge.legend, edge.is_down) for edge in bench.board.keypad.edges()] == [("A", False), ("2", False)]


def test_board_that_only_has_lights_reads_no_pegs() -> None:
    bench = Bench()
    board = ScannerBoard(bench.scanner, SimulatedBoard(8, LIGHTS), 800, has_sensors=False)
    bench.cable.is_pulled = True
    assert board.sensors.scan() == frozenset()
