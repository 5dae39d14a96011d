"""Netlist of the row board. A strip is one group of five holes: five hall switches, five lights, one shift register.

A row board has one or more strips in a chain. Its input buffers clock and latch with Schmitt triggers, so each board
drives only its own registers and the cable to the next board. The register sends D7 first, so the byte of a strip is
`1 0 1 h1 h2 h3 h4 h5`: hole 1 is input D4 and hole 5 is input D0.

Sensor data runs towards the Pi, against the clock: each register samples before its neighbour, which is clocked later,
can change. All other signals run away from the Pi.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware_host.circuits.catalogue import (
    BUFFER,
    CABLE_8,
    HALL,
    LIGHT,
    POWER_2,
    REGISTER,
    SMALL_CAPACITOR,
    SMALL_RESISTOR,
    TEST_PAD,
)
from firmware_host.circuits.circuit import GROUND, Circuit, Part, Role, connector, wired

HOLES = range(1, 6)
STRIPS_PER_ROW = 6
RAILS: Mapping[str, float] = {GROUND: 0.0, "3V3": 3.3, "5V": 5.0}

CABLE_NETS = (GROUND, "3V3", "LIGHT_DATA", "LIGHT_CLOCK", "SCLK", "LATCH", "SENSOR_DATA", GROUND)
"""The eight wires from board to board, from pin 1; the order is the same at both ends.

