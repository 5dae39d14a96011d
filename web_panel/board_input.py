"""What the panel can do to a board that is on the screen, whole or in part: move pegs, press keys, run a demo."""

from __future__ import annotations

from typing import Protocol


class BoardInput(Protocol):
    """Keys, display and pegs of a simulated board. Raises LookupError for an impossible move.

    A move is impossible when no peg is there, the hole is taken, or the key is down already.
    """

    @property
    def moves_pegs(self) -> bool:
        """False if the pegs are real, and only keys and display are on the screen."""

    def place_peg(self, sensor: int) -> None: ...
    def lift_peg(self, sensor: int) -> None: ...
    def press(self, legend: str) -> None: ...
    def release(self, legend: str) -> None: ...
    @property
    def oled_version(self) -> int:
        """A number that differs for each new picture on the OLED."""


class Demo(Protocol):
    """A game that plays itself on the simulated board. Starting it twice, or stopping it twice, does nothing.

    `stop` answers at once, and the game of the players is back when it returns.
    """

    def start(self) -> None: ...
    def stop(self) -> None: ...
