"""The wiring table of the scanner of strips: each signal of the chain has a pin of the Nano and of the first row."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).parents[2] / "hardware" / "firmware" / "README.md"
CABLE_NETS = ("GND", "3V3", "LIGHT_DATA", "LIGHT_CLOCK", "SCLK", "LATCH", "SENSOR_DATA", "GND")
"""The eight pins of IN, in their order, on boards that people have."""
SIGNALS = {"GND": "GND", "5V": "3V3", "D13": "SCLK", "D9": "LATCH", "D12": "SENSOR_DATA"}
"""Pin of the Nano -> its net on the row board."""


def test_each_pin_of_the_nano_meets_its_signal() -> None:
    rows = re.findall(r"^\| (\w+) \| [^|]*\| ([^|]*) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    wired = {nano: {int(pin) for pin in re.findall(r"\d+", pins)} for nano, pins in rows if pins.strip()}
    expected = {
        nano: {pin for pin, found in enumerate(CABLE_NETS, start=1) if found == net} for nano, net in SIGNALS.items()
    }
    assert {nano: pins for nano, pins in wired.items() if nano in SIGNALS} == expected


def test_the_lights_are_not_wired() -> None:
    assert {CABLE_NETS[2], CABLE_NETS[3]} == {"LIGHT_DATA", "LIGHT_CLOCK"}
    assert "Pins 3 and 4 of IN, the lights, stay open" in README.read_text(encoding="utf-8")
