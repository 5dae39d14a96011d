"""Speech engines: text in, sound out. Each runs as a process of its own, so that a crash of an engine does not end the
program."""

from __future__ import annotations

import subprocess
from typing import Protocol

from firmware_host.optional_packages import Option, install_command
from firmware_host.speech.sound import Sound, SpeechError, sound_of_wav
from firmware_host.ui.voice import VoiceSettings

PROGRAM = "espeak-ng"
RENDER_S = 10.0
"""Limit for one sentence; it takes some 10 ms of processor time."""
VOICES = {"en": "en-us", "fr": "fr", "ru": "ru", "pl": "pl"}
"""Language -> voice of espeak-ng."""
AMPLITUDE_OF_VOLUME = 1.25
"""espeak-ng's amplitude for a volume of one percent: its default, 100, is 80 percent here. More may clip."""


class Engine(Protocol):
    """A program that speaks."""

    def render(self, text: str, voice: VoiceSettings) -> Sound:
        """The sound of one sentence. May take some seconds. Raises SpeechError."""

    def close(self) -> None:
        """Ends whatever was started."""


class EspeakEngine:
    """espeak-ng, one process for each sentence."""

    def render(self, text: str, voice: VoiceSettings) -> Sound:
        """The text goes to its standard input, so that no name can be taken for an option."""
        amplitude = round(voice.volume * AMPLITUDE_OF_VOLUME)
        options = ("-v", VOICES[voice.language], "-s", str(voice.rate), "-a", str(amplitude), "-b", "1")
        done = run_engine((PROGRAM, *options, "--stdin", "--stdout"), text)
        return sound_of_wav(done)

    def close(self) -> None:
        pass


def run_engine(command: tuple[str, ...], text: str) -> bytes:
    """The output of an engine for this text. Raises SpeechError."""
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=RENDER_S, check=False)
    except FileNotFoundError:
        fix = install_command(Option.VOICE)
        raise SpeechError(f"{command[0]}: expected an installed program, got none. Fix: {fix}") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SpeechError(f"{command[0]}: expected speech, got {error}") from error
    if done.returncode or not done.stdout:
        said = done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode}"
        raise SpeechError(f"{command[0]}: expected speech, got {said}")
    return done.stdout
