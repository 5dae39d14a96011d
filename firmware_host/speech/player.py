"""Plays sound with ALSA's `aplay`. Killing its process stops the sound at once."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from firmware_host.speech.sound import Sound, SpeechError

PROGRAM = "aplay"
AMPLIFIER = "MAX98357A"
CARDS = Path("/proc/asound")
"""The sound card of the amplifier on the header, and where the kernel lists the cards by name."""
FINISH_S = 30.0
"""Limit for the sound that is still in the device's buffer at the end."""


class Playback(Protocol):
    """One utterance that is being played. `stop` may be called from another thread."""

    def write(self, sound: Sound) -> None:
        """Appends a sound; returns when the device has taken nearly all of it, or after `stop`. Raises SpeechError."""

    def finish(self) -> None:
        """Waits until everything was heard, or `stop` was called. Raises SpeechError."""

    def stop(self) -> None:
        """Stops the sound at once."""


class Player(Protocol):
    """An output for sound."""

    def start(self, device: str, rate_hz: int) -> Playback:
        """Begins an utterance on an ALSA device, empty for `default_device`. Raises SpeechError."""


def default_device(cards: Path = CARDS) -> str:
    """The amplifier on the header if there is one: ALSA's default may be an HDMI screen. Else ALSA's default, ""."""
    return f"plughw:CARD={AMPLIFIER}" if (cards / AMPLIFIER).exists() else ""


class AplayPlayer:
    """Plays on a sound device of this computer."""

    def start(self, device: str, rate_hz: int) -> Playback:
        return _Aplay(device, rate_hz)


class _Aplay:
    def __init__(self, device: str, rate_hz: int) -> None:
        device = device or default_device()
        where = ("-D", device) if device else ()
        command = (PROGRAM, "-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(rate_hz), *where)
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise SpeechError(f"{PROGRAM}: expected an installed program, got {error.strerror}") from error
        self._is_stopped = False

    def write(self, sound: Sound) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(sound.samples)
        except (BrokenPipeError, ValueError):  # the program ended, or `finish` was called
            self.finish()

    def finish(self) -> None:
        said = b""
        with suppress(ValueError):  # it was finished before
            try:
                _, said = self._process.communicate(timeout=FINISH_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                _, said = self._process.communicate()
        if self._process.returncode and not self._is_stopped:
            lines = said.decode(errors="replace").split("\n")
            got = next((line for line in reversed(lines) if line.strip()), f"exit code {self._process.returncode}")
            raise SpeechError(f"{PROGRAM}: expected a sound device, got {got}. Fix: choose one of `{PROGRAM} -L`")

    def stop(self) -> None:
        self._is_stopped = True
        self._process.kill()
