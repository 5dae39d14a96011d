"""The pins of the Pi's header and their uses, read from `hardware/pins.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from board_drivers.hardware_files import hardware_file

KEYPAD_ROWS = tuple(f"keypad_row_{row}" for row in range(1, 5))
KEYPAD_COLUMNS = tuple(f"keypad_column_{column}" for column in range(1, 5))
SENSOR_LATCH = "sensor_latch"
LIGHTS_ENABLE = "lights_enable"
PIEZO = "piezo"


class HeaderPin(Struct, frozen=True):
    """One pin. `physical`: 1 to 40. `bcm`: its GPIO number, None for power and ground. `boot_pull`: up, down or "".

    `chain_note` is its use in a chain of strips, the older design.
    """

    physical: int
    use: str
    bcm: int | None = None
    boot_pull: str = ""
    note: str = ""
    chain_note: str = ""


class HeaderPins(Struct, frozen=True):
    """All 40 pins in the order of their physical numbers."""

    pins: Sequence[HeaderPin]

    def bcm(self, use: str) -> int:
        """The GPIO number of the only pin with this use. Raises LookupError if no pin has it, or several have."""
        numbers = [pin.bcm for pin in self.pins if pin.use == use and pin.bcm is not None]
        if len(numbers) != 1:
            raise LookupError(f"expected one pin for {use!r}, got {len(numbers)}")
        return numbers[0]


@cache
def header_pins() -> HeaderPins:
    """The wiring that all boards share, from `hardware/pins.toml`."""
    return parse_pins(tomllib.loads(hardware_file("pins.toml").read_text(encoding="utf-8")))


def parse_pins(table: Mapping[str, Any]) -> HeaderPins:
    """The wiring in a parsed pins.toml. The file is part of the package, so it is not checked."""
    return HeaderPins(tuple(HeaderPin(**pin) for pin in table["pin"]))
