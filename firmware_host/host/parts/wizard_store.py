"""Stores the progress of the set-up wizard in a file of the state folder, `wizard.json`.

`{"board": "classic-61", "step": "sensors", "is_open": true, "holes": {"red 1": "works"}, "answers": {"red": true},
"keys": ["A"]}`. Where the file and its copy cannot be read, that is logged, and the wizard begins anew.
"""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware_host.board.plan import BoardPlan, NoSuchHole
from firmware_host.errors import HostError
from firmware_host.storage.checked_file import UNREADABLE, prepare_file, read_checked, write_checked
from firmware_host.ui.wizard.wizard import KEYS, HoleResult, Wizard
from firmware_host.ui.wizard_commands import Question, Step
from firmware_host.validation.typed import decode

log = logging.getLogger(__name__)


class WizardDocument(Struct, frozen=True):
    """The file: the id of the board, and what the wizard keeps."""

    board: str
    step: Step
    is_open: bool
    holes: dict[str, HoleResult]
    answers: dict[Question, bool]
    keys: tuple[str, ...]


class WizardStoreError(HostError):
    """The progress of the wizard cannot be written."""


def load_wizard(file: Path, plan: BoardPlan, steps: tuple[Step, ...]) -> Wizard | None:
    """The stored wizard; None if there is none, or its file cannot be read. What does not fit the board is left out."""
    parse = partial(parse_wizard, plan=plan, steps=steps)
    try:
        prepare_file(file, parse)
        return read_checked(file, parse)
    except FileNotFoundError:
        return None
    except (OSError, *UNREADABLE) as error:
        log.warning("%s: expected the progress of the set-up, got %s; it begins anew", file, error)
        return None


def parse_wizard(text: str, plan: BoardPlan, steps: tuple[Step, ...]) -> Wizard:
    """The wizard in a file. Raises ValueError or RecursionError."""
    stored = decode(text, WizardDocument)
    holes = stored.holes if stored.board == plan.id else {}
    return Wizard(
        steps,
        stored.step if stored.step in steps else steps[0],
        is_open=stored.is_open,
        holes={name: result for name, result in holes.items() if is_hole(plan, name)},
        answers=stored.answers,
        keys=frozenset(stored.keys).intersection(KEYS),
    )


def is_hole(plan: BoardPlan, name: str) -> bool:
    """Whether the board has a hole of this name."""
    try:
        plan.named(name)
    except NoSuchHole:
        return False
    return True


def save_wizard(file: Path, plan: BoardPlan, wizard: Wizard) -> None:
    """Saves the progress. Raises WizardStoreError; an older file is then unchanged."""
    keys = tuple(sorted(wizard.keys))
    stored = WizardDocument(plan.id, wizard.step, wizard.is_open, dict(wizard.holes), dict(wizard.answers), keys)
    try:
        write_checked(file, msgspec.json.encode(stored))
    except OSError as error:
        fix = "free some disk space, or correct the permissions"
        got = error.strerror or str(error)
        raise WizardStoreError("a file that can be written", got, str(file), fix) from error
