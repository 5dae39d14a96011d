"""What every board promises, whoever made it: sensors, lights, keys and sound. Add an implementer to `BOARDS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from board_drivers.pi import Wiring, open_pi_board
from board_drivers.ports import KEY_ROWS, Board, Colour
from board_drivers.scanner_board import ScannerBoard
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedBoard
from tests.drivers.bench_board import BenchBoard
from tests.drivers.bench_pi import BenchPi
from tests.drivers.cables import BenchScanner, Desk

# luma.oled 3.16 reads pictures in a way that Pillow will drop in its version 14.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

SENSORS, LEDS = 24, 15
RED, DARK = (255, 0, 0), (0, 0, 0)


@dataclass(frozen=True)
class Rig:
    """A board, and what a test needs around it: a hand that moves pegs and keys, and an eye for the lights."""

    board: Board
    place_peg: Callable[[int], None]
    lift_peg: Callable[[int], None]
    press: Callable[[str], None]
    release: Callable[[str], None]
    lights_seen: Callable[[], Sequence[Colour]]


def simulated(_: BenchPi) -> Rig:
    board = SimulatedBoard(SENSORS, LEDS)
    return Rig(board, board.place_peg, board.lift_peg, board.press, board.release, lambda: board.lights.frame)


def on_a_pi(pi: BenchPi) -> Rig:
    wood = BenchBoard(pi, strips=3)
    board = open_pi_board(Wiring(strips=3, lights=LEDS, lights_ma=2000, oled="sh1106"))
    strips, lights = wood.strips, wood.lights
    return Rig(board, strips.place_peg, strips.lift_peg, wood.press, wood.release, lambda: lights.colours)


def on_a_desk(_: BenchPi) -> Rig:
    bench, scanner = a_scanner()
    board = ScannerBoard(scanner, LEDS)
    screen = board.screen
    return Rig(board, bench.place_peg, bench.lift_peg, screen.press, screen.release, lambda: screen.lights.frame)


def on_a_pi_with_a_scanner(pi: BenchPi) -> Rig:
    wood, (bench, scanner) = BenchBoard(pi, strips=3), a_scanner()
    board = open_pi_board(Wiring(strips=3, lights=LEDS, lights_ma=2000, oled="sh1106"), scanner)
    assert set(pi.spi) == {1}, "the Pi's own sensor chain is left alone"
    return Rig(board, bench.place_peg, bench.lift_peg, wood.press, wood.release, lambda: wood.lights.colours)


def a_scanner() -> tuple[BenchScanner, SerialScanner]:
    """It has said hello; what it sees is told at once."""
    bench, desk = BenchScanner(strips=3), Desk()
    desk.ports["/dev/ttyUSB0"] = bench.cable
    bench.hello()
    bench.snapshot()
    return bench, SerialScanner(desk.find, 3, open_cable=desk.open, clock=desk.clock)


BOARDS = [simulated, on_a_pi, on_a_desk, on_a_pi_with_a_scanner]


@pytest.fixture(params=BOARDS)
def rig(request: pytest.FixtureRequest, pi: BenchPi) -> Iterator[Rig]:
    made: Rig = request.param(pi)
    yield made
    made.board.close()


def test_an_empty_board_reads_empty(rig: Rig) -> None:
    assert rig.board.sensors.scan() == frozenset()


def test_a_scan_sees_exactly_the_pegs_that_stand(rig: Rig) -> None:
    for sensor in (3, 7, SENSORS - 1):
        rig.place_peg(sensor)
    rig.lift_peg(7)
    assert rig.board.sensors.scan() == {3, SENSORS - 1}


def test_a_scan_is_a_snapshot_that_no_later_move_changes(rig: Rig) -> None:
    rig.place_peg(3)
    before = rig.board.sensors.scan()
    rig.place_peg(4)
    assert before == {3} and rig.board.sensors.scan() == {3, 4}


def test_a_still_board_gives_the_same_frame_again(rig: Rig) -> None:
    rig.place_peg(3)
    assert rig.board.sensors.scan() is rig.board.sensors.scan()


def test_lights_show_the_last_frame_whole(rig: Rig) -> None:
    frame = [(led, 2 * led, 255 - led) for led in range(LEDS)]
    rig.board.lights.show([RED] * LEDS)
    rig.board.lights.show(frame)
    assert list(rig.lights_seen()) == frame


def test_lights_leave_the_sensors_alone(rig: Rig) -> None:
    rig.place_peg(5)
    before = rig.board.sensors.scan()
    rig.board.lights.show([RED] * LEDS)
    assert rig.board.sensors.scan() == before


@pytest.mark.parametrize(
    "frame", [[], [RED] * (LEDS - 1), [RED] * (LEDS + 1), [(256, 0, 0)] * LEDS, [(0, -1, 0)] * LEDS]
)
def test_a_frame_that_does_not_fit_the_chain_is_refused_and_changes_nothing(rig: Rig, frame: list[Colour]) -> None:
    rig.board.lights.show([RED] * LEDS)
    with pytest.raises(ValueError):
        rig.board.lights.show(frame)
    assert list(rig.lights_seen()) == [RED] * LEDS


@pytest.mark.parametrize("legend", [key.legend for row in KEY_ROWS for key in row])
def test_a_key_goes_down_and_comes_up(rig: Rig, legend: str) -> None:
    rig.press(legend)
    rig.release(legend)
    assert [(edge.legend, edge.is_down) for edge in rig.board.keypad.edges()] == [(legend, True), (legend, False)]


def test_keys_are_told_once_in_the_order_of_the_fingers(rig: Rig) -> None:
    for legend in ("5", "K", "ENTER"):
        rig.press(legend)
        rig.release(legend)
    edges = rig.board.keypad.edges()
    assert [edge.legend for edge in edges if edge.is_down] == ["5", "K", "ENTER"]
    assert [edge.at_s for edge in edges] == sorted(edge.at_s for edge in edges)
    assert list(rig.board.keypad.edges()) == []


def test_a_held_key_is_told_before_it_comes_up(rig: Rig) -> None:
    rig.press("FN")
    assert [edge.is_down for edge in rig.board.keypad.edges()] == [True]
    rig.release("FN")
    assert [edge.is_down for edge in rig.board.keypad.edges()] == [False]


def test_a_tune_holds_up_nobody_and_may_come_at_any_time(rig: Rig) -> None:
    rig.board.sounder.play(((2000.0, 600.0),))
    rig.place_peg(3)
    assert rig.board.sensors.scan() == {3}
    rig.board.close()
    rig.board.sounder.play(((2000.0, 600.0),))


def test_closing_puts_the_lights_out_and_may_be_repeated(rig: Rig) -> None:
    rig.board.lights.show([RED] * LEDS)
    rig.board.close()
    rig.board.close()
    assert list(rig.lights_seen()) == [DARK] * LEDS
