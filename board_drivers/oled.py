"""Driver of an I2C OLED that may be missing, unplugged or plugged in again while the game goes on.

`OledScoreboard` draws on an `OledDisplay`. Its thread sends each picture to the chip, or only the latest if several
came meanwhile, so the 25 ms on the bus never delay a scan. A display that comes back gets the last picture and
contrast.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any, Protocol

from board_drivers.device_nodes import I2C, node_error
from board_drivers.ports import DriverError

if TYPE_CHECKING:
    from PIL.Image import Image

log = logging.getLogger(__name__)

CHIPS = ("sh1106", "ssd1306", "ssd1309")
ADDRESSES = (0x3C, 0x3D)
COLUMN_OFFSETS = (0, 2, 4)
"""Which of the 132 memory columns of an SH1106 is the leftmost pixel: 2 on most modules. The other two chips have 128
columns and no offset."""
UPRIGHT, TURNED = 0, 2
"""luma's names for a picture as it is, and turned by 180 degrees."""
BUS = 1
NOP = 0xE3
"""A command that all three chips acknowledge and ignore (command tables of their datasheets)."""
PING_S = 1.0
"""Interval of pings: shorter than anybody needs to unplug the display and plug it in again."""
RETRY_DELAYS_S = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Pauses between attempts to find the display; the last one repeats."""
CLOSE_S = 2.0
"""How long `close` waits for the thread."""


class DisplayBus(Protocol):
    """Where a display may be connected."""

    @property
    def is_expected(self) -> bool:
        """Whether it is a fault that no display answers."""

    def find(self) -> tuple[int, Any]:
        """The first address at which a display acknowledges a NOP, and luma's serial interface to it.

        Raises DriverError.
        """

    def error(self, error: Exception) -> DriverError:
        """The fault of a display that has failed with this error."""

    def retry_delays(self) -> Iterator[float]:
        """Seconds between attempts to find the display, without an end."""


class HeaderBus:
    """A `DisplayBus`: I2C1 on the header of a Pi."""

    is_expected = True

    def find(self) -> tuple[int, Any]:
        """See `DisplayBus.find`."""
        return _first_answer()

    def error(self, error: Exception) -> DriverError:
        """See `DisplayBus.error`."""
        return _display_error(error)

    def retry_delays(self) -> Iterator[float]:
        """See `DisplayBus.retry_delays`."""
        return _retry_delays()


class OledDisplay:
    """A `LumaDevice` of 128 x 64 pixels that hides whether a display is connected.

    `chip`: one of `CHIPS`. `offset`: one of `COLUMN_OFFSETS`, for an SH1106. `is_turned`: the module is mounted upside
    down. `bus`: where it is connected; None: to the header of a Pi.
    """

    mode = "1"
    size = (128, 64)

    def __init__(self, chip: str, offset: int = 2, *, is_turned: bool = False, bus: DisplayBus | None = None) -> None:
        self._bus = bus or HeaderBus()
        self._open = partial(open_display, chip, offset, is_turned=is_turned, bus=self._bus)
        self._picture: Image | None = None
        self._contrast: int | None = None
        self._is_on = True
        self._shown: Image | None = None
        self._lit: tuple[int | None, bool] = (None, True)
        """The contrast and whether the panel is on, as the chip has them; a chip that was just opened is lit."""
        self._is_closing = False
        self._change = Condition()
        self.fault_text = ""
        """Why the display cannot be written now, as a sentence; empty if it can."""
        self._thread = Thread(target=self._run, name="oled", daemon=True)
        self._thread.start()

    def display(self, image: Image) -> None:
        """Hand a picture to the sending thread. Never blocks and never raises."""
        with self._change:
            self._picture = image
            self._change.notify()

    def contrast(self, level: int) -> None:
        """Hand a contrast from 0 to 255 to the sending thread, as `display` does with a picture."""
        with self._change:
            self._contrast = level
            self._change.notify()

    def hide(self) -> None:
        """Let the sending thread turn the panel off. The picture is kept."""
        self._turn(is_on=False)

    def show(self) -> None:
        """Let the sending thread turn the panel on."""
        self._turn(is_on=True)

    def _turn(self, *, is_on: bool) -> None:
        with self._change:
            self._is_on = is_on
            self._change.notify()

    def close(self) -> None:
        """Turn the display off and stop the thread. May be called twice."""
        with self._change:
            self._is_closing = True
            self._change.notify()
        self._thread.join(CLOSE_S)

    # In the sending thread

    def _run(self) -> None:
        delays = self._bus.retry_delays()
        while not self._is_closing:
            try:
                display = self._open()
            except DriverError as fault:
                self._report(fault if self._bus.is_expected else None)
                self._wait_to_close(next(delays))
            else:
                delays = self._bus.retry_delays()
                self._keep_updated(display)

    def _keep_updated(self, display: Any) -> None:
        """Send the latest picture, and ping in between, until the display fails or this object is closed."""
        from luma.core.error import Error

        self._report(None)
        self._shown = None
        self._lit = (None, True)
        try:
            while not self._is_closing:
                self._send(display)
        except (OSError, Error) as error:
            display.persist = True  # a lost display cannot be turned off; cleanup only releases the bus
            self._report(self._bus.error(error))
        with suppress(OSError, Error):
            display.cleanup()

    def _send(self, display: Any) -> None:
        with self._change:
            self._change.wait_for(lambda: self._is_closing or self._is_changed(), PING_S)
            picture = self._picture
            lit = (self._contrast, self._is_on)
        if picture is self._shown and lit == self._lit:
            display.command(NOP)
        if picture is not self._shown:
            display.display(picture)
            self._shown = picture
        if lit != self._lit:
            self._light(display, *lit)
            self._lit = lit

    def _is_changed(self) -> bool:
        return self._picture is not self._shown or (self._contrast, self._is_on) != self._lit

    def _light(self, display: Any, contrast: int | None, is_on: bool) -> None:
        if contrast is not None:
            display.contrast(contrast)
        (display.show if is_on else display.hide)()

    def _wait_to_close(self, delay_s: float) -> None:
        with self._change:
            self._change.wait_for(lambda: self._is_closing, delay_s)

    def _report(self, fault: DriverError | None) -> None:
        """Log a fault when it begins or its reason changes, and when it ends; not at every attempt."""
        fault_text = str(fault or "")
        if fault_text and fault_text != self.fault_text:
            log.warning("%s The game goes on without the display.", fault_text)
        elif self.fault_text and not fault_text:
            log.info("OLED: found again")
        self.fault_text = fault_text


def open_display(chip: str, offset: int = 2, *, is_turned: bool = False, bus: DisplayBus | None = None) -> Any:
    """luma's device for the chip, at the first address that answers. Raises DriverError.

    See `OledDisplay` for the arguments.
    """
    import luma.oled.device
    from luma.core.error import Error

    bus = bus or HeaderBus()
    _, link = bus.find()
    rotate = TURNED if is_turned else UPRIGHT
    try:
        if chip == "sh1106":
            return luma.oled.device.sh1106(link, rotate=rotate, page_address_offset=offset)
        return getattr(luma.oled.device, chip)(link, rotate=rotate)
    except (OSError, Error) as error:
        link.cleanup()
        raise bus.error(error) from error


def find_display() -> int:
    """The first address at which a display answers; its picture does not change. Raises DriverError."""
    address, link = _first_answer()
    link.cleanup()
    return address


def _first_answer() -> tuple[int, Any]:
    """The first address that acknowledges a NOP, and luma's I2C link to it."""
    from luma.core.error import DeviceNotFoundError, Error
    from luma.core.interface.serial import i2c

    for address in ADDRESSES:
        try:
            link = i2c(port=BUS, address=address)
        except (OSError, Error) as error:
            raise node_error(I2C, f"/dev/i2c-{BUS}", error) from error
        try:
            link.command(NOP)  # cheaper than a luma device, which sends its whole start-up and registers an exit hook
        except DeviceNotFoundError:
            link.cleanup()
        except OSError as error:
            link.cleanup()
            raise _display_error(error) from error
        else:
            return address, link
    raise _display_error(Exception("no answer"))


def _display_error(error: Exception) -> DriverError:
    return DriverError(
        device="OLED",
        expected=f"a display at {' or '.join(map(hex, ADDRESSES))} on I2C{BUS}",
        got=str(error),
        fix=f"Check its wires (3V3, GND, SDA, SCL); `i2cdetect -y {BUS}` must show 3c or 3d.",
    )


def _retry_delays() -> Iterator[float]:
    yield from RETRY_DELAYS_S
    while True:
        yield RETRY_DELAYS_S[-1]
