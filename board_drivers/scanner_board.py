"""A board without a Pi: a scanner on a USB port reads the pegs; keys and display are on the computer's screen.

The board itself has no lights and no sounder: the page shows the lights, and tunes are not played.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedBoard


class ScannerBoard:
    """A `Board` whose sensors are a scanner's; the rest is simulated, with `led_count` lights."""

    def __init__(self, scanner: SerialScanner, led_count: int) -> None:
        self.screen = SimulatedBoard(0, led_count)
        self.sensors = scanner
        self.lights = self.screen.lights
        self.keypad = self.screen.keypad
        self.scoreboard = self.screen.scoreboard
        self.sounder = self.screen.sounder

    def faults(self) -> Sequence[str]:
        """Always empty: `sensors.scan` raises what is wrong with the scanner."""
        return ()

    def close(self) -> None:
        """Close the scanner's port. May be called twice."""
        self.sensors.close()
        self.screen.close()
