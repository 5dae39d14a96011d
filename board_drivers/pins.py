"""The pins of the Pi's header and what each is for, as `hardware/pins.toml` has them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

KEYPAD_ROWS = tuple(f"keypad_row_{row}" for row in range(1, 5))
KEYPAD_COLUMNS = tuple(f"keypad_column_{column}" for column in range(1, 5))
SENSOR_LATCH, LIGHTS_ENABLE, PIEZO = "sensor_latch", "lights_enable", "piezo"


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """One pin. `bcm` is its GPIO number, None for power and ground; `boot_pull` is "up", "down" or ""."""

    physical: int
    use: str
    bcm: int | None = None
    boot_pull: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Plug:
    """Neighbouring pins that leave the header on one connector."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class HeaderPins:
    """The whole header, in the order of its physical numbers."""

    pins: Sequence[HeaderPin]
    plugs: Sequence[Plug]

    def bcm(self, use: str) -> int:
        """The GPIO number of what has one pin only. LookupError: nothing has, or several have."""
        numbers = [pin.bcm for pin in self.pins if pin.use == use and pin.bcm is not None]
        if len(numbers) != 1:
            raise LookupError(f"expected one pin for {use!r}, got {len(numbers)}")
        return numbers[0]


@cache
def header_pins() -> HeaderPins:
    """The wiring that all boards share."""
    return parse_pins(tomllib.loads(files("hardware").joinpath("pins.toml").read_text(encoding="utf-8")))


def parse_pins(told: Mapping[str, Any]) -> HeaderPins:
    pins = tuple(HeaderPin(**pin) for pin in told["pin"])
    return HeaderPins(pins, tuple(Plug(plug["name"], *plug["physical"]) for plug in told["plug"]))
