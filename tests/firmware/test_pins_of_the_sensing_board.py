"""The pins of the sensing board's firmware, and of its table, are those of the drawn board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_host.circuits.netlist import CONTROLLER_PINS

FIRMWARE = Path(__file__).parents[2] / "hardware" / "firmware"
SOURCES = "".join((FIRMWARE / name).read_text("utf-8") for name in ("matrix_avr.c", "display_avr.c"))
PINS_IN_C = dict(re.findall(r"^#define (\w+) (P[BCD]\d)\b", SOURCES, re.MULTILINE))
NETS = {
    "CLOCK": "MATRIX_CLOCK",
    "COLUMN": "COLUMN_DATA",
    "ROW": "ROW_DATA",
    "LATCH": "COLUMN_LATCH",
    "LOAD": "ROW_LOAD",
    "OFF": "COLUMNS_OFF",
    "LIGHT_DATA": "LIGHT_DATA_OUT",
    "LIGHT_CLOCK": "LIGHT_CLOCK_OUT",
    "DISPLAY_DATA": "SDA",
    "DISPLAY_CLOCK": "SCL",
    **{f"KEY_COLUMN_{number}": f"KEY_COLUMN{number}" for number in range(1, 5)},
}
"""Name in the firmware -> net of the board."""


def test_every_pin_has_its_net() -> None:
    assert {name: CONTROLLER_PINS[pin] for name, pin in PINS_IN_C.items()} == NETS


def test_key_rows_are_the_lowest_pins_of_port_c() -> None:
    assert [CONTROLLER_PINS[f"PC{row}"] for row in range(4)] == [f"KEY_ROW{row}" for row in range(1, 5)]


@pytest.mark.parametrize(("define", "net"), [("HALL_SENSE", "HALL_SUPPLY"), ("SUPPLY_SENSE", "SUPPLY_SENSE")])
def test_analogue_inputs_have_their_net(define: str, net: str) -> None:
    found = re.search(rf"#define {define} (\d)", (FIRMWARE / "matrix_avr.c").read_text("utf-8"))
    assert found and CONTROLLER_PINS[f"ADC{found[1]}"] == net


def test_table_of_the_readme_has_every_pin_of_the_firmware() -> None:
    readme = (FIRMWARE / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:P[BCD]\d|ADC\d|, | to )+) \| ([A-Z_0-9 ,to]+) \|", readme, re.MULTILINE)
    named = {pin for pins, _ in rows for pin in re.findall(r"P[BCD]\d|ADC\d", pins)}
    used = {*PINS_IN_C.values(), "PC0", "PC3", "ADC6", "ADC7"}
    assert named == used
