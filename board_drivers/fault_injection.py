"""A simulated board with injected faults, each active during its own time window.

Faults of the sensor chain are applied to its bytes, and the real driver reads them, so the errors are those of a real
board. If there is a fault of a serial cable, the chain is behind a simulated scanner, and the real scanner driver
reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from time import monotonic

from msgspec import Struct, field

from board_drivers.cable_faults import CableFault, with_faults
from board_drivers.fault_window import FaultWindow
from board_drivers.ports import DriverError, KeyEdge, PegSensors, SensorFrame
from board_drivers.sensor_chain import BITS, SIGNATURE, SensorChain
from board_drivers.serial_port import PortInfo
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated import SimulatedBoard, SimulatedKeypad, SimulatedOled, SimulatedSensors
from board_drivers.simulated_scanner import SimulatedScanner

SPARE_INPUT = 0b0010_0000
"""The bit of a strip's spare input, which is pulled up."""
SIMULATED_PORT = PortInfo("/dev/simulated", "")
"""The port of the simulated scanner."""


class DeadHoles(Struct, frozen=True):
    """Switches that never see a magnet."""

    span: FaultWindow
    sensors: frozenset[int]

    def apply(self, read: bytearray, at_s: float) -> None:
        for sensor in self.sensors:
            read[sensor // BITS] |= 0x80 >> sensor % BITS


class StuckHoles(Struct, frozen=True):
    """Switches that always see a magnet, as do all switches near a large foreign magnet."""

    span: FaultWindow
    sensors: frozenset[int]

    def apply(self, read: bytearray, at_s: float) -> None:
        for sensor in self.sensors:
            read[sensor // BITS] &= ~(0x80 >> sensor % BITS) & 0xFF


class BouncingHoles(Struct):
    """Switches that read at random for `bounce_s` after every change."""

    span: FaultWindow
    bounce_s: float
    random: Random
    _last: bytes = b""
    _bouncing: dict[tuple[int, int], float] = field(default_factory=dict)

    def apply(self, read: bytearray, at_s: float) -> None:
        for strip, (now, before) in enumerate(zip(read, self._last, strict=False)):
            for bit in range(BITS):
                if (now ^ before) >> bit & 1:
                    self._bouncing[strip, bit] = at_s + self.bounce_s
        self._last = bytes(read)
        self._bouncing = {place: until_s for place, until_s in self._bouncing.items() if at_s < until_s}
        for strip, bit in self._bouncing:
            read[strip] ^= self.random.getrandbits(1) << bit


class SwappedStrips(Struct, frozen=True):
    """Two strips, counted from 0, are connected in each other's place."""

    span: FaultWindow
    strips: tuple[int, int]

    def apply(self, read: bytearray, at_s: float) -> None:
        one, other = self.strips
        read[one], read[other] = read[other], read[one]


class BrokenChain(Struct, frozen=True):
    """The chain is cut before this strip; 0 is the one next to the Pi."""

    span: FaultWindow
    strip: int

    def apply(self, read: bytearray, at_s: float) -> None:
        read[self.strip :] = bytes(len(read) - self.strip)


WireFault = DeadHoles | StuckHoles | BouncingHoles | SwappedStrips | BrokenChain
"""A fault of the sensor chain. `apply` changes the bytes of one reading: one a strip, then those past the end."""


class LineFault(Struct, frozen=True):
    """A line of a sensing board's matrix is broken or shorted: the board reports it in place of its pegs."""

    span: FaultWindow
    error: DriverError


class LostScoreboard(Struct, frozen=True):
    """The display does not acknowledge."""

    span: FaultWindow


class StuckKey(Struct, frozen=True):
    """A key whose contact stays closed."""

    span: FaultWindow
    legend: str


BoardFault = WireFault | CableFault | LineFault | LostScoreboard | StuckKey
"""Every fault that a `FaultyBoard` can have."""


class _Wire:
    """The sensor chain as the SPI port sees it: the latch samples the switches, a transfer returns one byte a strip."""

    def __init__(self, sensors: SimulatedSensors, faults: Sequence[WireFault], clock: Callable[[], float]) -> None:
        self._sensors = sensors
        self._faults = faults
        self._clock = clock
        self._strips = sensors.count // BITS
        self._latched: SensorFrame = frozenset()

    def on(self) -> None:
        self._latched = self._sensors.scan()

    def off(self) -> None: ...

    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        strips = min(self._strips, len(words))
        read = bytearray([SIGNATURE | SPARE_INPUT | 0b1_1111] * strips + [0] * (len(words) - strips))
        for sensor in self._latched:
            read[sensor // BITS] &= ~(0x80 >> sensor % BITS) & 0xFF
        at_s = self._clock()
        for fault in self._faults:
            if fault.span.covers(at_s):
                fault.apply(read, at_s)
        return tuple(read)


class FaultySensors(SimulatedSensors):
    """Simulated sensors that are read by the real `SensorChain`, or by `SerialScanner` if there are cable faults.

    `count` is the number of bits in the chain, 8 a strip. `scan` raises DriverError as the real driver does.
    """

    def __init__(
        self,
        count: int,
        faults: Sequence[WireFault],
        clock: Callable[[], float],
        on_cable: Sequence[CableFault] = (),
        of_lines: Sequence[LineFault] = (),
    ) -> None:
        super().__init__(count)
        self._clock = clock
        self._of_lines = of_lines
        self._pegs = SimulatedSensors(count)
        wire = _Wire(self._pegs, faults, clock)
        strips = count // BITS
        self.reader: PegSensors = SensorChain(wire, wire, strips)
        if on_cable:
            open_cable = with_faults(lambda path, baud: SimulatedScanner(wire, wire, clock), on_cable, clock)
            self.reader = SerialScanner(lambda: [SIMULATED_PORT], strips, open_cable=open_cable, clock=clock)

    @property
    def actual_frame(self) -> SensorFrame:
        """Where the pegs really are, whatever the chain reports."""
        return self._pegs.scan()

    def scan(self) -> SensorFrame:
        at_s = self._clock()
        for fault in self._of_lines:
            if fault.span.covers(at_s):
                raise fault.error
        return self.reader.scan()

    def place(self, sensor: int) -> None:
        self._pegs.place(sensor)

    def set(self, frame: SensorFrame) -> None:
        self._pegs.set(frame)

    def lift(self, sensor: int) -> None:
        self._pegs.lift(sensor)


class FaultyKeypad(SimulatedKeypad):
    """A simulated keypad whose stuck keys stay down."""

    def __init__(self, faults: Sequence[StuckKey], clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self._faults = faults
        self._stuck: frozenset[str] = frozenset()

    def edges(self) -> Sequence[KeyEdge]:
        at_s = self._clock()
        stuck = frozenset(fault.legend for fault in self._faults if fault.span.covers(at_s))
        went_down = (KeyEdge(legend, True, at_s) for legend in sorted(stuck - self._stuck))
        came_up = (KeyEdge(legend, False, at_s) for legend in sorted(self._stuck - stuck))
        by_hand = (edge for edge in super().edges() if edge.legend not in stuck | self._stuck)
        self._stuck = stuck
        return (*came_up, *went_down, *by_hand)


class FaultyOled(SimulatedOled):
    """A simulated OLED that raises DriverError and keeps its page while it is lost."""

    def __init__(self, faults: Sequence[LostScoreboard], clock: Callable[[], float]) -> None:
        super().__init__()
        self._faults = faults
        self._clock = clock

    def show(
        self, page: Sequence[tuple[str, int]], *, is_inverted: bool = False, shift_px: tuple[int, int] = (0, 0)
    ) -> None:
        self._must_be_present()
        super().show(page, is_inverted=is_inverted, shift_px=shift_px)

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        self._must_be_present()
        super().show_picture(rows)

    def set_contrast(self, level: int) -> None:
        self._must_be_present()
        super().set_contrast(level)

    def _must_be_present(self) -> None:
        at_s = self._clock()
        if any(fault.span.covers(at_s) for fault in self._faults):
            raise DriverError("OLED", "an answer", "none", "Check its four wires.")


class FaultyBoard(SimulatedBoard):
    """A simulated board with these faults; `clock` gives the seconds that their windows refer to."""

    def __init__(
        self,
        sensor_count: int,
        led_count: int,
        faults: Iterable[BoardFault],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(sensor_count, led_count, clock)
        every = tuple(faults)
        lost = [fault for fault in every if isinstance(fault, LostScoreboard)]
        stuck = [fault for fault in every if isinstance(fault, StuckKey)]
        on_wire = [fault for fault in every if isinstance(fault, WireFault)]
        on_cable = [fault for fault in every if isinstance(fault, CableFault)]
        of_lines = [fault for fault in every if isinstance(fault, LineFault)]
        self.sensors = FaultySensors(sensor_count, on_wire, clock, on_cable, of_lines)
        self.keypad = FaultyKeypad(stuck, clock)
        self.scoreboard = FaultyOled(lost, clock)

    def close(self) -> None:
        """Turn off the lights. The display is left as it is, so this works while it is lost."""
        self.lights.turn_off()
