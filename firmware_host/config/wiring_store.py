"""Stores the calibrated wiring of a board in a file of its state folder.

`{"board": "classic-61", "strips": [4, 0, ...]}`: for each strip of the plan, in order, its position in the sensor
chain, from 0. The wiring calibration writes the file; the next start reads it. Where file and copy are damaged, the
board starts with the wiring of its plan.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.errors import HostError
from firmware_host.storage.checked_file import prepare_file, read_checked, write_checked
from firmware_host.validation.typed import decode


class WiringDocument(Struct, frozen=True):
    """The file. `board` is for people: the name of the file has it too."""

    strips: tuple[int, ...]
    board: str = ""


class WiringStoreError(HostError):
    """A wiring file cannot be read or written, or does not fit the board."""


def wiring_file(folder: Path, plan: BoardPlan) -> Path:
    """Where the wiring of this board is stored, in the state folder."""
    return folder / f"{plan.id}.wiring.json"


def with_saved_wiring(plan: BoardPlan, folder: Path) -> BoardPlan:
    """The plan with the saved wiring, or unchanged if none was saved. Raises WiringStoreError."""
    file = wiring_file(folder, plan)
    try:
        prepare_file(file, parse_strips)
        return plan.rewired(read_checked(file, parse_strips))
    except FileNotFoundError:
        return plan
    except OSError as error:
        fix = "correct its permissions, or delete it"
        raise WiringStoreError("a wiring file", error.strerror or str(error), str(file), fix) from error
    except (ValueError, RecursionError) as error:
        fix = "delete it, and calibrate the wiring again"
        raise WiringStoreError("the strips of this board", str(error), str(file), fix) from error


def parse_strips(text: str) -> tuple[int, ...]:
    """The chain positions in a wiring file, unchecked against any plan. Raises ValueError or RecursionError."""
    return decode(text, WiringDocument).strips


def save_wiring(folder: Path, planned: BoardPlan, wired: BoardPlan) -> None:
    """Save how `wired` orders the strips of `planned`. Raises WiringStoreError; an older file is then unchanged."""
    position = {hole.strip: wired.at(hole.track or 0, hole.hole).strip for hole in planned.holes}
    strips = tuple(position[strip] for strip in range(planned.strip_count))
    file = wiring_file(folder, planned)
    try:
        write_checked(file, msgspec.json.encode(WiringDocument(strips, planned.id)) + b"\n")
    except OSError as error:
        fix = "free some disk space, or correct the permissions"
        got = error.strerror or str(error)
        raise WiringStoreError("a file that can be written", got, str(file), fix) from error
