"""How the voice is set, said when it was changed."""

from __future__ import annotations

from firmware_host.ui.spoken_words import number_in_words, together
from firmware_host.ui.translator import Translator
from firmware_host.ui.voice import VoiceSettings


def spoken_settings(before: VoiceSettings, now: VoiceSettings, _: Translator) -> str:
    """What changed; if nothing did, because a limit was reached, speed and volume."""
    speed = _("Speed: {number}.").format(number=number_in_words(now.rate, _))
    volume = _("Volume: {number}.").format(number=number_in_words(now.volume, _))
    changed = together(
        speed if now.rate != before.rate else "",
        volume if now.volume != before.volume else "",
        spoken_verbosity(now, _) if now.verbosity is not before.verbosity else "",
    )
    return changed or together(speed, volume)


def spoken_verbosity(now: VoiceSettings, _: Translator) -> str:
    """How much is said."""
    return _("Everything is said.") if now.verbosity.is_full else _("Only counts and scores are said.")
