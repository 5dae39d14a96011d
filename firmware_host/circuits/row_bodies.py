"""The space of the parts above a row board, as measured in KiCad's footprints when the board is built."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from functools import cache

from board_drivers.hardware_files import hardware_file
from firmware_host.board.strip import StripPattern
from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.layout import BoardLayout, Body, Rect
from firmware_host.circuits.row_netlist import row_circuit
from firmware_host.circuits.row_placement import row_layout

_HEAD = ("ref", "left", "top", "right", "bottom")


def file_name(strips: int) -> str:
    """The file with the boxes of a board with this many strips."""
    return f"bodies-{strips}.csv"


def bodies_csv(circuit: Circuit, layout: BoardLayout, boxes: Mapping[str, Rect]) -> str:
    """CSV: bounding box of each part in mm from its position. `boxes` are the boxes on the board."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEAD)
    for part in circuit.parts:
        if not part.kind.is_bare:
            place = layout.places[part.ref]
            box = boxes[part.ref]
            edges = (box.left - place.x, box.top - place.y, box.right - place.x, box.bottom - place.y)
            writer.writerow((part.ref, *(f"{edge:.2f}" for edge in edges)))
    return out.getvalue()


def bodies(pattern: StripPattern, strips: int) -> Iterator[Body]:
    """The body of every part above a board, in mm from the upper left corner of the board."""
    layout = row_layout(pattern, strips)
    boxes = _boxes(strips)
    for part in row_circuit(strips).parts:
        if not part.kind.is_bare:
            place = layout.places[part.ref]
            yield Body(part.ref, boxes[part.ref].moved(place.x, place.y), part.kind.height_mm)


@cache
def _boxes(strips: int) -> Mapping[str, Rect]:
    text = hardware_file("row", file_name(strips)).read_text(encoding="utf-8")
    return {row["ref"]: Rect(*(float(row[edge]) for edge in _HEAD[1:])) for row in csv.DictReader(text.splitlines())}
