"""Outlines of parts on the silkscreen: those of the library, as thick as houses print, and within the board."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.layout import BoardLayout, Placement, Rect, to_board
from hardware.pcb.footprints import body
from hardware.pcb.houses import HOUSES
from hardware.pcb.sexpr import Node, child, floats, row

FROM_EDGE_MM = 0.3
"""From a line to the edge of the board, at least."""
LINE_MM = max(house.text_line for house in HOUSES)
AROUND_MM = LINE_MM / 2 + max(house.text_to_pad for house in HOUSES)
"""From the middle of a line to other print, at least."""


def is_print(item: list[Node]) -> bool:
    """Whether a shape of a footprint is on the silkscreen."""
    return str((child(item, "layer") or ["", ""])[1]).endswith("SilkS")


def printed(item: list[Node], place: Placement, layout: BoardLayout) -> list[Node]:
    """A shape of a footprint as it is printed at `place`: what is beyond the edge of the board is drawn along it.

    `item` is mirrored already if the part is on the bottom.
    """
    cut = [rect.left for rect in layout.cutouts if rect.left > place.x and rect.top < place.y < rect.bottom]
    inner = Rect(0.0, 0.0, min([layout.width_mm, *cut]), layout.height_mm).grown(-FROM_EDGE_MM)
    back = Placement(0.0, 0.0, -place.turn)
    corners = [(inner.left, inner.top), (inner.right, inner.bottom)]
    local = [to_board(back, x - place.x, y - place.y) for x, y in corners]
    own = Rect.around(Rect(x, y, x, y) for x, y in local)
    return [_clamped(own, part) for part in _thickened(item)]


def _clamped(space: Rect, part: Node) -> Node:
    """An end of a line, in the space; any other part as it is."""
    if part[0] not in ("start", "end") or isinstance(part, str):
        return part
    x, y = floats(part)
    return row(str(part[0]), min(max(x, space.left), space.right), min(max(y, space.top), space.bottom))


def _thickened(item: list[Node]) -> list[Node]:
    """The same shape, with lines that are thick enough for every house."""
    stroke = child(item, "stroke") or []
    width = row("width", max(LINE_MM, *floats(child(stroke, "width") or [])))
    thick = [width if part[0] == "width" else part for part in stroke]
    return [thick if part is stroke else part for part in item]


def printed_boxes(circuit: Circuit, layout: BoardLayout, boxes: Mapping[str, Rect]) -> Mapping[str, Rect]:
    """The space of each part with its outline on the silkscreen, if that is printed."""
    found = dict(boxes)
    for part in circuit.parts:
        outline = body(part.kind.footprint, layout.places[part.ref], "F.SilkS")
        if part.ref in layout.outlined and outline:
            found[part.ref] = Rect.around([boxes[part.ref], outline.grown(AROUND_MM)])
    return found
