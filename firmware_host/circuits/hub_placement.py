"""Layout of the hub: supply above the Pi's header, signals below it. The screws are those of the Pi."""

from __future__ import annotations

from board_drivers.hub_identity import PRODUCT, REVISION
from firmware_host.circuits.circuit import GROUND
from firmware_host.circuits.layout import BoardLayout, CopperZone, Fiducial, Label, Placement, Rect, ScrewHole, Side

WIDTH_MM = 65.0
HEIGHT_MM = 90.0
BEYOND_PI_MM = 34.0
"""The hub reaches this far beyond the edge of the Pi at its header."""
_EDGE = 0.5

_PLACES = {
    "J1": Placement(8.37, BEYOND_PI_MM + 4.77, 270, Side.BOTTOM),
    "J2": Placement(14.2, 6.0),
    "F1": Placement(18.5, 4.0),
    "Q3": Placement(31.0, 6.0, 180),
    "R19": Placement(31.0, 11.0),
    "D1": Placement(38.0, 9.0, 270),
    "F2": Placement(43.5, 5.0),
    "F3": Placement(53.0, 3.5),
    "J3": Placement(48.2, 25.6),
    "Q1": Placement(55.0, 12.0),
    "C2": Placement(28.0, 18.5, 180),
    "J5": Placement(61.5, 19.0, 270),
    "J6": Placement(61.5, 27.6, 270),
    "J7": Placement(4.2, 16.0, 270),
    "J8": Placement(4.2, 24.6, 270),
    "Q2": Placement(42.0, 31.0),
    "R6": Placement(46.5, 31.0),
    "R7": Placement(51.0, 31.0),
    "C3": Placement(55.5, 31.5),
    "R8": Placement(36.5, 31.0),
    "C6": Placement(55.0, 15.75, 180),
    "U3": Placement(48.0, 46.5),
    "C4": Placement(44.0, 46.5, 90),
    "R1": Placement(53.0, 44.5),
    "R21": Placement(42.1, 43.85),
    "R2": Placement(53.0, 47.5),
    "J4": Placement(62.2, 46.0, 270),
    "D6": Placement(53.2, 41.8),
    "U1": Placement(47.0, 57.0),
    "C1": Placement(47.0, 51.4),
    "R13": Placement(54.5, 53.5),
    "R14": Placement(54.5, 56.5),
    "R4": Placement(54.5, 59.5),
    "R5": Placement(54.5, 62.5),
    "R3": Placement(36.0, 44.5),
    "D2": Placement(40.0, 66.0),
    "D3": Placement(40.0, 69.5),
    "D4": Placement(40.0, 73.0),
    "D5": Placement(40.0, 76.5),
    "R9": Placement(47.5, 66.0),
    "R10": Placement(47.5, 69.0),
    "R11": Placement(47.5, 72.0),
    "R12": Placement(47.5, 75.0),
    "U2": Placement(54.5, 70.5),
    "J13": Placement(62.2, 61.5),
    "U4": Placement(22.0, 48.0),
    "R15": Placement(15.5, 46.0),
    "R16": Placement(15.5, 49.0),
    "R17": Placement(28.5, 49.0),
    "C5": Placement(28.5, 46.0),
    "J14": Placement(34.0, 49.2),
    "J9": Placement(4.2, 46.0, 270),
    "J10": Placement(4.0, 61.0, 270),
    "J11": Placement(4.0, 70.0, 270),
    "R18": Placement(11.0, 70.0),
    "R20": Placement(11.0, 64.4),
    "J12": Placement(20.0, 86.5, 90),
}


