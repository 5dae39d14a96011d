"""The clock line from the Pi to the hub: resistor, buffer of the rows, and gate of the lights.

Without the resistor (`UNFITTED_OHM`) the line rings above what the inputs stand, and back below the falling threshold.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from firmware_host.circuits.hub_netlist import PI_CLOCK_OHM
from hardware.row.chips import BUFFER_INPUT, GATE_INPUT, GATE_PF, INPUT_PF, PiDriver
from hardware.row.line import Line, Piece, Thresholds

UNFITTED_OHM = 0.1
HUB_LINE_OHM = (80.0, 120.0)
TO_BUFFER_MM = (12.0, 25.0)
TO_GATE_MM = (8.0, 16.0)
"""Tracks of the hub: from the resistor to the buffer, and on to the gate."""
HEADER_PF = 1.0
INPUTS: dict[str, Thresholds] = {"buffer": BUFFER_INPUT, "gate": GATE_INPUT}
"""The places of the line, by the names of the probes."""


def pi_lines(pi: PiDriver, series_ohm: float = float(PI_CLOCK_OHM)) -> Iterator[Line]:
    """The line in all corners of a Pi."""
    corners = product(pi.ohm, pi.edge_ns, pi.line_ohm, pi.track_mm, HUB_LINE_OHM, (0, 1), (0, 1))
    for ohm, edge_ns, own_ohm, own_mm, hub_ohm, length, load in corners:
        yield Line(
            ohm,
            edge_ns,
            (
                Piece(own_mm, own_ohm, HEADER_PF),
                Piece(TO_BUFFER_MM[length], hub_ohm, INPUT_PF[load], series_ohm, probe="buffer"),
                Piece(TO_GATE_MM[length], hub_ohm, GATE_PF[load], probe="gate"),
            ),
        )
