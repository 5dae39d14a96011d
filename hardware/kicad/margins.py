"""Generates `margins.md` from ngspice: `python -m hardware.kicad.margins`. Takes some ten seconds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from firmware_host.board.matrix import column_count, light_order
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from hardware.kicad.models import (
    CORNERS,
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
from hardware.kicad.netlist import chain_turns

PAGE = Path(__file__).parent / "margins.md"
BOARDS = ("classic-61", "continuous-121-2", "continuous-121-4")
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
its output, and its leakage; the strength and the edge of the SK9822's outputs (30 to 100 ohm and 2 to 10 ns are taken;
15 ohm and 1 ns, as the fastest controller, would give 0.86 V above the supply) and the capacitance of its inputs (3 to
15 pF). The controller's pins are taken as 15 to 40 ohm and 1 to 8 ns, tracks as 90 to 140 ohm and 80 to 120 pF a metre.
A bench must measure the supply of a column, a row behind all its switches, the clock at the first and the last
light, and the board's supply at the moment of plugging in."""


def page() -> str:
    """The text of the page."""
    plans = [load_plan(board) for board in BOARDS]
    parts = (_columns(plans), _rows(plans), _ghosts(plans[0]), _lines(plans), _supply(plans))
    return "\n".join((INTRODUCTION, *(line for part in parts for line in ("", *part)), "", ASSUMED, ""))


def row_length_m(plan: BoardPlan) -> float:
    """The longest row line: down each half of the board, across between them, and to its register."""
    xs = [planned.x_mm for planned in plan.holes]
    ys = [planned.y_mm for planned in plan.holes]
    return (2 * (max(ys) - min(ys)) + (max(xs) - min(xs)) / 2 + 60) / 1000


def first_line_m(plan: BoardPlan) -> float:
    """The line from the controller to the first light: at most across the board."""
    return plan.plate.width_mm / 1000


def pitch_m(plan: BoardPlan) -> float:
    """The longest line between two lights that has no resistor."""
    lights = light_order(plan)
    turns = chain_turns(lights)
    pairs = enumerate(zip(lights, lights[1:], strict=False), start=1)
    straight = (pair for number, pair in pairs if number not in turns)
    return max(abs(a.led_x_mm - b.led_x_mm) + abs(a.led_y_mm - b.led_y_mm) for a, b in straight) / 1000


def scan_s(plan: BoardPlan) -> float:
    """The time to read all columns once."""
    return column_count(plan) * (SETTLE_S + SHIFT_S)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _columns(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield "## Columns"
    yield ""
    yield "The supply of a column, through 10 ohm and its transistor. A switch works from 2.5 V. Reading the 10 ohm at"
    yield "60 us tells the controller whether the column is alive. A scan waits 100 us and shifts for 30 us a column."
    yield ""
    yield "| board | corner | switches | up after, ns | V | measured, mV | largest, mA | off after, us | scan, ms |"
    yield "| :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for plan in plans:
        for name, corner in CORNERS.items():
            found = gate_column(plan, corner)
            yield _row(
                (
                    plan.id,
                    name,
                    f"{found['switches']:.0f}",
                    f"{found['up_s'] * 1e9:.0f}",
                    f"{found['column_v']:.2f}",
                    f"{found['sense_v'] * 1000:.0f}",
                    f"{found['peak_a'] * 1000:.0f}",
                    f"{found['down_s'] * 1e6:.1f}",
                    f"{scan_s(plan) * 1000:.1f}",
                )
            )


def _rows(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield "## Rows"
    yield ""
    yield "The longest row, pulled low by one switch, then released against all outputs on it. `leak` is what each"
    yield "output may leak before the high level is below 70 % of the supply."
    yield ""
    yield "| board | corner | switches | length, mm | low after, ns | low, mV | high after, us | leak, uA |"
    yield "| :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for plan in plans:
        for name, corner in CORNERS.items():
            found = row_line(plan, corner, row_length_m(plan))
            yield _row(
                (
                    plan.id,
                    name,
                    f"{found['switches']:.0f}",
                    f"{row_length_m(plan) * 1000:.0f}",
                    f"{found['fall_s'] * 1e9:.0f}",
                    f"{found['low_v'] * 1000:.0f}",
                    f"{found['rise_s'] * 1e6:.1f}",
                    f"{found['leak_a'] * 1e6:.0f}",
                )
            )


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
    yield "At the first light, behind its resistor and the whole board, and at any other light, whose line is short."
    yield "Where the chain turns to another street it has a resistor as at its start. Allowed: 0.5 V below ground and"
    yield "above the supply."
    yield ""
    yield "| board | corner | line, mm | above supply, V | below ground, V | edge, ns | high after, ns |"
    yield "| :--- | :--- | ---: | ---: | ---: | ---: | ---: |"
    for plan in plans:
        for name, corner in CORNERS.items():
            for length, first in ((first_line_m(plan), True), (pitch_m(plan), False)):
                yield _line(plan, name, corner, length, first=first)


def _line(plan: BoardPlan, name: str, corner: Assumed, length_m: float, *, first: bool) -> str:
    found = light_line(plan, corner, length_m, first=first)
    return _row(
        (
            plan.id,
            name,
            f"{length_m * 1000:.0f}",
            f"{max(0.0, found['above_v']):.2f}",
            f"{max(0.0, -found['low_v']):.2f}",
            f"{found['rise_s'] * 1e9:.1f}",
            f"{found['late_s'] * 1e9:.1f}",
        )
    )


def _supply(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield "## Supply"
    yield ""
    yield "The plug goes in: a stiff source, the inductance of the cable, empty capacitors. The controller bears 6.0 V."
    yield ""
    yield "| board | corner | capacitors, uF | largest voltage, V | largest current, A |"
    yield "| :--- | :--- | ---: | ---: | ---: |"
    for plan in plans:
        for name, corner in CORNERS.items():
            yield _plug(plan, name, plug_in(plan, corner))
    yield ""
    yield "USB asks for at most 10 uF at the plug; hosts that count it strictly limit the current for a moment."
    yield ""
    squares = plans[0].plate.width_mm / RAIL_MM
    ends = [far_light(corner, amps, squares) for corner in (TYPICAL, SLOW) for amps in BUDGETS_A]
    yield f"All light at the far end of one rail of {RAIL_MM:g} mm, the worst place: with {BUDGETS_A[0]:g} A the last"
    yield f"light has {ends[0]:.2f} V, with {BUDGETS_A[1]:g} A {ends[1]:.2f} V; in the slow corner, with a poor cable,"
    yield f"{ends[2]:.2f} and {ends[3]:.2f} V. Lights are specified from 4.5 V; below it they lose colour first."


def _plug(plan: BoardPlan, name: str, found: Mapping[str, float]) -> str:
    cells = (plan.id, name, f"{found['farad'] * 1e6:.0f}", f"{found['high_v']:.2f}", f"{found['peak_a']:.1f}")
    return _row(cells)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
