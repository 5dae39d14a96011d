"""How soon the voice is heard after an event, and what a sentence costs. Skipped where espeak-ng is not installed."""

from __future__ import annotations

import os
import shutil
from statistics import median
from time import perf_counter, sleep

import pytest

from firmware_host.config.languages import translator
from firmware_host.speech.board_voice import fixed_sentences
from firmware_host.speech.engine import PROGRAM, EspeakEngine
from firmware_host.speech.narrator import Speech
from firmware_host.speech.sound import Sound
from firmware_host.speech.talker import Talker
from firmware_host.ui.voice import VoiceSettings
from tests.bench.recording import Recorder

pytestmark = [
    pytest.mark.bench,
    pytest.mark.skipif(not shutil.which(PROGRAM), reason="espeak-ng is not installed: sudo apt install espeak-ng"),
]
VOICE = VoiceSettings(is_on=True)


class TimedPlayer:
    """Notes when the first sound of each utterance arrives."""

    def __init__(self) -> None:
        self.heard_s: float | None = None

    def start(self, device: str, rate_hz: int) -> TimedPlayer:
        return self

    def write(self, sound: Sound) -> None:
        self.heard_s = self.heard_s or perf_counter()

    def finish(self) -> None:
        pass

    def stop(self) -> None:
        pass


def processor_s() -> float:
    """Of this process and of the engines that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def test_delay_from_an_event_to_its_first_sound(recorder: Recorder) -> None:
    """`new`: a sentence that was never said; `prepared`: one of the fixed ones. The time that `aplay` needs to open the
    device comes on top."""
    player = TimedPlayer()
    talker = Talker(EspeakEngine(), player)
    fixed = [*fixed_sentences(("Ann", "Ben"), translator("en"))]
    began_s, used_s = perf_counter(), processor_s()
    talker.prepare(fixed, VOICE)
    talker.say(Speech.of_text(fixed[-1], VOICE))
    while talker.is_busy or talker.is_preparing:
        sleep(0.01)
    figures = {
        "fixed_sentences": len(fixed),
        "prepare_s": perf_counter() - began_s,
        "prepare_processor_ms_each": 1e3 * (processor_s() - used_s) / len(fixed),
    }
    for name, sentences in (
        ("new", [f"Ann, peg {number}, to {number + 40}." for number in range(recorder.pick(full=60, small=3))]),
        ("prepared", fixed[: recorder.pick(full=60, small=3)]),
    ):
        used_s = processor_s()
        delays_s = [delay_s(talker, player, sentence) for sentence in sentences]
        figures |= {
            f"{name}_median_ms": 1e3 * median(delays_s),
            f"{name}_worst_ms": 1e3 * max(delays_s),
            f"{name}_processor_ms": 1e3 * (processor_s() - used_s) / len(sentences),
        }
    talker.close()
    recorder.record("speech", figures)


def delay_s(talker: Talker, player: TimedPlayer, sentence: str) -> float:
    """From the event to the first sound of its sentence."""
    player.heard_s, said_s = None, perf_counter()
    talker.say(Speech.of_text(sentence, VOICE))
    while player.heard_s is None or talker.is_busy:
        sleep(0.002)
    heard_s: float = player.heard_s
    return heard_s - said_s
