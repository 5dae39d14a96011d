"""The map of a board's holes as a table: what each is called, where it is, and which sensor and light belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_host.board.plan import BoardPlan
from firmware_host.board.wood import PlannedHole
from firmware_host.drafting.marks import number

HEAD = (
    *("hole", "track", "scores", "x_mm", "y_mm", "light_x_mm", "light_y_mm"),
    *("row", "strip", "place", "sensor_bit", "light"),
)
"""Strips count from 1, next to the Pi, and places from 1, at the strip's input: so messages count them. Bits and lights
count from 0, as they leave and enter the chains."""


def hole_map(plan: BoardPlan) -> str:
    """CSV, in the order of the chain."""
    rows = {strip.number: strip.row for strip in plan.strips}
    return as_csv([HEAD, *(_line(plan, hole, rows[hole.strip]) for hole in plan.holes)])


def as_csv(lines: Iterable[Sequence[object]]) -> str:
    """Fields that hold a comma or a quote are quoted."""
    return "".join(",".join(map(_field, line)) + "\n" for line in lines)


def scores_of(plan: BoardPlan, hole: PlannedHole) -> list[int]:
    """Every score that a peg in this hole may mean, in any game that the board carries."""
    return sorted({score for target in plan.targets for score in plan.course(target).scores_at(hole.hole)})


def _line(plan: BoardPlan, hole: PlannedHole, row: str) -> Sequence[object]:
    places = map(number, (hole.x_mm, hole.y_mm, hole.led_x_mm, hole.led_y_mm))
    track = "" if hole.track is None else plan.inlays[hole.track].name
    scores = " ".join(map(str, scores_of(plan, hole)))
    name = plan.name_of(hole.track, hole.hole)
    return (name, track, scores, *places, row, hole.strip + 1, hole.pos + 1, hole.sensor, hole.led)


def _field(value: object) -> str:
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\n') else text
