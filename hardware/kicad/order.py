"""The order files of a board of revision C: Gerbers, drill files, parts list and placements in one zip."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.layout import BoardLayout, Pad
from hardware.kicad.sources import record_of
from hardware.pcb.fabrication import order_lists, plot_gerbers, write_zip
from hardware.pcb.gerber_netlist import CopperCheck, read_back


class Order(Struct, frozen=True):
    """The zip, and what its Gerber and drill files connect, compared with the netlist."""

    file: Path
    read_back: CopperCheck


def write_order(
    circuit: Circuit, layout: BoardLayout, pads: list[Pad], board: Path, folder: Path, settings: Path
) -> Order:
    """Plots a board file and writes the zip into `folder`, which also gets a folder of Gerbers."""
    gerbers = folder / "gerber"
    files = plot_gerbers(settings, board, gerbers)
    lists = order_lists(circuit, layout, record_of)
    file = folder / f"{circuit.name}-order.zip"
    contents = {one.name: one.read_bytes() for one in files}
    write_zip(file, contents | {name: text.encode() for name, text in lists.items()})
    numbered = [pad for pad in pads if pad.number]
    return Order(file, read_back(circuit.name, gerbers, numbered, layout.height_mm))
