"""The strip on stripboard: two pieces, one above the other, under five holes.

Piece S lies where a strip of a board house would, on the same screws: its holes fall on the same 0.1 inch grid as the
holes of the board, four columns from peg to peg, so that each switch lies flat under its hole with its legs bent into
the next column, and each light is glued beside it. What is tall stays off that side: resistors and capacitors of S sit
under it, on the copper, and the register is on piece R below. Sixteen legs and eighteen wires more have no room on S.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.board.strip import HOLES_PER_STRIP, StripPattern
from hardware.pcb.layout import Body, Rect
from hardware.strip.netlist import HOLES, STRIP
from hardware.strip.placement import strip_sheet
from hardware.stripboard.wiring import GRID_MM, End, Hole, Piece, Pin, Wire, Wiring, pin_of

SENSORS = Piece("S", "S: switches and lights", 21, 4, is_along=True, edge=1.0)
REGISTER = Piece("R", "R: register", 17, 5, is_along=False, edge=0.5)

TO_92 = ("VCC", "GND", "OUT")
"""The legs of a DRV5032 in TO-92, its printed side up, legs to the right, from below; not the order of the SOT-23."""
CASES = {"U": "TO-92", "U6": "DIP-16", "D": "or SK9822, in 5050", "R": "1/8 W", "C": "ceramic"}
"""What a part comes in when it is soldered by hand: by its name, or by the letter of it."""
HALL_MM, HALL_THICK_MM = (4.0, 3.15), 1.62
LIGHT_MM, LIGHT_HIGH_MM = 5.0, 1.6
STUB_MM, STUB_HIGH_MM = 0.3, 1.2
"""Half of a leg's end, cut off short, on the side where it was not soldered."""

_DIP_FIRST = 7


def column_of(hole: int) -> int:
    """The column of S right under a hole of the strip, which counts from 1."""
    return 3 + 4 * (hole - 1)


def _sensor_legs(n: int) -> Iterator[tuple[str, str, str]]:
    """Part, pin, hole: the switch's legs right of it; each capacitor and resistor across the rows, on the copper."""
    c = column_of(n)
    for name, row in zip(TO_92, "dcb", strict=True):
        yield f"U{n}", name, f"S{c + 1}{row}"
    yield from ((f"R{n}", "1", f"S{c - 1}d"), (f"R{n}", "2", f"S{c - 1}b"))
    yield from ((f"C{n}", "1", f"S{c + 2}d"), (f"C{n}", "2", f"S{c + 2}c"))
    yield from ((f"C{n + 5}", "1", f"S{c}a"), (f"C{n + 5}", "2", f"S{c}c"))
    yield from ((f"D{n}", "VDD", f"S{c + 1}a"), (f"D{n}", "GND", f"S{c - 1}c"))


def _register_legs() -> Iterator[tuple[Pin, Hole]]:
    """A DIP-16 with its notch to the left: legs 1 to 8 below, 16 to 9 above."""
    for leg in range(1, 9):
        yield ("U6", str(leg)), Hole("R", _DIP_FIRST + leg - 1, 4)
        yield ("U6", str(17 - leg)), Hole("R", _DIP_FIRST + leg - 1, 1)


_SINGLE = """
    J1.2 S1a   J1.9 S3d   J2.2 S21a  J2.9 S19d  TP2.1 S13a
    J1.1 R1a   J1.3 R1b   TP3.1 R1c
    J1.6 R2a   J2.6 R2b   J1.7 R3a   J2.7 R3b   J1.8 R14b
    J2.1 R17a  J2.3 R17b  J2.8 R16a
    TP1.1 R4a  R6.2 R4d   R6.1 R5d   C11.1 R5a  C11.2 R6a
    R7.2 R16d  R7.1 R17d
"""
_LINKS = """
    R2d R8e    R3d R7e    R4e R10e   R5b R7b    R5e R12e
    R1e R6e    R6d R8b    R6c R15c   R15e R14e  R15d R11e  R15a R17c  R16c R13b
"""
_BETWEEN = "S3b R9e  S7b R9b  S11b R10b  S15b R11b  S19b R12b  S1d R5c  S1c R6b"
SCREWS = tuple(map(Hole.named, ("S5b", "S17b")))
"""Holes for the screws of a strip: drilled so wide, they cut their track as well."""
_CUTS = "S9b S13b  R7c R8c R9c R10c R11c R12c R13c R14c"


def _pairs(words: str) -> Iterator[tuple[str, str]]:
    told = words.split()
    return zip(told[::2], told[1::2], strict=True)


def _pin(words: str) -> Pin:
    return pin_of(STRIP, *words.split("."))


def _light_wires() -> Iterator[Wire]:
    """Data and clock go from light to light through the air, the first and the last straight to the ribbons."""
    for heard, sent, number in (("SDI", "SDO", "4"), ("CKI", "CKO", "5")):
        stops: list[End] = [("J1", number)]
        for n in HOLES:
            stops += [_pin(f"D{n}.{heard}"), _pin(f"D{n}.{sent}")]
        stops.append(("J2", number))
        yield from zip(stops[::2], stops[1::2], strict=True)


def strip_wiring() -> Wiring:
    """The whole strip."""
    legs = {pin_of(STRIP, ref, name): Hole.named(hole) for n in HOLES for ref, name, hole in _sensor_legs(n)}
    legs |= dict(_register_legs())
    legs |= {_pin(pin): Hole.named(hole) for pin, hole in _pairs(_SINGLE)}
    joins: list[Wire] = [(Hole.named(one), Hole.named(other)) for one, other in _pairs(_LINKS + _BETWEEN)]
    cuts = frozenset({*SCREWS, *map(Hole.named, _CUTS.split())})
    return Wiring((SENSORS, REGISTER), legs, cuts, (*joins, *_light_wires()))


def places(pattern: StripPattern) -> dict[Hole, tuple[float, float]]:
    """Where the holes of S are on a strip, in mm from its upper left corner, as a circuit board's parts are."""
    sheet = strip_sheet(pattern)
    first, light = sheet.places["U1"], sheet.places["D1"]
    return {
        hole: (first.x + (hole.column - column_of(1)) * GRID_MM, light.y + (hole.row - 1) * GRID_MM)
        for hole in SENSORS.holes()
    }


def bodies(pattern: StripPattern) -> Iterator[Body]:
    """What stands above S, towards the plate: switches that lie flat, lights, and the ends of legs."""
    sheet, at = strip_sheet(pattern), places(pattern)
    for n in range(1, HOLES_PER_STRIP + 1):
        switch, light = sheet.places[f"U{n}"], sheet.places[f"D{n}"]
        wide, long = HALL_MM
        flat = Rect(-long / 2, -wide / 2, long / 2, wide / 2)
        yield Body(f"U{n}", flat.moved(switch.x, switch.y), HALL_THICK_MM)
        half = LIGHT_MM / 2
        yield Body(f"D{n}", Rect(-half, -half, half, half).moved(light.x, light.y), LIGHT_HIGH_MM)
    for (ref, _), hole in strip_wiring().legs.items():
        if hole in at:
            high = HALL_THICK_MM if ref.startswith("U") else STUB_HIGH_MM
            yield Body(ref, Rect(-STUB_MM, -STUB_MM, STUB_MM, STUB_MM).moved(*at[hole]), high)
