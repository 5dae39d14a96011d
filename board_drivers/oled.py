"""A display on I2C that may be missing, or go and come back: the game does without, and the last picture returns.

`OledGlass` is what `OledScoreboard` draws on. A thread of its own carries each picture to the chip, the latest one if
several came meanwhile, so that 25 ms on the bus never hold up a scan.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any

from board_drivers.nodes import I2C, node_fault
from board_drivers.ports import DriverFault

if TYPE_CHECKING:
    from PIL.Image import Image

log = logging.getLogger(__name__)

CHIPS = ("sh1106", "ssd1306", "ssd1309")
ADDRESSES = (0x3C, 0x3D)
BUS = 1
NOP = 0xE3
"""A command that all three chips acknowledge and ignore."""
PING_S = 1.0
"""How long a display may be gone before it is missed: less than a hand needs to take it off and put it on."""
PATIENCE_S = (1.0, 2.0, 4.0, 8.0, 15.0)
"""How long to wait before each next try; the last one ever after."""
CLOSE_S = 2.0


class OledGlass:
    """A `LumaDevice` of 128 x 64 that is always there. `chip`: one of `CHIPS`."""

    mode = "1"
    size = (128, 64)

    def __init__(self, chip: str) -> None:
        self._chip = chip
        self._picture: Image | None = None
        self._shown: Image | None = None
        self._is_closing = False
        self._change = Condition()
        self.lament = ""
        """What keeps pictures from the display now; empty: all is well."""
        self._thread = Thread(target=self._run, name="oled", daemon=True)
        self._thread.start()

    def display(self, image: Image) -> None:
        """Never waits and never fails."""
        with self._change:
            self._picture = image
            self._change.notify()

    def close(self) -> None:
        """The display goes dark. May be called twice."""
        with self._change:
            self._is_closing = True
            self._change.notify()
        self._thread.join(CLOSE_S)

    # The carrying thread.

    def _run(self) -> None:
        pauses = _pauses()
        while not self._is_closing:
            try:
                display = open_display(self._chip)
            except DriverFault as fault:
                self._say(fault)
                self._wait_to_close(next(pauses))
            else:
                pauses = _pauses()
                self._attend(display)

    def _attend(self, display: Any) -> None:
        """Keep the latest picture on the display, until it is lost or no longer needed."""
        from luma.core.error import Error

        self._say(None)
        self._shown = None
        try:
            while not self._is_closing:
                self._carry(display)
        except (OSError, Error) as error:
            display.persist = True  # there is nobody to be told to go dark: only let go of the bus
            self._say(_lost(error))
        with suppress(OSError, Error):
            display.cleanup()

    def _carry(self, display: Any) -> None:
        with self._change:
            self._change.wait_for(lambda: self._is_closing or self._picture is not self._shown, PING_S)
            picture = self._picture
        if picture is self._shown:
            display.command(NOP)
        else:
            display.display(picture)
            self._shown = picture

    def _wait_to_close(self, pause_s: float) -> None:
        with self._change:
            self._change.wait_for(lambda: self._is_closing, pause_s)

    def _say(self, fault: DriverFault | None) -> None:
        """Into the log when it goes, when something else keeps it away, and when it is back; not at every try."""
        lament = str(fault or "")
        if lament and lament != self.lament:
            log.warning("%s The game goes on without it.", lament)
        elif self.lament and not lament:
            log.info("OLED: it is back")
        self.lament = lament


def open_display(chip: str) -> Any:
    """luma's device for the chip, at the first address that answers. Raises DriverFault."""
    import luma.oled.device

    _, wire = _answering()
    try:
        return getattr(luma.oled.device, chip)(wire)
    except OSError as error:
        wire.cleanup()
        raise _lost(error) from error


def find_display() -> int:
    """The address at which one answers; what it shows stays as it is. Raises DriverFault."""
    address, wire = _answering()
    wire.cleanup()
    return address


def _answering() -> tuple[int, Any]:
    """The first address that acknowledges a command without a meaning, and the way to it."""
    from luma.core.error import DeviceNotFoundError, Error
    from luma.core.interface.serial import i2c

    for address in ADDRESSES:
        try:
            wire = i2c(port=BUS, address=address)
        except (OSError, Error) as error:
            raise node_fault(I2C, f"/dev/i2c-{BUS}", error) from error
        try:
            wire.command(NOP)  # luma's devices run their whole start-up first, and stay registered for the exit
        except DeviceNotFoundError:
            wire.cleanup()
        except OSError as error:
            wire.cleanup()
            raise _lost(error) from error
        else:
            return address, wire
    raise _lost(Exception("no answer"))


def _lost(error: Exception) -> DriverFault:
    return DriverFault(
        device="OLED",
        expected=f"a display at {' or '.join(map(hex, ADDRESSES))} on I2C{BUS}",
        got=str(error),
        mend=f"Check its wires (3V3, GND, SDA, SCL); `i2cdetect -y {BUS}` must show 3c or 3d.",
    )


def _pauses() -> Iterator[float]:
    yield from PATIENCE_S
    while True:
        yield PATIENCE_S[-1]
