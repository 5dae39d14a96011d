"""Netlist of a board of revision C: hall switches in a matrix, lights in a chain, and the controller on USB.

A column is the supply of up to 16 switches behind a P-channel transistor; one column is on at a time. A row is a line
that all switches of the row may pull low; 10 k pull it up. Switches without supply do not load their row, as their
output may be at any voltage up to 40 V.

Everything runs from the 5 V of the USB socket. The switches are behind 10 ohm, over which the controller measures the
current of the column that is on: a column without current is dead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from firmware_host.board.components import PlannedHole
from firmware_host.board.matrix import (
    COLUMNS_PER_REGISTER,
    EXTRA_ROW,
    ROWS,
    MatrixPlace,
    column_count,
    light_order,
    matrix_places,
)
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP
from firmware_host.circuits.catalogue import (
    BULK,
    CABLE_4,
    COLUMN_REGISTER,
    COLUMN_SWITCH,
    CONTROLLER,
    CRYSTAL,
    CRYSTAL_CAPACITOR,
    DAMPER,
    FUSE,
    HALL,
    KEYPAD_PROTECTION,
    LIGHT,
    PROGRAMMING,
    ROW_REGISTER,
    SENSE,
    SMALL_CAPACITOR,
    SMALL_RESISTOR,
    SURGE,
    USB_BRIDGE,
    USB_PROTECTION,
    USB_SOCKET,
    header,
)
from firmware_host.circuits.circuit import GROUND, Circuit, Part, Role, connector, wired

RAILS: Mapping[str, float] = {GROUND: 0.0, "5V": 5.0, "VBUS": 5.0, "HALL_SUPPLY": 5.0}
PULL_UP_OHM = "10k"
LIGHT_OHM = "150"
"""At the start of the chain, and where the line to the next light is long."""
LONG_LINE_MM = 36.0
"""From light to light, along and across; shorter lines stay within their limits without a resistor."""
CONTACT_OHM = "150"
"""Between a line of the keypad and the controller, behind the diodes that clamp it."""
SENSE_OHM = "10"
DAMPER_OHM = "1"
DAMPERS = ("R12", "R13", "R14")
"""Side by side, with their capacitors, they keep the inductance of the USB cable from ringing when the plug goes in."""
LIGHTS_PER_CAPACITOR = 5
TURN_MM = 10.5
"""More than from light to light within a street or an end row."""
INPUTS_PER_REGISTER = 8

CONTROLLER_PINS: Mapping[str, str] = {
    "PD0": "RXD",
    "PD1": "TXD",
    "PD2": "MATRIX_CLOCK",
    "PD3": "COLUMN_DATA",
    "PD4": "ROW_DATA",
    "PD5": "COLUMN_LATCH",
    "PD6": "ROW_LOAD",
    "PD7": "KEY_COLUMN4",
    "PB0": "KEY_COLUMN1",
    "PB1": "KEY_COLUMN2",
    "PB2": "COLUMNS_OFF",
    "PB3": "LIGHT_DATA_OUT",
    "PB4": "KEY_COLUMN3",
    "PB5": "LIGHT_CLOCK_OUT",
    "PC0": "KEY_ROW1",
    "PC1": "KEY_ROW2",
    "PC2": "KEY_ROW3",
    "PC3": "KEY_ROW4",
    "PC4": "SDA",
    "PC5": "SCL",
    "RESET": "RESET",
    "XTAL1": "XTAL1",
    "XTAL2": "XTAL2",
    "ADC6": "HALL_SUPPLY",
    "ADC7": "SUPPLY_SENSE",
    "AREF": "AREF",
}
"""The net at each pin of the controller, by the name of the pin."""

KEYS = tuple(f"{line}{number}" for line in ("ROW", "COLUMN") for number in range(1, 5))
"""The lines of the keypad, in the order of its connector."""
END = "end"
"""What the sheets of the holes outside streets are called; those of streets have numbers from 1."""


def matrix_circuit(plan: BoardPlan) -> Circuit:
    """The circuit of the board under all holes of a plan."""
    rails = {**RAILS, **{column_net(column): 5.0 for column in range(column_count(plan))}}
    parts = (*_controller(), *_usb(), *_keys(), *_registers(plan), *_switches(plan), *_lights(plan))
    return Circuit(plan.id, f"{plan.title}: one board, {plan.sensor_count} holes", rails, parts)


def column_net(column: int) -> str:
    """The supply of the switches of a column, counted from 0."""
    return f"COLUMN{column}"


def row_net(row: int) -> str:
    """The line of a row, counted from 0."""
    return f"ROW{row}"


def _part(part: Part, sheet: str) -> Part:
    return Part(part.ref, part.kind, part.value, part.nets, part.roles, sheet)


def _resistor(ref: str, ohm: str, one: str, other: str) -> Part:
    return wired(ref, SMALL_RESISTOR, ohm, _1=one, _2=other)


def _decoupling(ref: str, net: str, farad: str = "100n") -> Part:
    return wired(ref, SMALL_CAPACITOR, farad, _1=net, _2=GROUND)


def _controller() -> Iterator[Part]:
    """The controller with its crystal, reset and programming pads."""
    supply = {"VCC": "5V", "AVCC": "5V", "GND": GROUND}
    parts = (
        wired("U1", CONTROLLER, **CONTROLLER_PINS, **supply),
        wired("Y1", CRYSTAL, X1="XTAL1", X2="XTAL2", CASE=GROUND),
        wired("C1", CRYSTAL_CAPACITOR, "12p", _1="XTAL1", _2=GROUND),
        wired("C2", CRYSTAL_CAPACITOR, "12p", _1="XTAL2", _2=GROUND),
        _decoupling("C3", "5V"),
        _decoupling("C5", "AREF"),
        _resistor("R1", "10k", "5V", "RESET"),
        wired("C6", SMALL_CAPACITOR, "100n", _1="RTS", _2="RESET"),
        wired(
            "J4",
            PROGRAMMING,
            MISO="KEY_COLUMN3",
            VCC="5V",
            SCK="LIGHT_CLOCK_OUT",
            MOSI="LIGHT_DATA_OUT",
            RESET="RESET",
            GND=GROUND,
        ),
        _resistor("R2", LIGHT_OHM, "LIGHT_DATA_OUT", "LIGHT_DATA0"),
        _resistor("R3", LIGHT_OHM, "LIGHT_CLOCK_OUT", "LIGHT_CLOCK0"),
    )
    return (_part(part, "controller") for part in parts)


def _usb() -> Iterator[Part]:
    """The USB socket with fuse, protection, bridge, and the resistors that tell what the source can give."""
    socket = {"A4": "VBUS", "A9": "VBUS", "B4": "VBUS", "B9": "VBUS", "A5": "CC1", "B5": "CC2"}
    socket |= {"A6": "USB_P", "B6": "USB_P", "A7": "USB_N", "B7": "USB_N"}
    grounds = dict.fromkeys(("A1", "A12", "B1", "B12", "S1"), GROUND)
    open_pins: dict[str, str | None] = {"A8": None, "B8": None}
    bridge = {"UD+": "USB_P", "UD-": "USB_N", "RTS": "RTS", "TXD": "RXD", "RXD": "TXD", "V3": "V3"}
    parts = (
        Part("J1", USB_SOCKET, "USB-C, 5 V", socket | grounds | open_pins, {"A4": Role.POWER_OUT}),
        wired("F1", FUSE, "2 A", IN="VBUS", OUT="5V"),
        wired("D900", SURGE, "SMBJ5.0A", K="5V", A=GROUND),
        wired("U6", USB_PROTECTION, "H5VUT2U", A1="USB_P", A2="USB_N", COM=GROUND),
        wired("U2", USB_BRIDGE, VCC="5V", GND=GROUND, **bridge),
        _decoupling("C7", "5V"),
        _decoupling("C8", "V3"),
        _resistor("R4", "5k1", "CC1", GROUND),
        _resistor("R5", "5k1", "CC2", GROUND),
        _resistor("R6", "100k", "CC1", "SUPPLY_SENSE"),
        _resistor("R7", "100k", "CC2", "SUPPLY_SENSE"),
        _resistor("R8", "100k", "LIGHT_RETURN", "SUPPLY_SENSE"),
    )
    return (_part(part, "controller") for part in parts)


def _keys() -> Iterator[Part]:
    """Connectors of the keypad, whose lines people touch, and of the display."""
    pads = {str(pin): (f"KEYPAD_{key}", Role.PASSIVE) for pin, key in enumerate(KEYS, start=1)}
    display = {"1": GROUND, "2": "5V", "3": "SCL", "4": "SDA"}
    parts = (
        connector("J2", header(8), "Keypad", pads),
        connector("J3", CABLE_4, "Display", {pin: (net, Role.PASSIVE) for pin, net in display.items()}),
        *(wired(f"U{7 + half}", KEYPAD_PROTECTION, "SMF05C", A=GROUND, **_protected(half)) for half in range(2)),
        *(_resistor(f"R{80 + n}", CONTACT_OHM, f"KEYPAD_{key}", f"KEY_{key}") for n, key in enumerate(KEYS)),
    )
    return (_part(part, "controller") for part in parts)


def _protected(half: int) -> Mapping[str, str | None]:
    """Four lines at an array for five."""
    lines = (f"KEYPAD_{key}" for key in KEYS[4 * half : 4 * half + 4])
    return {"K1": None, **dict(zip(("K3", "K4", "K5", "K6"), lines, strict=True))}


def _registers(plan: BoardPlan) -> Iterator[Part]:
    """Shift registers of columns and rows, the switch of each column and the pull-up of each row."""
    registers = column_count(plan) // COLUMNS_PER_REGISTER
    parts: list[Part] = [
        _resistor("R9", PULL_UP_OHM, "5V", "COLUMNS_OFF"),
        *(wired(ref, DAMPER, DAMPER_OHM, _1="5V", _2="DAMPED") for ref in DAMPERS),
        wired("R10", SENSE, SENSE_OHM, IN="5V", OUT="HALL_SUPPLY"),
    ]
    parts += (_bulk(number) for number in range(2))
    parts += _columns(0, last=registers == 1)
    parts += (part for half in range(ROWS // INPUTS_PER_REGISTER) for part in _row_register(half))
    parts += (_resistor(f"R{20 + row}", PULL_UP_OHM, "5V", row_net(row)) for row in range(ROWS))
    yield from (_part(part, "matrix") for part in parts)
    for number in range(1, registers):
        more = (*_columns(number, last=number == registers - 1), _bulk(2 * number), _bulk(2 * number + 1))
        yield from (_part(part, f"columns-{number + 1}") for part in more)


def _bulk(number: int) -> Part:
    return wired(f"C{10 + number}", BULK, "22u", _1="DAMPED", _2=GROUND)


def _columns(number: int, *, last: bool) -> Iterator[Part]:
    """A column register and the switches of its columns."""
    yield from _column_register(number, last=last)
    for output in range(COLUMNS_PER_REGISTER):
        yield from _column_switch(COLUMNS_PER_REGISTER * number + output)


def _column_register(number: int, *, last: bool) -> Iterator[Part]:
    first = number * COLUMNS_PER_REGISTER
    gates = {f"Q{output}": f"GATE{first + output}" for output in range(COLUMNS_PER_REGISTER)}
    data: dict[str, str | None] = {
        "DS": "COLUMN_DATA" if number == 0 else f"COLUMN_DATA{number}",
        "Q7S": None if last else f"COLUMN_DATA{number + 1}",
    }
    control = {"SHCP": "MATRIX_CLOCK", "STCP": "COLUMN_LATCH", "OE": "COLUMNS_OFF", "MR": "5V"}
    yield wired(f"U{10 + number}", COLUMN_REGISTER, VCC="5V", GND=GROUND, **gates, **data, **control)
    yield _decoupling(f"C{20 + number}", "5V")


def _column_switch(column: int) -> Iterator[Part]:
    """The gate's resistor keeps the column off while the outputs of the register are off."""
    yield wired(f"Q{column + 1}", COLUMN_SWITCH, G=f"GATE{column}", S="HALL_SUPPLY", D=column_net(column))
    yield _resistor(f"R{40 + column}", PULL_UP_OHM, "HALL_SUPPLY", f"GATE{column}")


