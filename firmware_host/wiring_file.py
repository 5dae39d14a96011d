"""How a board turned out to be wired, beside its journal: one file a board, written by a wiring lesson.

{"board": "classic-61", "strips": [4, 0, ...]}: the place in the chain of each planned strip, from 0.
"""

from __future__ import annotations

import json
from pathlib import Path

from firmware_host.board.plan import BoardPlan
from firmware_host.durable import replace_durably
from firmware_host.faults import HostFault


class WiringFault(HostFault):
    """The file cannot be read or written, or is none of this board."""


def file_of(folder: Path, plan: BoardPlan) -> Path:
    return folder / f"{plan.id}.wiring.json"


def as_wired(plan: BoardPlan, folder: Path) -> BoardPlan:
    """The plan with its strips where the lesson found them; as planned where there was none. Raises WiringFault."""
    file = file_of(folder, plan)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return plan
    except (OSError, UnicodeDecodeError) as fault:
        raise WiringFault("a file of the wiring", str(fault), str(file), "mend its rights, or take it away") from fault
    try:
        return plan.rewired(strips_in(text))
    except (ValueError, LookupError, TypeError, RecursionError) as fault:
        mend = "take it away, and let the board learn its wiring again"
        raise WiringFault("the strips of this board", str(fault), str(file), mend) from fault


def strips_in(text: str) -> list[int]:
    """The places that a file names, whatever they are. Raises ValueError, LookupError, TypeError or RecursionError."""
    strips = json.loads(text)["strips"]
    if not isinstance(strips, list) or any(type(strip) is not int for strip in strips):
        raise ValueError("expected a list of whole numbers")
    return strips


def keep_wiring(folder: Path, planned: BoardPlan, wired: BoardPlan) -> None:
    """Raises WiringFault, and then the old file is as it was."""
    place = {hole.strip: wired.at(hole.track or 0, hole.hole).strip for hole in planned.holes}
    strips = [place[strip] for strip in range(planned.strip_count)]
    file = file_of(folder, planned)
    try:
        replace_durably(file, (json.dumps({"board": planned.id, "strips": strips}) + "\n").encode(), 0o644)
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise WiringFault("a file that can be written", got, str(file), "make room, or mend its rights") from fault
