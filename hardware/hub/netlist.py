"""The hub's parts and what is wired to what. What comes from the Pi is named by `pins.toml`, pin for pin.

It lifts the lights' clock and data to 5 V, lets them pass only while the Pi selects the lights, switches and fuses the
lights' supply, and keeps keys from shorting two outputs of the Pi.
"""

from __future__ import annotations

from collections.abc import Mapping

from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, HeaderPin, header_pins
from hardware.pcb.catalogue import (
    CAPACITOR,
    DIODE,
    FUSE,
    KEY_GUARD,
    LINK,
    POWER_SWITCH,
    RESERVOIR,
    RESISTOR,
    RIBBON_10,
    RIBBON_12,
    SCREWS_2,
    SHIFTER,
    SMALL_SWITCH,
    SURGE,
    header,
)
from hardware.pcb.circuit import GROUND, Circuit, Part, Role, plugged, wired
from hardware.strip.netlist import link_out

RAILS: Mapping[str, float] = {
    GROUND: 0.0,
    "3V3": 3.3,
    "3V3_OLED": 3.3,
    "5V_IN": 5.0,
    "5V_FUSED": 5.0,
    "5V_LIGHTS": 5.0,
    "5V_PI": 5.0,
}
TO_HUB, TO_KEYPAD, TO_OLED = "Hub ribbon, 2 x 5", "Keypad, 2 x 6", "OLED"
_FROM_PI = ("lights_enable", "sensor_latch", "spi_ce1", "spi_mosi", "spi_sclk", *KEYPAD_ROWS)
_NOT_WIRED = ("spare", "spi_ce0")


def pi_plug(name: str, *, supply: str, every: int = 1) -> Mapping[str, tuple[str | None, Role]]:
    """The pins of a plug on the Pi's header, numbered from 1 as on its ribbon; `every` 2 takes the odd pins only."""
    pins = header_pins()
    plug = next(plug for plug in pins.plugs if plug.name == name)
    taken = pins.pins[plug.first - 1 : plug.last : every]
    return {str(number): _wire(pin, supply) for number, pin in enumerate(taken, start=1)}


def _wire(pin: HeaderPin, supply: str) -> tuple[str | None, Role]:
    if pin.use == "ground":
        return GROUND, Role.GROUND
    if pin.use == "3v3":
        return supply, Role.GIVES
    if pin.use in _NOT_WIRED:
        return None, Role.PASSIVE
    heard = Role.HEARS if pin.use == "spi_miso" else Role.PASSIVE
    return pin.use.upper(), Role.DRIVES if pin.use in _FROM_PI else heard


def _screws(ref: str, label: str, rail: str, role: Role) -> Part:
    return plugged(ref, SCREWS_2, label, {"1": (rail, role), "2": (GROUND, Role.GROUND)})


def _supply() -> list[Part]:
    """5 V in, one fuse for the lights and one for the Pi; the lights' branch is switched, and rises in milliseconds."""
    return [
        _screws("J5", "5 V in", "5V_IN", Role.GIVES),
        _screws("J6", "5 V to Pi", "5V_PI", Role.TAKES),
        _screws("J7", "5 V lights", "5V_LIGHTS", Role.TAKES),
        wired("D1", SURGE, "SMBJ5.0A", K="5V_IN", A=GROUND),
        wired("F1", FUSE, "polyfuse", IN="5V_IN", OUT="5V_FUSED"),
        wired("F2", FUSE, "polyfuse", IN="5V_IN", OUT="5V_PI"),
        wired("Q1", POWER_SWITCH, "IRF7404", S="5V_FUSED", G="GATE", D="5V_LIGHTS"),
        wired("Q2", SMALL_SWITCH, "BSS138", G="LIGHTS_ENABLE", S=GROUND, D="GATE_PULL"),
        wired("R6", RESISTOR, "10k", _1="GATE", _2="GATE_PULL"),
        wired("R7", RESISTOR, "100k", _1="5V_FUSED", _2="GATE"),
        wired("C3", CAPACITOR, "1u", _1="5V_FUSED", _2="GATE"),
        wired("R8", RESISTOR, "100k", _1="LIGHTS_ENABLE", _2=GROUND),
        wired("C2", RESERVOIR, "1000u 10V", _1="5V_LIGHTS", _2=GROUND),
    ]


def _lights() -> list[Part]:
    """Clock and data at 5 V, let through by chip select 1. Without their supply the gates are off and feed nothing."""
    rail = "5V_LIGHTS"
    return [
        wired(
            "U1",
            SHIFTER,
            OE1="SPI_CE1",
            A1="SCLK",
            Y1="LIGHT_CLOCK",
            OE2="SPI_CE1",
            A2="SPI_MOSI",
            Y2="LIGHT_DATA",
            OE3=rail,
            A3=GROUND,
            Y3=None,
            OE4=rail,
            A4=GROUND,
            Y4=None,
            VCC=rail,
            GND=GROUND,
        ),
        wired("C1", CAPACITOR, "100n", _1=rail, _2=GROUND),
        wired("R1", RESISTOR, "47", _1="SPI_SCLK", _2="SCLK"),
        wired("R3", RESISTOR, "10k", _1="3V3", _2="SPI_CE1"),
        wired("R4", RESISTOR, "10k", _1="LIGHT_CLOCK", _2=GROUND),
        wired("R5", RESISTOR, "10k", _1="LIGHT_DATA", _2=GROUND),
    ]


def _keypad() -> list[Part]:
    """A diode in each row, its cathode to the Pi; 1 kohm and a surge diode in each column."""
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
        wired("U2", KEY_GUARD, "SP0504BAHT", K1="COLUMN1", A=GROUND, K3="COLUMN2", K4="COLUMN3", K5="COLUMN4"),
        plugged("J8", header(8), "Keypad", {str(k): (net, Role.PASSIVE) for k, net in enumerate(keys, start=1)}),
    ]


def _oled() -> list[Part]:
    nets = {"1": GROUND, "2": "3V3_OLED", "3": "OLED_SCL", "4": "OLED_SDA"}
    button = {"1": ("POWER_BUTTON", Role.PASSIVE), "2": (GROUND, Role.GROUND)}
    return [
        plugged("J9", header(4), "OLED", {number: (net, Role.PASSIVE) for number, net in nets.items()}),
        plugged("J10", header(2), "Button", button),
    ]


HUB = Circuit(
    "hub",
    "Hub: from the Pi to strips, keypad, display and supply",
    RAILS,
    {use.upper(): 3.3 for use in (*_FROM_PI, "spi_miso")},
    (
        plugged("J1", RIBBON_10, "Pi 17-26", pi_plug(TO_HUB, supply="3V3")),
        plugged("J2", RIBBON_12, "Pi 29-40", pi_plug(TO_KEYPAD, supply="3V3")),
        plugged("J3", header(5), "Pi 1-9 odd", pi_plug(TO_OLED, supply="3V3_OLED", every=2)),
        plugged(
            "J4",
            LINK,
            "Strips",
            link_out({"5V": "5V_LIGHTS", "LATCH": "SENSOR_LATCH", "SENSOR_DATA": "SPI_MISO"}),
        ),
        *_supply(),
        *_lights(),
        *_keypad(),
        *_oled(),
    ),
)
