"""Explains why a device node (/dev/spidev0.0, /dev/i2c-1, /dev/gpiochip0, /dev/ttyUSB0) cannot be opened."""

from __future__ import annotations

import errno
import os

from msgspec import Struct

from board_drivers.ports import DriverError


class Bus(Struct, frozen=True):
    """The bus or port behind a node: its name, the group that may open it, and the fix if the node is missing."""

    name: str
    group: str
    enable: str


CONFIG = "/boot/firmware/config.txt"
"""Where Raspberry Pi OS keeps the boot settings, since Bookworm."""
GPIO = Bus("GPIO", "gpio", "This needs Raspberry Pi OS on a Raspberry Pi; without one set kit = page.")
SPI = Bus("SPI0", "spi", f"Put dtparam=spi=on into {CONFIG} (sudo raspi-config nonint do_spi 0) and restart the Pi.")
I2C = Bus(
    "I2C1", "i2c", f"Put dtparam=i2c_arm=on into {CONFIG} (sudo raspi-config nonint do_i2c 0) and restart the Pi."
)


def probe_node(path: str) -> None:
    """Open the node and close it again. Raises OSError if it cannot be opened."""
    os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))


def node_error(bus: Bus, path: str, error: Exception) -> DriverError:
    """The fault of a node that a library could not use; `error` is the library's exception.

    The node is opened once more here, as the kernel's errno says more than most libraries do.
    """
    try:
        probe_node(path)
    except OSError as refusal:
        return open_error(bus, path, refusal.errno or 0)
    reason = str(error).strip("'")
    return DriverError(bus.name, f"{path} to work", reason, f"See `dmesg | tail`, and `fuser -v {path}` for its users.")


def open_error(bus: Bus, path: str, number: int) -> DriverError:
    """The fault of a node that does not open. `number`: the kernel's errno."""
    return DriverError(bus.name, f"{path} to open", os.strerror(number).lower(), _fix(bus, path, number))


def _fix(bus: Bus, path: str, number: int) -> str:
    match number:
        case errno.ENOENT:
            return bus.enable
        case errno.EACCES | errno.EPERM:
            return f"Join its group (sudo usermod -aG {bus.group} $USER) and log in again."
        case errno.EBUSY:
            return f"Another program holds it: find it with `fuser -v {path}` and end it."
    return "See `dmesg | tail`."
