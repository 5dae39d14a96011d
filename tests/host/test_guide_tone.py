"""A wrong peg is guided by ear while the voice is on."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.storage.journal import Journal
from firmware_host.ui.sounds.guide_tone import FOUND, guide_tune
from firmware_host.ui.voice import SetVoice, VoiceSettings
from tests.host.bench import HostBench


def guided(bench: HostBench) -> list[object]:
    """Moves Ann's back peg from 0 to 3, a wrong hole, and back to 0; the tunes that are heard meanwhile."""
    bench.leap(0, -1, 8)
    bench.wait(1)
    bench.board.sounder.played.clear()
    bench.lift(0, 0)
    bench.place(0, 3)
    bench.wait(4)
    assert bench.first_line == "Ann: wrong hole"
    bench.lift(0, 3)
    bench.wait(0.3)
    bench.place(0, 0)
    bench.wait(4)
    return list(bench.board.sounder.played)


@pytest.fixture
def bench() -> HostBench:
    bench = HostBench(Journal.in_memory())
    bench.begin()
    return bench


def test_the_tone_follows_the_peg_to_its_hole(bench: HostBench) -> None:
    bench.host.execute(SetVoice(replace(VoiceSettings(), is_on=True)))
    assert guided(bench) == [guide_tune(3), FOUND]


def test_without_the_voice_or_the_sounds_there_is_no_tone(bench: HostBench) -> None:
    assert not guided(bench)
    bench.host.execute(SetVoice(replace(VoiceSettings(), is_on=True)))
    bench.host._context.setup = replace(bench.host.setup, has_sound=False)
    bench.lift(0, 0)
    bench.place(0, 3)
    bench.wait(4)
    assert bench.first_line == "Ann: wrong hole" and not bench.board.sounder.played
