"""Keeps rendered sentences, the latest ones, so that what is said often is heard at once."""

from __future__ import annotations

from collections import OrderedDict

from firmware_host.speech.sound import Sound
from firmware_host.ui.voice import VoiceSettings

MOST_BYTES = 12_000_000
"""Over four minutes of speech: more than the fixed sentences of a game of six."""

_Key = tuple[str, str, int, int, str]


class SoundCache:
    """Text and voice -> sound. The least recently used go first. One thread uses it."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._sounds: OrderedDict[_Key, Sound] = OrderedDict()

    def get(self, text: str, voice: VoiceSettings) -> Sound | None:
        """None: not rendered yet, or with another voice."""
        if sound := self._sounds.get(key := _key(text, voice)):
            self._sounds.move_to_end(key)
        return sound

    def put(self, text: str, voice: VoiceSettings, sound: Sound) -> None:
        """Keeps a sound."""
        if before := self._sounds.pop(key := _key(text, voice), None):
            self._bytes -= len(before.samples)
        self._sounds[key] = sound
        self._bytes += len(sound.samples)
        while self._bytes > self._most_bytes:
            _oldest, dropped = self._sounds.popitem(last=False)
            self._bytes -= len(dropped.samples)


def _key(text: str, voice: VoiceSettings) -> _Key:
    return text, voice.language, voice.rate, voice.volume, voice.model