def _row_register(half: int) -> Iterator[Part]:
    rows = {f"D{line}": row_net(half * INPUTS_PER_REGISTER + line) for line in range(INPUTS_PER_REGISTER)}
    data: dict[str, str | None] = {
        "Q7": "ROW_DATA" if half == 0 else "ROW_DATA_8",
        "DS": "ROW_DATA_8" if half == 0 else GROUND,
        "Q7N": None,
    }
    control = {"PL": "ROW_LOAD", "CP": "MATRIX_CLOCK", "CE": GROUND}
    yield wired(f"U{15 + half}", ROW_REGISTER, VCC="5V", GND=GROUND, **rows, **data, **control)
    yield _decoupling(f"C{25 + half}", "5V")


def _switches(plan: BoardPlan) -> Iterator[Part]:
    """The hall switch of each hole, and for each group of five in a street a capacitor at the column."""
    places = matrix_places(plan)
    for number, planned in enumerate(light_order(plan), start=1):
        place = places[planned.sensor]
        nets = {"VCC": column_net(place.column), "OUT": row_net(place.row), "GND": GROUND}
        sheet = f"switches-{street_of(place)}"
        yield _part(wired(switch_ref(number), HALL, **nets), sheet)
        if place.row != EXTRA_ROW and place.row % HOLES_PER_STRIP == HOLES_PER_STRIP // 2:
            yield _part(_decoupling(f"C{100 + number}", column_net(place.column), "10n"), sheet)


