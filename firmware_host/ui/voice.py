"""The voice as the keypad and the host know it: how it is set, and what people may ask it for."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

DEFAULT_RATE = 165
RATE_STEP = 20
SLOWEST = 80
FASTEST = 400
"""Words per minute."""
DEFAULT_VOLUME = 80
VOLUME_STEP = 10
SOFTEST = 10
LOUDEST = 100
"""Percent, as the menu sets it."""


class Verbosity(Enum):
    """How much is said."""

    TERSE = "terse"
    """Counts and scores."""
    FULL = "full"
    """Also who did what, with which cards."""

    @property
    def is_full(self) -> bool:
        """Whether it is FULL."""
        return self is Verbosity.FULL


class VoiceSettings(Struct, frozen=True):
    """`rate` is in words per minute, SLOWEST to FASTEST; `volume` in percent. `device` is an ALSA device, empty for the
    default one. `language` is one of config.languages.LANGUAGES. `model` is the file of a Piper voice, empty for
    espeak-ng."""

    is_on: bool = False
    language: str = "en"
    verbosity: Verbosity = Verbosity.FULL
    rate: int = DEFAULT_RATE
    volume: int = DEFAULT_VOLUME
    device: str = ""
    model: str = ""


class VoiceRequest(Enum):
    """What a key asks of the voice."""

    REPEAT = "repeat"
    """Say the latest turn and the prompt again. Turns the voice on, if it is off."""
    PEGS = "pegs"
    """Say where every peg is."""
    TEST = "test"
    """Say a sentence, even if the voice is off."""
    STOP = "stop"
    """Be silent until something happens."""
    SETTINGS = "settings"
    """Say how the voice was just set."""


class AskVoice(Struct, frozen=True):
    """Ask the voice for something. For the host."""

    request: VoiceRequest


class NameKey(Struct, frozen=True):
    """Show and say what a key is called: nothing is done by it. For the host."""

    key: str


class SetVoice(Struct, frozen=True):
    """Change the voice, and say what changed. For the host."""

    voice: VoiceSettings


class Asked(Struct, frozen=True):
    """The latest request. `number` grows by one with each."""

    number: int = 0
    request: VoiceRequest = VoiceRequest.STOP


VOICE_KEYS = {"J": VoiceRequest.REPEAT, "Q": VoiceRequest.PEGS, "K": VoiceRequest.STOP}
"""Key, after FN or while FN is down -> what it asks of the voice."""
