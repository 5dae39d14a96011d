"""Model of the clock line of a row board: buffer, series resistor, registers, resistor, cable, and the next buffer.

The line is a ladder of inductors, resistors and capacitors, integrated in small steps. Registers with different
thresholds see a slow edge at different times, and data must not change before the slowest has seen the edge.

The clock runs against the data, so a register samples before the one that sends to it is clocked; at the extremes of
the data sheet that is not enough (`WITHOUT_DELAY`). Therefore a resistor at each serial input delays the data, and the
resistor of the line is so large that the line charges like a capacitor, without steps back. The price is a slow edge,
which the Schmitt-trigger inputs accept.

Thresholds are those of the SN74HCS165 between its values at 2 and 4.5 V, from memory; no board was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import log

from hardware.row.boards import SIZES
from hardware.row.netlist import CABLE_CLOCK_OHM, CLOCK_OHM, SHIFT_OHM

SUPPLY_V = 3.3
RISE_LOW_V, RISE_HIGH_V = 1.2, 2.36
"""The range of the rising threshold at 3.3 V."""
FALL_LOW_V, FALL_HIGH_V = 0.6, 1.63
"""The range of the falling threshold at 3.3 V."""
HYSTERESIS_V = 0.3
"""The least hysteresis at 3.3 V."""
LEAST_DELAY_NS, MOST_DELAY_NS = 4.0, 60.0
"""The delay of a register from clock to output: the least is an estimate, as the data sheet has none."""
SETUP_NS, BUFFER_NS, DATA_CABLE_NS = 20.0, 10.0, 15.0
"""The longest setup time of a register, delay of a buffer, and delay of the data through resistor and cable."""
CLOCK_NS = 1000.0
"""The period of the sensors' clock."""
INPUT_PF = (2.0, 7.0)
"""The capacitance of an input with its pad; the data sheet has 5 pF as its maximum and no minimum."""
TOLERANCE = 0.01
"""Of the resistors."""
NS_PER_M = 6.0
REGISTER_MM = 55.88
"""Distance of two registers."""
SECTION_MM = 13.97
STEP_NS = 0.02


@dataclass(frozen=True, slots=True)
class Resistors:
    """In ohms: behind the buffer, between the last register and the cable, and at each serial input."""

    line_ohm: float
    cable_ohm: float
    shift_ohm: float


FITTED = Resistors(float(CLOCK_OHM), float(CABLE_CLOCK_OHM), float(SHIFT_OHM.replace("k", "e3")))
"""The resistors on the boards."""
WITHOUT_DELAY = Resistors(10.0, 0.0, 0.0)
"""A line that is only terminated: what the resistors are there for."""


@dataclass(frozen=True, slots=True)
class Corner:
    """One set of tolerances: buffer, line, load of a register, edge, cable to the next board, number of registers."""

    driver_ohm: float
    line_ohm: float
    load_pf: float
    edge_ns: float
    cable_mm: float
    registers: int


CORNERS = tuple(
    Corner(*values) for values in product((8.0, 25.0), (90.0, 140.0), INPUT_PF, (1.0, 3.0), (0.0, 150.0, 400.0), SIZES)
)
"""Worst cases. The driver is the buffer of the board, whatever Pi clocks the hub."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A rising edge at one input: when it passes both ends of the threshold range, its peak, and its step back.

    `back_v` is the largest fall while a threshold may be near: from `RISE_LOW_V` to the mirror image of `FALL_LOW_V`,
    because a falling edge has the same shape. A fall below `HYSTERESIS_V` counts no second edge.
    """

    low_ns: float
    high_ns: float
    peak_v: float
    back_v: float


