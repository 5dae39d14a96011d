"""One speech at a time: a newer one cuts the older off, sentences come in order, and a fault ends nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from firmware_host.speech.board_voice import fixed_sentences
from firmware_host.speech.narrator import Speech
from firmware_host.speech.sound import Sound
from firmware_host.speech.talker import SoundCache, Talker
from firmware_host.ui.translator import untranslated
from firmware_host.ui.voice import VoiceSettings
from tests.speech.heard import TapePlayer, TextEngine, text_of

VOICE = VoiceSettings(is_on=True, device="plughw:1")
PATIENCE_S = 60.0


@contextmanager
def talking(engine: TextEngine, player: TapePlayer) -> Iterator[Talker]:
    talker = Talker(engine, player)
    try:
        yield talker
    finally:
        player.go_on.set()
        talker.close()


def wait_for(condition: Callable[[], object]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end_s
        time.sleep(0.002)


def speech(text: str) -> Speech:
    return Speech.of_text(text, VOICE)


def test_sentences_are_said_in_order_on_the_device_of_the_settings() -> None:
    engine, player = TextEngine(), TapePlayer()
    with talking(engine, player) as talker:
        talker.say(speech("Ben: a five. Fifteen for two, Ben. Ben, peg two, to two."))
        wait_for(lambda: player.recordings and player.recordings[0].is_finished)
    (said,) = player.recordings
    assert said.device == "plughw:1"
    assert engine.rendered == ["Ben: a five.", "Fifteen for two, Ben.", "Ben, peg two, to two."]
    assert text_of(said) == "Ben: a five. Fifteen for two, Ben. Ben, peg two, to two."


def test_a_newer_speech_cuts_the_older_one_off_and_they_never_overlap() -> None:
    player = TapePlayer(is_slow=True)
    with talking(TextEngine(), player) as talker:
        talker.say(speech("Ann to play."))
        wait_for(lambda: player.started.is_set())
        player.go_on.set()
        talker.say(speech("Ben to play."))
        wait_for(lambda: len(player.recordings) == 2 and player.recordings[1].is_finished)
    first, second = player.recordings
    assert first.is_stopped and text_of(second) == "Ben to play." and player.overlaps == 0


def test_a_speech_without_lines_is_silence() -> None:
    player = TapePlayer(is_slow=True)
    with talking(TextEngine(), player) as talker:
        talker.say(speech("Ann to play."))
        wait_for(lambda: player.started.is_set())
        talker.say(Speech(VOICE))
        wait_for(lambda: player.recordings[0].is_stopped)
    assert len(player.recordings) == 1


def test_what_is_said_often_is_rendered_once() -> None:
    engine, player = TextEngine(), TapePlayer()
    with talking(engine, player) as talker:
        for _number in range(3):
            talker.say(speech("Ann to play."))
            wait_for(lambda: not talker.is_busy)
    assert [text_of(said) for said in player.recordings] == ["Ann to play."] * 3
    assert engine.rendered == ["Ann to play."]


def test_fixed_sentences_are_rendered_before_they_are_needed() -> None:
    engine, player = TextEngine(), TapePlayer()
    sentences = [*fixed_sentences(("Ann", "Ben"), untranslated)]
    with talking(engine, player) as talker:
        talker.prepare(sentences, VOICE)
        wait_for(lambda: len(engine.rendered) == len(sentences))
        talker.say(speech("Ann to play. Twenty-five."))
        wait_for(lambda: player.recordings and player.recordings[0].is_finished)
    assert engine.rendered == sentences


def test_a_fault_is_kept_until_speech_is_heard_again() -> None:
    engine, player = TextEngine(), TapePlayer()
    engine.fault = "espeak-ng: expected an installed program, got none"
    with talking(engine, player) as talker:
        talker.say(speech("Ann to play."))
        wait_for(lambda: talker.fault)
        assert talker.fault == engine.fault and not player.recordings
        engine.fault = ""
        talker.say(speech("Ben to play."))
        wait_for(lambda: player.recordings and player.recordings[0].is_finished and not talker.fault)


def test_the_cache_drops_the_least_recently_used_sound() -> None:
    cache = SoundCache(most_bytes=8)
    for text in ("a", "b"):
        cache.put(text, VOICE, Sound(1, b"1234"))
    assert cache.get("a", VOICE)
    cache.put("c", VOICE, Sound(1, b"1234"))
    assert [bool(cache.get(text, VOICE)) for text in "abc"] == [True, False, True]


def test_what_was_prepared_is_not_dropped_for_what_is_said_once() -> None:
    engine, player = TextEngine(), TapePlayer()
    with talking(engine, player) as talker:
        talker.prepare(["Ann to play."], VOICE)
        wait_for(lambda: engine.rendered)
        for number in range(3):
            talker.say(speech(f"{number}" * 1_000_000))  # 2 MB each
            wait_for(lambda: not talker.is_busy)
        talker.say(speech("Ann to play."))
        wait_for(lambda: not talker.is_busy)
    assert engine.rendered.count("Ann to play.") == 1 and text_of(player.recordings[-1]) == "Ann to play."
