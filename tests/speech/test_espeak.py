"""espeak-ng and aplay themselves: what they render and play is audible. Skipped where they are not installed."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.speech.engine import PROGRAM, EspeakEngine
from firmware_host.speech.narrator import Speech
from firmware_host.speech.player import AplayPlayer
from firmware_host.speech.sound import Sound, SpeechError, sound_of_wav
from firmware_host.speech.talker import Talker
from firmware_host.ui.texts.spoken_words import number_in_words
from firmware_host.ui.voice import FASTEST, SLOWEST, VoiceSettings
from tests.conftest import SUMMARY_LINE
from tests.speech.heard import clipped, level, peak
from tests.speech.listener import PHRASES, WORDS, EnglishListener, needs_pocketsphinx
from tests.speech.test_blind_games import Record

needs_espeak = pytest.mark.skipif(
    not shutil.which(PROGRAM), reason="espeak-ng is not installed: sudo apt install espeak-ng"
)
needs_aplay = pytest.mark.skipif(
    not shutil.which("aplay"), reason="aplay is not installed: sudo apt install alsa-utils"
)

TAPE = 'pcm.tape {{ type file slave.pcm null file "{file}" format wav }}\npcm.!default {{ type plug slave.pcm tape }}\n'
"""An ALSA configuration whose default device writes a WAV file."""


def rendered(text: str, **voice: object) -> Sound:
    return EspeakEngine().render(text, VoiceSettings(is_on=True, **voice))  # type: ignore[arg-type]


@needs_espeak
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_audible_and_not_clipped(language: str) -> None:
    tr = translator(language)
    sound = rendered(tr("{name} to play.").format(name="Ann"), language=language)
    assert 0.4 < sound.duration_s < 4 and level(sound) > 500 and peak(sound) > 4000 and clipped(sound) == 0


@needs_espeak
def test_the_rate_and_the_volume_are_heard() -> None:
    slow, fast = (rendered("Ann, peg two, to fifteen.", rate=rate) for rate in (SLOWEST, FASTEST))
    assert slow.duration_s > 2 * fast.duration_s
    low, high = (rendered("Ann, peg two, to fifteen.", volume=volume) for volume in (20, 100))
    assert level(high) > 2 * level(low) and clipped(high) == 0


@needs_espeak
def test_a_name_that_looks_like_an_option_is_only_a_name() -> None:
    assert rendered("--help to play.").duration_s > 0.4


@needs_espeak
@needs_aplay
def test_what_is_played_has_the_length_of_what_was_rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tape, config = tmp_path / "tape.wav", tmp_path / "asound.conf"
    config.write_text(TAPE.format(file=tape))
    monkeypatch.setenv("ALSA_CONFIG_PATH", f"/usr/share/alsa/alsa.conf:{config}")
    voice, talker = VoiceSettings(is_on=True), Talker(EspeakEngine(), AplayPlayer())
    talker.say(Speech.of_text("Fifteen two. And a pair is four.", voice))
    end_s = time.monotonic() + 60
    while talker.is_busy:
        assert time.monotonic() < end_s
        time.sleep(0.01)
    talker.close()
    assert talker.fault == ""
    played = sound_of_wav(tape.read_bytes())
    expected_s = sum(rendered(text).duration_s for text in ("Fifteen two.", "And a pair is four."))
    assert level(played) > 500 and played.duration_s == pytest.approx(expected_s, rel=0.1)


@needs_aplay
def test_a_device_that_is_not_there_is_an_error_with_its_fix() -> None:
    playback = AplayPlayer().start("plughw:31", 22050)
    with pytest.raises(SpeechError, match="^aplay: expected a sound device, got .*aplay -L`$"):  # one line
        playback.write(Sound(22050, bytes(200_000)))
        playback.finish()


def test_a_missing_program_is_an_error_with_its_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SpeechError, match="sudo apt install espeak-ng"):
        rendered("Ann to play.")


@pytest.mark.parametrize("wav", [b"", b"RIFF" + bytes(60), b"no sound at all, but long enough for a header...."])
def test_what_is_no_wav_is_refused(wav: bytes) -> None:
    with pytest.raises(SpeechError, match="expected a WAV file"):
        sound_of_wav(wav)


@pytest.mark.slow
@needs_espeak
@needs_pocketsphinx
def test_a_listener_understands_nine_words_in_ten(record_property: Record) -> None:
    right = EnglishListener().right([rendered(f"{phrase}.") for phrase in PHRASES])
    assert right >= 0.9 * WORDS, f"{right} of {WORDS} words"
    record_property(SUMMARY_LINE, f"espeak-ng: a listener hears {right} of {WORDS} words")


@pytest.mark.slow
@needs_espeak
@needs_pocketsphinx
def test_the_listener_does_not_hear_what_was_not_said() -> None:
    """Else the count of words would prove nothing: another phrase is not taken for it."""
    listener = EnglishListener()
    others = [rendered(f"{phrase}.") for phrase in (*PHRASES[1:], PHRASES[0])]
    assert listener.right(others) < 0.5 * WORDS


@pytest.mark.slow
@needs_espeak
@pytest.mark.parametrize("language", ["fr", "ru", "pl"])
def test_longer_texts_are_longer_to_hear(language: str) -> None:
    """There is no listener for these languages here, so text and length of sound are compared: numbers of more
    letters take longer, up to the rounding of short words."""
    words = [number_in_words(number, translator(language)) for number in range(0, 122, 7)]
    lengths = [rendered(f"{word}.", language=language).duration_s for word in words]
    ordered = sorted(zip(map(len, words), lengths, strict=True))
    third = len(ordered) // 3
    short, long = (sum(length for _, length in part) / third for part in (ordered[:third], ordered[-third:]))
    assert long > 1.3 * short
