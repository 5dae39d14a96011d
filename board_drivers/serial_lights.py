"""Driver of the lights of a sensing board, which share the serial cable with its sensors."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from board_drivers.ports import Colour, DriverError
from board_drivers.scan_protocol import Hello
from board_drivers.scanner_session import LOST, STARTING
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import DARK, SimulatedLights

BOARD_MA = 150
"""What the rest of the board draws at most: controller, USB chip, one column of switches, and a display."""
FUSE_MA = 2000
"""The fuse of the board, whatever its supply promises."""
NO_LIGHTS = DriverError(
    device="Lights",
    expected="a sensing board with lights",
    got="a scanner without lights",
    fix="Set lights = drawn in the settings, or plug the sensing board in.",
)


class SerialLights:
    """`HoleLights` on the board behind `scanner`, shown by `on_page` as well.

    All LEDs together draw at most `budget_ma`, and no more than the board's fuse and its USB supply allow.
    """

    def __init__(self, scanner: SerialScanner, on_page: SimulatedLights, budget_ma: float) -> None:
        self._scanner = scanner
        self._on_page = on_page
        self._budget_ma = budget_ma

    def show(self, frame: Sequence[Colour]) -> None:
        """Send one colour for every LED. Raises DriverError or ValueError: see `HoleLights`.

        The answer comes later: the next call raises what was wrong with a frame.
        """
        self._on_page.show(frame)
        self._scanner.poll()
        session = self._scanner.session
        if session.hello is None and self._scanner.fault is STARTING:
            return  # the next refresh comes soon
        if session.hello is None:
            raise self._scanner.fault or LOST
        matrix = self._scanner.matrix
        if not matrix or not session.hello.lights:
            raise NO_LIGHTS
        colours = [frame[number] for number in matrix.lights]
        budget_ma = self._budget(session.hello)
        if not self._scanner.send(lambda at_s: session.lights.show(colours, budget_ma, at_s)):
            raise self._scanner.fault or LOST
        if session.lights.fault:
            raise session.lights.fault

    def turn_off(self) -> None:
        """Make all LEDs dark. Raises DriverError."""
        self.show([DARK] * len(self._on_page.frame))

    def close(self) -> None:
        """Make all LEDs dark if the scanner is there. May be called twice."""
        with suppress(DriverError):
            self.turn_off()

    def _budget(self, hello: Hello) -> float:
        supply_ma = min(hello.supply_ma or FUSE_MA, FUSE_MA)
        return min(self._budget_ma, supply_ma - BOARD_MA)
