"""The kernel's device nodes: why one cannot be opened, and what mends it."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass

from board_drivers.ports import DriverFault


@dataclass(frozen=True, slots=True)
class Bus:
    """What a node leads to, the group whose members may open it, and the mend where the node is missing."""

    name: str
    group: str
    enable: str


CONFIG = "/boot/firmware/config.txt"
GPIO = Bus("GPIO", "gpio", "This needs Raspberry Pi OS on a Raspberry Pi; without one set simulate = true.")
SPI = Bus("SPI0", "spi", f"Put dtparam=spi=on into {CONFIG} (sudo raspi-config nonint do_spi 0) and restart the Pi.")
I2C = Bus(
    "I2C1", "i2c", f"Put dtparam=i2c_arm=on into {CONFIG} (sudo raspi-config nonint do_i2c 0) and restart the Pi."
)


def open_node(path: str) -> None:
    """Open it and let go of it again. Raises OSError."""
    os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))


def node_fault(bus: Bus, path: str, error: Exception) -> DriverFault:
    """What stands in the way of this node, which a library could not open for the reason it gives in `error`."""
    try:
        open_node(path)
    except OSError as refused:
        return refused_node(bus, path, refused.errno or 0)
    said = str(error).strip("'")
    return DriverFault(bus.name, f"{path} to work", said, f"See `dmesg | tail`, and `fuser -v {path}` for its users.")


def refused_node(bus: Bus, path: str, number: int) -> DriverFault:
    """What this node's refusal to open means. `number`: the kernel's errno."""
    return DriverFault(bus.name, f"{path} to open", os.strerror(number).lower(), _mend(bus, path, number))


def _mend(bus: Bus, path: str, number: int) -> str:
    match number:
        case errno.ENOENT:
            return bus.enable
        case errno.EACCES | errno.EPERM:
            return f"Join its group (sudo usermod -aG {bus.group} $USER) and log in again."
        case errno.EBUSY:
            return f"Another program holds it: `fuser -v {path}` names it, then end it."
    return "See `dmesg | tail`."