5 V has a connector of another family. A cable that was made the wrong way round exchanges pin n with pin 9 - n: ground
meets ground, and 3.3 V meets the sensor data output behind its 150 ohm, which carries 22 mA and survives."""
SENSOR_OHM = "150"
LIGHT_OHM = "33"
CLOCK_OHM = "330"
LATCH_OHM = "330"
"""Behind the buffers: so large that the lines charge like capacitors, without steps back."""
CABLE_CLOCK_OHM = "150"
SHIFT_OHM = "47k"
"""Between clock line and cable, and at each serial input, where it delays the data until all registers have sampled."""

_ROLES_AT_IN = {"3V3": Role.POWER_OUT, GROUND: Role.GROUND, "SENSOR_DATA": Role.INPUT}
_ROLES_AT_OUT = {"3V3": Role.POWER_IN, GROUND: Role.GROUND, "SENSOR_DATA": Role.OUTPUT}


def cable_out(renamed: Mapping[str, str]) -> Mapping[str, tuple[str, Role]]:
    """Net and role of each pin of a connector towards the next board. `renamed` maps `CABLE_NETS` to local nets."""
    return _cable(renamed, _ROLES_AT_OUT, Role.INPUT)


def _cable(renamed: Mapping[str, str], roles: Mapping[str, Role], other: Role) -> Mapping[str, tuple[str, Role]]:
    return {
        str(number): (renamed.get(net, net), roles.get(net, other)) for number, net in enumerate(CABLE_NETS, start=1)
    }


def row_circuit(strips: int) -> Circuit:
    """The circuit of a board with this many strips."""
    name = f"row-{strips}"
    title = f"Row board: {len(HOLES) * strips} holes, {strips} register{'s' if strips > 1 else ''}"
    levels = {"LIGHT_DATA_0": 5.0, "LIGHT_CLOCK_0": 5.0, "SCLK_IN": 3.3, "LATCH_IN": 3.3, f"SENSOR_DATA_{strips}": 3.3}
    parts = (*_input(), *(part for strip in range(1, strips + 1) for part in strip_parts(strip)), *_output(strips))
    sheets = {strip_sheet(strip): _ports(strip) for strip in range(1, strips + 1)}
    return Circuit(name, title, RAILS, levels, parts, sheets, _BLOCKS, _STRIP_BLOCKS)


_BLOCKS = (
    ("From the Pi", ("J1", "R3", "R4", "R5")),
    ("Clock and latch, buffered for this board", ("U1", "C1", "R1", "R2")),
    ("To the next board", ("J2", "R6", "R7", "R8", "R9")),
    ("5 V for the lights", ("J3", "J4")),
    ("Test points", tuple(f"TP{number}" for number in range(1, 7))),
)
_STRIP_BLOCKS = (
    *((f"Hole {n}", (f"U{n}", f"R{n}", f"C{n}", f"D{n}", f"C{n + 5}")) for n in HOLES),
    ("Register: sends 1 0 1, then holes 1 to 5; 0 means a magnet", ("U6", "C11", "R6")),
)
"""Headings of the schematic; in the sheet of a strip the references have no number of the strip."""


def _ports(strip: int) -> Mapping[str, str]:
    """The net of the board at each port of a strip."""
    before = strip - 1
    after = strip
    return {
        "LIGHT_DATA_IN": f"LIGHT_DATA_{before}",
        "LIGHT_CLOCK_IN": f"LIGHT_CLOCK_{before}",
        "SENSOR_DATA_OUT": f"SENSOR_DATA_{before}",
        "SCLK": "SCLK",
        "LATCH": "LATCH",
        "LIGHT_DATA_OUT": f"LIGHT_DATA_{after}",
        "LIGHT_CLOCK_OUT": f"LIGHT_CLOCK_{after}",
        "SENSOR_DATA_IN": f"SENSOR_DATA_{after}",
    }


def _input() -> Iterator[Part]:
    """Connector from the Pi's side, buffers, and the 5 V connector."""
    renamed = {
        "LIGHT_DATA": "LIGHT_DATA_0",
        "LIGHT_CLOCK": "LIGHT_CLOCK_0",
        "SCLK": "SCLK_IN",
        "LATCH": "LATCH_IN",
        "SENSOR_DATA": "SENSOR_OUT",
    }
    yield connector("J1", CABLE_8, "IN", _cable(renamed, _ROLES_AT_IN, Role.OUTPUT))
    yield connector("J3", POWER_2, "5 V", {"1": ("5V", Role.POWER_OUT), "2": (GROUND, Role.GROUND)})
    gates = {"1A": "SCLK_IN", "1Y": "SCLK_DRIVEN", "2A": "LATCH_IN", "2Y": "LATCH_DRIVEN"}
    yield wired("U1", BUFFER, **{f"_{pin}": net for pin, net in gates.items()}, VCC="3V3", GND=GROUND)
    yield wired("C1", SMALL_CAPACITOR, "100n", _1="3V3", _2=GROUND)
    yield wired("R1", SMALL_RESISTOR, CLOCK_OHM, _1="SCLK_DRIVEN", _2="SCLK")
    yield wired("R2", SMALL_RESISTOR, LATCH_OHM, _1="LATCH_DRIVEN", _2="LATCH")
    yield wired("R3", SMALL_RESISTOR, SENSOR_OHM, _1="SENSOR_DATA_0", _2="SENSOR_OUT")
    yield wired("R4", SMALL_RESISTOR, "10k", _1="SCLK_IN", _2=GROUND)  # a board without a cable does not oscillate
    yield wired("R5", SMALL_RESISTOR, "10k", _1="LATCH_IN", _2=GROUND)
    for number, net in enumerate(("5V", "3V3", GROUND, "SCLK", "LATCH", "SENSOR_DATA_0"), start=1):
        yield wired(f"TP{number}", TEST_PAD, net.removesuffix("_0"), _1=net)


def _output(strips: int) -> Iterator[Part]:
    """Connector to the next board; without one R8 makes the chain read 0 after the last strip."""
    renamed = {
        "LIGHT_DATA": "LIGHT_DATA_OUT",
        "LIGHT_CLOCK": "LIGHT_CLOCK_OUT",
        "SCLK": "SCLK_OUT",
        "SENSOR_DATA": f"SENSOR_DATA_{strips}",
    }
    yield connector("J2", CABLE_8, "OUT", cable_out(renamed))
    yield wired("R6", SMALL_RESISTOR, LIGHT_OHM, _1=f"LIGHT_DATA_{strips}", _2="LIGHT_DATA_OUT")
    yield wired("R7", SMALL_RESISTOR, LIGHT_OHM, _1=f"LIGHT_CLOCK_{strips}", _2="LIGHT_CLOCK_OUT")
    yield wired("R8", SMALL_RESISTOR, "10k", _1=GROUND, _2=f"SENSOR_DATA_{strips}")
    yield wired("R9", SMALL_RESISTOR, CABLE_CLOCK_OHM, _1="SCLK", _2="SCLK_OUT")
    if strips > 1:
        yield connector("J4", POWER_2, "5 V", {"1": ("5V", Role.POWER_IN), "2": (GROUND, Role.GROUND)})


