"""Where the strip's parts are: five equal columns under the holes, the rest between them.

Measures come from the board plans, which lay strips end to end; here are only the few that are the circuit board's own.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.board.strip import StripPattern, Turn
from hardware.pcb.circuit import GROUND
from hardware.pcb.layout import EDGE_MM, Area, Label, Place, Rect, Screw, Sheet, Side
from hardware.strip.netlist import HOLES, LINK_NETS

LINK_STEP_MM = 2.54
"""From the last wire of one strip to the first of the next: bare wire bent on a 0.1 inch tool."""
LINK_PITCH_MM = 1.27
SCREW_MM, SCREW_CLEAR_MM = 2.2, 2.1


def strip_sheet(pattern: StripPattern) -> Sheet:
    """The sheet of the strip whose pattern this is, seen from above with the data input on the left."""
    slots, outline = pattern.laid(0, 0.0, 0.0, Turn.RIGHT)
    width, height = outline.right_mm - outline.left_mm, outline.top_mm - outline.bottom_mm
    columns = {n: slot.x_mm - outline.left_mm for n, slot in zip(HOLES, slots, strict=True)}
    hole_y, light_y = outline.top_mm, outline.top_mm - pattern.light_mm
    return Sheet(
        round(width, 3),
        round(height, 3),
        {**_columns(columns, hole_y, light_y), **_between(columns, width, height, light_y)},
        _copper(width, height, light_y),
        _screws(columns, (hole_y + light_y) / 2),
        _labels(columns, width),
        kept=[Area(GROUND, side, Rect(EDGE_MM, EDGE_MM, width - EDGE_MM, light_y - 1.27)) for side in Side],
        grid_mm=0.1,
        track_mm=0.2,
        stitch_mm=2.0,
        widths={GROUND: 0.3, "3V3": 0.3, "5V": 0.4},
    )


def _columns(columns: Mapping[int, float], hole_y: float, light_y: float) -> Mapping[str, Place]:
    """Under each hole its switch, in the middle of its package; beside it the light, inputs to the left."""
    places = {}
    for n, x in columns.items():
        places[f"U{n}"] = Place(x, hole_y, 180)
        places[f"C{n}"] = Place(x, hole_y + 2.6, 180)
        places[f"D{n}"] = Place(x, light_y, 180)
        places[f"C{n + 5}"] = Place(x + 2.05, light_y + 1.4, 270)
        places[f"R{n}"] = Place(x, hole_y - 2.25)
    return places


def _between(columns: Mapping[int, float], width: float, height: float, light_y: float) -> Mapping[str, Place]:
    first, last = _ends(width)
    top = (height - (len(LINK_NETS) - 1) * LINK_PITCH_MM) / 2
    register, spare = columns[2] + 5.48, (columns[3] + columns[4]) / 2
    return {
        "J1": Place(first, top),
        "J2": Place(last, top),
        "U6": Place(register, 8.1, 90),
        "C11": Place(register - 1.9, 3.75),
        "R6": Place(spare - 0.9, 9.0, 90),
        "R7": Place(spare - 2.3, 9.0, 90),
        "TP1": Place(spare + 1.4, height - 1.8),
        "TP2": Place(spare - 1.0, light_y + 1.4),
        "TP3": Place(spare + 1.6, 6.3),
    }


def _ends(width: float) -> tuple[float, float]:
    """Where the rows of link holes are, so that those of two strips end to end are `LINK_STEP_MM` apart."""
    inset = (LINK_STEP_MM - 0.3) / 2
    return inset, width - inset


def _copper(width: float, height: float, light_y: float) -> list[Area]:
    """Ground on both sides, and the lights' current on a broad band below them.

    The band is narrow at its ends: there the ground along the upper edge, which the lights' lines cut off on the top,
    comes past it on the bottom.
    """
    whole = Rect(EDGE_MM, EDGE_MM, width - EDGE_MM, height - EDGE_MM)
    top, neck = light_y - 0.95, 2.7
    return [
        Area(GROUND, Side.TOP, whole),
        Area(GROUND, Side.BOTTOM, whole),
        Area("5V", Side.BOTTOM, Rect(neck, top, width - neck, light_y + 1.7), rank=1),
        Area("5V", Side.BOTTOM, Rect(EDGE_MM, top, neck + 1, top + 1.25), rank=1),
        Area("5V", Side.BOTTOM, Rect(width - neck - 1, top, width - EDGE_MM, top + 1.25), rank=1),
    ]


def _screws(columns: Mapping[int, float], y: float) -> list[Screw]:
    return [Screw((columns[n] + columns[n + 1]) / 2, y, SCREW_MM, SCREW_CLEAR_MM) for n in (1, 4)]


def _labels(columns: Mapping[int, float], width: float) -> list[Label]:
    middle = (columns[3] + columns[4]) / 2
    return [
        Label("IN", 5.6, 6.2, Side.BOTTOM, 1.0),
        Label("OUT", width - 5.6, 6.2, Side.BOTTOM, 1.0),
        Label("cribboard strip A", middle, 8.0, Side.BOTTOM, 1.0),
    ]
