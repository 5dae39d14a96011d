"""What the doctor says about one thing: what it expected, what it saw, and the mend."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

from board_drivers.ports import DriverFault
from firmware_host.board.plan import BoardPlan
from firmware_host.doctor.machine import Machine
from firmware_host.faults import HostFault
from firmware_host.settings import NONE, Settings


class Verdict(Enum):
    """`LOOK` is worth mending, but a game can be played; `NOTE` was not examined, and says why."""

    OK = "ok"
    NOTE = "note"
    LOOK = "look"
    MEND = "MEND"


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    verdict: Verdict
    expected: str
    got: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined: a machine, the settings it is to run with, and the board they name."""

    machine: Machine
    settings: Settings
    plan: BoardPlan
    may_sound: bool = False
    """Whether the piezo may be heard: people ask for it who wait for a sound."""

    @property
    def needs_header(self) -> bool:
        """Whether wires go to the pins of a Pi."""
        return self.settings.header and not self.settings.simulate

    @property
    def has_own_chain(self) -> bool:
        """Whether the sensors are among them, and not behind a scanner."""
        return self.needs_header and self.settings.scanner == NONE


class Check(Protocol):
    """One examination. It changes nothing, and raises nothing but its own mistakes."""

    def __call__(self, patient: Patient) -> Iterable[Finding]: ...


def sound(about: str, expected: str, got: str) -> Finding:
    return Finding(about, Verdict.OK, expected, got)


def note(about: str, got: str, expected: str = "") -> Finding:
    return Finding(about, Verdict.NOTE, expected, got)


def look(about: str, expected: str, got: str, mend: str) -> Finding:
    return Finding(about, Verdict.LOOK, expected, got, mend)


def ill(about: str, expected: str, got: str, mend: str) -> Finding:
    return Finding(about, Verdict.MEND, expected, got, mend)


def of_driver(about: str, fault: DriverFault) -> Finding:
    """A driver's fault in its own words."""
    got = fault.got if fault.device in about else f"{fault.device}: {fault.got}"
    return ill(about, fault.expected, got, fault.mend)


def of_host(about: str, fault: HostFault) -> Finding:
    return ill(about, f"{fault.where}: {fault.expected}", fault.got, _sentence(fault.mend))


def here(path: Path) -> Path:
    """The folder itself, or the nearest one above it that there is: where it would be made."""
    return next(folder for folder in (path, *path.parents) if folder.exists())


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
