"""The ports between host and hardware, as protocols. Every driver, real or simulated, implements one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

SensorFrame = frozenset[int]
"""One latched snapshot: the numbers of the sensors that see a magnet.

A sensor's number is its bit in the chain: 8 x strip + bit, both from 0, strip 0 nearest to the Pi or scanner.
"""

Colour = tuple[int, int, int]
"""Red, green, blue; 0 to 255 each."""

Tune = Sequence[tuple[float, float]]
"""Notes in order, each as (frequency in Hz, duration in seconds)."""


class Key(NamedTuple):
    """One key: the legend printed on it, and the suit it means after a rank has been typed ("" for none)."""

    legend: str
    suit: str = ""


KEY_ROWS = (
    (Key("A"), Key("2"), Key("3"), Key("J", "♠")),
    (Key("4"), Key("5"), Key("6"), Key("Q", "♥")),
    (Key("7"), Key("8"), Key("9"), Key("K", "♦")),
    (Key("UNDO"), Key("10"), Key("FN"), Key("ENTER", "♣")),
)
"""The keypad, row by row from the top left. Suits are on the right column only, away from the digits."""


class KeyEdge(NamedTuple):
    """A key went down or came up at `at_s`, in seconds of the board's clock. `legend` is one of `KEY_ROWS`."""

    legend: str
    is_down: bool
    at_s: float


BRIGHT = 0x7F
"""The contrast of a display that people read: what the chips have after a reset."""
TALL = 12
"""The scale of letters that are twice as high and no wider: 1 by 2."""


class Line(NamedTuple):
    """One line of a page. `scale` 1: 21 characters of 6 x 8 pixels; 2: 10 of 12 x 16; 3: 7 of 18 x 24; TALL: 21 of
    6 x 16."""

    text: str
    scale: int = 1


class DriverError(Exception):
    """The hardware did not do what was requested.

    `device` and `fix` may be shown to players: the part that failed, and a sentence on how to repair it.
    """

    def __init__(self, device: str, expected: str, got: str, fix: str) -> None:
        super().__init__(f"{device}: expected {expected}, got {got}. {fix}")
        self.device = device
        self.expected = expected
        self.got = got
        self.fix = fix


class PegSensors(Protocol):
    """The hall switches under all holes."""

    def scan(self) -> SensorFrame:
        """Read all sensors once. Takes under 5 ms. Returns the same object while nothing has changed.

        Raises DriverError whenever the sensors cannot be read; call again to retry.
        """


class HoleLights(Protocol):
    """The chain of LEDs beside the holes."""

    def show(self, frame: Sequence[Colour]) -> None:
        """Write one colour for every LED of the chain, in chain order.

        Raises DriverError if the bus fails, ValueError for a frame of another length or a colour outside 0 to 255.
        """


class Keypad(Protocol):
    """The sixteen keys of `KEY_ROWS`, debounced."""

    def edges(self) -> Sequence[KeyEdge]:
        """The key edges since the last call, oldest first. Never blocks and never raises."""


class Scoreboard(Protocol):
    """The OLED, 128 x 64 pixels."""

    def show(
        self, page: Sequence[tuple[str, int]], *, is_inverted: bool = False, shift_px: tuple[int, int] = (0, 0)
    ) -> None:
        """Replace the whole page: (text, scale) from the top, at most 64 pixels high. See `Line`.

        `is_inverted`: dark text on a lit ground. `shift_px`: how far to draw from the left and upper edge, as far as
        nothing is cut off.

        Text past the right edge is cut and ends in an ellipsis. Showing the same page again writes nothing.
        Raises DriverError if the display fails, ValueError for a page that is too high or an unknown scale.
        """

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        """Replace the whole page by a picture, such as a QR code. `rows` from the top; True is a dark module.

        Drawn as large as fits, in whole pixels a module, with a lit quiet zone around it.
        Raises DriverError if the display fails, ValueError if the picture does not fit.
        """

    def set_contrast(self, level: int) -> None:
        """How bright lit pixels are, 0 to 255. 0: the display sleeps, and keeps its page.

        Raises DriverError if the display fails, ValueError for another level.
        """


class CardReader(Protocol):
    """A reader of tagged cards (RFID or bar code)."""

    def tags(self) -> Sequence[str]:
        """The tags read since the last call, oldest first. Never blocks. Raises DriverError."""


class Sounder(Protocol):
    """The piezo."""

    def play(self, tune: Tune) -> None:
        """Start this tune at once, in place of the one that is playing. Never blocks and never raises."""


class Board(Protocol):
    """All hardware of one board. One thread uses the ports; `faults` may be called from any thread."""

    @property
    def sensors(self) -> PegSensors: ...
    @property
    def lights(self) -> HoleLights: ...
    @property
    def keypad(self) -> Keypad: ...
    @property
    def scoreboard(self) -> Scoreboard: ...
    @property
    def sounder(self) -> Sounder: ...
    def faults(self) -> Sequence[str]:
        """The present faults of devices that retry by themselves instead of raising, each as a sentence."""

    def close(self) -> None:
        """Turn off lights and sound and release all lines. May be called twice."""
