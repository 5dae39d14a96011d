"""The piezo: which notes it plays in which order, and that the line is idle afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Condition, Event

import pytest

from board_drivers.header import Header
from board_drivers.pi import PiBoard, Wiring, open_pi_board
from board_drivers.piezo import Piezo
from board_drivers.pins import PIEZO, header_pins
from board_drivers.ports import DriverError
from tests.board_drivers.bench_board import TIMEOUT_S, BenchBoard
from tests.board_drivers.bench_pi import BenchLgpio, BenchPi, LgpioError

# luma.oled 3.16 calls a method that Pillow 14 removes.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

PIEZO_LINE = header_pins().bcm(PIEZO)
LONG_S = 600.0
"""Duration of a note that only ends when it is interrupted."""


class RecordingLine:
    """A `ToneLine` that records its frequencies; None is silence. `refused`: frequencies that it raises for."""

    def __init__(self) -> None:
        self.played: list[float | None] = []
        self.refused: set[float] = set()
        self._change = Condition()

    def sound(self, hz: float) -> None:
        if hz in self.refused:
            raise DriverError("GPIO23", "a tone on the line", "bad PWM frequency", "Restart cribboard.")
        self._record(hz)

    def stop(self) -> None:
        self._record(None)

    def _record(self, hz: float | None) -> None:
        with self._change:
            self.played.append(hz)
            self._change.notify_all()

    def has_played(self, *notes: float | None) -> bool:
        """Wait until exactly these notes have been played."""
        with self._change:
            return self._change.wait_for(lambda: self.played == list(notes), TIMEOUT_S)


@pytest.fixture
def line() -> RecordingLine:
    return RecordingLine()


@pytest.fixture
def piezo(line: RecordingLine) -> Iterator[Piezo]:
    piezo = Piezo(line)
    yield piezo
    piezo.close()


def test_tune_is_played_note_by_note_and_ends_in_silence(piezo: Piezo, line: RecordingLine) -> None:
    piezo.play(((440.0, 0.001), (880.0, 0.001)))
    assert line.has_played(440.0, 880.0, None)
    piezo.play(((660.0, 0.001),))
    assert line.has_played(440.0, 880.0, None, 660.0, None)


def test_new_tune_replaces_the_one_that_is_playing(piezo: Piezo, line: RecordingLine) -> None:
    piezo.play(((440.0, LONG_S), (441.0, LONG_S)))
    assert line.has_played(440.0)
    piezo.play(((880.0, LONG_S),))
    assert line.has_played(440.0, None, 880.0)


def test_close_stops_the_note_and_may_be_repeated(piezo: Piezo, line: RecordingLine) -> None:
    piezo.play(((440.0, LONG_S),))
    assert line.has_played(440.0)
    piezo.close()
    assert line.played == [440.0, None]
    piezo.close()
    piezo.play(((880.0, 0.001),))
    assert line.played == [440.0, None]


def test_note_that_fails_is_logged_and_the_next_tune_is_played(
    piezo: Piezo, line: RecordingLine, caplog: pytest.LogCaptureFixture
) -> None:
    line.refused = {1.0}
    piezo.play(((440.0, 0.001), (1.0, 0.001), (880.0, 0.001)))
    assert line.has_played(440.0, None), "silence, not the last note for ever"
    piezo.play(((660.0, 0.001),))
    assert line.has_played(440.0, None, 660.0, None)
    assert "GPIO23: expected a tone on the line" in caplog.text


def test_note_is_a_square_wave_and_silence_a_low_line(pi: BenchPi, header: Header) -> None:
    tone = header.tone(PIEZO)
    assert not pi.pwm_calls and not pi.gpio[PIEZO_LINE].is_high, "no PWM before the first note"
    tone.sound(2000.0)
    assert pi.pwm_calls[-1] == (PIEZO_LINE, 2000.0, 50) and pi.pwm_lines == {PIEZO_LINE}
    tone.sound(440.0)
    assert pi.pwm_calls[-1] == (PIEZO_LINE, 440.0, 50)
    tone.stop()
    assert pi.pwm_calls[-1] == (PIEZO_LINE, 0, 0) and not pi.pwm_lines and not pi.gpio[PIEZO_LINE].is_high


def test_frequency_that_lgpio_refuses_raises(pi: BenchPi, header: Header) -> None:
    with pytest.raises(DriverError, match="GPIO23: expected a tone on the line, got bad PWM frequency"):
        header.tone(PIEZO).sound(20_000.0)


def test_board_closed_in_the_middle_of_a_note_leaves_the_line_low(pi: BenchPi, monkeypatch: pytest.MonkeyPatch) -> None:
    began, unpatched = Event(), BenchLgpio.tx_pwm

    def tx_pwm(self: BenchLgpio, handle: int, bcm: int, hz: float, duty: float) -> int:
        result = unpatched(self, handle, bcm, hz, duty)
        began.set()
        return result

    monkeypatch.setattr(BenchLgpio, "tx_pwm", tx_pwm)
    board = board_of(pi)
    board.sounder.play(((2000.0, LONG_S),))
    assert began.wait(TIMEOUT_S) and pi.pwm_lines == {PIEZO_LINE}
    board.close()
    assert not pi.pwm_lines and not pi.gpio[PIEZO_LINE].is_high


def test_board_without_a_piezo_line_opens_and_logs_it(pi: BenchPi, caplog: pytest.LogCaptureFixture) -> None:
    pi.busy.add(PIEZO_LINE)
    board = board_of(pi)
    board.sounder.play(((2000.0, 0.001),))
    assert board.sensors.scan() == frozenset() and not pi.pwm_calls
    assert "GPIO23: expected a free line for the piezo, got GPIO busy" in caplog.text
    board.close()


def test_line_that_fails_during_a_note_does_not_disturb_scans(pi: BenchPi, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = Event()

    def fail(*_: object) -> int:
        failed.set()
        raise LgpioError("bad handle")

    board = board_of(pi)
    monkeypatch.setattr(BenchLgpio, "tx_pwm", fail)
    board.sounder.play(((2000.0, 0.001),))
    assert failed.wait(TIMEOUT_S)
    assert board.sensors.scan() == frozenset()
    board.close()


def board_of(pi: BenchPi) -> PiBoard:
    BenchBoard(pi, strips=3)
    return open_pi_board(Wiring(strips=3, lights=15, lights_ma=800, oled="sh1106"))
