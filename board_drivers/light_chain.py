"""The chain of APA102 or SK9822 lights, written over SPI, and kept within what the supply can give.

The clock reaches the lights only while chip select 1 opens their level shifter. A frame is 32 zeros, a word a light
(111, brightness of 31, blue, green, red), 32 zeros more, which an SK9822 waits for, and half a clock for every light.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Protocol

from board_drivers.ports import Colour, DriverFault

RATE_HZ, LONG_RATE_HZ = 4_000_000, 2_000_000
LONG_CHAIN = 500
"""Lights beyond which the slower clock is used: each light narrows the clock's high half a little."""

IDLE_MA = 1.0
COLOUR_MA = 20.0
"""One colour of one light full on: 20 mA in a 5050 case, 10 in a 2020. The larger is reckoned with."""
FULL, FULL_BRIGHTNESS, USUAL_BRIGHTNESS = 255, 31, 5
DARK: Colour = (0, 0, 0)


class Switch(Protocol):
    """The load switch of the light rail."""

    def on(self) -> None: ...
    def off(self) -> None: ...


class SpiPort(Protocol):
    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        """Raises DriverFault."""


def rate_hz(lights: int) -> int:
    """How fast a chain this long may be written."""
    return LONG_RATE_HZ if lights > LONG_CHAIN else RATE_HZ


class LightChain:
    """`HoleLights` on a chain of so many lights that may draw `budget_ma` in all. Dark from the start."""

    def __init__(self, rail: Switch, port: SpiPort, lights: int, budget_ma: float) -> None:
        """Raises DriverFault, also if the budget is not even enough for the chain in the dark."""
        if budget_ma <= lights * IDLE_MA:
            expected = f"more than {lights * IDLE_MA:.0f} mA for {lights} lights in the dark"
            raise DriverFault("Lights", expected, f"{budget_ma:.0f} mA", "Allow them more: lights_ma in the settings.")
        self._rail, self._port, self._lights = rail, port, lights
        self._room_ma = budget_ma - lights * IDLE_MA
        self._rail.on()
        self.put_out()

    def show(self, frame: Sequence[Colour]) -> None:
        if len(frame) != self._lights:
            raise ValueError(f"expected {self._lights} colours, one an LED, got {len(frame)}")
        bytes(chain.from_iterable(frame))  # the wire carries bytes: raises ValueError for any other number
        brightness, dimmed = within_budget(frame, self._room_ma)
        self._port.transfer(encode(dimmed, brightness))

    def put_out(self) -> None:
        self.show([DARK] * self._lights)

    def close(self) -> None:
        """Dark, then without power: lights hold their last colour for as long as they have 5 V."""
        with suppress(DriverFault):  # the bus may be gone; without power they are dark all the same
            self.put_out()
        self._rail.off()


def within_budget(frame: Sequence[Colour], room_ma: float) -> tuple[int, Sequence[Colour]]:
    """The brightness of 31 and the colours that draw at most `room_ma` beyond what the dark chain draws.

    Brightness gives way first, from the usual down to 1, then the colours themselves.
    """
    full_ma = sum(map(sum, frame)) / FULL * COLOUR_MA
    if not full_ma:
        return USUAL_BRIGHTNESS, frame
    share = room_ma / full_ma * FULL_BRIGHTNESS
    if share >= 1:
        return min(USUAL_BRIGHTNESS, int(share)), frame
    return 1, [(int(red * share), int(green * share), int(blue * share)) for red, green, blue in frame]


def encode(frame: Sequence[Colour], brightness: int) -> list[int]:
    """The bytes of a frame, at one brightness of 31 for all."""
    head = 0b1110_0000 | brightness
    words = chain.from_iterable((head, blue, green, red) for red, green, blue in frame)
    return [*bytes(4), *words, *bytes(4), *bytes(-(-len(frame) // 16))]
