"""The check of the voice: its programs and a sound device. A game can be played without, so nothing here is a FAULT."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from firmware_host.config.languages import translator
from firmware_host.config.settings import BEST
from firmware_host.doctor.findings import DoctorContext, Finding, note, passed, warning
from firmware_host.optional_packages import Option, install_command
from firmware_host.speech.engine import PROGRAM
from firmware_host.speech.piper import PROGRAM as PIPER
from firmware_host.speech.player import AMPLIFIER
from firmware_host.speech.player import PROGRAM as PLAYER
from firmware_host.speech.sound import SpeechError

GROUP = "audio"
"""Its members may open sound devices."""
EXPECTED = f"{PROGRAM}, {PLAYER} and a sound device"
NO_DEVICE = "Plug in a USB sound card or switch on the Pi's sound; the game goes on without."
_CARD = re.compile(r"^card \d+: \w+ \[([^]]+)]", re.MULTILINE)


def check_voice(context: DoctorContext) -> Iterable[Finding]:
    """One line: whether the board can speak, and on what."""
    is_on = context.settings.voice
    machine = context.machine
    missing = [name for name in (PROGRAM, PLAYER) if not machine.run(name, "--version")]
    devices = list(dict.fromkeys(_CARD.findall(machine.run(PLAYER, "-l"))))
    if missing:
        fix = f"{install_command(Option.VOICE)}; the game goes on without."
        yield from _lacking(f"{' and '.join(missing)} not installed", fix, is_on)
    elif not devices and not context.settings.voice_device:
        yield from _lacking("no sound device", NO_DEVICE, is_on)
    elif is_on and GROUP not in machine.groups() and machine.user() != "root":
        fix = f"sudo usermod -aG {GROUP} {machine.user()}, then log in again; the game goes on without."
        yield warning("voice", f"the group {GROUP}", f"{machine.user()} is not in it", fix)
    elif context.may_sound:
        yield _said(context)
    else:
        on_or_off = "on" if is_on else "off, FN and J turn it on"
        on_what = context.settings.voice_device or (AMPLIFIER if AMPLIFIER in devices else ", ".join(devices))
        engine = _engine(context)
        yield passed("voice", EXPECTED, f"{on_or_off}; {engine}can be heard on {on_what}; to test it: --sound")


def _engine(context: DoctorContext) -> str:
    """Piper and its voice, or why not where only a half of it is there; nothing about espeak-ng alone."""
    model = Path(context.settings.voice_settings.model).stem
    has_piper = bool(context.machine.run("which", PIPER))
    if model:
        return f"Piper with {model} " if has_piper else f"{PROGRAM} (voice {model}, but no Piper) "
    is_chosen = context.settings.voice_engine == BEST
    return f"{PROGRAM} (Piper has no voice in {context.settings.voices_folder}) " if has_piper and is_chosen else ""


def _lacking(got: str, fix: str, is_on: bool) -> Iterable[Finding]:
    if is_on:
        yield warning("voice", EXPECTED, got, fix)
    else:
        yield note("voice", f"off, and could not be heard: {got}", EXPECTED)


def _said(context: DoctorContext) -> Finding:
    settings = context.settings
    tr = translator(settings.language)
    text = tr("This is the voice of the board.")
    try:
        context.say(text, settings.voice_settings)
    except SpeechError as error:
        return warning("voice", EXPECTED, str(error), "Choose another device in voice_device: aplay -L lists them.")
    where = settings.voice_device or "the default device"
    return note("voice", f'it said "{text}" on {where}: was it audible?', EXPECTED)