def _lights(plan: BoardPlan) -> Iterator[Part]:
    """The chain of lights, with a capacitor for a few of them and resistors in its long lines."""
    lights = light_order(plan)
    count = len(lights)
    long = long_lines(lights)
    places = matrix_places(plan)
    for number, planned in enumerate(lights, start=1):
        sheet = f"lights-{street_of(places[planned.sensor])}"
        out = "OUT" if number in long else ""
        ends = {
            "SDI": f"LIGHT_DATA{number - 1}",
            "CKI": f"LIGHT_CLOCK{number - 1}",
            "SDO": f"LIGHT_DATA{number}{out}" if number < count else "LIGHT_RETURN",
            "CKO": f"LIGHT_CLOCK{number}{out}" if number < count else None,
        }
        yield _part(wired(light_ref(number), LIGHT, VDD="5V", GND=GROUND, **ends), sheet)
        if number % LIGHTS_PER_CAPACITOR == LIGHTS_PER_CAPACITOR // 2 + 1:
            yield _part(_decoupling(f"C{1000 + number}", "5V"), sheet)
        if number in long:
            for line, first in (("DATA", 1000), ("CLOCK", 2000)):
                start = f"LIGHT_{line}{number}"
                yield _part(_resistor(f"R{first + number}", LIGHT_OHM, f"{start}OUT", start), sheet)


