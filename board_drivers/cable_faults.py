"""Faults of a serial cable, for tests and demonstrations: noise, and a cable that is pulled out.

They are applied between the port and its driver, so the real decoder, its checksums and the search for a lost scanner
are exercised.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from random import Random

from msgspec import Struct

from board_drivers.device_nodes import open_error
from board_drivers.fault_window import FaultWindow
from board_drivers.serial_port import SERIAL, Cable, unplugged_error

OpenCable = Callable[[str, int], Cable]
"""Opens the port at this path with this baud rate. Raises DriverError."""


class SerialNoise(Struct, frozen=True):
    """Noise in both directions, as shares (0 to 1) of all bytes: one bit flipped, byte lost, random byte inserted."""

    span: FaultWindow
    flipped: float
    lost: float
    extra: float
    random: Random

    def corrupt(self, data: bytes) -> bytes:
        """These bytes as they arrive through the noise."""
        chance = self.random.random
        passed = bytearray()
        for byte in data:
            if chance() < self.extra:
                passed.append(self.random.randrange(256))
            if chance() >= self.lost:
                passed.append(byte ^ (1 << self.random.randrange(8)) if chance() < self.flipped else byte)
        return bytes(passed)


class PulledCable(Struct, frozen=True):
    """The cable is unplugged: the port neither opens nor carries bytes."""

    span: FaultWindow


CableFault = SerialNoise | PulledCable


class FaultyCable:
    """A `Cable` that applies faults to another one. Every method raises DriverError while the cable is pulled."""

    def __init__(self, cable: Cable, path: str, faults: Sequence[CableFault], clock: Callable[[], float]) -> None:
        self._cable = cable
        self._path = path
        self._faults = faults
        self._clock = clock

    def read(self) -> bytes:
        self._must_be_plugged_in()
        return self._corrupted(self._cable.read())

    def write(self, data: bytes) -> None:
        self._must_be_plugged_in()
        self._cable.write(self._corrupted(data))

    def close(self) -> None:
        self._cable.close()

    def _corrupted(self, data: bytes) -> bytes:
        at_s = self._clock()
        for fault in self._faults:
            if isinstance(fault, SerialNoise) and fault.span.covers(at_s):
                data = fault.corrupt(data)
        return data

    def _must_be_plugged_in(self) -> None:
        if is_unplugged(self._faults, self._clock()):
            raise unplugged_error(self._path, OSError(errno.EIO, ""))


def with_faults(open_cable: OpenCable, faults: Sequence[CableFault], clock: Callable[[], float]) -> OpenCable:
    """Wrap `open_cable` so that its cables have these faults. While the cable is pulled, opening raises DriverError."""

    def open_faulty(path: str, baud: int) -> Cable:
        if is_unplugged(faults, clock()):
            raise open_error(SERIAL, path, errno.ENOENT)
        return FaultyCable(open_cable(path, baud), path, faults, clock)

    return open_faulty if faults else open_cable


def is_unplugged(faults: Sequence[CableFault], at_s: float) -> bool:
    """Whether one of these faults is a pulled cable and active at this time."""
    return any(isinstance(fault, PulledCable) and fault.span.covers(at_s) for fault in faults)
