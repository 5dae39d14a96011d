"""Model of the clock line of a row board: driver, series resistor, six registers, the cable, and the next buffer.

The line is a ladder of inductors and capacitors, integrated in small steps. Registers with different thresholds see an
edge at different times; new data must not reach a register before it has seen it. Thresholds are those of the
SN74HCS165 between its values at 2 and 4.5 V, from memory; no board was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from hardware.row.netlist import CLOCK_OHM

SUPPLY_V = 3.3
RISE_LOW_V, RISE_HIGH_V = 1.2, 2.33
"""The range of the rising threshold at 3.3 V."""
HYSTERESIS_V = 0.3
"""The least hysteresis at 3.3 V."""
LEAST_DELAY_NS = 4.0
"""The least delay of a register from clock to output, an estimate; its hold time is 0 after the clock."""
NS_PER_M = 6.0
REGISTER_MM = 55.88
"""Distance of two registers."""
REGISTERS = 6
SECTION_MM = 13.97
STEP_NS = 0.02


@dataclass(frozen=True, slots=True)
class Corner:
    """One set of tolerances: driver, line, load, edge, and length of the cable to the next board."""

    driver_ohm: float
    line_ohm: float
    load_pf: float
    edge_ns: float
    cable_mm: float
    series_ohm: float = float(CLOCK_OHM)


CORNERS = tuple(
    Corner(*values) for values in product((8.0, 25.0), (90.0, 140.0), (3.0, 7.0), (1.0, 3.0), (0.0, 150.0, 400.0))
)
"""Worst cases. The driver is the buffer of the board or hub, whatever Pi clocks the hub."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A rising edge at one register: when it passes both ends of the threshold range, its peak, and its step back.

    `back_v` is the largest fall after the edge has passed `RISE_LOW_V` and before it has passed `RISE_HIGH_V`.
    """

    low_ns: float
    high_ns: float
    peak_v: float
    back_v: float


def sections(corner: Corner) -> tuple[list[float], list[int]]:
    """The capacitance in pF at the end of each section of the line, and the sections that have a register."""
    per_register = round(REGISTER_MM / SECTION_MM)
    count = REGISTERS * per_register + round(corner.cable_mm / SECTION_MM)
    own_pf = NS_PER_M * SECTION_MM / corner.line_ohm
    taps = [per_register // 2 + per_register * number for number in range(REGISTERS)]
    loads = [own_pf + (corner.load_pf if number in taps else 0.0) for number in range(count)]
    if corner.cable_mm:
        loads[-1] += 4.0  # the buffer of the next board
    return loads, taps


def waveforms(corner: Corner, until_ns: float = 120.0) -> list[list[float]]:
    """The voltage at each register in steps of `STEP_NS`."""
    loads, taps = sections(corner)
    own_nh = NS_PER_M * SECTION_MM / 1000 * corner.line_ohm
    ohm = corner.driver_ohm + corner.series_ohm
    volts, amps = [0.0] * len(loads), [0.0] * len(loads)
    found: list[list[float]] = [[] for _ in taps]
    for step in range(round(until_ns / STEP_NS)):
        source = SUPPLY_V * min(1.0, step * STEP_NS / corner.edge_ns)
        behind = source - ohm * amps[0]
        for number, here in enumerate(volts):
            amps[number] += (behind - here) / own_nh * STEP_NS
            behind = here
        for number, load in enumerate(loads):
            onward = amps[number + 1] if number + 1 < len(amps) else 0.0
            volts[number] += (amps[number] - onward) / load * STEP_NS * 1000
        for tap, seen in zip(taps, found, strict=True):
            seen.append(volts[tap])
    return found


def edge(wave: Sequence[float]) -> Edge:
    """What a register sees. Raises ValueError if the wave does not pass the range of thresholds."""
    low = next((step for step, volts in enumerate(wave) if volts >= RISE_LOW_V), None)
    high = next((step for step, volts in enumerate(wave) if volts >= RISE_HIGH_V), None)
    if low is None or high is None:
        raise ValueError(f"clock: expected an edge to {RISE_HIGH_V} V, got {max(wave):.2f} V at most")
    highest = back = 0.0
    for volts in wave[low:high]:
        highest = max(highest, volts)
        back = max(back, highest - volts)
    return Edge(low * STEP_NS, high * STEP_NS, max(wave), back)


def least_after_edge_v(wave: Sequence[float]) -> float:
    """The lowest voltage after `RISE_HIGH_V`: above the falling threshold there is no second edge."""
    high = next(step for step, volts in enumerate(wave) if volts >= RISE_HIGH_V)
    return min(wave[high:])


def hold_margin_ns(edges: Sequence[Edge]) -> float:
    """The least time by which new data of a register comes after its neighbour towards the Pi has sampled.

    The neighbour may have the highest threshold and the register the lowest.
    """
    return min(LEAST_DELAY_NS + far.low_ns - near.high_ns for near, far in zip(edges, edges[1:], strict=False))


def worst(corners: Sequence[Corner] = CORNERS) -> Iterator[tuple[Corner, Sequence[Edge], float]]:
    """Each corner with the edges of its registers and the lowest voltage after them."""
    for corner in corners:
        waves = waveforms(corner)
        yield corner, [edge(wave) for wave in waves], min(least_after_edge_v(wave) for wave in waves)


def spice_deck(corner: Corner) -> str:
    """The same line for ngspice, of lossless transmission lines between the registers, measured at each of them."""
    ps = NS_PER_M * REGISTER_MM
    lines = [
        "clock line of a row board",
        f"Vs s 0 PWL(0 0 {corner.edge_ns}n {SUPPLY_V})",
        f"Rs s n0 {corner.driver_ohm + corner.series_ohm}",
    ]
    for number in range(1, REGISTERS + 1):
        delay = ps * (0.625 if number == 1 else 1.0)  # the register is at the end of its section
        lines.append(f"T{number} n{number - 1} 0 n{number} 0 Z0={corner.line_ohm} TD={delay}p")
        lines.append(f"C{number} n{number} 0 {corner.load_pf}p")
    rest = ps * 0.375 + NS_PER_M * corner.cable_mm
    lines += [f"Tx n{REGISTERS} 0 end 0 Z0={corner.line_ohm} TD={rest}p", "Cx end 0 4p" if corner.cable_mm else ""]
    lines.append(".tran 0.02n 120n")
    for number in range(1, REGISTERS + 1):
        lines.append(f".measure tran low{number} WHEN v(n{number})={RISE_LOW_V} RISE=1")
        lines.append(f".measure tran high{number} WHEN v(n{number})={RISE_HIGH_V} RISE=1")
        lines.append(f".measure tran peak{number} MAX v(n{number})")
    return "\n".join([*(line for line in lines if line), ".end", ""])
