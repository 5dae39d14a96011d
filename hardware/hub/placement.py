"""Where the hub's parts are: the Pi's ribbons left, supply along the top, strips, keys and display right."""

from __future__ import annotations

from hardware.hub.netlist import HUB
from hardware.pcb.circuit import GROUND
from hardware.pcb.layout import Area, Label, Place, Rect, Screw, Sheet, Side

WIDTH_MM, HEIGHT_MM = 100.0, 72.0
_EDGE = 0.5

_PLACES = {
    "J1": Place(8, 14),
    "J2": Place(8, 38),
    "J3": Place(14, 68.5, 90),
    "J4": Place(95.5, 10),
    "J5": Place(35.08, 7, 180),
    "J6": Place(52.08, 7, 180),
    "J7": Place(80.08, 7, 180),
    "J8": Place(96, 27),
    "J9": Place(96, 50),
    "J10": Place(80, 68.5, 90),
    "D1": Place(35, 15.5, 180),
    "F2": Place(41, 15),
    "F1": Place(41, 21.5),
    "Q1": Place(58, 22),
    "C3": Place(52, 30),
    "R7": Place(52, 33),
    "R6": Place(58, 33),
    "Q2": Place(58, 38),
    "R8": Place(52, 38),
    "C2": Place(67, 20),
    "U1": Place(82, 33),
    "C1": Place(84, 26.6, 180),
    "R1": Place(24, 16),
    "R3": Place(24, 20),
    "R4": Place(74, 32, 180),
    "R5": Place(74, 36, 180),
    "D2": Place(26, 38),
    "D3": Place(26, 42),
    "D4": Place(26, 46),
    "D5": Place(26, 50),
    "R9": Place(38, 46),
    "R10": Place(38, 50),
    "R11": Place(38, 54),
    "R12": Place(38, 58),
    "U2": Place(84, 46, 180),
}


def _areas() -> list[Area]:
    """Ground on both sides; on the bottom a broad path for each branch of the supply."""
    whole = Rect(_EDGE, _EDGE, WIDTH_MM - _EDGE, HEIGHT_MM - _EDGE)
    return [
        Area(GROUND, Side.TOP, whole),
        Area(GROUND, Side.BOTTOM, whole),
        Area("5V_IN", Side.BOTTOM, Rect(33, 4, 43, 24), rank=1),
        Area("5V_IN", Side.TOP, Rect(33.5, 4, 43, 17.5), rank=1),  # the surge diode, with no hole between
        Area("5V_PI", Side.BOTTOM, Rect(44, 4, 55, 18.5), rank=1),
        Area("5V_FUSED", Side.BOTTOM, Rect(44, 20, 57, 28), rank=1),
        Area("5V_LIGHTS", Side.BOTTOM, Rect(58.5, 4, 86, 26), rank=1),
        Area("5V_LIGHTS", Side.BOTTOM, Rect(85, 10.1, 97, 12.1), rank=1),
    ]


def _labels() -> list[Label]:
    """Each connector by its name, for those who plug it in."""
    at = {
        "J1": (22, 10),
        "J2": (21, 34),
        "J3": (19, 65.5),
        "J4": (90.5, 15),
        "J5": (32.5, 12.2),
        "J6": (49.5, 12.2),
        "J7": (77.5, 12.2),
        "J8": (90.5, 40),
        "J9": (91.5, 55),
        "J10": (81.3, 65.5),
    }
    names = {part.ref: part.value for part in HUB.parts}
    title = Label("cribboard hub A", 60, 60, Side.TOP, 1.5)
    return [title, *(Label(names[ref], x, y, Side.TOP, 1.0) for ref, (x, y) in at.items())]


HUB_SHEET = Sheet(
    WIDTH_MM,
    HEIGHT_MM,
    _PLACES,
    _areas(),
    [Screw(x, y, 3.2, 3.2) for x in (4, WIDTH_MM - 4) for y in (4, HEIGHT_MM - 4)],
    _labels(),
    grid_mm=0.2,
    track_mm=0.25,
    widths=dict.fromkeys(("5V_IN", "5V_PI", "5V_FUSED", "5V_LIGHTS"), 0.6) | {GROUND: 0.5, "3V3": 0.4, "3V3_OLED": 0.4},
    stitch_mm=6.0,
)