def switch_ref(number: int) -> str:
    """The switch of a hole, counted from 1 in the order of the lights."""
    return f"U{100 + number}"


def light_ref(number: int) -> str:
    """The light of a hole, counted as its switch."""
    return f"D{number}"


def street_of(place: MatrixPlace) -> str:
    """The name of the street of a hole: its number from 1, or END."""
    return END if place.row == EXTRA_ROW else str(1 + place.column // 2)


def chain_turns(lights: Sequence[PlannedHole]) -> Collection[int]:
    """The numbers of the lights after which the chain goes to another street."""
    steps = enumerate(pairwise(lights), start=1)
    return {number for number, (one, other) in steps if abs(one.led_y_mm - other.led_y_mm) > TURN_MM}


def long_lines(lights: Sequence[PlannedHole]) -> Collection[int]:
    """The numbers of the lights whose lines to the next are long."""
    steps = enumerate(pairwise(lights), start=1)
    return {number for number, (one, other) in steps if _line_mm(one, other) > LONG_LINE_MM}


def _line_mm(one: PlannedHole, other: PlannedHole) -> float:
    """From light to light, along and across."""
    return abs(one.led_x_mm - other.led_x_mm) + abs(one.led_y_mm - other.led_y_mm)


def without_switches(circuit: Circuit) -> Circuit:
    """The same board without hall switches: the lights alone, beside the holes of another board."""
    return replace(circuit, parts=tuple(part for part in circuit.parts if part.kind is not HALL))


def without_lights(circuit: Circuit) -> Circuit:
    """The same board without lights: what a set costs that lacks them."""
    return replace(circuit, parts=tuple(part for part in circuit.parts if not part.sheet.startswith("lights")))
