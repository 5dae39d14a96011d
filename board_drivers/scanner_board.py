"""A board without a Pi: a scanner on a USB port reads the pegs; keys and display are on the computer's screen.

A sensing board has lights and keys as well, on the same cable; the page shows both too. Tunes are not played.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_drivers.both_keypads import BothKeypads
from board_drivers.ports import HoleLights, PegSensors
from board_drivers.serial_keypad import SerialKeypad
from board_drivers.serial_lights import SerialLights
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedBoard


class ScannerBoard:
    """A `Board` whose sensors and keys are those of a scanner, and its lights too if `lights_ma` is given.

    The rest is on the `screen`, which shows the lights as well. All lights together draw at most `lights_ma` mA.
    `has_sensors` is False if nothing but the lights of the scanner is used.
    """

    def __init__(
        self,
        scanner: SerialScanner,
        screen: SimulatedBoard,
        lights_ma: float | None = None,
        *,
        has_sensors: bool = True,
    ) -> None:
        self.screen = screen
        self.sensors: PegSensors = scanner if has_sensors else screen.sensors
        self.lights: HoleLights = screen.lights
        if lights_ma is not None:
            self.lights = SerialLights(scanner, screen.lights, lights_ma)
        self.keypad = BothKeypads(SerialKeypad(scanner), screen.keypad)
        self.scoreboard = screen.scoreboard
        self.sounder = screen.sounder
        self._scanner = scanner

    def faults(self) -> Sequence[str]:
        """Always empty: `sensors.scan` raises what is wrong with the scanner."""
        return ()

    def close(self) -> None:
        """Make the lights dark and close the scanner's port. May be called twice."""
        if isinstance(self.lights, SerialLights):
            self.lights.close()
        self._scanner.close()
        self.screen.close()
