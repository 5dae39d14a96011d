"""The same lines for ngspice, an independent program: as transmission lines without loss, or with it (LTRA)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import Struct

from hardware.pcb.ngspice import measure
from hardware.row.line import NS_PER_M, OHM_PER_M, STEP_NS, Line, Wave


class Simulated(Struct, frozen=True):
    """The voltages at the probes, and the results of the measurements: seconds and volts."""

    waves: Mapping[str, Wave]
    measured: Mapping[str, float]


def deck(
    line: Line, curves: Path, measures: Mapping[str, str], *, lossy: bool, until_ns: float, source: str = ""
) -> Sequence[str]:
    """The lines for `measure`. `measures` are `.measure` conditions by name; the voltage of a probe is `v(probe)`.

    `source` replaces the rising edge of the driver.
    """
    edge = source or f"PWL(0 0 {line.edge_ns}n {line.supply_v})"
    body = [f"Vs s 0 {edge}", f"Rs s a0 {line.source_ohm}"]
    end = "a0"
    for number, piece in enumerate(line.pieces):
        start = end
        end = piece.probe or f"a{number + 1}"
        if piece.before_ohm:
            body.append(f"Rx{number} {start} b{number} {piece.before_ohm}")
            start = f"b{number}"
        body += _piece(number, start, end, piece.length_mm / 1000, piece.line_ohm, lossy=lossy)
        body.append(f"C{number} {end} 0 {piece.load_pf or 0.001}p")
    probes = [f"v({piece.probe})" for piece in line.pieces if piece.probe]
    return [
        "clock line",
        *body,
        f".tran {STEP_NS}n {until_ns}n 0 {STEP_NS * 2}n",
        *(f".measure tran {name} {what}" for name, what in measures.items()),
        ".control",
        "run",
        f"wrdata {curves} {' '.join(probes)}",
        "quit 0",
        ".endc",
    ]


def _piece(number: int, start: str, end: str, length_m: float, ohm: float, *, lossy: bool) -> Sequence[str]:
    if not lossy:
        return [f"T{number} {start} 0 {end} 0 Z0={ohm} TD={NS_PER_M * length_m}n"]
    values = f"R={OHM_PER_M} L={NS_PER_M * ohm}n C={NS_PER_M / ohm}n LEN={length_m}"
    return [f"O{number} {start} 0 {end} 0 m{number}", f".model m{number} LTRA {values}"]


def simulate(
    line: Line, measures: Mapping[str, str], *, lossy: bool, until_ns: float = 120.0, source: str = ""
) -> Simulated:
    """Runs ngspice. Raises SpiceError if it fails or lacks a result."""
    with TemporaryDirectory() as folder:
        curves = Path(folder, "curves.txt")
        text = deck(line, curves, measures, lossy=lossy, until_ns=until_ns, source=source)
        measured = measure(text, measures)
        table = np.loadtxt(curves)
    steps = np.arange(round(until_ns / STEP_NS)) * STEP_NS
    names = [piece.probe for piece in line.pieces if piece.probe]
    waves = {name: np.interp(steps, table[:, 0] * 1e9, table[:, 2 * n + 1]) for n, name in enumerate(names)}
    return Simulated(waves, measured)
