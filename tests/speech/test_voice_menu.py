"""The voice's menu on the board, by ear: each change is heard, and kept for the next start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.config.languages import translator
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.config.settings_sources import sources_of
from firmware_host.speech.board_voice import BoardVoice
from firmware_host.speech.talker import Talker
from firmware_host.startup.boards import with_settings
from firmware_host.startup.services import keep_voice, settings_editor_of
from firmware_host.storage.journal import Journal
from firmware_host.ui.voice import FASTEST, Verbosity, VoiceSettings
from tests.host.bench import HostBench
from tests.speech.heard import TapePlayer, TextEngine
from tests.speech.listening_bench import ListeningBench
from tests.speech.test_talker import wait_for


@pytest.fixture
def bench() -> Iterator[ListeningBench]:
    bench = ListeningBench(Journal.in_memory())
    yield bench
    bench.host.stop()


def open_voice_menu(bench: HostBench) -> None:
    """The last entry of the main menu's second page."""
    bench.hold_fn()
    bench.keys("FN 6")


def test_the_menu_of_the_voice_is_found_by_ear(bench: ListeningBench) -> None:
    bench.hold_fn()
    bench.new()
    bench.keys("FN")
    assert bench.new()[-1].endswith("Six: Voice. FN: more.")
    bench.keys("6")
    assert bench.new() == [
        "Voice? Ace: Turn it off. Two: Slower. Three: Faster. Four: Softer. Five: Louder. Six: Say less."
    ]


def test_each_change_is_said_and_the_menu_stays_open(bench: ListeningBench) -> None:
    open_voice_menu(bench)
    bench.new()
    bench.keys("3")
    assert bench.new() == ["Speed: one hundred and eighty-five."]
    bench.keys("5")
    assert bench.new() == ["Volume: ninety."]
    bench.keys("6")
    assert bench.new() == ["Only counts and scores are said."]
    bench.keys("6")
    assert bench.new() == ["Everything is said."]
    assert bench.host.snapshot.voice == VoiceSettings(is_on=True, rate=185, volume=90)


def test_at_the_limit_the_speed_is_said_again(bench: ListeningBench) -> None:
    open_voice_menu(bench)
    while bench.host.snapshot.voice.rate < FASTEST:
        bench.keys("3")
    bench.new()
    bench.keys("3")
    assert bench.new() == ["Speed: 400. Volume: eighty."]


@pytest.fixture
def editor(tmp_path: Path) -> SettingsEditor:
    file = tmp_path / "cribboard.toml"
    file.write_text("# Ours.\nvoice = true\nvoice_rate = 165  # words a minute\n")
    sources = sources_of(file, {}, {"state_folder": tmp_path / "state"})
    return SettingsEditor(sources, sources.load(), lambda settings: None)


def test_what_was_chosen_is_there_at_the_next_start(editor: SettingsEditor) -> None:
    keep_voice(editor, VoiceSettings(is_on=True, rate=205, volume=50, verbosity=Verbosity.TERSE))
    settings = editor.sources.load()
    assert settings.voice_settings == VoiceSettings(is_on=True, rate=205, volume=50, verbosity=Verbosity.TERSE)
    text = editor.sources.file.read_text()
    assert text.startswith("# Ours.\nvoice = true\nvoice_rate = 205  # words a minute\n")


def test_what_is_set_already_is_not_written(editor: SettingsEditor) -> None:
    before = editor.sources.file.stat()
    keep_voice(editor, editor.running.voice_settings)
    assert editor.sources.file.stat() == before


def test_settings_that_cannot_be_written_are_logged(editor: SettingsEditor, caplog: pytest.LogCaptureFixture) -> None:
    editor.sources.file.write_text("voice = ")
    keep_voice(editor, VoiceSettings(is_on=False))
    assert "the voice is not kept" in caplog.text


def test_the_settings_are_kept_once_the_menu_is_closed(editor: SettingsEditor) -> None:
    bench = HostBench(Journal.in_memory())
    bench.setup = with_settings(bench.setup, editor.running)
    bench.switch_on()
    editor = settings_editor_of(editor.sources, editor.running, bench.host)
    kept = list[VoiceSettings]()

    def keep(voice: VoiceSettings) -> None:
        keep_voice(editor, voice)
        kept.append(voice)

    talker = Talker(TextEngine(), TapePlayer())
    voice = BoardVoice(bench.host, lambda: talker, translator, keep)
    try:
        wait_for(lambda: bench.wait(0.02) or len(kept) == 1)  # type: ignore[func-returns-value]
        open_voice_menu(bench)
        bench.keys("3 3")
        wait_for(lambda: not talker.is_busy)
        assert len(kept) == 1
        bench.keys("UNDO")
        wait_for(lambda: bench.wait(0.02) or len(kept) == 2)  # type: ignore[func-returns-value]
    finally:
        voice.stop()
        bench.host.stop()
    assert editor.sources.load().voice_rate == 205


def test_a_talker_is_made_when_there_is_first_something_to_say() -> None:
    bench, made = HostBench(Journal.in_memory()), list[Talker]()
    bench.switch_on()

    def make_talker() -> Talker:
        made.append(Talker(TextEngine(), TapePlayer()))
        return made[-1]

    voice = BoardVoice(bench.host, make_talker, translator)
    try:
        bench.keys("ENTER")
        bench.wait(0.5)
        assert (made, voice.fault) == ([], "")
        for text in ("Hello.", "Goodbye."):
            voice.test(text)
        assert len(made) == 1
    finally:
        voice.stop()
        bench.host.stop()
