"""Serial ports by pyserial: which are there, and one opened so that nobody ever waits for it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from board_drivers.nodes import Bus, node_fault
from board_drivers.ports import DriverFault

SERIAL = Bus("Serial port", "dialout", "Plug it in; `ls -l /dev/serial/by-id` names what is there.")
BRIDGES = {
    (0x0403, 0x6001): "FTDI FT232R",
    (0x10C4, 0xEA60): "Silicon Labs CP210x",
    (0x1A86, 0x7523): "WCH CH340",
    (0x2341, 0x0043): "Arduino Uno",
}
"""What stands between USB and the scanner: vendor and product id of the chips on a Nano, and of an Uno."""
MOST_AT_ONCE = 4096
"""Bytes: as much as the kernel keeps for one port."""


class Cable(Protocol):
    """An open serial port. Everything but `close` raises DriverFault once the other end is gone."""

    def read(self) -> bytes:
        """What has come in since, perhaps nothing. Never waits."""

    def write(self, told: bytes) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PortFound:
    """`serial` is the number of the USB device, empty where it has none: many bridges have none."""

    path: str
    bridge: str
    serial: str = ""


def ports_found() -> Sequence[PortFound]:
    """The ports behind which there may be a scanner, by the ids of their USB bridges."""
    from serial.tools.list_ports import comports

    return [
        PortFound(port.device, BRIDGES[port.vid, port.pid], port.serial_number or "")
        for port in comports()
        if (port.vid, port.pid) in BRIDGES
    ]


class SerialCable:
    """A `Cable`, for this program alone. Opening it restarts an Arduino."""

    def __init__(self, path: str, baud: int) -> None:
        """Raises DriverFault."""
        import serial

        self._path = path
        try:
            self._port: Any = serial.Serial(path, baud, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError) as error:  # SerialException is an OSError; an impossible speed is a ValueError
            raise node_fault(SERIAL, path, error) from error

    def read(self) -> bytes:
        try:
            received: bytes = self._port.read(MOST_AT_ONCE)
        except OSError as error:
            raise gone(self._path, error) from error
        return received

    def write(self, told: bytes) -> None:
        import serial

        try:
            self._port.write(told)
        except serial.SerialTimeoutException:
            """Nobody reads at the other end; what was said is lost, as on a wire."""
        except OSError as error:
            raise gone(self._path, error) from error

    def close(self) -> None:
        """May be called twice."""
        self._port.close()


def gone(path: str, error: OSError) -> DriverFault:
    """What an open port says when there is nothing behind it any more."""
    return DriverFault(
        device=f"Serial port {path}",
        expected="it to stay plugged in",
        got=(os.strerror(error.errno) if error.errno else "nobody at the other end").lower(),
        mend="Plug it in again; it may come back under another name.",
    )
