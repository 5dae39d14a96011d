"""Generates `margins.md` from ngspice: `python -m hardware.kicad.margins`. Takes some ten seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import hypot
from pathlib import Path

from firmware_host.board.matrix import column_count, light_order
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.netlist import LONG_LINE_MM, long_lines
from firmware_host.config.board_plans import load_plan
from hardware.kicad.connector_margins import FINDINGS, computers, discharges, wrong_plugs
from hardware.kicad.layouts import BOARDS, regular_copper
from hardware.kicad.models import (
    CORNERS,
    DAMPER_M,
    SLOW,
    TYPICAL,
    Assumed,
    far_light,
    gate_column,
    ghost,
    light_line,
    plug_in,
    row_line,
)
from hardware.kicad.tables import Figure, Rows, table

PAGE = Path(__file__).parent / "margins.md"
SETTLE_S = 100e-6
"""What the firmware waits from the power of a column to the reading of its rows."""
SHIFT_S = 30e-6
"""What it takes to read the rows and to choose the next column."""
HALL_ON_S = 35e-6
RAIL_MM = 1.2
BUDGETS_A = (0.35, 1.2)
"""All lights together: on a source of 0.5 A, and on one of 1.5 A."""

INTRODUCTION = """# Margins of revision C

Made by `python -m hardware.kicad.margins` with ngspice from the netlists ([`models.py`](models.py)); a test compares it
with new runs. **Nothing here was measured.** Corners: typical; fast (5.25 V, strong drivers, large loads of the
matrix); slow (4.75 V, weak drivers, large loads of the lights)."""

ASSUMED = """## What is assumed, and what only a bench can tell

No public page was found for: the largest power-on time of the DRV5023 (35 us typical is counted, 100 us are waited),
its largest supply current (twice the typical one is taken), the capacitance (10 to 20 pF) and resistance (60 ohm) of
its output, and its leakage; the strength and the edge of the SK9822's outputs (30 to 100 ohm and 2 to 10 ns are
taken; 15 ohm and 1 ns, as the fastest controller, would give 0.8 V above the supply within a street and 2.7 V at a
turn) and the capacitance of its inputs (3 to 15 pF); the diodes at the inputs of the chips (1 ohm), and the
capacitors of a Pi (47 uF); the pulse that a resistor of the damper bears (at most 6 A for some microseconds). The
controller's pins are taken as 15 to 40 ohm and 1 to 8 ns, tracks as 90 to 140 ohm and 80 to 120 pF a metre. A bench
must measure the supply of a column, a row behind all its switches, the clock at the first and the last light and
behind a turn, the supply of the board and of the Pi at the moment of plugging in, and, with a generator, what a
discharge at the keypad's edge does."""


def page() -> str:
    """The text of the page."""
    plans = [load_plan(board) for board in BOARDS]
    parts = (
        _columns(plans),
        _rows(plans),
        _ghosts(plans[0]),
        _lines(plans),
        _supply(plans),
        computers(plans),
        discharges(plans[0]),
        wrong_plugs(plans[0]),
    )
    return "\n".join((INTRODUCTION, *(line for part in parts for line in ("", *part)), "", FINDINGS, "", ASSUMED, ""))


def row_length_m(plan: BoardPlan) -> float:
    """The longest row line: down each half of the board, across between them, and to its register."""
    xs = [planned.x_mm for planned in plan.holes]
    ys = [planned.y_mm for planned in plan.holes]
    return (2 * (max(ys) - min(ys)) + (max(xs) - min(xs)) / 2 + 60) / 1000


def first_line_m(plan: BoardPlan) -> float:
    """The line from the controller to the first light: at most across the board."""
    return plan.plate.width_mm / 1000


def pitch_m(plan: BoardPlan) -> float:
    """The longest line between two lights that has no resistor, as it is drawn."""
    lights = light_order(plan)
    short = set(range(1, len(lights))) - set(long_lines(lights))
    lengths = dict.fromkeys((f"LIGHT_{line}{number}" for line in ("DATA", "CLOCK") for number in short), 0.0)
    for track in regular_copper(plan).tracks:
        if track.net in lengths:
            lengths[track.net] += hypot(track.x2 - track.x1, track.y2 - track.y1)
    return max(lengths.values()) / 1000


def scan_s(plan: BoardPlan) -> float:
    """The time to read all columns once."""
    return column_count(plan) * (SETTLE_S + SHIFT_S)


def _at_corners(plans: Sequence[BoardPlan], model: Callable[[BoardPlan, Assumed], Mapping[str, float]]) -> Rows:
    """The results of a model for each board and corner."""
    return (((plan.id, name), model(plan, corner)) for plan in plans for name, corner in CORNERS.items())


