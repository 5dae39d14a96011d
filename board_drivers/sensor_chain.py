"""Driver of the chain of hall switches: one 74HC165 shift register a strip, read over SPI.

/PL low loads all registers at once; then the bits are shifted in, nearest strip first. A strip's byte is the signature
`1 0`, its spare input, and its five holes, 0 where there is a magnet. Past the last strip everything is 0. In error
texts strips are counted from 1; strip 1 is next to the Pi.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from board_drivers.ports import DriverError, SensorFrame

RATE_HZ = 500_000
"""Each buffer of a long chain lengthens the pulse: with chips from one end of the data sheet 1 MHz may be lost."""
SIGNATURE = 0b1000_0000
SIGNATURE_BITS = 0b1100_0000
BITS = 8
HOLE_BITS = range(3, BITS)
MAX_STRIPS = 200
"""The longest chain that `count_strips` can count."""
TRIES = 2
"""A disturbance corrupts one reading, a fault corrupts the next one as well."""


class ChainHead(Struct, frozen=True):
    """What the chain is connected to, and the fix if nothing comes from it."""

    name: str
    wires: str


PI = ChainHead(
    "the Pi", "Check the first ribbon: 3V3, ground, MISO, SCLK and the latch. A short holds MISO at one level."
)


class Latch(Protocol):
    """The line to /PL; `on` drives it low."""

    def on(self) -> None: ...
    def off(self) -> None: ...


class SpiPort(Protocol):
    """One device on SPI."""

    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        """Send these bytes and return as many received ones. Raises DriverError."""


class SensorChain:
    """`PegSensors` on a chain of so many strips. Sensor number = 8 x strip + 3 + hole in the strip, both from 0."""

    def __init__(self, latch: Latch, port: SpiPort, strips: int) -> None:
        self._latch = latch
        self._port = port
        self._strips = strips
        self._read: tuple[int, ...] = ()
        self._frame: SensorFrame = frozenset()

    def scan(self) -> SensorFrame:
        """The sensors that see a magnet. Raises DriverError if two readings in a row are not valid."""
        read = self._read_valid()
        if read != self._read:
            frame = magnets_in(read)
            self._read = read
            self._frame = self._frame if frame == self._frame else frame
        return self._frame

    def count_strips(self) -> int:
        """How many strips are connected (0 to 200). Raises DriverError if the last one is not followed by zeros."""
        read = self._latched(MAX_STRIPS + 1)
        strips = signed_strips(read)
        if any(read[strips:]):
            raise _chain_error(strips, read)
        return strips

    def _read_valid(self) -> tuple[int, ...]:
        for _ in range(TRIES):
            read = self._latched(self._strips + 1)
            if read == self._read or is_valid_reading(read):
                return read
        raise self._fault(read)

    def _latched(self, count: int) -> tuple[int, ...]:
        """Sample all switches at once, then shift so many bytes in."""
        self._latch.on()
        self._latch.off()
        return tuple(self._port.transfer([0] * count))

    def _fault(self, read: Sequence[int]) -> DriverError:
        if (signed := signed_strips(read)) < self._strips:
            is_cut = signed and not any(read[signed:])
            return strip_count_error(signed, self._strips) if is_cut else _chain_error(signed, read)
        return strip_count_error(self.count_strips(), self._strips)


def is_valid_reading(read: Sequence[int]) -> bool:
    """Whether every byte but the last has the signature, and the last one, past the end of the chain, is zero."""
    return signed_strips(read) == len(read) - 1 and not read[-1]


def magnets_in(read: Sequence[int]) -> SensorFrame:
    """The sensors that see a magnet; `read` is one byte a strip and the one past the end."""
    return frozenset(
        strip * BITS + bit for strip, byte in enumerate(read[:-1]) for bit in HOLE_BITS if not byte & 0x80 >> bit
    )


def signed_strips(read: Sequence[int]) -> int:
    """How many bytes have the signature, up to the first that does not."""
    return next((strip for strip, byte in enumerate(read) if byte & SIGNATURE_BITS != SIGNATURE), len(read))


def _chain_error(strip: int, read: Sequence[int]) -> DriverError:
    return silent_chain_error(read[0] & 1, PI) if len(set(read)) == 1 else broken_chain_error(strip, read[strip], PI)


def strip_count_error(strips: int, expected: int) -> DriverError:
    """The fault of a chain that is in order but has more or fewer strips than the board."""
    if strips > expected:
        return DriverError(
            device="Chain too long",
            expected=f"{expected} strips",
            got=f"{strips}",
            fix="Set the board with that many strips in the settings, or unplug the strips that are not this board's.",
        )
    return DriverError(
        device=f"Chain fault at strip {strips + 1}",
        expected=f"{expected} strips",
        got=f"the end after {strips}",
        fix=f"Check the ribbon from strip {strips} to {strips + 1}, or name the board that has {strips} strips.",
    )


def silent_chain_error(level: int, head: ChainHead) -> DriverError:
    """The fault of a chain that sends only this level (0 or 1)."""
    return DriverError(
        device="Sensor chain silent",
        expected="a first strip that begins with 1 0",
        got=f"nothing but {level}",
        fix=head.wires,
    )


def broken_chain_error(strip: int, byte: int, head: ChainHead) -> DriverError:
    """The fault of a chain whose strip `strip`, counted from 0, is the first without the signature in its byte."""
    return DriverError(
        device=f"Chain fault at strip {strip + 1}",
        expected="its byte to begin with 1 0",
        got=f"{byte:08b}",
        fix=f"Check the ribbon into strip {strip + 1} (counted from {head.name}), and the strip's solder joints.",
    )
