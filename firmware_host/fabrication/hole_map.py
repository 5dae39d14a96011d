"""Table of all holes of a board: name, scores, position, switch and light."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_host.board.components import PlannedHole
from firmware_host.board.matrix import light_order
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.netlist import light_ref, switch_ref
from firmware_host.fabrication.shapes import format_number

CSV_HEADER = (
    *("hole", "track", "scores", "x_mm", "y_mm", "light_x_mm", "light_y_mm"),
    *("row", "switch", "light", "strip", "place"),
)
"""`switch` and `light` are the parts on the circuit board. In a chain of strips `strip` counts from 1 at the Pi and
`place` from 1 at the input of the strip, as messages do."""


def hole_map(plan: BoardPlan) -> str:
    """CSV, one line per hole in the order of the lights; lengths in mm."""
    lights = enumerate(light_order(plan), start=1)
    return as_csv([CSV_HEADER, *(_line(plan, hole, number) for number, hole in lights)])


def as_csv(lines: Iterable[Sequence[object]]) -> str:
    """Rows as CSV text; fields with a comma, a quote or a line break are quoted (RFC 4180)."""
    return "".join(",".join(map(_field, line)) + "\n" for line in lines)


def scores_of(plan: BoardPlan, hole: PlannedHole) -> list[int]:
    """Every score that a peg in this hole can have, over all targets of the board."""
    return sorted({score for target in plan.targets for score in plan.course(target).scores_at(hole.hole)})


def _line(plan: BoardPlan, hole: PlannedHole, number: int) -> Sequence[object]:
    places = map(format_number, (hole.x_mm, hole.y_mm, hole.led_x_mm, hole.led_y_mm))
    track = "" if hole.track is None else plan.track_info[hole.track].name
    scores = " ".join(map(str, scores_of(plan, hole)))
    name = plan.name_of(hole.track, hole.hole)
    parts = switch_ref(number), light_ref(number)
    row = plan.strips[hole.strip].row
    return (name, track, scores, *places, row, *parts, hole.strip + 1, hole.pos + 1)


def _field(value: object) -> str:
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(char in text for char in ',"\n') else text
