"""Layout of the row board: a cell of equal parts for each strip, and the connectors in its first and last cell.

Most dimensions come from the board plans; only those of the circuit board itself are defined here. The connectors are
on the lower side, away from the plate.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.board.strip import StripPattern, Turn
from firmware_host.circuits.circuit import GROUND
from firmware_host.circuits.layout import (
    EDGE_MM,
    BoardLayout,
    CopperZone,
    Fiducial,
    Label,
    Placement,
    Rect,
    ScrewHole,
    Side,
)
from firmware_host.circuits.row_netlist import CABLE_NETS, HOLES

SCREW_MM = 2.2
SCREW_CLEAR_MM = 2.4
"""A screw M2, and the radius without copper: a pan head of 4.0 mm, 0.4 mm off its centre."""
REVISION = "B"
LEGEND_MM = 1.0
"""The smallest print that both board houses make."""


class RowCell:
    """The measures of one strip on the board, in mm from the upper left corner of its cell."""

    def __init__(self, pattern: StripPattern) -> None:
        slots, outline = pattern.place_strip(0, 0.0, 0.0, Turn.RIGHT)
        self.reach = pattern.reach_mm
        self.slack = pattern.slack_mm
        self.height = round(outline.top_mm - outline.bottom_mm, 3)
        self.columns = {n: round(slot.x_mm - outline.left_mm, 4) for n, slot in zip(HOLES, slots, strict=True)}
        self.hole_y = round(outline.top_mm, 3)
        self.light_y = round(outline.top_mm - pattern.light_mm, 3)

    def width(self, strips: int) -> float:
        """Width of a board with this many strips."""
        return round(strips * self.reach - self.slack, 3)

    def between(self, hole: int) -> float:
        """The middle between this hole and the next one."""
        return (self.columns[hole] + self.columns[hole + 1]) / 2


def row_layout(pattern: StripPattern, strips: int) -> BoardLayout:
    """The layout of a board with this many strips, seen from above with the data input on the left."""
    cell = RowCell(pattern)
    width = cell.width(strips)
    offsets = [(strip, round((strip - 1) * cell.reach, 4)) for strip in range(1, strips + 1)]
    places = {ref: place.moved(right) for strip, right in offsets for ref, place in _strip_places(cell, strip)}
    places |= dict(_input_places(cell)) | dict(_output_places(cell, width, strips))
    screws = [_moved_screw(screw, right) for _, right in offsets for screw in _screws(cell)]
    labels = [
        *_end_labels(cell, width, strips),
        *(_l for strip, right in offsets for _l in _labels(cell, strip, right)),
    ]
    return BoardLayout(
        width,
        cell.height,
        places,
        _copper(width, cell),
        screws,
        labels,
        reserved=[
            CopperZone(GROUND, Side.TOP, Rect(EDGE_MM, EDGE_MM, width - EDGE_MM, cell.light_y - 1.27)),
            CopperZone(GROUND, Side.BOTTOM, Rect(EDGE_MM, 11.2, width - EDGE_MM, cell.height - EDGE_MM)),
        ],
        fiducials=[
            Fiducial(round(cell.between(4), 3), 10.9),
            Fiducial(round((strips - 1) * cell.reach + cell.between(3), 3), 10.9),
        ],
        grid_mm=0.1,
        track_mm=0.2,
        stitching_mm=2.0,
        widths={GROUND: 0.3, "3V3": 0.3, "5V": 0.4},
    )


def _strip_places(cell: RowCell, strip: int) -> Iterator[tuple[str, Placement]]:
    """The switch of each hole centred under it, and the light beside it with its inputs to the left."""
    first = 100 * strip
    for n, x in cell.columns.items():
        yield f"U{first + n}", Placement(x, cell.hole_y, 180)
        yield f"C{first + n}", Placement(x, cell.hole_y + 2.6, 180)
        yield f"D{first + n}", Placement(x, cell.light_y, 180)
        yield f"C{first + n + 5}", Placement(x + 2.05, cell.light_y + 1.4, 270)
        yield f"R{first + n}", Placement(x, cell.hole_y - 2.25)
    register = cell.columns[2] + 5.48
    yield f"U{first + 6}", Placement(register, 8.1, 90)
    yield f"C{first + 11}", Placement(register - 1.9, 3.75)
    yield f"R{first + 6}", Placement(round(cell.between(3) - 0.57, 4), 8.2, 180)


def _input_places(cell: RowCell) -> Iterator[tuple[str, Placement]]:
    top = (cell.height - (len(CABLE_NETS) - 1) * 1.25) / 2
    yield "J1", Placement(2.3, top, 270, Side.BOTTOM)
    yield "J3", Placement(cell.between(3), 3.2, 270, Side.BOTTOM)
    buffer = cell.between(1)
    yield "U1", Placement(buffer, 10.1, 90)
    yield "C1", Placement(buffer - 2.3, 11.2, 90)
    yield "R1", Placement(buffer + 2.65, 9.2)
    yield "R2", Placement(buffer + 2.65, 10.4)
    yield "R3", Placement(4.6, 9.6, 90)
    yield "R4", Placement(4.6, 7.0, 90)
    yield "R5", Placement(4.6, 4.6, 90)
    x = cell.between(4)
    spots = {"TP1": (x - 3.6, 3.0), "TP3": (x - 4.2, 10.5), "TP2": (x - 1.4, 10.5)}
    spots |= {"TP4": (x + 1.4, 10.5), "TP5": (x + 4.2, 10.5), "TP6": (x + 7.0, 10.5)}
    for ref, (left, y) in spots.items():
        yield ref, Placement(round(left, 3), y, 0, Side.BOTTOM)


def _output_places(cell: RowCell, width: float, strips: int) -> Iterator[tuple[str, Placement]]:
    top = (cell.height - (len(CABLE_NETS) - 1) * 1.25) / 2
    yield "J2", Placement(width - 1.45, top, 270, Side.BOTTOM)
    yield "R6", Placement(width - 3.3, 2.4, 90)
    yield "R7", Placement(width - 3.3, 5.0, 90)
    yield "R8", Placement(width - 3.3, 9.6, 90)
    yield "R9", Placement(width - 3.3, 7.3, 90)
    if strips > 1:
        yield "J4", Placement(round((strips - 1) * cell.reach + cell.between(3), 4), 3.2, 270, Side.BOTTOM)


def _copper(width: float, cell: RowCell) -> list[CopperZone]:
    """Ground on both sides, and a wide 5 V zone for the lights on the bottom."""
    whole = Rect(EDGE_MM, EDGE_MM, width - EDGE_MM, cell.height - EDGE_MM)
    return [
        CopperZone(GROUND, Side.TOP, whole),
        CopperZone(GROUND, Side.BOTTOM, whole),
        CopperZone("5V", Side.BOTTOM, Rect(3.6, EDGE_MM, width - 3.0, cell.light_y + 1.7), priority=1),
    ]


def _screws(cell: RowCell) -> list[ScrewHole]:
    y = (cell.hole_y + cell.light_y) / 2
    return [ScrewHole(round(cell.between(n), 4), round(y, 4), SCREW_MM, SCREW_CLEAR_MM) for n in (1, 4)]


def _moved_screw(screw: ScrewHole, right: float) -> ScrewHole:
    return ScrewHole(round(screw.x + right, 4), screw.y, screw.drill, screw.clearance)


def _labels(cell: RowCell, strip: int, right: float) -> Iterator[Label]:
    """The number of each hole and of the strip, on the lower side."""
    for hole, x in cell.columns.items():
        yield _below(f"h{hole}", round(x + right, 3), 5.3)
    yield _below(f"STRIP {strip}", round(cell.between(2) + right, 3), 7.4)


def _end_labels(cell: RowCell, width: float, strips: int) -> Iterator[Label]:
    yield _below("J1 IN", 7.2, 2.7)
    yield _below("J2 OUT", width - 7.2, 2.7)
    yield _below("1", 4.2, 1.5)
    yield _below("1", width - 3.4, 1.5)
    yield _below("> PI", 6.0, 11.2)
    yield _below(f"cribboard row-{strips} rev {REVISION}", cell.between(2) - 1.5, 11.4)
    for ref, strip in (("J3", 1), ("J4", strips))[: 1 if strips == 1 else 2]:
        x = cell.between(3) + (strip - 1) * cell.reach
        yield _below(ref, x - 2.6, 3.2)
        yield _below("5V", x + 2.6, 3.2)
        yield _below("GND", x - 2.6, 6.1)
    x = cell.between(4)
    yield _below("5V", x - 3.6, 1.5)
    for text, left in (("GND", -4.2), ("3V3", -1.4), ("CLK", 1.4), ("LAT", 4.2), ("DATA", 7.0)):
        yield Label(text, x + left, 9.7 - 0.45 * len(text), Side.BOTTOM, LEGEND_MM, 90)


def _below(text: str, x: float, y: float) -> Label:
    return Label(text, x, y, Side.BOTTOM, LEGEND_MM)
