"""A simulated board that goes wrong when it is told to: each trouble is on for its time, and over by itself.

What is wrong with the chain is done to its bytes, and the real driver reads them: its words are those of a real board.
Where something is to be wrong with a serial cable, the chain lies behind a simulated scanner, and the real driver of
scanners listens to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from time import monotonic

from board_drivers.misbehaving_cable import CableTrouble, with_troubles
from board_drivers.ports import DriverFault, KeyEdge, PegSensors, SensorFrame
from board_drivers.sensor_chain import BITS, SIGNATURE, SensorChain
from board_drivers.serial_port import PortFound
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedBoard, SimulatedKeypad, SimulatedOled, SimulatedSensors
from board_drivers.simulated_scanner import SimulatedScanner
from board_drivers.span import Span

SPARE = 0b0010_0000
"""The spare input of every strip, pulled up."""
A_PORT = PortFound("/dev/simulated", "")
"""Where a simulated scanner is found."""


@dataclass(frozen=True, slots=True)
class DeadHoles:
    """Switches that see no magnet."""

    span: Span
    sensors: frozenset[int]

    def spoil(self, read: bytearray, at_s: float) -> None:
        for sensor in self.sensors:
            read[sensor // BITS] |= 0x80 >> sensor % BITS


@dataclass(frozen=True, slots=True)
class StuckHoles:
    """Switches that see a magnet for ever; so do all those that a big magnet is near to."""

    span: Span
    sensors: frozenset[int]

    def spoil(self, read: bytearray, at_s: float) -> None:
        for sensor in self.sensors:
            read[sensor // BITS] &= ~(0x80 >> sensor % BITS) & 0xFF


@dataclass(slots=True)
class BouncingHoles:
    """Switches that flicker for `bounce_s` after every change."""

    span: Span
    bounce_s: float
    random: Random
    _last: bytes = b""
    _restless: dict[tuple[int, int], float] = field(default_factory=dict)

    def spoil(self, read: bytearray, at_s: float) -> None:
        for strip, (now, before) in enumerate(zip(read, self._last, strict=False)):
            for bit in range(BITS):
                if (now ^ before) >> bit & 1:
                    self._restless[strip, bit] = at_s + self.bounce_s
        self._last = bytes(read)
        self._restless = {place: until_s for place, until_s in self._restless.items() if at_s < until_s}
        for strip, bit in self._restless:
            read[strip] ^= self.random.getrandbits(1) << bit


@dataclass(frozen=True, slots=True)
class SwappedStrips:
    """Two strips were put into the chain in each other's place."""

    span: Span
    strips: tuple[int, int]

    def spoil(self, read: bytearray, at_s: float) -> None:
        one, other = self.strips
        read[one], read[other] = read[other], read[one]


@dataclass(frozen=True, slots=True)
class BrokenChain:
    """Nothing comes from this strip on; 0 is the one next to the Pi."""

    span: Span
    strip: int

    def spoil(self, read: bytearray, at_s: float) -> None:
        read[self.strip :] = bytes(len(read) - self.strip)


WireTrouble = DeadHoles | StuckHoles | BouncingHoles | SwappedStrips | BrokenChain
"""What is wrong with the sensor chain. `spoil` does to the bytes of one reading, one a strip and more past the end,
what the trouble does to the wire."""


@dataclass(frozen=True, slots=True)
class LostScoreboard:
    """The display does not answer."""

    span: Span


@dataclass(frozen=True, slots=True)
class StuckKey:
    """A key that stays down, whatever the finger does."""

    span: Span
    legend: str


BoardTrouble = WireTrouble | CableTrouble | LostScoreboard | StuckKey


