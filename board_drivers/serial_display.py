"""The display of a sensing board, which shares the serial cable with its sensors and lights.

Its pictures are long and lights are urgent. So the thread of the display sends small blocks, each of them when the wire
is free: what the host sends meanwhile waits for one block only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat

from board_drivers.oled import ADDRESSES, NOP
from board_drivers.ports import DriverError
from board_drivers.scanner_session import ScannerSession
from board_drivers.serial_scanner import SerialScanner

FIRST_FIRMWARE = (1, 2)
"""The first one that writes to a display."""
COMMANDS, PIXELS = 0x00, 0x40
"""The control byte before what a display is sent."""
BLOCK_BYTES = 16
"""Pixels of one frame, which is 2.1 ms on the wire; 1,024 of them take 133 ms."""
RETRY_S = 1.0
"""Pause between attempts to find a display, and to draw again after the cable was unplugged."""


class SerialDisplayLink:
    """luma's serial interface to the display at one address."""

    def __init__(self, scanner: SerialScanner, address: int) -> None:
        self._scanner = scanner
        self._session = scanner.session
        self._address = address
        self._session.display.restart()

    def command(self, *commands: int) -> None:
        """Send commands, 32 at most. Raises OSError if these, or others before them, had no answer."""
        self._write(COMMANDS, commands)

    def data(self, pixels: Sequence[int]) -> None:
        """Send bytes of eight pixels. Raises OSError as `command` does."""
        for at in range(0, len(pixels), BLOCK_BYTES):
            self._write(PIXELS, pixels[at : at + BLOCK_BYTES])

    def await_answers(self) -> None:
        """Wait for the answers to everything that was sent. Raises OSError."""
        self._session.display.wait(unanswered=0)

    def cleanup(self) -> None:
        """Nothing to release: the cable stays open."""

    def _write(self, control: int, block: Sequence[int]) -> None:
        self._session.display.wait()
        if self._scanner.session is not self._session:
            raise OSError("the circuit board was plugged in again")
        frame = self._session.display.frame(self._address, bytes([control, *block]))
        if not self._scanner.transmit(frame):
            raise OSError("the circuit board is not there")


class SensingBoardBus:
    """A `DisplayBus`: J3 of the sensing board behind a scanner. Most boards have no display there."""

    def __init__(self, scanner: SerialScanner) -> None:
        self._scanner = scanner
        self._has_answered = False

    @property
    def is_expected(self) -> bool:
        """Whether a display has answered since the start."""
        return self._has_answered

    def find(self) -> tuple[int, SerialDisplayLink]:
        """See `DisplayBus.find`."""
        fault = self.error(OSError("no circuit board that can drive it"))
        for address in ADDRESSES if _can_drive_display(self._scanner.session) else ():
            link = SerialDisplayLink(self._scanner, address)
            try:
                link.command(NOP)
                link.await_answers()
            except OSError as error:
                fault = self.error(error)
            else:
                self._has_answered = True
                return address, link
        raise fault

    def error(self, error: Exception) -> DriverError:
        """See `DisplayBus.error`."""
        return DriverError(
            device="OLED",
            expected=f"a display at {' or '.join(map(hex, ADDRESSES))} on J3 of the circuit board",
            got=str(error),
            fix="Check its wires (GND, 5V, SCL, SDA) and the USB cable of the board.",
        )

    def retry_delays(self) -> Iterator[float]:
        """See `DisplayBus.retry_delays`."""
        return repeat(RETRY_S)


def _can_drive_display(session: ScannerSession) -> bool:
    hello = session.hello
    return hello is not None and hello.lights > 0 and hello.firmware >= FIRST_FIRMWARE
