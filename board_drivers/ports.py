"""What the host asks of the hardware, in the words of the table. Every driver, real or simulated, is one of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

SensorFrame = frozenset[int]
"""One latched snapshot: the numbers of the sensors that see a magnet (bits of the chain, counted from 0)."""

Colour = tuple[int, int, int]
"""Red, green, blue; 0 to 255 each."""


class Key(NamedTuple):
    """One key of the pad: the legend printed on it, and the suit it names once a rank has been typed ("" for none)."""

    legend: str
    suit: str = ""


KEY_ROWS = (
    (Key("A"), Key("2"), Key("3"), Key("J", "♠")),
    (Key("4"), Key("5"), Key("6"), Key("Q", "♥")),
    (Key("7"), Key("8"), Key("9"), Key("K", "♦")),
    (Key("UNDO"), Key("10"), Key("FN"), Key("ENTER", "♣")),
)
"""The pad as the fingers find it, rows from the top. Suits stand in the right column only, away from the digits."""


class KeyEdge(NamedTuple):
    """A key went down or came up. `legend` is what is printed on it: see `KEY_ROWS`."""

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
        """Write one colour for every LED of the chain, in chain order.

        Raises DriverFault; ValueError for a frame of another length or a colour outside 0 to 255.
        """


class Keypad(Protocol):
    def edges(self) -> Sequence[KeyEdge]:
        """What happened to the keys since the last call, oldest first. Never blocks."""


class Scoreboard(Protocol):
    def show(self, page: Sequence[tuple[str, int]]) -> None:
        """Replace the whole page: (text, scale) from the top, at most 64 pixels high. See `Line`.

        Text past the right edge is cut and ends in an ellipsis. Costs nothing while the page stays the same.
        Raises DriverFault; ValueError for a page too high or a scale unknown.
        """

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        """Replace the whole page by a picture, such as a QR code: True is a dark module on a lit ground.

        Drawn as large as fits, with a quiet rim. Raises DriverFault; ValueError if it does not fit.
        """


class CardReader(Protocol):
    def tags(self) -> Sequence[str]:
        """The tags that were read since the last call, oldest first. Never blocks. Raises DriverFault."""


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
    def ailments(self) -> Sequence[str]:
        """What is wrong now with parts that go on by themselves and raise nothing, as sentences. Any thread may ask."""

    def close(self) -> None:
        """Lights out, lines released. May be called twice."""
