"""Driver of the chain of APA102 or SK9822 LEDs on SPI, which limits the current they draw.

The clock reaches the LEDs only while chip select 1 enables their level shifter. A frame is 32 zeros, one word a LED
(111, global brightness 0 to 31, blue, green, red), 32 zeros that an SK9822 waits for, and half a clock for every LED.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Protocol

from board_drivers.ports import Colour, DriverError

RATE_HZ = 4_000_000
LONG_RATE_HZ = 2_000_000
LONG_CHAIN = 500
"""Chains longer than this use the slower clock: each LED shortens the clock's high phase a little."""

IDLE_MA = 1.0
"""Current of one dark LED (APA102 datasheet)."""
COLOUR_MA = 20.0
"""Current of one colour of one LED fully on: 20 mA in a 5050 package, 10 mA in a 2020. The larger is used."""
FULL = 255
FULL_BRIGHTNESS = 31
DEFAULT_BRIGHTNESS = 5
DARK: Colour = (0, 0, 0)


RAIL_RISE_S = 0.1
"""How long the 5 V rail takes to rise after it is turned on; lights lose what they are sent before.

On a rail with 5 mF and a slow load switch it was calculated to take 0.07 s."""


class Switch(Protocol):
    """The load switch of the LEDs' 5 V rail."""

    def on(self) -> None: ...
    def off(self) -> None: ...


class SpiPort(Protocol):
    """One device on SPI."""

    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        """Send these bytes and return as many received ones. Raises DriverError."""


def rate_hz(lights: int) -> int:
    """The SPI clock, in Hz, for a chain of so many LEDs."""
    return LONG_RATE_HZ if lights > LONG_CHAIN else RATE_HZ


class LightChain:
    """`HoleLights` on a chain of `lights` LEDs, dark at the start. All of them together draw at most `budget_ma`."""

    def __init__(
        self,
        rail: Switch,
        port: SpiPort,
        lights: int,
        budget_ma: float,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Turn the rail on, and make all LEDs dark once it is up.

        Raises DriverError if the bus fails, or if the dark chain alone exceeds `budget_ma`.
        """
        if budget_ma <= lights * IDLE_MA:
            expected = f"more than {lights * IDLE_MA:.0f} mA for {lights} lights in the dark"
            raise DriverError("Lights", expected, f"{budget_ma:.0f} mA", "Increase lights_ma in the settings.")
        self._rail = rail
        self._port = port
        self._lights = lights
        self._colour_budget_ma = budget_ma - lights * IDLE_MA
        self._rail.on()
        sleep(RAIL_RISE_S)
        self.turn_off()

    def show(self, frame: Sequence[Colour]) -> None:
        """Write one colour for every LED, dimmed to the budget. Raises DriverError or ValueError: see `HoleLights`."""
        if len(frame) != self._lights:
            raise ValueError(f"expected {self._lights} colours, one an LED, got {len(frame)}")
        bytes(chain.from_iterable(frame))  # raises ValueError for any number that is not a byte
        brightness, dimmed = within_budget(frame, self._colour_budget_ma)
        self._port.transfer(encode(dimmed, brightness))

    def turn_off(self) -> None:
        """Make all LEDs dark; the rail stays on. Raises DriverError."""
        self.show([DARK] * self._lights)

    def close(self) -> None:
        """Make all LEDs dark, then turn the rail off: LEDs keep their last colour as long as they have power."""
        with suppress(DriverError):  # even if the bus fails, LEDs without power are dark
            self.turn_off()
        self._rail.off()


def within_budget(frame: Sequence[Colour], budget_ma: float) -> tuple[int, Sequence[Colour]]:
    """The global brightness (1 to 31) and the colours that draw at most `budget_ma` more than the dark chain.

    The brightness is reduced first, from `DEFAULT_BRIGHTNESS` down to 1; only then are the colours scaled.
    """
    full_ma = sum(map(sum, frame)) / FULL * COLOUR_MA
    if not full_ma:
        return DEFAULT_BRIGHTNESS, frame
    share = budget_ma / full_ma * FULL_BRIGHTNESS
    if share >= 1:
        return min(DEFAULT_BRIGHTNESS, int(share)), frame
    return 1, [(int(red * share), int(green * share), int(blue * share)) for red, green, blue in frame]


def encode(frame: Sequence[Colour], brightness: int) -> list[int]:
    """The bytes of a frame, with the same global brightness (0 to 31) for all LEDs."""
    head = 0b1110_0000 | brightness
    words = chain.from_iterable((head, blue, green, red) for red, green, blue in frame)
    return [*bytes(4), *words, *bytes(4), *bytes(-(-len(frame) // 16))]
