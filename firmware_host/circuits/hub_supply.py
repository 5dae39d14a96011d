"""Supply of the hub at rest, by Ohm's law with typical parts. `hardware/hub/light_rail.py` simulates it in ngspice."""

from __future__ import annotations

from collections.abc import Mapping

SUPPLY_V = 5.1
CABLE_OHM = 0.1
"""A typical supply, and the resistance of its cable."""
FUSE_OHM: Mapping[str, float] = {"holds 5 A": 0.02, "holds 3 A": 0.04}
"""Of a cold fuse MF-RG500 and MF-RG300, from memory."""
SWITCH_OHM = 0.01
"""Resistance of Q1 and of Q3 when they conduct."""
PI_A = 1.0
"""A Pi Zero 2 W with display, keys, sensors and amplifier, as in `power.toml`."""


def outlet_v(lights_a: float) -> float:
    """The voltage at the outlets of the lights, which take this current in A together."""
    to_all_ohm = CABLE_OHM + FUSE_OHM["holds 5 A"] + SWITCH_OHM
    to_lights_ohm = FUSE_OHM["holds 3 A"] + SWITCH_OHM
    return SUPPLY_V - (PI_A + lights_a) * to_all_ohm - lights_a * to_lights_ohm
