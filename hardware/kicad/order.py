"""The order files of a board of revision C in one zip: Gerbers, drill files, parts list, placements, a drawing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.layout import BoardLayout, Pad, Rect
from firmware_host.circuits.sources import record_of
from hardware.pcb.assembly import assembly_svg
from hardware.pcb.fabrication import order_lists, plot_gerbers, write_zip
from hardware.pcb.gerber_netlist import CopperCheck, read_back


class Order(Struct, frozen=True):
    """The zip, and what its Gerber and drill files connect, compared with the netlist."""

    file: Path
    read_back: CopperCheck


def write_order(
    circuit: Circuit,
    layout: BoardLayout,
    pads: list[Pad],
    bodies: Mapping[str, Rect],
    board: Path,
    folder: Path,
    settings: Path,
) -> Order:
    """Plots a board file and writes the zip into `folder`, which also gets a folder of Gerbers."""
    gerbers = folder / "gerber"
    files = plot_gerbers(settings, board, gerbers)
    lists = order_texts(circuit, layout, pads, bodies)
    file = folder / f"{circuit.name}-order.zip"
    contents = {one.name: one.read_bytes() for one in files}
    write_zip(file, contents | {name: text.encode() for name, text in lists.items()})
    numbered = [pad for pad in pads if pad.number]
    return Order(file, read_back(circuit.name, gerbers, numbered, layout.height_mm))


def order_texts(
    circuit: Circuit, layout: BoardLayout, pads: list[Pad], bodies: Mapping[str, Rect]
) -> Mapping[str, str]:
    """The parts list, the placements and the assembly drawing, by file name."""
    drawing = assembly_svg(circuit, layout, pads, bodies)
    return {**order_lists(circuit, layout, record_of), f"{circuit.name}-assembly.svg": drawing}
