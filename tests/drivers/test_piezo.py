"""The piezo on its line: which notes, in which order, and that nothing swings once it is silent."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Condition, Event

import pytest

from board_drivers.header import Header
from board_drivers.pi import PiBoard, Wiring, open_pi_board
from board_drivers.piezo import Piezo
from board_drivers.pins import PIEZO, header_pins
from board_drivers.ports import DriverFault
from tests.drivers.bench_board import PATIENCE_S, BenchBoard
from tests.drivers.bench_pi import BenchLgpio, BenchPi, LgpioError

# luma.oled 3.16 reads pictures in a way that Pillow will drop in its version 14.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

GPIO18 = header_pins().bcm(PIEZO)
FOR_EVER_S = 600.0
"""A note that is over only when something cuts it off."""


class Ear:
    """A line that remembers what it was told; None is silence. `deaf`: what it refuses to swing at."""

    def __init__(self) -> None:
        self.heard: list[float | None] = []
        self.deaf: set[float] = set()
        self._told = Condition()

    def sound(self, hz: float) -> None:
        if hz in self.deaf:
            raise DriverFault("GPIO18", "a line that swings", "bad PWM frequency", "Restart cribboard.")
        self._hear(hz)

    def hush(self) -> None:
        self._hear(None)

    def _hear(self, hz: float | None) -> None:
        with self._told:
            self.heard.append(hz)
            self._told.notify_all()

    def hears(self, *notes: float | None) -> bool:
        with self._told:
            return self._told.wait_for(lambda: self.heard == list(notes), PATIENCE_S)


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def piezo(ear: Ear) -> Iterator[Piezo]:
    made = Piezo(ear)
    yield made
    made.close()


def test_a_tune_is_played_note_by_note_and_then_there_is_silence(piezo: Piezo, ear: Ear) -> None:
    piezo.play(((440.0, 0.001), (880.0, 0.001)))
    assert ear.hears(440.0, 880.0, None)
    piezo.play(((660.0, 0.001),))
    assert ear.hears(440.0, 880.0, None, 660.0, None)


def test_the_latest_tune_wins(piezo: Piezo, ear: Ear) -> None:
    piezo.play(((440.0, FOR_EVER_S), (441.0, FOR_EVER_S)))
    assert ear.hears(440.0)
    piezo.play(((880.0, FOR_EVER_S),))
    assert ear.hears(440.0, None, 880.0)


def test_closing_cuts_the_note_off_and_may_be_repeated(piezo: Piezo, ear: Ear) -> None:
    piezo.play(((440.0, FOR_EVER_S),))
    assert ear.hears(440.0)
    piezo.close()
    assert ear.heard == [440.0, None]
    piezo.close()
    piezo.play(((880.0, 0.001),))
    assert ear.heard == [440.0, None]


def test_a_note_that_cannot_be_played_is_in_the_log_and_the_next_tune_is_heard(
    piezo: Piezo, ear: Ear, caplog: pytest.LogCaptureFixture
) -> None:
    ear.deaf = {1.0}
    piezo.play(((440.0, 0.001), (1.0, 0.001), (880.0, 0.001)))
    assert ear.hears(440.0, None), "silence, not the last note for ever"
    piezo.play(((660.0, 0.001),))
    assert ear.hears(440.0, None, 660.0, None)
    assert "GPIO18: expected a line that swings" in caplog.text


def test_on_the_wire_a_note_is_half_high_half_low_and_silence_is_a_line_at_rest(pi: BenchPi, header: Header) -> None:
    tone = header.tone(PIEZO)
    assert not pi.swings and not pi.gpio[GPIO18].is_high, "nothing swings before there is something to play"
    tone.sound(2000.0)
    assert pi.swings[-1] == (GPIO18, 2000.0, 50) and pi.swinging == {GPIO18}
    tone.sound(440.0)
    assert pi.swings[-1] == (GPIO18, 440.0, 50)
    tone.hush()
    assert pi.swings[-1] == (GPIO18, 0, 0) and not pi.swinging and not pi.gpio[GPIO18].is_high


def test_a_frequency_that_lgpio_refuses_is_a_fault(pi: BenchPi, header: Header) -> None:
    with pytest.raises(DriverFault, match="GPIO18: expected a line that swings, got bad PWM frequency"):
        header.tone(PIEZO).sound(20_000.0)


def test_a_board_that_is_closed_in_the_middle_of_a_note_leaves_nothing_running(
    pi: BenchPi, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, swing = Event(), BenchLgpio.tx_pwm

    def tx_pwm(self: BenchLgpio, handle: int, bcm: int, hz: float, duty: float) -> int:
        told = swing(self, handle, bcm, hz, duty)
        began.set()
        return told

    monkeypatch.setattr(BenchLgpio, "tx_pwm", tx_pwm)
    board = board_of(pi)
    board.sounder.play(((2000.0, FOR_EVER_S),))
    assert began.wait(PATIENCE_S) and pi.swinging == {GPIO18}
    board.close()
    assert not pi.swinging and not pi.gpio[GPIO18].is_high


def test_a_line_that_is_not_to_be_had_is_no_reason_not_to_play_on(
    pi: BenchPi, caplog: pytest.LogCaptureFixture
) -> None:
    pi.busy.add(GPIO18)
    board = board_of(pi)
    board.sounder.play(((2000.0, 0.001),))
    assert board.sensors.scan() == frozenset() and not pi.swings
    assert "GPIO18: expected a free line for the piezo, got GPIO busy" in caplog.text
    board.close()


def test_a_line_that_fails_while_it_swings_ends_no_scan(pi: BenchPi, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = Event()

    def fail(*_: object) -> int:
        failed.set()
        raise LgpioError("bad handle")

    board = board_of(pi)
    monkeypatch.setattr(BenchLgpio, "tx_pwm", fail)
    board.sounder.play(((2000.0, 0.001),))
    assert failed.wait(PATIENCE_S)
    assert board.sensors.scan() == frozenset()
    board.close()


def board_of(pi: BenchPi) -> PiBoard:
    BenchBoard(pi, strips=3)
    return open_pi_board(Wiring(strips=3, lights=15, lights_ma=800, oled="sh1106"))
