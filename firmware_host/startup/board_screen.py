"""Display, keys and pegs of the board on the page."""

from __future__ import annotations

from threading import Lock

from board_drivers.simulated import SimulatedBoard, SimulatedOled
from firmware_host.board.peg_source import PegSource
from firmware_host.host.display import show_on
from firmware_host.host.loop import Host
from firmware_host.startup.boards import screen_of
from firmware_host.ui.keys.input_state import TypingDeal


class DisplayMirror:
    """A second copy of what the display shows, because a real display cannot be read back. It is blank while somebody
    types cards for advice: those are for the person at the board only."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._display = SimulatedOled()
        self._lock = Lock()

    def picture(self) -> bytes:
        """A PNG of 128 x 64 pixels; see `SimulatedOled.png`."""
        snapshot = self._host.snapshot
        with self._lock:
            show_on(self._display, snapshot, () if isinstance(snapshot.input_state, TypingDeal) else snapshot.oled_page)
            return self._display.png()


class ScreenInput:
    """Keys and pegs moved on the page, for the board that the host has open now: a new game may open another one."""

    def __init__(self, host: Host, mirror: DisplayMirror | None = None) -> None:
        """`mirror` copies a real display; None: the display is on the page."""
        self._host = host
        self._mirror = mirror

    @property
    def moves_pegs(self) -> bool:
        """Whether pegs can be moved on the page."""
        return PegSource.DRAWN in self._host.setup.peg_sources

    @property
    def _board(self) -> SimulatedBoard:
        screen = screen_of(self._host.board)
        assert screen is not None, "a board with a part on the page"
        return screen

    def place_peg(self, sensor: int) -> None:
        """Places a peg over a sensor, numbered as in a SensorFrame."""
        self._board.place_peg(sensor)

    def lift_peg(self, sensor: int) -> None:
        """Lifts the peg over a sensor. Raises KeyError if there is none."""
        self._board.lift_peg(sensor)

    def press(self, legend: str) -> None:
        """Puts a key down. `legend`: see `KEY_ROWS` in board_drivers/ports.py."""
        self._board.press(legend)

    def release(self, legend: str) -> None:
        """Lets the key come up."""
        self._board.release(legend)

    def oled_png(self) -> bytes:
        """The display as a PNG of 128 x 64 pixels; see `SimulatedOled.png`."""
        return self._mirror.picture() if self._mirror else self._board.oled_png()

    @property
    def oled_version(self) -> int:
        """Grows with every new picture on the display."""
        return self._host.snapshot.version if self._mirror else self._board.oled_version
