"""A serial cable that goes wrong when it is told to. It stands between the port and whoever listens, so that the real
decoder, its checksums and the search for a scanner that is gone are tried.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from board_drivers.nodes import refused_node
from board_drivers.serial_port import SERIAL, Cable, gone
from board_drivers.span import Span

OpenCable = Callable[[str, int], Cable]
"""By path and baud rate. Raises DriverFault."""


@dataclass(frozen=True, slots=True)
class SerialNoise:
    """Of all bytes, either way, these shares have a bit flipped, are lost, or come after one that nobody sent."""

    span: Span
    flipped: float
    lost: float
    extra: float
    random: Random

    def spoil(self, told: bytes) -> bytes:
        chance, passed = self.random.random, bytearray()
        for byte in told:
            if chance() < self.extra:
                passed.append(self.random.randrange(256))
            if chance() >= self.lost:
                passed.append(byte ^ (1 << self.random.randrange(8)) if chance() < self.flipped else byte)
        return bytes(passed)


@dataclass(frozen=True, slots=True)
class PulledCable:
    """Nothing is plugged in."""

    span: Span


CableTrouble = SerialNoise | PulledCable


class MisbehavingCable:
    """A `Cable` around another. Once it was pulled it is dead: it has to be opened anew, as any serial port has."""

    def __init__(self, cable: Cable, path: str, troubles: Sequence[CableTrouble], clock: Callable[[], float]) -> None:
        self._cable, self._path, self._troubles, self._clock = cable, path, troubles, clock

    def read(self) -> bytes:
        self._must_be_plugged_in()
        return self._spoilt(self._cable.read())

    def write(self, told: bytes) -> None:
        self._must_be_plugged_in()
        self._cable.write(self._spoilt(told))

    def close(self) -> None:
        self._cable.close()

    def _spoilt(self, told: bytes) -> bytes:
        at_s = self._clock()
        for trouble in self._troubles:
            if isinstance(trouble, SerialNoise) and trouble.span.covers(at_s):
                told = trouble.spoil(told)
        return told

    def _must_be_plugged_in(self) -> None:
        if is_pulled(self._troubles, self._clock()):
            raise gone(self._path, OSError(errno.EIO, ""))


def with_troubles(open_cable: OpenCable, troubles: Sequence[CableTrouble], clock: Callable[[], float]) -> OpenCable:
    """What opens cables that have these troubles; while one is pulled there is no such port."""

    def open_spoilt(path: str, baud: int) -> Cable:
        if is_pulled(troubles, clock()):
            raise refused_node(SERIAL, path, errno.ENOENT)
        return MisbehavingCable(open_cable(path, baud), path, troubles, clock)

    return open_spoilt if troubles else open_cable


def is_pulled(troubles: Sequence[CableTrouble], at_s: float) -> bool:
    return any(isinstance(trouble, PulledCable) and trouble.span.covers(at_s) for trouble in troubles)
