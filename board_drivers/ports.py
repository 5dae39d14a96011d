"""What the host asks of the hardware, in the words of the table. Every driver, real or simulated, is one of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

SensorFrame = frozenset[int]
"""One latched snapshot: the numbers of the sensors that see a magnet (bits of the chain, counted from 0)."""

Colour = tuple[int, int, int]
"""Red, green, blue; 0 to 255 each."""


class KeyEdge(NamedTuple):
    """A key went down or came up. `legend` is what is printed on it: A 2 ... 10 J Q K UNDO FN ENTER."""

    legend: str
    is_down: bool
    at_s: float


class Line(NamedTuple):
    """One line of a page: `scale` 1 is 21 characters of 6 x 8 pixels, 2 is 10 of 12 x 16, 3 is 7 of 18 x 24."""

    text: str
    scale: int = 1


class DriverFault(Exception):
    """The hardware did not do what was asked. `device` and `mend` are fit to be shown to a person."""

    def __init__(self, device: str, expected: str, got: str, mend: str) -> None:
        super().__init__(f"{device}: expected {expected}, got {got}. {mend}")
        self.device, self.expected, self.got, self.mend = device, expected, got, mend


class PegSensors(Protocol):
    def scan(self) -> SensorFrame:
        """One snapshot. Under 5 ms; the same object again while nothing changed. Raises DriverFault."""


class HoleLights(Protocol):
    def show(self, frame: Sequence[Colour]) -> None:
        """Write one colour for every LED of the chain, in chain order. Raises DriverFault."""


class Keypad(Protocol):
    def edges(self) -> Sequence[KeyEdge]:
        """What happened to the keys since the last call, oldest first. Never blocks."""


class Scoreboard(Protocol):
    def show(self, page: Sequence[tuple[str, int]]) -> None:
        """Replace the whole page: (text, scale) from the top, at most 64 pixels high. See `Line`."""


class Board(Protocol):
    """All the hardware of one board."""

    @property
    def sensors(self) -> PegSensors: ...
    @property
    def lights(self) -> HoleLights: ...
    @property
    def keypad(self) -> Keypad: ...
    @property
    def scoreboard(self) -> Scoreboard: ...
    def close(self) -> None:
        """Lights out, lines released. May be called twice."""
