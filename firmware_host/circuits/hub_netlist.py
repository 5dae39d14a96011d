"""Netlist of the hub, a board on the Pi's header. The signals of the Pi are named as in `pins.toml`.

The hub buffers clock and latch for the first row board, shifts clock and data of the lights to 5 V and passes them only
while the Pi selects the lights, switches and fuses the supply of the lights, and prevents pressed keys from shorting
two outputs of the Pi.
"""

from __future__ import annotations

from collections.abc import Mapping

from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, HeaderPin, header_pins
from firmware_host.circuits.catalogue import (
    BLOCKING_DIODE,
    BUFFER,
    CABLE_2,
    CABLE_4,
    CABLE_8,
    CAPACITOR,
    DC_JACK,
    DIODE,
    EEPROM,
    FUSE,
    KEYPAD_PROTECTION,
    PI_HEADER,
    POWER_2,
    POWER_SWITCH,
    RESERVOIR,
    RESISTOR,
    REVERSE_GUARD,
    SHIFTER,
    SMALL_SWITCH,
    SURGE,
    header,
)
from firmware_host.circuits.circuit import GROUND, Circuit, Part, Role, connector, wired
from firmware_host.circuits.row_netlist import CLOCK_OHM, LATCH_OHM, LIGHT_OHM, cable_out

RAILS: Mapping[str, float] = {
    GROUND: 0.0,
    "3V3": 3.3,
    "3V3_ROWS": 3.0,
    "5V_JACK": 5.0,
    "5V_FUSED": 5.0,
    "5V_IN": 5.0,
    "5V_LIGHTS_FUSED": 5.0,
    "5V_LIGHTS": 5.0,
    "5V_PI_FUSED": 5.0,
    "5V_PI": 5.0,
}
LIGHT_OUTLETS = ("J5", "J6", "J7", "J8")
PI_CLOCK_OHM = "47"
"""The resistor beside the pin of the Pi's clock."""
_FROM_PI = ("lights_enable", "sensor_latch", "spi_ce1", "spi_mosi", "spi_sclk", *KEYPAD_ROWS)
_NOT_WIRED = ("spare", "spi_ce0", "card_reader_tx", "card_reader_rx", "i2s_data_in")
_SHARED = {"oled_sda": "OLED_SDA", "oled_scl": "OLED_SCL", "hat_sda": "HAT_SDA", "hat_scl": "HAT_SCL"}


def pi_connector() -> Mapping[str, tuple[str | None, Role]]:
    """Net and role of each pin of the Pi's header."""
    return {str(pin.physical): _wire(pin) for pin in header_pins().pins}


def _wire(pin: HeaderPin) -> tuple[str | None, Role]:
    if pin.use == "ground":
        return GROUND, Role.GROUND
    if pin.use in ("3v3", "5v"):
        return {"3v3": ("3V3", Role.POWER_OUT), "5v": ("5V_PI", Role.POWER_IN)}[pin.use]
    if pin.use in _NOT_WIRED:
        return None, Role.PASSIVE
    otherwise = Role.INPUT if pin.use == "spi_miso" else Role.PASSIVE
    return _SHARED.get(pin.use, pin.use.upper()), Role.OUTPUT if pin.use in _FROM_PI else otherwise


