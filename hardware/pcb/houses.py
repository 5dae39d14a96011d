"""Design rules of two board houses, for two layers, 35 um of copper, 1.6 mm, and no extra charge.

The numbers are from the houses' public pages in stored copies of 2021 to 2024, and those marked so from memory; they
were not verified here. Compare them before an order.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class House(Struct, frozen=True):
    """The least sizes in mm that a house makes, and the largest board or panel."""

    name: str
    track: float
    clearance: float
    drill: float
    via: float
    via_ring: float
    pad_ring: float
    hole_to_hole: float
    hole_to_copper: float
    edge: float
    """From copper to a V-cut, which is more than to a routed edge."""
    text_height: float
    text_line: float
    text_to_pad: float
    largest: tuple[float, float]
    least_panel: float
    """The least side of a panel with V-cuts."""


JLCPCB = House(
    "JLCPCB",
    track=0.127,
    clearance=0.127,
    drill=0.3,
    via=0.6,
    via_ring=0.13,
    pad_ring=0.2,
    hole_to_hole=0.25,
    hole_to_copper=0.2,
    edge=0.4,
    text_height=1.0,
    text_line=0.15,
    text_to_pad=0.15,
    largest=(400.0, 500.0),
    least_panel=70.0,
)
PCBWAY = House(
    "PCBWay",
    track=0.15,
    clearance=0.15,
    drill=0.3,
    via=0.6,
    via_ring=0.15,
    pad_ring=0.15,
    hole_to_hole=0.25,  # from memory, as the next three
    hole_to_copper=0.2,
    edge=0.4,
    text_to_pad=0.1,
    text_height=0.8,
    text_line=0.15,
    largest=(500.0, 1100.0),
    least_panel=70.0,  # from memory
)
HOUSES = (JLCPCB, PCBWAY)
JLCPCB_TURNS: Mapping[str, int] = {
    "SOT-23": 180,
    "SOT-363": 180,
    "SOIC": 270,
    "TQFP": 270,
    "TSSOP": 270,
    "USB_C_Receptacle_HRO_TYPE-C-31-M-12": 180,
    "LED_SK9822-EC20": 0,
    "D_SMB": 0,
    "Crystal_SMD_3225-4Pin": 0,
}
"""How far JLCPCB's library turns packages against KiCad's, in degrees, by the begin of the footprint's name.

SOT-23, SOIC, TQFP, TSSOP: the tables of matthewlai/JLCKicadTools (cpl_rotations_db.csv) and of
bennymeg/Fabrication-Toolkit (transformations.csv) agree. SOT-363: the first of them, and others. USB socket: four
public tables, and one project that looked at the house's preview. Light: its footprint has the shop's own pads, pin by
pin. Diode and crystal: the same package, or a smaller one, fitted to the shop's pads. Resistors and capacitors look the
same turned by half a circle. Not verified here: the house shows each part before it makes a board, so look.
"""


def minimums(house: House) -> Mapping[str, float]:
    """The rules of a house by their names in a KiCad project; a ring is that of vias, see `pad_rules`."""
    return {
        "min_clearance": house.clearance,
        "min_track_width": house.track,
        "min_via_diameter": house.via,
        "min_via_annular_width": house.via_ring,
        "min_through_hole_diameter": house.drill,
        "min_hole_to_hole": house.hole_to_hole,
        "min_hole_clearance": house.hole_to_copper,
        "min_copper_edge_clearance": house.edge,
        "min_text_height": house.text_height,
        "min_text_thickness": house.text_line,
        "min_silk_clearance": house.text_to_pad,
        "solder_mask_to_copper_clearance": 0.0,
    }


def strictest() -> Mapping[str, float]:
    """Rules that satisfy all houses."""
    every = [minimums(house) for house in HOUSES]
    return {name: max(rules[name] for rules in every) for name in every[0]}


def pad_rules(ring: float) -> str:
    """The `.kicad_dru` file: the copper around the holes of pads, which KiCad's project has no rule for."""
    condition = "A.Type == 'Pad' && A.Pad_Type == 'Through-hole'"
    return f'(version 1)\n(rule "ring of pads" (condition "{condition}") (constraint annular_width (min {ring:g}mm)))\n'
