"""Model of the clock line of a row board: buffer, series resistor, registers, resistor, cable, and the next buffer.

Registers with different thresholds see a slow edge at different times, and data must not change before the slowest has
seen the edge. The clock runs against the data, so a register samples before the one that sends to it is clocked; at the
extremes of the data sheet that is not enough (`WITHOUT_DELAY`). Therefore a resistor at each serial input delays the
data, and the resistor of the line is so large that the line charges like a capacitor, without steps back. The price is
a slow edge, which the Schmitt-trigger inputs accept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from math import log

from msgspec import Struct

from firmware_host.circuits.cables import CABLES_MM
from firmware_host.circuits.row_boards import SIZES
from firmware_host.circuits.row_netlist import CABLE_CLOCK_OHM, CLOCK_OHM, SHIFT_OHM
from hardware.row.chips import (
    BUFFER_EDGE_NS,
    BUFFER_INPUTS,
    BUFFER_NS,
    BUFFER_OHM,
    INPUT_PF,
    LEAST_DELAY_NS,
    MOST_DELAY_NS,
    REGISTER_INPUTS,
    ROW_SUPPLIES_V,
    SETUP_NS,
    at_supply,
)
from hardware.row.line import Edge, Line, Piece, Thresholds, edge, waveforms

DATA_CABLE_NS = 15.0
"""The longest delay of the data through resistor and cable."""
TOLERANCE = 0.01
"""Of the resistors."""
LINE_OHM = (90.0, 140.0)
REGISTER_MM = 55.88
FIRST_MM = 34.93
"""Distance of two registers, and of the first one from the buffer."""
PLUG_MM = 14.0
"""The plug of an open output."""
OPEN_PF = 0.01
NEXT = "next"
"""The probe at the buffer of the next board, or at the open output."""


class Resistors(Struct, frozen=True):
    """In ohms: behind the buffer, between the last register and the cable, and at each serial input."""

    line_ohm: float
    cable_ohm: float
    shift_ohm: float


FITTED = Resistors(float(CLOCK_OHM), float(CABLE_CLOCK_OHM), float(SHIFT_OHM.replace("k", "e3")))
"""The resistors on the boards."""
WITHOUT_DELAY = Resistors(10.0, 0.0, 0.0)
"""A line that is only terminated: what the resistors are there for."""


class Corner(Struct, frozen=True):
    """One set of tolerances: buffer, line, load of an input, edge, cable to the next board, registers, supply."""

    driver_ohm: float
    line_ohm: float
    load_pf: float
    edge_ns: float
    cable_mm: float
    registers: int
    supply_v: float


CORNERS = tuple(
    Corner(*values)
    for values in product(BUFFER_OHM, LINE_OHM, INPUT_PF, BUFFER_EDGE_NS, (0.0, *CABLES_MM), SIZES, ROW_SUPPLIES_V)
)
"""Worst cases. The driver is the buffer of the board, whatever Pi clocks the hub."""


def register(number: int) -> str:
    """The probe at a register, counted from 1 beside the input connector."""
    return f"r{number}"


def clock_line(corner: Corner, fitted: Resistors = FITTED) -> Line:
    """The line of one board."""
    registers = [
        Piece(REGISTER_MM if number > 1 else FIRST_MM, corner.line_ohm, corner.load_pf, probe=register(number))
        for number in range(1, corner.registers + 1)
    ]
    to_output = Piece(REGISTER_MM - FIRST_MM, corner.line_ohm)
    cable = Piece(
        corner.cable_mm or PLUG_MM,
        corner.line_ohm,
        corner.load_pf if corner.cable_mm else OPEN_PF,
        fitted.cable_ohm,
        probe=NEXT,
    )
    pieces = (*registers, to_output, cable)
    return Line(corner.driver_ohm + fitted.line_ohm, corner.edge_ns, pieces, corner.supply_v)


def input_of(probe: str, supply_v: float) -> Thresholds:
    """The thresholds at a probe, with this supply of the rows."""
    return at_supply(BUFFER_INPUTS if probe == NEXT else REGISTER_INPUTS, supply_v)


@cache
def edges(corner: Corner, fitted: Resistors = FITTED) -> Mapping[str, Edge]:
    """The rising edge at each probe, in the order of the line."""
    waves = waveforms(clock_line(corner, fitted))
    return {probe: edge(wave, input_of(probe, corner.supply_v)) for probe, wave in waves.items()}


def least_held_ns(fitted: Resistors = FITTED) -> float:
    """The least time by which the resistor at the serial input delays new data: the faster of both edges."""
    inputs = [at_supply(REGISTER_INPUTS, supply_v) for supply_v in ROW_SUPPLIES_V]
    shares = [share for one in inputs for share in (one.rise_low_v / one.supply_v, 1 - one.fall_high_v / one.supply_v)]
    return fitted.shift_ohm * (1 - TOLERANCE) * INPUT_PF[0] / 1000 * _charge(min(shares))


def most_held_ns(fitted: Resistors = FITTED) -> float:
    """The longest such time: the slower of both edges."""
    inputs = [at_supply(REGISTER_INPUTS, supply_v) for supply_v in ROW_SUPPLIES_V]
    shares = [share for one in inputs for share in (one.rise_high_v / one.supply_v, 1 - one.fall_low_v / one.supply_v)]
    return fitted.shift_ohm * (1 + TOLERANCE) * INPUT_PF[1] / 1000 * _charge(max(shares))


def _charge(share: float) -> float:
    """The time in which a capacitor charges to this share of the supply, in units of R times C."""
    return -log(1 - share)


def hold_margins_ns(found: Mapping[str, Edge], fitted: Resistors = FITTED) -> Mapping[str, float]:
    """The least time by which new data comes after each register has sampled, by the probe of that register.

    The register may have the highest threshold and the sender, farther from the Pi, the lowest. The sender of the last
    register is on the next board: it is clocked later still.
    """
    held = LEAST_DELAY_NS + least_held_ns(fitted)
    places = list(found)
    return {near: held + found[far].low_ns - found[near].high_ns for near, far in zip(places, places[1:], strict=False)}


def setup_margin_ns(found: Mapping[str, Edge], clock_hz: float, fitted: Resistors = FITTED) -> float:
    """The least time by which data is there before it is sampled.

    The sender may be on the next board: then its clock comes later by a buffer and by the line of that board.
    """
    latest = found[NEXT].high_ns + BUFFER_NS + max(one.high_ns for one in found.values())
    return 1e9 / clock_hz - latest - MOST_DELAY_NS - DATA_CABLE_NS - most_held_ns(fitted) - SETUP_NS


def corners_of(registers: int, cable_mm: float, supply_v: float | None = None) -> Sequence[Corner]:
    """The worst cases of a board with so many registers and this cable behind it, 0 for none."""
    return [
        corner
        for corner in CORNERS
        if (corner.registers, corner.cable_mm) == (registers, cable_mm) and supply_v in (None, corner.supply_v)
    ]
