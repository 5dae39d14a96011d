"""When the board plays a sound: once a turn is durable, and when a key is refused; not when a phone is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.config.settings import Settings
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.game import events as e
from firmware_host.game.commands import Bid
from firmware_host.startup.boards import with_settings
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.ui.sounds.sounds import Sound
from tests.host.bench import HostBench


@pytest.fixture
def bench() -> Iterator[HostBench]:
    bench = HostBench(Journal.in_memory())
    bench.begin()
    yield bench
    bench.host.stop()


def new_sounds(bench: HostBench) -> list[Sound]:
    played = [Sound(tune) for tune in bench.board.sounder.played]
    bench.board.sounder.played.clear()
    return played


def test_leap_sounds_once_it_has_settled(bench: HostBench) -> None:
    bench.lift(1, 0)
    bench.place(1, 8)
    bench.wait(bench.setup.scan_s)
    assert bench.first_line == "Ben +8? ENTER" and new_sounds(bench) == []
    bench.wait(0.6)
    assert bench.table.scores == (0, 8) and new_sounds(bench) == [Sound.PEGGED]
    bench.wait(5.0)
    assert new_sounds(bench) == []


def test_turn_that_cannot_be_saved_makes_no_sound(bench: HostBench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise JournalError("free space", "none", "the disk", "delete something")

    with monkeypatch.context() as disk:
        disk.setattr(bench.journal, "append", fail)
        bench.leap(1, 0, 8)
        assert bench.table.scores == (0, 0) and new_sounds(bench) == []
    bench.wait(2.0)
    assert bench.table.scores == (0, 8) and new_sounds(bench) == [Sound.PEGGED]


def test_turn_is_durable_before_its_sound(bench: HostBench, monkeypatch: pytest.MonkeyPatch) -> None:
    was_durable = list[bool]()
    monkeypatch.setattr(bench.board.sounder, "play", lambda tune: was_durable.append(leap_is_in_journal(bench)))
    bench.leap(1, 0, 8)
    assert was_durable == [True]


def leap_is_in_journal(bench: HostBench) -> bool:
    return any(isinstance(event, e.PegLeapt) for turn in bench.journal.current_game() for event in turn)


def test_refused_key_makes_a_sound(bench: HostBench) -> None:
    bench.keys("FN UNDO")
    assert bench.host.snapshot.prompt == "Nothing to redo." and new_sounds(bench) == [Sound.REFUSED]


def test_refused_phone_command_makes_no_sound(bench: HostBench) -> None:
    with pytest.raises(Refusal):
        bench.host.execute(Bid(3, Seat(0)))
    assert new_sounds(bench) == []


@pytest.mark.parametrize("sound", [True, False])
def test_sound_setting_turns_sounds_off(bench: HostBench, tmp_path: Path, sound: bool) -> None:
    settings = Settings(state_folder=tmp_path, sound=sound)
    bench.setup = with_settings(bench.setup, settings)
    bench.switch_on()
    bench.leap(1, 0, 8)
    assert bench.table.scores == (0, 8) and new_sounds(bench) == [Sound.PEGGED] * sound