class _Wire:
    """The chain as bytes on SPI: the latch freezes the switches, a transfer brings one byte a strip."""

    def __init__(self, sensors: SimulatedSensors, troubles: Sequence[WireTrouble], clock: Callable[[], float]) -> None:
        self._sensors, self._troubles, self._clock = sensors, troubles, clock
        self._strips = sensors.count // BITS
        self._latched: SensorFrame = frozenset()

    def on(self) -> None:
        self._latched = self._sensors.scan()

    def off(self) -> None: ...

    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        strips = min(self._strips, len(words))
        read = bytearray([SIGNATURE | SPARE | 0b1_1111] * strips + [0] * (len(words) - strips))
        for sensor in self._latched:
            read[sensor // BITS] &= ~(0x80 >> sensor % BITS) & 0xFF
        at_s = self._clock()
        for trouble in self._troubles:
            if trouble.span.covers(at_s):
                trouble.spoil(read, at_s)
        return tuple(read)


class MisbehavingSensors(SimulatedSensors):
    """Pegs are placed and lifted as ever; a scan reads them off the wire, or has a scanner tell them over its cable."""

    def __init__(
        self,
        count: int,
        troubles: Sequence[WireTrouble],
        clock: Callable[[], float],
        on_cable: Sequence[CableTrouble] = (),
    ) -> None:
        super().__init__(count)
        self._pegs = SimulatedSensors(count)
        wire, strips = _Wire(self._pegs, troubles, clock), count // BITS
        self.reader: PegSensors = SensorChain(wire, wire, strips)
        if on_cable:
            open_cable = with_troubles(lambda path, baud: SimulatedScanner(wire, wire, clock), on_cable, clock)
            self.reader = SerialScanner(lambda: [A_PORT], strips, open_cable=open_cable, clock=clock)

    @property
    def standing(self) -> SensorFrame:
        """Where pegs are, whatever the wire says."""
        return self._pegs.scan()

    def scan(self) -> SensorFrame:
        return self.reader.scan()

    def place(self, sensor: int) -> None:
        self._pegs.place(sensor)

    def set(self, frame: SensorFrame) -> None:
        self._pegs.set(frame)

    def lift(self, sensor: int) -> None:
        self._pegs.lift(sensor)


class MisbehavingKeypad(SimulatedKeypad):
    """Keys that stay down while they are stuck."""

    def __init__(self, troubles: Sequence[StuckKey], clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self._troubles = troubles
        self._stuck: frozenset[str] = frozenset()

    def edges(self) -> Sequence[KeyEdge]:
        at_s = self._clock()
        stuck = frozenset(trouble.legend for trouble in self._troubles if trouble.span.covers(at_s))
        went_down = (KeyEdge(legend, True, at_s) for legend in sorted(stuck - self._stuck))
        came_up = (KeyEdge(legend, False, at_s) for legend in sorted(self._stuck - stuck))
        by_hand = (edge for edge in super().edges() if edge.legend not in stuck | self._stuck)
        self._stuck = stuck
        return (*came_up, *went_down, *by_hand)


class MisbehavingOled(SimulatedOled):
    """Shows nothing new, and says so, while it is lost."""

    def __init__(self, troubles: Sequence[LostScoreboard], clock: Callable[[], float]) -> None:
        super().__init__()
        self._troubles, self._clock = troubles, clock

    def show(self, page: Sequence[tuple[str, int]]) -> None:
        self._must_be_there()
        super().show(page)

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        self._must_be_there()
        super().show_picture(rows)

    def _must_be_there(self) -> None:
        at_s = self._clock()
        if any(trouble.span.covers(at_s) for trouble in self._troubles):
            raise DriverFault("OLED", "an answer", "none", "Check its four wires.")


class MisbehavingBoard(SimulatedBoard):
    """A simulated board with these troubles."""

    def __init__(
        self,
        sensor_count: int,
        led_count: int,
        troubles: Iterable[BoardTrouble],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(sensor_count, led_count, clock)
        told = tuple(troubles)
        lost = [trouble for trouble in told if isinstance(trouble, LostScoreboard)]
        stuck = [trouble for trouble in told if isinstance(trouble, StuckKey)]
        on_wire = [trouble for trouble in told if isinstance(trouble, WireTrouble)]
        on_cable = [trouble for trouble in told if isinstance(trouble, CableTrouble)]
        self.sensors = MisbehavingSensors(sensor_count, on_wire, clock, on_cable)
        self.keypad = MisbehavingKeypad(stuck, clock)
        self.scoreboard = MisbehavingOled(lost, clock)

    def close(self) -> None:
        """May be called while the display is lost."""
        self.lights.put_out()
