"""The set-up wizard as people meet it: its steps, its questions, and the commands from the page. See `wizard`."""

from __future__ import annotations

from enum import StrEnum

from firmware_host.lazy_dataclass import dataclass


class Step(StrEnum):
    """The steps, in their order."""

    LANGUAGE = "language"
    NAMES = "names"
    BOARD = "board"
    SENSORS = "sensors"
    LIGHTS = "lights"
    KEYS = "keys"
    SOUND = "sound"
    PHONE = "phone"
    BROKER = "broker"
    GAME = "game"


class Question(StrEnum):
    """What a person answers with yes or no: whether all lights shine in a colour, whether a sound was heard."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    BOARD = "board"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class OpenWizard:
    """Open the wizard where it stopped; after its end, at the first step."""


@dataclass(frozen=True, slots=True)
class CloseWizard:
    """Close the wizard. It does not open by itself any more."""


@dataclass(frozen=True, slots=True)
class GoToStep:
    """Show this step: forward, back or skipping others."""

    step: Step


@dataclass(frozen=True, slots=True)
class RepeatStep:
    """Forget what this step showed, and try again."""

    step: Step


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Answer a question of the step LIGHTS or SOUND. `is_ok`: the light or the sound works."""

    question: Question
    is_ok: bool


@dataclass(frozen=True, slots=True)
class MarkHole:
    """This hole does not answer. `sensor`: as in a SensorFrame."""

    sensor: int


@dataclass(frozen=True, slots=True)
class PlayTestSound:
    """Play a tune on the board's piezo."""


WizardCommand = OpenWizard | CloseWizard | GoToStep | RepeatStep | AnswerQuestion | MarkHole | PlayTestSound
"""Commands for the host; the game does not know them."""
