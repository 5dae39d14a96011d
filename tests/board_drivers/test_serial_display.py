"""The display of a sensing board, over its cable: what it shows, how it comes back, and what waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event, Thread
from time import monotonic

import pytest

from board_drivers import serial_display
from board_drivers.display_session import DisplaySession
from board_drivers.matrix_wiring import MatrixWiring
from board_drivers.oled import OledDisplay
from board_drivers.scan_protocol import Frame, Kind
from board_drivers.scanner_board import ScannerBoard
from board_drivers.serial_port import PortInfo
from board_drivers.serial_scanner import BYTE_S, SerialScanner
from board_drivers.simulated import SimulatedBoard
from board_drivers.simulated_firmware import BOOT_S
from board_drivers.simulated_sensing_board import SimulatedSensingBoard
from tests.board_drivers.bench_board import TIMEOUT_S
from tests.board_drivers.cables import UNPLUGGED
from tests.board_drivers.chips import OledChip

# luma.oled 3.16 calls a method that Pillow 14 removes.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

PAGE, LATER = [("Ann: 3 more, to 36", 1), ("47   52", 3)], [("Bob", 2)]
POLL_S = 0.002


class Bench:
    """A simulated board with a display on a cable that can be pulled, its drivers, and a thread that polls as the host
    does. `frames`: the lengths of the frames for the display."""

    def __init__(self) -> None:
        self.oled = OledChip(first_column=2)
        self.frames: list[int] = []
        self.is_pulled = False
        self._later_s = 0.0
        self.far_end = self.new_board()
        wiring = MatrixWiring(columns=8, sensors={}, lights=range(10), column_holes=(), row_holes=())
        self.scanner = SerialScanner(
            lambda: [PortInfo("/dev/ttyUSB0", "WCH CH340")],
            3,
            matrix=wiring,
            open_cable=lambda path, baud: self,
            clock=self.clock,
        )
        self.board = ScannerBoard(
            self.scanner, SimulatedBoard(0, 10), open_display=lambda bus: OledDisplay("sh1106", bus=bus)
        )
        self._stop = Event()
        self._thread = Thread(target=self._poll)
        self._thread.start()

    def new_board(self) -> SimulatedSensingBoard:
        """A board that has just got its power, and has started."""
        board = SimulatedSensingBoard(8, 10, self.clock)
        board.display = self._write_display
        self._later_s += BOOT_S
        return board

    def clock(self) -> float:
        return monotonic() + self._later_s

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()
        self.board.close()

    def await_page(self) -> None:
        """Wait until the display shows what the page shows."""
        on_page = self.board.screen.oled_pixels()
        self.wait_for(lambda: self.oled.is_on and self.oled.pixels() == on_page)

    def wait_for(self, is_so: Callable[[], bool]) -> None:
        with self.oled.written:
            assert self.oled.written.wait_for(is_so, TIMEOUT_S), self.board.faults()

    # The cable

    def read(self) -> bytes:
        if self.is_pulled:
            raise UNPLUGGED
        return self.far_end.read()

    def write(self, data: bytes) -> None:
        self.frames.append(len(data))
        self.far_end.write(data)

    def close(self) -> None: ...

    def _write_display(self, address: int, block: bytes) -> bool:
        control, *rest = block or b"\0"
        try:
            self.oled.write(address, control, rest)
        except OSError:
            return False
        return True

    def _poll(self) -> None:
        while not self._stop.wait(POLL_S):
            self.scanner.poll()


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(serial_display, "RETRY_S", 0.01)
    made = Bench()
    yield made
    made.stop()


def test_display_shows_what_the_page_shows_in_small_frames_and_is_dark_at_the_end(bench: Bench) -> None:
    """Other frames, of lights, wait for one of these at most."""
    bench.board.scoreboard.show(PAGE)
    bench.await_page()
    start = len(bench.frames)
    bench.board.scoreboard.show(LATER)
    bench.await_page()
    sent = bench.frames[start:]
    assert len(sent) > 50 and sum(sent) * BYTE_S < 0.2 and max(sent) * BYTE_S < 0.0022
    bench.board.scoreboard.set_contrast(8)
    bench.wait_for(lambda: bench.oled.contrast == 8)
    assert not bench.board.faults()
    bench.stop()
    assert not bench.oled.is_on


def test_display_is_drawn_again_when_the_board_is_plugged_in_again(bench: Bench) -> None:
    bench.board.scoreboard.show(PAGE)
    bench.await_page()
    bench.is_pulled = True
    bench.oled.unplug()
    end_s = monotonic() + TIMEOUT_S
    while not bench.board.faults():
        assert monotonic() < end_s
        bench.board.scoreboard.show([(f"{monotonic()}", 1)])
    bench.board.scoreboard.show(LATER)
    bench.oled.plug_in()
    bench.far_end = bench.new_board()
    bench.is_pulled = False
    bench.await_page()


@pytest.mark.slow
def test_board_without_a_display_has_no_fault(bench: Bench) -> None:
    bench.oled.unplug()
    bench.board.scoreboard.show(PAGE)
    attempts = bench.oled.attempts
    bench.wait_for(lambda: bench.oled.attempts > attempts + 2)
    assert not bench.board.faults()
    bench.oled.plug_in()
    bench.await_page()


def answer(number: int, *, is_written: bool = True) -> Frame:
    return Frame(Kind.DISPLAY_ANSWERED, 0, bytes([number, is_written]))


def test_refused_and_lost_frames_are_told_apart_and_forgotten_at_a_restart() -> None:
    session = DisplaySession()
    for failing, reason in ((answer(2, is_written=False), "no answer"), (answer(6), "lost on the cable")):
        first = session.frame(0x3C, b"\0\xe3"), session.frame(0x3C, b"\0\xe3"), session.frame(0x3C, b"\0\xe3")
        assert len(set(first)) == 3
        session.receive(failing)
        with pytest.raises(OSError, match=reason):
            session.wait(unanswered=0)
        session.restart()
        session.wait(unanswered=0)


def test_silent_board_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("board_drivers.display_session.ANSWER_S", 0.001)
    session = DisplaySession()
    session.frame(0x3C, b"\0\xe3")
    session.wait()
    with pytest.raises(OSError, match="circuit board"):
        session.wait(unanswered=0)
