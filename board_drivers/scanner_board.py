"""A board without a Pi: a scanner on a USB port reads the pegs; keys and display are on the computer's screen.

A sensing board has lights and keys as well, and perhaps a display, on the same cable; the page shows them too. Tunes
are not played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from board_drivers.both_keypads import BothKeypads
from board_drivers.both_scoreboards import BothScoreboards
from board_drivers.oled import DisplayBus, OledDisplay
from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.ports import HoleLights, PegSensors, Scoreboard
from board_drivers.serial_display import SensingBoardBus
from board_drivers.serial_keypad import SerialKeypad
from board_drivers.serial_lights import SerialLights
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedBoard


class ScannerBoard:
    """A `Board` whose sensors and keys are those of a scanner, and its lights too if `lights_ma` is given.

    The rest is on the `screen`, which shows the lights as well. All lights together draw at most `lights_ma` mA.
    `has_sensors` is False if the scanner reads no pegs. `open_display` opens the display that may be at the scanner;
    None: it is not used.
    """

    def __init__(
        self,
        scanner: SerialScanner,
        screen: SimulatedBoard,
        lights_ma: float | None = None,
        *,
        has_sensors: bool = True,
        open_display: Callable[[DisplayBus], OledDisplay] | None = None,
    ) -> None:
        self.screen = screen
        self.sensors: PegSensors = scanner if has_sensors else screen.sensors
        self.lights: HoleLights = screen.lights
        if lights_ma is not None:
            self.lights = SerialLights(scanner, screen.lights, lights_ma)
        self.keypad = BothKeypads(SerialKeypad(scanner), screen.keypad)
        self.scoreboard: Scoreboard = screen.scoreboard
        self._display = open_display and open_display(SensingBoardBus(scanner))
        if self._display:
            self.scoreboard = BothScoreboards(OledScoreboard(self._display), screen.scoreboard)
        self.sounder = screen.sounder
        self._scanner = scanner

    def faults(self) -> Sequence[str]:
        """That of a display that has answered before; `sensors.scan` raises what is wrong with the scanner."""
        return (self._display.fault_text,) if self._display and self._display.fault_text else ()

    def close(self) -> None:
        """Make lights and display dark and close the scanner's port. May be called twice."""
        if isinstance(self.lights, SerialLights):
            self.lights.close()
        if self._display:
            self._display.close()
        self._scanner.close()
        self.screen.close()
