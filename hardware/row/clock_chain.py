"""The clock through all boards of a plan: each buffer lengthens or shortens its pulses.

An input with low thresholds sees a slow rising edge early and a slow falling edge late, so it lengthens the high pulse;
one with high thresholds shortens it. Chips of one reel are alike, so the difference adds up from board to board, and
the last board has the shortest pulse. It limits the frequency of the clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.cables import CABLES_MM, cables_mm
from firmware_host.circuits.row_boards import row_boards
from hardware.row.chips import BUFFER_INPUTS, BUFFER_SKEW_NS, PULSE_NS, REGISTER_INPUTS, ROW_SUPPLIES_V, at_supply
from hardware.row.clock_line import NEXT, Corner, clock_line, corners_of, register
from hardware.row.line import STEP_NS, Line, Piece, Thresholds, Wave, waveforms

SETTLED_NS = 400.0
HUB_MM = CABLES_MM[-1]
"""The longest cable from the hub to the first board."""


class Switch(Struct, frozen=True):
    """An input with its own thresholds."""

    rise_v: float
    fall_v: float


def extremes(limits: Thresholds) -> Sequence[Switch]:
    """The input that lengthens the high pulse most, and the one that shortens it most."""
    return Switch(limits.rise_low_v, limits.fall_low_v), Switch(limits.rise_high_v, limits.fall_high_v)


class ClockLost(ValueError):
    """A pulse is too short to pass the thresholds."""


class Link(Struct, frozen=True):
    """What is between two buffers: the registers of a board, 0 at the hub, and the cable behind it in mm."""

    registers: int
    cable_mm: float


def links(plan: BoardPlan) -> Sequence[Link]:
    """From the hub to the last board, whose output is open."""
    boards = row_boards(plan)
    behind = (*cables_mm(plan), 0.0)
    return [
        Link(0, HUB_MM),
        *(Link(len(board.strips), cable) for board, cable in zip(boards, behind, strict=True)),
    ]


def lines(link: Link, supply_v: float) -> Iterator[Line]:
    """The line of a link in all corners. That of the hub has neither registers nor a second resistor."""
    for corner in corners_of(link.registers or 1, link.cable_mm, supply_v):
        if link.registers:
            yield clock_line(corner)
        else:
            yield hub_line(corner)


def hub_line(corner: Corner) -> Line:
    """The line from the hub's buffer, which has the supply of the Pi, to the first board."""
    whole = clock_line(corner)
    cable = whole.pieces[-1]
    return Line(
        whole.source_ohm,
        whole.edge_ns,
        (Piece(30.0, cable.line_ohm), Piece(cable.length_mm, cable.line_ohm, cable.load_pf, probe=NEXT)),
    )


@cache
def _responses(link: Link, supply_v: float) -> Sequence[Wave]:
    """The response at the next buffer to one rising edge, in each corner; for the last board at its registers."""
    places = [NEXT] if link.cable_mm else [register(number) for number in range(1, link.registers + 1)]
    found = (waveforms(line, SETTLED_NS) for line in lines(link, supply_v))
    return [waves[place] for waves in found for place in places]


def pulse_after(response: Wave, high_ns: float, period_ns: float, switch: Switch) -> float:
    """The length of the high pulse that an input sees. Raises ClockLost."""
    settled = round(period_ns / STEP_NS)
    one = np.concatenate([response, np.full(max(0, 3 * settled - len(response)), response[-1])])[: 3 * settled]
    late = round(high_ns / STEP_NS)
    pulse = one.copy()
    pulse[late:] -= one[: len(one) - late]
    wave = pulse[:settled] + pulse[settled : 2 * settled] + pulse[2 * settled :]  # what earlier pulses left
    low = float(wave.min())
    high = float(wave.max())
    if low > switch.fall_v or high < switch.rise_v:
        raise ClockLost(
            f"clock: expected pulses beyond {switch.fall_v} and {switch.rise_v} V, got {low:.2f} to {high:.2f} V"
        )
    start = int(np.argmin(wave))
    wave = np.roll(wave, -start)
    rise = int(np.argmax(wave >= switch.rise_v))
    fall = rise + int(np.argmax(wave[rise:] <= switch.fall_v))
    if fall == rise:
        fall = settled
    return (fall - rise) * STEP_NS


def pulse_at_last_board_ns(plan: BoardPlan, clock_hz: float, supply_v: float) -> float:
    """The shortest pulse, high or low, at a register of the last board. Raises ClockLost."""
    return min(_shortest(plan, clock_hz, number, supply_v) for number in (0, 1))


def _shortest(plan: BoardPlan, clock_hz: float, extreme: int, supply_v: float) -> float:
    period = 1e9 / clock_hz
    high = period / 2
    chain = links(plan)
    buffer, register_input = (extremes(at_supply(one, supply_v))[extreme] for one in (BUFFER_INPUTS, REGISTER_INPUTS))
    for link in chain[:-1]:
        widths = [pulse_after(one, high, period, buffer) for one in _responses(link, supply_v)]
        high = max(widths) + BUFFER_SKEW_NS if extreme == 0 else min(widths) - BUFFER_SKEW_NS
        if not 0 < high < period:
            raise ClockLost(f"clock: expected pulses of 0 to {period:g} ns, got {high:.0f} ns")
    last = [pulse_after(one, high, period, register_input) for one in _responses(chain[-1], supply_v)]
    return period - max(last) if extreme == 0 else min(last)


def pulse_margin_ns(plan: BoardPlan, clock_hz: float, supplies_v: Sequence[float] = ROW_SUPPLIES_V) -> float:
    """By how much the shortest pulse is longer than a register needs; negative if it is shorter or lost."""
    try:
        return min(pulse_at_last_board_ns(plan, clock_hz, supply_v) for supply_v in supplies_v) - PULSE_NS
    except ClockLost:
        return -PULSE_NS