def sections(corner: Corner) -> tuple[list[float], list[int], int]:
    """Capacitance in pF at the end of each section, the sections of the registers, and the first of the cable."""
    per_register = round(REGISTER_MM / SECTION_MM)
    own = corner.registers * per_register
    count = own + max(1, round(corner.cable_mm / SECTION_MM))
    own_pf = NS_PER_M * SECTION_MM / corner.line_ohm
    taps = [per_register // 2 + per_register * number for number in range(corner.registers)]
    loads = [own_pf + (corner.load_pf if number in taps else 0.0) for number in range(count)]
    if corner.cable_mm:
        loads[-1] += 4.0  # the buffer of the next board
    return loads, taps, own


def waveforms(corner: Corner, fitted: Resistors = FITTED, until_ns: float = 120.0) -> list[list[float]]:
    """The voltage at each register, then at the next board's buffer or the open connector, in steps of `STEP_NS`."""
    loads, taps, cable = sections(corner)
    own_nh = NS_PER_M * SECTION_MM / 1000 * corner.line_ohm
    ohms = [0.0] * len(loads)
    ohms[0] = corner.driver_ohm + fitted.line_ohm
    ohms[cable] += fitted.cable_ohm
    damping = [1.0 / (1.0 + ohm * STEP_NS / own_nh) for ohm in ohms]
    volts, amps = [0.0] * len(loads), [0.0] * len(loads)
    found: list[list[float]] = [[] for _ in range(len(taps) + 1)]
    for step in range(round(until_ns / STEP_NS)):
        behind = SUPPLY_V * min(1.0, step * STEP_NS / corner.edge_ns)
        for number, here in enumerate(volts):
            amps[number] = (amps[number] + (behind - here) / own_nh * STEP_NS) * damping[number]
            behind = here
        for number, load in enumerate(loads):
            onward = amps[number + 1] if number + 1 < len(amps) else 0.0
            volts[number] += (amps[number] - onward) / load * STEP_NS * 1000
        for tap, seen in zip((*taps, len(loads) - 1), found, strict=True):
            seen.append(volts[tap])
    return found


def edge(wave: Sequence[float]) -> Edge:
    """What an input sees. Raises ValueError if the wave does not pass the range of thresholds."""
    last = SUPPLY_V - FALL_LOW_V
    passed = [next((step for step, volts in enumerate(wave) if volts >= level), None) for level in (RISE_LOW_V, last)]
    low, end = passed
    if low is None or end is None:
        raise ValueError(f"clock: expected an edge to {last:.2f} V, got {max(wave):.2f} V at most")
    high = next(step for step, volts in enumerate(wave) if volts >= RISE_HIGH_V)
    highest = back = 0.0
    for volts in wave[low:end]:
        highest = max(highest, volts)
        back = max(back, highest - volts)
    return Edge(low * STEP_NS, high * STEP_NS, max(wave), back)


def least_after_edge_v(wave: Sequence[float]) -> float:
    """The lowest voltage after `RISE_HIGH_V`: above the falling threshold there is no second edge."""
    high = next(step for step, volts in enumerate(wave) if volts >= RISE_HIGH_V)
    return min(wave[high:])


def least_held_ns(fitted: Resistors = FITTED) -> float:
    """The least time by which the resistor at the serial input delays new data: the faster of both edges."""
    rise, fall = log(SUPPLY_V / (SUPPLY_V - RISE_LOW_V)), log(SUPPLY_V / FALL_HIGH_V)
    return fitted.shift_ohm * (1 - TOLERANCE) * INPUT_PF[0] / 1000 * min(rise, fall)


def most_held_ns(fitted: Resistors = FITTED) -> float:
    """The longest such time: the slower of both edges."""
    rise, fall = log(SUPPLY_V / (SUPPLY_V - RISE_HIGH_V)), log(SUPPLY_V / FALL_LOW_V)
    return fitted.shift_ohm * (1 + TOLERANCE) * INPUT_PF[1] / 1000 * max(rise, fall)


def hold_margin_ns(edges: Sequence[Edge], fitted: Resistors = FITTED) -> float:
    """The least time by which new data of a register comes after its neighbour towards the Pi has sampled.

    The neighbour may have the highest threshold and the register the lowest. `edges` are those of `waveforms`: the last
    is the buffer of the next board, whose register is clocked later still.
    """
    skew = min(far.low_ns - near.high_ns for near, far in zip(edges, edges[1:], strict=False))
    return LEAST_DELAY_NS + least_held_ns(fitted) + skew


def setup_margin_ns(edges: Sequence[Edge], fitted: Resistors = FITTED) -> float:
    """The least time by which data is there before it is sampled.

    The sender may be on the next board: then its clock comes later by a buffer and by the line of that board.
    """
    latest = edges[-1].high_ns + BUFFER_NS + max(edge.high_ns for edge in edges)
    return CLOCK_NS - latest - MOST_DELAY_NS - DATA_CABLE_NS - most_held_ns(fitted) - SETUP_NS


def worst(corners: Sequence[Corner] = CORNERS) -> Iterator[tuple[Corner, Sequence[Edge], float]]:
    """Each corner with the edges of its registers and the lowest voltage after them."""
    for corner in corners:
        waves = waveforms(corner)
        yield corner, [edge(wave) for wave in waves], min(least_after_edge_v(wave) for wave in waves)


def spice_deck(corner: Corner, curves: str, fitted: Resistors = FITTED, until_ns: float = 120.0) -> str:
    """The same line for ngspice, of lossless transmission lines. It writes the curves of `waveforms` to a file.

    The data path is in it too: `least_held_ns` is printed as `held`, in seconds.
    """
    ps, count = NS_PER_M * REGISTER_MM, corner.registers
    lines = [
        "clock line of a row board",
        f"Vs s 0 PWL(0 0 {corner.edge_ns}n {SUPPLY_V})",
        f"Rs s n0 {corner.driver_ohm + fitted.line_ohm}",
    ]
    for number in range(1, count + 1):
        delay = ps * (0.625 if number == 1 else 1.0)  # the register is at the end of its section
        lines.append(f"T{number} n{number - 1} 0 n{number} 0 Z0={corner.line_ohm} TD={delay}p")
        lines.append(f"C{number} n{number} 0 {corner.load_pf}p")
    cable_ps = NS_PER_M * max(corner.cable_mm, SECTION_MM)
    lines += [
        f"Tx n{count} 0 out 0 Z0={corner.line_ohm} TD={ps * 0.375}p",
        f"Rx out cable {fitted.cable_ohm}",
        f"Ty cable 0 end 0 Z0={corner.line_ohm} TD={cable_ps}p",
        f"Cx end 0 {4.0 if corner.cable_mm else 0.01}p",
        f"Vd d 0 PWL(0 0 1p {SUPPLY_V})",
        f"Rd d q {fitted.shift_ohm * (1 - TOLERANCE)}",
        f"Cd q 0 {INPUT_PF[0]}p",
        f".tran {STEP_NS}n {until_ns}n 0 {STEP_NS * 2}n",
        f".measure tran held WHEN v(q)={RISE_LOW_V} RISE=1",
        ".control",
        "run",
        f"wrdata {curves} {' '.join(f'v(n{number})' for number in range(1, count + 1))} v(end)",
        "quit 0",
        ".endc",
        ".end",
        "",
    ]
    return "\n".join(lines)
