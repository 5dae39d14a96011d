"""The chain of hall switches: one 74HC165 a strip, read over SPI.

/PL low loads all registers at once; then the bits come in, nearest strip first. A strip sends `1 0`, its spare input
and its five holes, 0 where there is a magnet. Past the last strip everything is 0. In what is said to people, strip 1
is the one next to the Pi.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from board_drivers.ports import DriverFault, SensorFrame

RATE_HZ = 1_000_000
SIGNATURE, SIGNATURE_BITS = 0b1000_0000, 0b1100_0000
BITS = 8
HOLE_BITS = range(3, BITS)
MOST_STRIPS = 200
TRIES = 2
"""A spark spoils one reading; what is broken spoils the next as well."""


@dataclass(frozen=True, slots=True)
class ChainHead:
    """Where the chain begins, and what to look at there when it is silent."""

    name: str
    wires: str


PI = ChainHead(
    "the Pi", "Check the hub ribbon: 3V3, ground, MISO, SCLK and the latch. A short holds MISO at one level."
)


class Latch(Protocol):
    """The line to /PL: on pulls it low."""

    def on(self) -> None: ...
    def off(self) -> None: ...


class SpiPort(Protocol):
    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        """Raises DriverFault."""


class SensorChain:
    """`PegSensors` on a chain of so many strips; sensor = 8 x strip + 3 + place, both from 0."""

    def __init__(self, latch: Latch, port: SpiPort, strips: int) -> None:
        self._latch, self._port, self._strips = latch, port, strips
        self._read: tuple[int, ...] = ()
        self._frame: SensorFrame = frozenset()

    def scan(self) -> SensorFrame:
        read = self._sound_bytes()
        if read != self._read:
            frame = magnets_in(read)
            self._read, self._frame = read, self._frame if frame == self._frame else frame
        return self._frame

    def count_strips(self) -> int:
        """How many strips there are, told by the chain itself. Raises DriverFault if it does not end cleanly."""
        read = self._latched(MOST_STRIPS + 1)
        strips = signed_strips(read)
        if any(read[strips:]):
            raise _broken(strips, read)
        return strips

    def _sound_bytes(self) -> tuple[int, ...]:
        for _ in range(TRIES):
            read = self._latched(self._strips + 1)
            if read == self._read or is_sound(read):
                return read
        raise self._fault(read)

    def _latched(self, count: int) -> tuple[int, ...]:
        """Freeze all switches at once, then clock so many bytes in."""
        self._latch.on()
        self._latch.off()
        return tuple(self._port.transfer([0] * count))

    def _fault(self, read: Sequence[int]) -> DriverFault:
        if (signed := signed_strips(read)) < self._strips:
            is_cut = signed and not any(read[signed:])
            return miscounted(signed, self._strips) if is_cut else _broken(signed, read)
        return miscounted(self.count_strips(), self._strips)


def is_sound(read: Sequence[int]) -> bool:
    """Whether every strip signs its byte, and nothing follows the last."""
    return signed_strips(read) == len(read) - 1 and not read[-1]


def magnets_in(read: Sequence[int]) -> SensorFrame:
    """The sensors that see a magnet, from one byte a strip and the one past the end."""
    return frozenset(
        strip * BITS + bit for strip, byte in enumerate(read[:-1]) for bit in HOLE_BITS if not byte & 0x80 >> bit
    )


def signed_strips(read: Sequence[int]) -> int:
    """How many strips sign their bytes before the first that does not."""
    return next((strip for strip, byte in enumerate(read) if byte & SIGNATURE_BITS != SIGNATURE), len(read))


def _broken(strip: int, read: Sequence[int]) -> DriverFault:
    return silent(read[0] & 1, PI) if len(set(read)) == 1 else broken(strip, read[strip], PI)


def miscounted(strips: int, expected: int) -> DriverFault:
    """A chain that ends cleanly, but is not the board's."""
    if strips > expected:
        return DriverFault(
            device="Chain too long",
            expected=f"{expected} strips",
            got=f"{strips}",
            mend="Name the board that has as many in the settings, or unplug those that are not its own.",
        )
    return DriverFault(
        device=f"Chain fault at strip {strips + 1}",
        expected=f"{expected} strips",
        got=f"the end after {strips}",
        mend=f"Check the ribbon from strip {strips} to {strips + 1}, or name the board that has {strips} strips.",
    )


def silent(level: int, head: ChainHead) -> DriverFault:
    """Nothing comes but this level."""
    return DriverFault(
        device="Sensor chain silent",
        expected="a first strip that begins with 1 0",
        got=f"nothing but {level}",
        mend=head.wires,
    )


def broken(strip: int, byte: int, head: ChainHead) -> DriverFault:
    """`strip` is the first, from 0, that did not sign its byte."""
    return DriverFault(
        device=f"Chain fault at strip {strip + 1}",
        expected="its byte to begin with 1 0",
        got=f"{byte:08b}",
        mend=f"Check the ribbon into strip {strip + 1} (counted from {head.name}), and the strip's solder joints.",
    )