def _zones() -> list[CopperZone]:
    """Ground on both sides, and a wide zone for each branch of the supply."""
    whole = Rect(_EDGE, _EDGE, WIDTH_MM - _EDGE, HEIGHT_MM - _EDGE)
    branches = (
        ("5V_JACK", Rect(12.3, 2.2, 20.2, 8.0), (Side.TOP, Side.BOTTOM)),
        ("5V_FUSED", Rect(21.8, 2.2, 30.0, 9.0), (Side.TOP, Side.BOTTOM)),
        ("5V_IN", Rect(32.0, 4.95, 45.5, 9.0), (Side.TOP, Side.BOTTOM)),
        ("5V_IN", Rect(42.2, 3.0, 46.0, 6.0), (Side.TOP, Side.BOTTOM)),
        ("5V_IN", Rect(42.2, 1.0, 54.8, 4.6), (Side.TOP, Side.BOTTOM)),
        ("5V_PI_FUSED", Rect(46.9, 4.6, 49.6, 26.8), (Side.BOTTOM,)),
        ("5V_PI", Rect(7.2, 27.2, 49.6, 34.0), (Side.BOTTOM,)),
        ("5V_PI", Rect(7.2, 33.0, 12.2, 37.3), (Side.BOTTOM,)),
        ("5V_LIGHTS_FUSED", Rect(56.9, 3.2, 60.2, 8.6), (Side.TOP, Side.BOTTOM)),
        ("5V_LIGHTS_FUSED", Rect(51.2, 6.2, 60.2, 8.6), (Side.TOP, Side.BOTTOM)),
        ("5V_LIGHTS_FUSED", Rect(51.2, 6.2, 53.6, 13.1), (Side.TOP,)),
        ("5V_LIGHTS", Rect(2.4, 13.6, 46.5, 26.6), (Side.BOTTOM,)),
        ("5V_LIGHTS", Rect(56.2, 9.4, 63.4, 29.5), (Side.TOP,)),
        ("5V_LIGHTS", Rect(25.6, 16.0, 63.4, 24.5), (Side.TOP,)),
    )
    zones = [CopperZone(GROUND, Side.TOP, whole), CopperZone(GROUND, Side.BOTTOM, whole)]
    return zones + [CopperZone(net, side, rect, priority=1) for net, rect, sides in branches for side in sides]


def _labels() -> list[Label]:
    """The name of each connector, and of the pins that must not be exchanged."""
    texts = (
        ("5 V IN", 19.0, 1.5, 1.2),
        ("F1 5A", 21.0, 7.9, 1.0),
        ("F2 3A PI", 46.0, 8.6, 1.0),
        ("F3 3A LIGHTS", 56.2, 7.3, 1.0),
        ("+", 28.0, 16.3, 1.4),
        *(("+", x, y, 1.4) for x, y in ((57.2, 19.0), (57.2, 27.2), (7.6, 16.0), (7.6, 24.2))),
        ("5V LIGHTS", 10.5, 27.8, 1.0),
        ("5V LIGHTS", 57.0, 33.6, 1.0),
        ("FEED PI", 43.5, 24.6, 1.0),
        ("open if Pi on USB", 36.0, 28.2, 1.0),
        ("ROWS", 57.0, 50.5, 1.0),
        ("KEYPAD R1-R4 C1-C4", 54.0, 81.6, 1.0),
        ("OLED: GND 3V3 SCL SDA", 14.8, 56.5, 1.0),
        ("BUTTON", 11.5, 62.0, 1.0),
        ("PIEZO", 11.0, 73.0, 1.0),
        ("WRITE EEPROM", 40.8, 49.4, 1.0),
        ("MAX98357A: LRC BCLK DIN - - GND 5V", 28.0, 83.6, 1.0),
        (f"{PRODUCT} {REVISION}", 24.0, 77.0, 1.6),
        ("1", 8.37, BEYOND_PI_MM + 6.9, 1.0),
        ("2", 10.9, BEYOND_PI_MM - 0.4, 1.0),
    )
    return [Label(text, x, y, Side.TOP, height) for text, x, y, height in texts]


_SCREWS = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))
"""The screw holes of the Pi from its corner, in mm."""

HUB_LAYOUT = BoardLayout(
    WIDTH_MM,
    HEIGHT_MM,
    _PLACES,
    _zones(),
    [ScrewHole(x, y + BEYOND_PI_MM, 2.7, 3.2) for x, y in _SCREWS],
    _labels(),
    grid_mm=0.2,
    track_mm=0.25,
    widths=dict.fromkeys(("5V_JACK", "5V_FUSED", "5V_IN", "5V_LIGHTS_FUSED", "5V_LIGHTS", "5V_PI_FUSED", "5V_PI"), 0.6)
    | {GROUND: 0.5, "3V3": 0.4},
    stitching_mm=6.0,
    fiducials=[Fiducial(28.0, 72.0), Fiducial(34.0, 55.0)],
)
