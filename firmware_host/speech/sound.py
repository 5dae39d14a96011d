"""A piece of sound in memory: one channel of 16-bit samples."""

from __future__ import annotations

from msgspec import Struct

_HEADER = 44
"""Bytes of the shortest WAV header."""


class SpeechError(Exception):
    """A sentence could not be rendered or played. The text says what was expected, what happened, and how to fix it."""


class Sound(Struct, frozen=True):
    """`samples` are little-endian 16-bit numbers, `rate_hz` of them a second."""

    rate_hz: int
    samples: bytes

    @property
    def duration_s(self) -> float:
        """How long it is heard."""
        return len(self.samples) / 2 / self.rate_hz


def sound_of_wav(wav: bytes) -> Sound:
    """The sound of a WAV file of one channel of 16 bits. Raises SpeechError.

    The lengths in its header are ignored: a program that writes to a pipe cannot know them.
    """
    data = wav.find(b"data")
    if len(wav) < _HEADER or wav[:4] != b"RIFF" or data < 0:
        raise SpeechError(f"expected a WAV file, got {len(wav)} bytes")
    channels = int.from_bytes(wav[22:24], "little")
    bits = int.from_bytes(wav[34:36], "little")
    if (channels, bits) != (1, 16):
        raise SpeechError(f"expected one channel of 16 bits, got {channels} of {bits}")
    samples = wav[data + 8 :]
    return Sound(int.from_bytes(wav[24:28], "little"), samples[: len(samples) // 2 * 2])
