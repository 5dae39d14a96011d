"""The contract of every `Board`: sensors, lights, keys and sound. Add new implementations to `BOARDS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from msgspec import Struct

from board_drivers.matrix_wiring import MatrixWiring
from board_drivers.pi import Wiring, open_pi_board
from board_drivers.ports import KEY_ROWS, Board, Colour
from board_drivers.scanner_board import ScannerBoard
from board_drivers.serial_keypad import LEGENDS
from board_drivers.serial_port import PortInfo
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedBoard, SimulatedLights
from board_drivers.simulated_firmware import BOOT_S
from board_drivers.simulated_sensing_board import SimulatedSensingBoard
from tests.board_drivers.bench_board import BenchBoard
from tests.board_drivers.bench_pi import BenchPi
from tests.board_drivers.cables import BenchPorts, BenchScanner

# luma.oled 3.16 calls a method that Pillow 14 removes.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

SENSORS, LEDS, COLUMNS = 24, 15, 8
RED, DARK = (255, 0, 0), (0, 0, 0)


class Rig(Struct, frozen=True):
    """A board, and functions that move its pegs and keys and return the colours that its lights show."""

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
    bench = BenchBoard(pi, strips=3)
    board = open_pi_board(Wiring(strips=3, lights=LEDS, lights_ma=2000, oled="sh1106"))
    strips, lights = bench.strips, bench.lights
    return Rig(board, strips.place_peg, strips.lift_peg, bench.press, bench.release, lambda: lights.colours)


def without_a_pi(_: BenchPi) -> Rig:
    far_end, scanner = a_scanner()
    board = ScannerBoard(scanner, SimulatedBoard(0, LEDS))
    screen = board.screen
    return Rig(board, far_end.place_peg, far_end.lift_peg, screen.press, screen.release, lambda: screen.lights.frame)


def on_a_pi_with_a_scanner(pi: BenchPi) -> Rig:
    bench, (far_end, scanner) = BenchBoard(pi, strips=3), a_scanner()
    board = open_pi_board(
        Wiring(strips=3, lights=LEDS, lights_ma=2000, oled="sh1106"), ScannerBoard(scanner, SimulatedBoard(0, LEDS))
    )
    assert not pi.spi and not bench.rail.is_high, (
        "the Pi's own chains are not opened: the scanner is in the plug of both"
    )
    shown = board.lights
    assert isinstance(shown, SimulatedLights)
    return Rig(board, far_end.place_peg, far_end.lift_peg, bench.press, bench.release, lambda: shown.frame)


def sensing_board(_: BenchPi) -> Rig:
    """The sensing board with its sensors three to a column, and its lights in the opposite order."""
    now_s = 100.0
    far_end = SimulatedSensingBoard(COLUMNS, LEDS, lambda: now_s, supply_ma=3000)
    places = {sensor: (sensor % COLUMNS, sensor // COLUMNS) for sensor in range(SENSORS)}
    matrix = MatrixWiring(
        columns=COLUMNS,
        sensors={place: sensor for sensor, place in places.items()},
        lights=range(LEDS)[::-1],
        column_holes=(),
        row_holes=(),
    )
    scanner = SerialScanner(
        lambda: [PortInfo("/dev/ttyUSB0", "WCH CH340")],
        0,
        matrix=matrix,
        open_cable=lambda path, baud: far_end,
        clock=lambda: now_s,
    )
    scanner.poll()
    now_s += BOOT_S
    scanner.poll()
    board = ScannerBoard(scanner, SimulatedBoard(0, LEDS), lights_ma=2000)
    down = 0

    def press(legend: str) -> None:
        nonlocal down
        down ^= 1 << LEGENDS.index(legend)
        far_end.set_keys(down)
        scanner.poll()

    return Rig(
        board,
        lambda sensor: far_end.place_peg(places[sensor]),
        lambda sensor: far_end.lift_peg(places[sensor]),
        press,
        press,
        lambda: far_end.lights[::-1],
    )


def a_scanner() -> tuple[BenchScanner, SerialScanner]:
    """A scanner that has sent its hello and a snapshot, and its driver."""
    far_end, ports = BenchScanner(strips=3), BenchPorts()
    ports.plugged["/dev/ttyUSB0"] = far_end.cable
    far_end.hello()
    far_end.snapshot()
    return far_end, SerialScanner(ports.find, 3, open_cable=ports.open, clock=ports.clock)


BOARDS = [simulated, on_a_pi, without_a_pi, on_a_pi_with_a_scanner, sensing_board]


@pytest.fixture(params=BOARDS)
def rig(request: pytest.FixtureRequest, pi: BenchPi) -> Iterator[Rig]:
    made: Rig = request.param(pi)
    yield made
    made.board.close()


def test_empty_board_reads_empty(rig: Rig) -> None:
    assert rig.board.sensors.scan() == frozenset()


def test_scan_returns_exactly_the_sensors_with_pegs(rig: Rig) -> None:
    for sensor in (3, 7, SENSORS - 1):
        rig.place_peg(sensor)
    rig.lift_peg(7)
    assert rig.board.sensors.scan() == {3, SENSORS - 1}


def test_later_moves_do_not_change_a_scanned_frame(rig: Rig) -> None:
    rig.place_peg(3)
    before = rig.board.sensors.scan()
    rig.place_peg(4)
    assert before == {3} and rig.board.sensors.scan() == {3, 4}


def test_scan_returns_the_same_object_while_nothing_moves(rig: Rig) -> None:
    rig.place_peg(3)
    assert rig.board.sensors.scan() is rig.board.sensors.scan()


def test_lights_show_the_last_frame(rig: Rig) -> None:
    frame = [(led, 2 * led, 255 - led) for led in range(LEDS)]
    rig.board.lights.show([RED] * LEDS)
    rig.board.lights.show(frame)
    assert list(rig.lights_seen()) == frame


def test_writing_lights_does_not_disturb_the_sensors(rig: Rig) -> None:
    rig.place_peg(5)
    before = rig.board.sensors.scan()
    rig.board.lights.show([RED] * LEDS)
    assert rig.board.sensors.scan() == before


@pytest.mark.parametrize(
    "frame", [[], [RED] * (LEDS - 1), [RED] * (LEDS + 1), [(256, 0, 0)] * LEDS, [(0, -1, 0)] * LEDS]
)
def test_frame_of_wrong_length_or_colour_is_refused_and_changes_nothing(rig: Rig, frame: list[Colour]) -> None:
    rig.board.lights.show([RED] * LEDS)
    with pytest.raises(ValueError):
        rig.board.lights.show(frame)
    assert list(rig.lights_seen()) == [RED] * LEDS


@pytest.mark.parametrize("legend", [key.legend for row in KEY_ROWS for key in row])
def test_key_reports_press_and_release(rig: Rig, legend: str) -> None:
    rig.press(legend)
    rig.release(legend)
    assert [(edge.legend, edge.is_down) for edge in rig.board.keypad.edges()] == [(legend, True), (legend, False)]


def test_key_edges_come_once_and_in_order(rig: Rig) -> None:
    for legend in ("5", "K", "ENTER"):
        rig.press(legend)
        rig.release(legend)
    edges = rig.board.keypad.edges()
    assert [edge.legend for edge in edges if edge.is_down] == ["5", "K", "ENTER"]
    assert [edge.at_s for edge in edges] == sorted(edge.at_s for edge in edges)
    assert list(rig.board.keypad.edges()) == []


def test_held_key_is_reported_before_its_release(rig: Rig) -> None:
    rig.press("FN")
    assert [edge.is_down for edge in rig.board.keypad.edges()] == [True]
    rig.release("FN")
    assert [edge.is_down for edge in rig.board.keypad.edges()] == [False]


def test_playing_a_tune_never_blocks_even_after_close(rig: Rig) -> None:
    rig.board.sounder.play(((2000.0, 600.0),))
    rig.place_peg(3)
    assert rig.board.sensors.scan() == {3}
    rig.board.close()
    rig.board.sounder.play(((2000.0, 600.0),))


def test_close_turns_the_lights_off_and_may_be_repeated(rig: Rig) -> None:
    rig.board.lights.show([RED] * LEDS)
    rig.board.close()
    rig.board.close()
    assert list(rig.lights_seen()) == [DARK] * LEDS