def strip_parts(strip: int) -> Iterator[Part]:
    """The parts of one strip, counted from 1. References have the number of the strip in front, as in U302."""
    sheet = strip_sheet(strip)
    for part in (*(part for hole in HOLES for part in _hole(strip, hole)), *_register(strip)):
        yield Part(part.ref, part.kind, part.value, part.nets, part.roles, sheet)


def strip_sheet(strip: int) -> str:
    """The name of the schematic sheet of a strip, which is in front of its nets."""
    return f"Strip {strip}"


def _ref(letter: str, strip: int, number: int) -> str:
    return f"{letter}{100 * strip + number}"


def _hole(strip: int, hole: int) -> Iterator[Part]:
    """Hall switch with pull-up, and a light that passes data and clock on to the next."""
    output = f"{strip_sheet(strip)}/HOLE{hole}"
    yield wired(_ref("U", strip, hole), HALL, VCC="3V3", OUT=output, GND=GROUND)
    yield wired(_ref("R", strip, hole), SMALL_RESISTOR, "10k", _1="3V3", _2=output)
    yield wired(_ref("C", strip, hole), SMALL_CAPACITOR, "100n", _1="3V3", _2=GROUND)
    light = {
        "SDI": _light_net("DATA", strip, hole - 1),
        "CKI": _light_net("CLOCK", strip, hole - 1),
        "SDO": _light_net("DATA", strip, hole),
        "CKO": _light_net("CLOCK", strip, hole),
    }
    yield wired(_ref("D", strip, hole), LIGHT, VDD="5V", GND=GROUND, **light)
    yield wired(_ref("C", strip, hole + 5), SMALL_CAPACITOR, "100n", _1="5V", _2=GROUND)


def _light_net(line: str, strip: int, lights_passed: int) -> str:
    """The net after this many lights of a strip; those between strips belong to the whole board."""
    ends = {0: f"LIGHT_{line}_{strip - 1}", len(HOLES): f"LIGHT_{line}_{strip}"}
    return ends.get(lights_passed, f"{strip_sheet(strip)}/{line}{lights_passed}")


def _register(strip: int) -> Iterator[Part]:
    holes = {f"D{len(HOLES) - hole}": f"{strip_sheet(strip)}/HOLE{hole}" for hole in HOLES}
    constant: dict[str, str | None] = {"D7": "3V3", "D6": GROUND, "D5": "3V3", "CE": GROUND, "Q7N": None}
    shift_in = f"{strip_sheet(strip)}/SHIFT_IN"
    chain = {"DS": shift_in, "Q7": f"SENSOR_DATA_{strip - 1}"}
    clock = {"PL": "LATCH", "CP": "SCLK", "VCC": "3V3", "GND": GROUND}
    yield wired(_ref("U", strip, 6), REGISTER, **constant, **chain, **clock, **holes)
    yield wired(_ref("R", strip, 6), SMALL_RESISTOR, SHIFT_OHM, _1=f"SENSOR_DATA_{strip}", _2=shift_in)
    yield wired(_ref("C", strip, 11), SMALL_CAPACITOR, "100n", _1="3V3", _2=GROUND)


def own_nets(strip: int) -> tuple[str, ...]:
    """The nets of a strip in a fixed order, so that the same place names the same net in every strip."""
    seen: dict[str, None] = {}
    for part in strip_parts(strip):
        for net in part.nets.values():
            if net is not None:
                seen[net] = None
    return tuple(seen)
