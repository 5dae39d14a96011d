"""Model of a signal line: a driver and pieces of line in a row, each with what is connected at its end.

The line is a ladder of inductors, resistors and capacitors, integrated in small steps (leapfrog). It is linear: chips
are capacitors, and their clamp diodes, which only reduce ringing, are left out. A falling edge is the mirror image of a
rising one.
"""

from __future__ import annotations

from math import ceil

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

SUPPLY_V = 3.3
"""Of the Pi and of the hub."""
NS_PER_M = 6.0
"""Delay of a track or cable."""
OHM_PER_M = 3.0
"""Resistance of a track of 0.2 mm and 35 um; a cable has less."""
SECTION_MM = 7.0
STEP_NS = 0.02

Wave = NDArray[np.float64]
"""Voltages in steps of `STEP_NS`, from the begin of the edge of the driver."""


class Piece(Struct, frozen=True):
    """A piece of line. `before_ohm` is a resistor in front of it, `load_pf` and `probe` are at its end.

    `probe` names a place whose voltage is wanted.
    """

    length_mm: float
    line_ohm: float
    load_pf: float = 0.0
    before_ohm: float = 0.0
    probe: str = ""


class Line(Struct, frozen=True):
    """A driver with its resistance, which goes from 0 to its supply in `edge_ns`, and the pieces that it drives."""

    source_ohm: float
    edge_ns: float
    pieces: tuple[Piece, ...]
    supply_v: float = SUPPLY_V


class Thresholds(Struct, frozen=True):
    """The ranges of the switching thresholds of an input at its supply, and its least hysteresis, 0 without one."""

    rise_low_v: float
    rise_high_v: float
    fall_low_v: float
    fall_high_v: float
    hysteresis_v: float
    supply_v: float = SUPPLY_V

    @property
    def last_v(self) -> float:
        """Where a rising wave has passed all thresholds, and its mirror image those of the falling edge."""
        return max(self.rise_high_v, self.supply_v - self.fall_low_v)


class Edge(Struct, frozen=True):
    """A rising edge at one input: when it passes the least and the highest rising threshold, its peak, its step back.

    `back_v` is the largest fall while a threshold may be near: from the lowest threshold to `Thresholds.last_v`. A fall
    below the hysteresis counts no second edge. `after_v` is the lowest voltage afterwards.
    """

    low_ns: float
    high_ns: float
    peak_v: float
    back_v: float
    after_v: float

    @property
    def width_ns(self) -> float:
        """The time between both thresholds."""
        return self.high_ns - self.low_ns


def waveforms(line: Line, until_ns: float = 120.0) -> dict[str, Wave]:
    """The voltage at each probe."""
    sizes = [max(1, ceil(piece.length_mm / SECTION_MM)) for piece in line.pieces]
    ends = np.cumsum(sizes) - 1
    lengths_m = np.repeat(
        [piece.length_mm / size / 1000 for piece, size in zip(line.pieces, sizes, strict=True)], sizes
    )
    impedances = np.repeat([piece.line_ohm for piece in line.pieces], sizes)
    henries = lengths_m * NS_PER_M * impedances
    farads = lengths_m * NS_PER_M / impedances  # in nH and nF
    ohms = lengths_m * OHM_PER_M
    ohms[0] += line.source_ohm
    for piece, end, size in zip(line.pieces, ends, sizes, strict=True):
        ohms[end - size + 1] += piece.before_ohm
        farads[end] += piece.load_pf / 1000
    push = STEP_NS / henries
    damping = 1.0 / (1.0 + ohms * STEP_NS / henries)
    charge = STEP_NS / farads
    probes = {piece.probe: int(end) for piece, end in zip(line.pieces, ends, strict=True) if piece.probe}
    steps = round(until_ns / STEP_NS)
    found = np.empty((steps, len(probes)))
    columns = list(probes.values())
    volts = np.zeros(len(ohms))
    amps = np.zeros(len(ohms) + 1)  # nothing flows out of the last section
    behind = np.empty(len(ohms))
    for step in range(steps):
        behind[0], behind[1:] = line.supply_v * min(1.0, step * STEP_NS / line.edge_ns), volts[:-1]
        amps[:-1] = (amps[:-1] + (behind - volts) * push) * damping
        volts += (amps[:-1] - amps[1:]) * charge
        found[step] = volts[columns]
    return {probe: found[:, column] for column, probe in enumerate(probes)}


def passed_ns(wave: Wave, level_v: float) -> float:
    """When a wave first passes this voltage. Raises ValueError if it never does."""
    if (highest := float(wave.max())) < level_v:
        raise ValueError(f"line: expected an edge to {level_v:.2f} V, got {highest:.2f} V at most")
    return float(np.argmax(wave >= level_v)) * STEP_NS


def edge(wave: Wave, limits: Thresholds) -> Edge:
    """What an input sees. Raises ValueError if the wave does not pass the range of thresholds."""
    low = passed_ns(wave, limits.rise_low_v)
    high = passed_ns(wave, limits.rise_high_v)
    first = round(low / STEP_NS)
    last = round(passed_ns(wave, limits.last_v) / STEP_NS)
    near = wave[first : last + 1]
    back = float((np.maximum.accumulate(near) - near).max())
    return Edge(low, high, float(wave.max()), back, float(wave[last:].min()))