def _supply() -> list[Part]:
    """Inlet, fuse, reverse protection and clamp, in this order; then a fuse each for Pi and lights.

    C6 makes the rail of the lights rise at a steady rate, which limits the inrush; C3, which is much larger, keeps C6
    from turning Q1 on when the supply is plugged in. See `hardware/hub/light_rail.py`.

    The jumper J3 connects the 5 V of the Pi. With its own USB supply and the inlet both in use it must be open.
    """
    rail = {"1": ("5V_JACK", Role.POWER_OUT), "2": (GROUND, Role.GROUND), "3": (None, Role.PASSIVE)}
    jumper = {"1": ("5V_PI_FUSED", Role.POWER_IN), "2": ("5V_PI", Role.POWER_OUT)}
    outlet = {"1": ("5V_LIGHTS", Role.POWER_IN), "2": (GROUND, Role.GROUND)}
    return [
        connector("J2", DC_JACK, "5 V in", rail),
        wired("F1", FUSE, "holds 5 A", IN="5V_JACK", OUT="5V_FUSED"),
        wired("Q3", REVERSE_GUARD, "FDS6575", D="5V_FUSED", S="5V_IN", G="GUARD"),
        wired("R19", RESISTOR, "10k", _1="GUARD", _2=GROUND),
        wired("D1", SURGE, "SMBJ5.0A", K="5V_IN", A=GROUND),
        wired("F2", FUSE, "holds 3 A", IN="5V_IN", OUT="5V_PI_FUSED"),
        connector("J3", header(2), "Feed Pi", jumper),
        wired("F3", FUSE, "holds 3 A", IN="5V_IN", OUT="5V_LIGHTS_FUSED"),
        wired("Q1", POWER_SWITCH, "FDS6575", S="5V_LIGHTS_FUSED", G="GATE", D="5V_LIGHTS"),
        wired("Q2", SMALL_SWITCH, "BSS138", G="LIGHTS_ENABLE", S=GROUND, D="GATE_PULL"),
        wired("R6", RESISTOR, "47k", _1="GATE", _2="GATE_PULL"),
        wired("R7", RESISTOR, "100k", _1="5V_LIGHTS_FUSED", _2="GATE"),
        wired("C3", CAPACITOR, "2u2", _1="5V_LIGHTS_FUSED", _2="GATE"),
        wired("C6", CAPACITOR, "100n", _1="5V_LIGHTS", _2="GATE"),
        wired("R8", RESISTOR, "100k", _1="LIGHTS_ENABLE", _2=GROUND),
        wired("C2", RESERVOIR, "1000u 10V", _1="5V_LIGHTS", _2=GROUND),
        *(connector(ref, POWER_2, "5 V lights", outlet) for ref in LIGHT_OUTLETS),
    ]


def _lights() -> list[Part]:
    """Clock and data at 5 V, enabled by chip select 1. Without 5 V the buffers are off and feed nothing back."""
    rail = "5V_LIGHTS"
    gates = {"OE1": "SPI_CE1", "A1": "SPI_SCLK_HUB", "Y1": "LIGHT_CLOCK_5V", "OE2": "SPI_CE1", "A2": "SPI_MOSI"}
    unused = {"OE3": rail, "A3": GROUND, "Y3": None, "OE4": rail, "A4": GROUND, "Y4": None}
    return [
        wired("U1", SHIFTER, **gates, Y2="LIGHT_DATA_5V", **unused, VCC=rail, GND=GROUND),
        wired("C1", CAPACITOR, "100n", _1=rail, _2=GROUND),
        wired("R3", RESISTOR, "10k", _1="3V3", _2="SPI_CE1"),
        wired("R4", RESISTOR, "1k", _1="LIGHT_CLOCK_5V", _2=GROUND),  # low enough not to follow SCLK beside it
        wired("R5", RESISTOR, "1k", _1="LIGHT_DATA_5V", _2=GROUND),
        wired("R13", RESISTOR, LIGHT_OHM, _1="LIGHT_CLOCK_5V", _2="LIGHT_CLOCK"),
        wired("R14", RESISTOR, LIGHT_OHM, _1="LIGHT_DATA_5V", _2="LIGHT_DATA"),
    ]


def _rows() -> list[Part]:
    """Buffered clock and latch for the first row board.

    D6 lets current flow to the rows only: rows that a scanner feeds with 5 V cannot feed the Pi, however it is plugged.
    """
    gates = {"1A": "SPI_SCLK_HUB", "1Y": "SCLK_DRIVEN", "2A": "SENSOR_LATCH", "2Y": "LATCH_DRIVEN"}
    return [
        connector("J4", CABLE_8, "Rows", cable_out({"SENSOR_DATA": "SPI_MISO", "3V3": "3V3_ROWS"})),
        wired("D6", BLOCKING_DIODE, "B5819W", A="3V3", K="3V3_ROWS"),
        wired("U3", BUFFER, **{f"_{pin}": net for pin, net in gates.items()}, VCC="3V3", GND=GROUND),
        wired("C4", CAPACITOR, "100n", _1="3V3", _2=GROUND),
        wired("R21", RESISTOR, PI_CLOCK_OHM, _1="SPI_SCLK", _2="SPI_SCLK_HUB"),  # else the line from the Pi rings
        wired("R1", RESISTOR, CLOCK_OHM, _1="SCLK_DRIVEN", _2="SCLK"),
        wired("R2", RESISTOR, LATCH_OHM, _1="LATCH_DRIVEN", _2="LATCH"),
    ]


