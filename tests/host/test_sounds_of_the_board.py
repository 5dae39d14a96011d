"""When the board is heard: after the journal has the turn, and for a refusal to hands; never for a phone's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.assemble import furnished
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.journal import Journal, JournalFault
from firmware_host.settings import Settings
from firmware_host.table import events as e
from firmware_host.table.orders import Bid
from firmware_host.table.sounds import Sound
from tests.host.bench import Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(Journal.in_memory())
    bench.begin()
    yield bench
    bench.host.stop()


def heard(bench: Bench) -> list[Sound]:
    played = [Sound(tune) for tune in bench.board.sounder.played]
    bench.board.sounder.played.clear()
    return played


def test_a_leap_is_heard_when_it_is_settled_and_not_before(bench: Bench) -> None:
    bench.lift(1, 0)
    bench.place(1, 8)
    bench.wait(bench.house.scan_s)
    assert bench.first_line == "Ben +8?" and heard(bench) == []
    bench.wait(0.6)
    assert bench.table.scores == (0, 8) and heard(bench) == [Sound.PEGGED]
    bench.wait(5.0)
    assert heard(bench) == []


def test_nothing_is_heard_of_a_turn_that_could_not_be_kept(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise JournalFault("room", "none", "the disk", "make some")

    with monkeypatch.context() as disk:
        disk.setattr(bench.journal, "append", full)
        bench.leap(1, 0, 8)
        assert bench.table.scores == (0, 0) and heard(bench) == []
    bench.wait(2.0)
    assert bench.table.scores == (0, 8) and heard(bench) == [Sound.PEGGED]


def test_when_it_sounds_the_journal_has_the_turn(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = list[bool]()
    monkeypatch.setattr(bench.board.sounder, "play", lambda tune: kept.append(last_kept(bench)))
    bench.leap(1, 0, 8)
    assert kept == [True]


def last_kept(bench: Bench) -> bool:
    return any(isinstance(event, e.PegLeapt) for turn in bench.journal.current_game() for event in turn)


def test_a_refusal_to_hands_is_heard(bench: Bench) -> None:
    bench.keys("FN UNDO")
    assert bench.host.snapshot.prompt == "No turn was taken back" and heard(bench) == [Sound.REFUSED]


def test_a_refusal_to_a_phone_is_read_there_and_not_heard(bench: Bench) -> None:
    with pytest.raises(Refusal):
        bench.host.do(Bid(3, Seat(0)))
    assert heard(bench) == []


@pytest.mark.parametrize("sound", [True, False])
def test_a_board_is_heard_if_the_settings_say_so(bench: Bench, tmp_path: Path, sound: bool) -> None:
    settings = Settings(state_folder=tmp_path, sound=sound)
    bench.house = furnished(bench.house, settings)
    bench.switch_on()
    bench.leap(1, 0, 8)
    assert bench.table.scores == (0, 8) and heard(bench) == [Sound.PEGGED] * sound
