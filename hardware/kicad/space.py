"""The space of a board and its parts under the plate: spacer, clips and the recess of the plate follow from it."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.layout import BoardLayout, Rect, Side

STUB_MM = 1.2
"""What is left of a pin above the board, of a part that is soldered in from below."""


def space_csv(circuit: Circuit, layout: BoardLayout, boxes: Mapping[str, Rect], left_mm: float, top_mm: float) -> str:
    """A line for the outline, its cutouts and each part: name, left, bottom, right and top edge on the plate, height.

    `boxes` are the parts on the board, whose upper left corner is at (`left_mm`, `top_mm`) on the plate.
    """
    heights = {part.ref: part.kind.height_mm for part in circuit.parts if not part.kind.is_bare}
    below = {ref for ref in heights if layout.places[ref].side is Side.BOTTOM}
    lines = [("board", Rect(0.0, 0.0, layout.width_mm, layout.height_mm), 0.0)]
    lines += (("cutout", cutout, 0.0) for cutout in layout.cutouts)
    lines += ((ref, boxes[ref], STUB_MM if ref in below else height) for ref, height in heights.items())
    return "".join(f"{ref},{_edges(box, left_mm, top_mm)},{height:g}\n" for ref, box, height in lines)


def _edges(box: Rect, left_mm: float, top_mm: float) -> str:
    edges = (left_mm + box.left, top_mm - box.bottom, left_mm + box.right, top_mm - box.top)
    return ",".join(f"{edge:.3f}" for edge in edges)
