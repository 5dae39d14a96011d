"""What a person does at a board that is on the screen, whole or in part, as far as the panel can see it."""

from __future__ import annotations

from typing import Protocol


class Hands(Protocol):
    """Fingers for a board of no wood. LookupError: a move that cannot be made, as no peg is there, or a key is down."""

    @property
    def moves_pegs(self) -> bool:
        """False: the pegs are real ones, and only keys and display are on the screen."""

    def place_peg(self, sensor: int) -> None: ...
    def lift_peg(self, sensor: int) -> None: ...
    def press(self, legend: str) -> None: ...
    def release(self, legend: str) -> None: ...
    @property
    def oled_version(self) -> int:
        """Another number for every other picture on the OLED."""


class Demo(Protocol):
    """A game that plays itself. Starting what runs, and stopping what stands still, does nothing."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    @property
    def is_running(self) -> bool: ...