def _columns(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield "## Columns"
    yield ""
    yield "The supply of a column, through 10 ohm and its transistor. A switch works from 2.7 V. Reading the 10 ohm at"
    yield "60 us tells the controller whether the column is alive. A scan waits 100 us and shifts for 30 us a column."
    yield ""
    figures = (
        Figure("switches", "switches"),
        Figure("up after, ns", "up_s", 1e9),
        Figure("V", "column_v", digits=2),
        Figure("measured, mV", "sense_v", 1000),
        Figure("largest, mA", "peak_a", 1000),
        Figure("off after, us", "down_s", 1e6, 1),
        Figure("scan, ms", "scan_s", 1000, 1),
    )
    rows = _at_corners(plans, lambda plan, corner: {**gate_column(plan, corner), "scan_s": scan_s(plan)})
    yield from table(("board", "corner"), figures, rows)


def _rows(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield "## Rows"
    yield ""
    yield "The longest row, pulled low by one switch, then released against all outputs on it. `leak` is what each"
    yield "output may leak before the high level is below 70 % of the supply."
    yield ""
    figures = (
        Figure("switches", "switches"),
        Figure("length, mm", "length_m", 1000),
        Figure("low after, ns", "fall_s", 1e9),
        Figure("low, mV", "low_v", 1000),
        Figure("high after, us", "rise_s", 1e6, 1),
        Figure("leak, uA", "leak_a", 1e6),
    )
    yield from table(("board", "corner"), figures, _at_corners(plans, _longest_row))


def _longest_row(plan: BoardPlan, corner: Assumed) -> Mapping[str, float]:
    length_m = row_length_m(plan)
    return {**row_line(plan, corner, length_m), "length_m": length_m}


def _ghosts(plan: BoardPlan) -> Iterator[str]:
    free = ghost(plan, TYPICAL, clamps=False)
    held = ghost(plan, TYPICAL, clamps=True)
    yield "## Ghosts"
    yield ""
    yield f"{plan.id}: the first column is on and its holes are empty, every other hole has a peg. The rows are at"
    yield f"{free['high_v']:.2f} V, and the columns that are off at {free['off_v']:.2f} V: no peg shows in the wrong"
    yield "column. If the outputs had diodes to their own supplies, the rows would feed the columns that are off and be"
    yield f"held at {held['high_v']:.2f} V, which reads as pegs everywhere: a switch whose output may not be above its"
    yield "supply cannot be used here."


def _lines(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield "## Clock and data of the lights"
    yield ""
    yield "At the first light, behind its resistor and the whole board, and behind the longest line without one."
    yield f"Lights more than {LONG_LINE_MM:g} mm apart have one between them as at the start. Allowed: 0.5 V below"
    yield "ground and above the supply."
    yield ""
    figures = (
        Figure("line, mm", "length_m", 1000),
        Figure("above supply, V", "above_v", digits=2),
        Figure("below ground, V", "below_v", digits=2),
        Figure("edge, ns", "rise_s", 1e9, 1),
        Figure("high after, ns", "late_s", 1e9, 1),
    )
    rows = (
        ((plan.id, name), _light_line(plan, corner, first=first))
        for plan in plans
        for name, corner in CORNERS.items()
        for first in (True, False)
    )
    yield from table(("board", "corner"), figures, rows)


def _light_line(plan: BoardPlan, corner: Assumed, *, first: bool) -> Mapping[str, float]:
    length_m = first_line_m(plan) if first else pitch_m(plan)
    found = light_line(plan, corner, length_m, first=first)
    beyond = {"above_v": max(0.0, found["above_v"]), "below_v": max(0.0, -found["low_v"])}
    return {**found, **beyond, "length_m": length_m}


def _supply(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield "## Supply"
    yield ""
    yield "The plug goes in: a stiff source, the inductance of the cable, empty capacitors. The controller bears 6.0 V."
    yield f"The resistors and capacitors that damp the cable are {1000 * DAMPER_M:.0f} mm from the socket, and their"
    yield "track is in the model. With two resistors instead of three the largest board would reach 6.15 V."
    yield ""
    figures = (
        Figure("capacitors, uF", "farad", 1e6),
        Figure("largest voltage, V", "high_v", digits=2),
        Figure("largest current, A", "peak_a", digits=1),
    )
    yield from table(("board", "corner"), figures, _at_corners(plans, plug_in))
    yield ""
    yield "USB asks for at most 10 uF at the plug; hosts that count it strictly limit the current for a moment."
    yield ""
    squares = plans[0].plate.width_mm / RAIL_MM
    ends = [far_light(corner, amps, squares) for corner in (TYPICAL, SLOW) for amps in BUDGETS_A]
    yield f"All light at the far end of one rail of {RAIL_MM:g} mm, the worst place: with {BUDGETS_A[0]:g} A the last"
    yield f"light has {ends[0]:.2f} V, with {BUDGETS_A[1]:g} A {ends[1]:.2f} V; in the slow corner, with a poor cable,"
    yield f"{ends[2]:.2f} and {ends[3]:.2f} V. Lights are specified from 4.5 V; below it they lose colour first."


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
