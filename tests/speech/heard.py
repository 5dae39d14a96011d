"""Sound as a test hears it: how loud it is and how long, and a player that keeps what was played."""

from __future__ import annotations

import sys
from array import array
from threading import Event

from msgspec import Struct, field

from firmware_host.speech.sound import Sound, SpeechError
from firmware_host.ui.voice import VoiceSettings

CLIPPED = 32767


def samples_of(sound: Sound) -> array[int]:
    samples = array("h", sound.samples)
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def peak(sound: Sound) -> int:
    """0 to 32768."""
    samples = samples_of(sound)
    return max(max(samples), -min(samples))


def level(sound: Sound) -> float:
    """The root mean square, 0 to 32768."""
    samples = samples_of(sound)
    return float((sum(sample * sample for sample in samples) / len(samples)) ** 0.5)


def clipped(sound: Sound) -> int:
    """How many samples are as large as a sample can be."""
    return sum(abs(sample) >= CLIPPED for sample in samples_of(sound))


class Recording(Struct):
    """One utterance that was played."""

    device: str
    written: list[Sound] = field(default_factory=list)
    is_stopped: bool = False
    is_finished: bool = False


class TapePlayer:
    """A Player that keeps every utterance. With `is_slow` an utterance lasts until it is stopped or `go_on` is set."""

    def __init__(self, *, is_slow: bool = False) -> None:
        self.recordings = list[Recording]()
        self.go_on = Event()
        self.started, self.overlaps, self._open = Event(), 0, 0
        if not is_slow:
            self.go_on.set()

    def start(self, device: str, rate_hz: int) -> TapePlayback:
        self.recordings.append(Recording(device))
        self.overlaps += self._open > 0
        self._open += 1
        return TapePlayback(self, self.recordings[-1])

    def closed(self) -> None:
        self._open -= 1


class TapePlayback:
    """One utterance of a TapePlayer."""

    def __init__(self, player: TapePlayer, recording: Recording) -> None:
        self._player, self._recording, self._ended = player, recording, Event()

    def write(self, sound: Sound) -> None:
        if not self._recording.is_stopped:
            self._recording.written.append(sound)
        self._player.started.set()

    def finish(self) -> None:
        while not (self._recording.is_stopped or self._player.go_on.wait(0.01)):
            pass
        self._recording.is_finished = not self._recording.is_stopped

    def stop(self) -> None:
        if not self._ended.is_set():
            self._ended.set()
            self._recording.is_stopped = not self._recording.is_finished
            self._player.closed()


class TextEngine:
    """An Engine whose sound is the text itself, so that a test can read what was played. `fault`: what it raises."""

    def __init__(self) -> None:
        self.rendered = list[str]()
        self.fault = ""

    def render(self, text: str, voice: VoiceSettings) -> Sound:
        if self.fault:
            raise SpeechError(self.fault)
        self.rendered.append(text)
        return Sound(22050, text.encode("utf-16-le"))

    def close(self) -> None:
        pass


def text_of(recording: Recording) -> str:
    """What a recording of a TextEngine says."""
    return " ".join(sound.samples.decode("utf-16-le") for sound in recording.written)