def _keypad() -> list[Part]:
    """A diode in each row with its cathode to the Pi; 1 kohm and a surge diode in each column."""
    rows = [
        wired(f"D{n + 1}", DIODE, "1N4148W", K=use.upper(), A=f"ROW{n}") for n, use in enumerate(KEYPAD_ROWS, start=1)
    ]
    columns = [
        wired(f"R{n + 8}", RESISTOR, "1k", _1=use.upper(), _2=f"COLUMN{n}")
        for n, use in enumerate(KEYPAD_COLUMNS, start=1)
    ]
    keys = [*(f"ROW{n}" for n in range(1, 5)), *(f"COLUMN{n}" for n in range(1, 5))]
    return [
        *rows,
        *columns,
        wired("U2", KEYPAD_PROTECTION, "SP0504BAHT", K1="COLUMN1", A=GROUND, K3="COLUMN2", K4="COLUMN3", K5="COLUMN4"),
        connector("J13", header(8), "Keypad", {str(k): (net, Role.PASSIVE) for k, net in enumerate(keys, start=1)}),
    ]


def _others() -> list[Part]:
    """Display, button, piezo, amplifier module, and the EEPROM that names the hub to the Pi."""
    oled = {"1": GROUND, "2": "3V3", "3": "OLED_SCL", "4": "OLED_SDA"}
    sound = ("I2S_LRCLK", "I2S_BCLK", "I2S_DATA", None, None, GROUND, "5V_PI")
    hat = {"A0": GROUND, "A1": GROUND, "A2": GROUND, "SDA": "HAT_SDA", "SCL": "HAT_SCL", "WP": "EEPROM_WP"}
    return [
        connector("J9", CABLE_4, "OLED", {number: (net, Role.PASSIVE) for number, net in oled.items()}),
        connector("J10", CABLE_2, "Button", {"1": ("BUTTON", Role.PASSIVE), "2": (GROUND, Role.GROUND)}),
        connector("J11", CABLE_2, "Piezo", {"1": ("PIEZO_OUT", Role.PASSIVE), "2": (GROUND, Role.GROUND)}),
        wired("R20", RESISTOR, "1k", _1="POWER_BUTTON", _2="BUTTON"),
        wired("R18", RESISTOR, "220", _1="PIEZO", _2="PIEZO_OUT"),
        connector("J12", header(7), "MAX98357A", {str(n): (net, Role.PASSIVE) for n, net in enumerate(sound, start=1)}),
        wired("U4", EEPROM, "CAT24C32", **hat, VCC="3V3", GND=GROUND),
        wired("C5", CAPACITOR, "100n", _1="3V3", _2=GROUND),
        wired("R15", RESISTOR, "3k9", _1="3V3", _2="HAT_SDA"),
        wired("R16", RESISTOR, "3k9", _1="3V3", _2="HAT_SCL"),
        wired("R17", RESISTOR, "1k", _1="3V3", _2="EEPROM_WP"),  # stronger than the pull-down in the part
        connector("J14", header(2), "Write EEPROM", {"1": ("EEPROM_WP", Role.PASSIVE), "2": (GROUND, Role.GROUND)}),
    ]


_BLOCKS = (
    ("Raspberry Pi", ("J1", "J3", "R3")),
    ("5 V in: fuse, then reverse protection, then clamp", ("J2", "Q3", "F1", "R19", "D1", "F2", "F3")),
    ("Switch of the lights", ("Q1", "Q2", "R6", "R7", "R8", "C3", "C6", "C2")),
    ("5 V to the rows", LIGHT_OUTLETS),
    ("Clock and latch of the rows", ("J4", "U3", "R1", "R2", "C4", "D6", "R21")),
    ("Clock and data of the lights at 5 V", ("U1", "R4", "R5", "R13", "R14", "C1")),
    ("Keypad", ("J13", "U2", *(f"D{n}" for n in range(2, 6)), *(f"R{n}" for n in range(9, 13)))),
    ("Display, button, piezo, amplifier", ("J9", "J10", "J11", "J12", "R18", "R20")),
    ("EEPROM of the HAT", ("U4", "J14", "R15", "R16", "R17", "C5")),
)

HUB = Circuit(
    "hub",
    "Hub: from the Pi to rows, keypad, display, sound and supply",
    RAILS,
    {use.upper(): 3.3 for use in (*_FROM_PI, "spi_miso")},
    (
        connector("J1", PI_HEADER, "Raspberry Pi", pi_connector()),
        *_supply(),
        *_rows(),
        *_lights(),
        *_keypad(),
        *_others(),
    ),
    blocks=_BLOCKS,
)
