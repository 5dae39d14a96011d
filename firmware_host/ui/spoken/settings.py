"""How the voice is set, said when it was changed."""

from __future__ import annotations

from firmware_host.ui.texts.spoken_words import number_in_words, together
from firmware_host.ui.translator import Translator
from firmware_host.ui.voice import VoiceSettings


def spoken_settings(before: VoiceSettings, now: VoiceSettings, tr: Translator) -> str:
    """What changed; if nothing did, because a limit was reached, speed and volume."""
    speed = tr("Speed: {number}.").format(number=number_in_words(now.rate, tr))
    volume = tr("Volume: {number}.").format(number=number_in_words(now.volume, tr))
    changed = together(
        speed if now.rate != before.rate else "",
        volume if now.volume != before.volume else "",
        spoken_verbosity(now, tr) if now.verbosity is not before.verbosity else "",
    )
    return changed or together(speed, volume)


def spoken_verbosity(now: VoiceSettings, tr: Translator) -> str:
    """How much is said."""
    return tr("Everything is said.") if now.verbosity.is_full else tr("Only counts and scores are said.")
