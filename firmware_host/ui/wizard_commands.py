"""The set-up wizard as people meet it: its steps, its questions, and the commands from the page. See `wizard`."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


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


class OpenWizard(Struct, frozen=True):
    """Open the wizard where it stopped; after its end, at the first step."""


class CloseWizard(Struct, frozen=True):
    """Close the wizard. It does not open by itself any more."""


class GoToStep(Struct, frozen=True):
    """Show this step: forward, back or skipping others."""

    step: Step


class RepeatStep(Struct, frozen=True):
    """Forget what this step showed, and try again."""

    step: Step


class AnswerQuestion(Struct, frozen=True):
    """Answer a question of the step LIGHTS or SOUND. `is_ok`: the light or the sound works."""

    question: Question
    is_ok: bool


class MarkHole(Struct, frozen=True):
    """This hole does not answer. `sensor`: as in a SensorFrame."""

    sensor: int


class PlayTestSound(Struct, frozen=True):
    """Play a tune on the board's piezo."""


WizardCommand = OpenWizard | CloseWizard | GoToStep | RepeatStep | AnswerQuestion | MarkHole | PlayTestSound
"""Commands for the host; the game does not know them."""
