"""Serial ports through pyserial: finds those that may have a scanner, and opens one for reading without blocking."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from board_drivers.device_nodes import Bus, node_error
from board_drivers.ports import DriverError

SERIAL = Bus("Serial port", "dialout", "Plug it in; `ls -l /dev/serial/by-id` names what is there.")
ANY_PRODUCT = -1
USB_BRIDGES = {
    (0x0403, 0x6001): "FTDI FT232R",
    (0x10C4, 0xEA60): "Silicon Labs CP210x",
    (0x1A86, 0x7523): "WCH CH340",
    (0x1A86, 0x55D4): "WCH CH9102",
    (0x2341, 0x0043): "Arduino Uno",
    (0x2341, ANY_PRODUCT): "Arduino",
    (0x2E8A, ANY_PRODUCT): "Raspberry Pi RP2040",
    (0x303A, ANY_PRODUCT): "Espressif ESP32",
}
"""(vendor id, product id) -> name of the USB chips and boards that a scanner may have. ANY_PRODUCT: all of a vendor."""
MAX_READ = 4096
"""Bytes of one read: as many as the kernel buffers for one port."""


class Cable(Protocol):
    """An open serial port. `read` and `write` raise DriverError once it is unplugged."""

    def read(self) -> bytes:
        """The bytes received since the last call, perhaps none. Never blocks."""

    def write(self, data: bytes) -> None:
        """Send these bytes. Never blocks; bytes that the other end does not read are lost."""

    def close(self) -> None: ...


class PortInfo(Struct, frozen=True):
    """A serial port. `bridge`: name of its USB chip. `serial`: the USB serial number, empty if the chip has none."""

    path: str
    bridge: str
    serial: str = ""


def find_ports() -> Sequence[PortInfo]:
    """The ports that may have a scanner: those with one of `USB_BRIDGES`."""
    from serial.tools.list_ports import comports

    named = ((port, bridge_name(port.vid, port.pid)) for port in comports())
    return [PortInfo(port.device, name, port.serial_number or "") for port, name in named if name]


def bridge_name(vendor: int | None, product: int | None) -> str:
    """The name of a USB chip that a scanner may have; empty for others, and for ports that are not on USB."""
    if vendor is None or product is None:
        return ""
    return USB_BRIDGES.get((vendor, product)) or USB_BRIDGES.get((vendor, ANY_PRODUCT), "")


class SerialCable:
    """A `Cable` on a real port, opened exclusively. Opening it resets an Arduino."""

    def __init__(self, path: str, baud: int) -> None:
        """Open the port. Raises DriverError."""
        import serial

        self._path = path
        try:
            self._port: Any = serial.Serial(path, baud, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError) as error:  # SerialException is an OSError; an unknown baud rate is a ValueError
            raise node_error(SERIAL, path, error) from error

    def read(self) -> bytes:
        try:
            received: bytes = self._port.read(MAX_READ)
        except OSError as error:
            raise unplugged_error(self._path, error) from error
        return received

    def write(self, data: bytes) -> None:
        import serial

        try:
            self._port.write(data)
        except serial.SerialTimeoutException:
            """The buffer is full because the other end does not read; the bytes are lost, as on a wire."""
        except OSError as error:
            raise unplugged_error(self._path, error) from error

    def close(self) -> None:
        """May be called twice."""
        self._port.close()


def unplugged_error(path: str, error: OSError) -> DriverError:
    """The fault of an open port whose device is gone."""
    return DriverError(
        device=f"Serial port {path}",
        expected="it to stay plugged in",
        got=(os.strerror(error.errno) if error.errno else "no answer from the other end").lower(),
        fix="Plug it in again; it may get another name.",
    )
