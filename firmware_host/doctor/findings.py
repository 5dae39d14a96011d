"""What one check found: expected, got and how to fix it; and what a check is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from board_drivers.ports import DriverError
from firmware_host.board.plan import BoardPlan
from firmware_host.config.settings import Settings
from firmware_host.config.settings_errors import SettingsError
from firmware_host.doctor.machine import Machine
from firmware_host.errors import HostError
from firmware_host.speech.talker import say_once
from firmware_host.ui.voice import VoiceSettings


class Verdict(Enum):
    """FAULT: no game can be played before it is fixed. WARNING: should be fixed, but a game can be played. NOTE: was
    not checked or does not matter here, and says why. The values are printed and go into the JSON in lower case."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warn"
    FAULT = "FAULT"


class Finding(Struct, frozen=True):
    """The result of one check. `about`: the checked part in 15 letters at most. `fix`: sentences, "" unless WARNING or
    FAULT."""

    about: str
    verdict: Verdict
    expected: str
    got: str
    fix: str = ""


class DoctorContext(Struct, frozen=True):
    """What the checks are given: the machine, the settings it runs with, and the plan of its board."""

    machine: Machine
    settings: Settings
    plan: BoardPlan
    may_sound: bool = False
    """Whether the piezo may beep and the voice may speak: only when the user asked for it."""
    say: Callable[[str, VoiceSettings], None] = say_once
    """Says a text and waits for its end; raises SpeechError."""
    settings_error: SettingsError | None = None
    """Why the settings file cannot be used; `settings` are then those of the latest good start."""

    @property
    def needs_header(self) -> bool:
        """Whether the board is wired to the header of a Raspberry Pi."""
        return bool(self.settings.parts.on_pins)

    def has_on_header(self, part: str) -> bool:
        """Whether this part, by the name of its setting, is wired to that header."""
        return part in self.settings.parts.on_pins


class Check(Protocol):
    """A check. It changes nothing. What it raises is a bug, which `run_checks` turns into a finding."""

    def __call__(self, context: DoctorContext) -> Iterable[Finding]: ...


def passed(about: str, expected: str, got: str) -> Finding:
    """A finding of verdict OK. The four makers below differ only in the verdict."""
    return Finding(about, Verdict.OK, expected, got)


def note(about: str, got: str, expected: str = "") -> Finding:
    """A finding of verdict NOTE."""
    return Finding(about, Verdict.NOTE, expected, got)


def warning(about: str, expected: str, got: str, fix: str) -> Finding:
    """A finding of verdict WARNING."""
    return Finding(about, Verdict.WARNING, expected, got, fix)


def failed(about: str, expected: str, got: str, fix: str) -> Finding:
    """A finding of verdict FAULT."""
    return Finding(about, Verdict.FAULT, expected, got, fix)


def failed_driver(about: str, fault: DriverError) -> Finding:
    """A FAULT in the words of the driver's error."""
    got = fault.got if fault.device in about else f"{fault.device}: {fault.got}"
    return failed(about, fault.expected, got, fault.fix)


def failed_host(about: str, fault: HostError) -> Finding:
    """A FAULT in the words of the error, with its place."""
    return failed(about, f"{fault.where}: {fault.expected}", fault.got, _sentence(fault.fix))


def nearest_existing(path: Path) -> Path:
    """The folder itself or its nearest existing parent, in which it would be made."""
    return next(folder for folder in (path, *path.parents) if folder.exists())


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
