"""The strip's parts and what is wired to what: five hall switches, five lights, one register.

The register sends D7 first, so a byte reads `1 0 AUX h1 h2 h3 h4 h5`: the order of the holes is that of the inputs
D4 to D0. Sensor data runs inwards, from OUT to IN; all the rest runs outwards.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardware.pcb.catalogue import (
    HALL,
    LIGHT,
    LINK,
    REGISTER,
    SMALL_CAPACITOR,
    SMALL_RESISTOR,
    TEST_PAD,
    WIRE_PAD,
)
from hardware.pcb.circuit import GROUND, Circuit, Part, Role, plugged, wired

HOLES = range(1, 6)
RAILS: Mapping[str, float] = {GROUND: 0.0, "3V3": 3.3, "5V": 5.0}

LINK_NETS = (GROUND, "5V", GROUND, "LIGHT_DATA", "LIGHT_CLOCK", "SCLK", "LATCH", "SENSOR_DATA", "3V3")
"""The nine wires from strip to strip, from pin 1 on. The order is the same at both ends, so links are straight."""

_GIVEN = {"5V": Role.GIVES, "3V3": Role.GIVES, GROUND: Role.GROUND, "SENSOR_DATA": Role.HEARS}
_TAKEN = {"5V": Role.TAKES, "3V3": Role.TAKES, GROUND: Role.GROUND, "SENSOR_DATA": Role.DRIVES}


def link_out(renamed: Mapping[str, str]) -> Mapping[str, tuple[str, Role]]:
    """The pins towards the next strip, seen from this side: it hears all, and sends its sensors' data."""
    return _link(renamed, _TAKEN, Role.HEARS)


def _link(renamed: Mapping[str, str], roles: Mapping[str, Role], other: Role) -> Mapping[str, tuple[str, Role]]:
    return {
        str(number): (renamed.get(net, net), roles.get(net, other)) for number, net in enumerate(LINK_NETS, start=1)
    }


def _hole(n: int) -> list[Part]:
    """A hall switch, pulled up while it sees no magnet, and a light that passes data and clock on to the next."""
    return [
        wired(f"U{n}", HALL, VCC="3V3", OUT=f"HOLE{n}", GND=GROUND),
        wired(f"R{n}", SMALL_RESISTOR, "10k", _1="3V3", _2=f"HOLE{n}"),
        wired(f"C{n}", SMALL_CAPACITOR, "100n", _1="3V3", _2=GROUND),
        wired(
            f"D{n}",
            LIGHT,
            VDD="5V",
            GND=GROUND,
            SDI=_stage("LIGHT_DATA", n - 1),
            CKI=_stage("LIGHT_CLOCK", n - 1),
            SDO=_stage("LIGHT_DATA", n),
            CKO=_stage("LIGHT_CLOCK", n),
        ),
        wired(f"C{n + 5}", SMALL_CAPACITOR, "100n", _1="5V", _2=GROUND),
    ]


def _stage(net: str, lights_passed: int) -> str:
    return {0: net, len(HOLES): f"{net}_ON"}.get(lights_passed, f"{net}_{lights_passed}")


REGISTER_ROW = wired(
    "U6",
    REGISTER,
    PL="LATCH",
    CP="SCLK",
    CE=GROUND,
    D7="3V3",
    D6=GROUND,
    D5="AUX",
    D4="HOLE1",
    D3="HOLE2",
    D2="HOLE3",
    D1="HOLE4",
    D0="HOLE5",
    DS="SENSOR_DATA_ON",
    Q7="SENSOR_DATA",
    Q7N=None,
    VCC="3V3",
    GND=GROUND,
)

STRIP = Circuit(
    "strip",
    "Strip: five holes, five lights, one register",
    RAILS,
    {"LIGHT_DATA": 5.0, "LIGHT_CLOCK": 5.0, "SCLK": 3.3, "LATCH": 3.3, "SENSOR_DATA_ON": 3.3},
    (
        plugged("J1", LINK, "IN", _link({}, _GIVEN, Role.DRIVES)),
        plugged(
            "J2", LINK, "OUT", link_out({net: f"{net}_ON" for net in ("LIGHT_DATA", "LIGHT_CLOCK", "SENSOR_DATA")})
        ),
        *(part for n in HOLES for part in _hole(n)),
        REGISTER_ROW,
        wired("C11", SMALL_CAPACITOR, "100n", _1="3V3", _2=GROUND),
        wired("R6", SMALL_RESISTOR, "10k", _1="3V3", _2="AUX"),
        wired("R7", SMALL_RESISTOR, "10k", _1=GROUND, _2="SENSOR_DATA_ON"),  # past the last strip there is only 0
        wired("TP1", TEST_PAD, "AUX", _1="AUX"),
        wired("TP2", WIRE_PAD, "5V", _1="5V"),
        wired("TP3", WIRE_PAD, "GND", _1=GROUND),
    ),
)
