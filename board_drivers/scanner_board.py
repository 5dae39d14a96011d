"""A board without a Pi: a scanner on any computer reads the pegs, whose screen has the keys and the display.

There are no lights on the wood; the page shows them.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedBoard


class ScannerBoard:
    """A `Board`. Its keys, display and lights are the simulated ones."""

    def __init__(self, scanner: SerialScanner, led_count: int) -> None:
        self.screen = SimulatedBoard(0, led_count)
        self.sensors = scanner
        self.lights, self.keypad, self.scoreboard = self.screen.lights, self.screen.keypad, self.screen.scoreboard

    def ailments(self) -> Sequence[str]:
        return ()

    def close(self) -> None:
        self.sensors.close()
        self.screen.close()
