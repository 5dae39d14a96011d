"""Fault plans: which faults to inject, and when. A TOML file with one table per fault, for tests and for trying them
out.

The kinds and their parameters are listed in firmware_host/README.md.

[[fault]]
kind = "dead_holes"
holes = ["red 37"]
from_s = 60                  # seconds from the start; default 0
for_s = 20                   # default: for ever
every_s = 120                # repeats; default: once
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from math import hypot, inf
from pathlib import Path
from random import Random
from time import monotonic, sleep

from msgspec import Struct, field

from board_drivers.cable_faults import CableFault, PulledCable, SerialNoise
from board_drivers.fault_injection import (
    BoardFault,
    BouncingHoles,
    BrokenChain,
    DeadHoles,
    LineFault,
    LostScoreboard,
    StuckHoles,
    StuckKey,
    SwappedStrips,
    WireFault,
)
from board_drivers.fault_window import FaultWindow
from board_drivers.ports import KEY_ROWS
from board_drivers.scan_protocol import ErrorCode
from firmware_host.board.plan import BoardPlan, NoSuchHole, PlannedHole
from firmware_host.board.plan_reader import PlanError, PlanReader
from firmware_host.config.matrix_wiring import matrix_wiring
from firmware_host.errors import HostError

MAGNET_REACH_MM = 45.0
"""Default radius of the holes that a loudspeaker magnet on the board closes."""
BOUNCE_S = 0.06
"""Default time for which a switch bounces."""
NOISE = {"flipped": 0.01, "lost": 0.002, "extra": 0.002}
"""Default shares of the bytes on a noisy cable; about every third frame becomes unreadable."""
MAX_PAUSE_S = 3600.0
CENTURY_S = 36525 * 86400.0
"""Limit for a wrong clock, so that the result is still a date that `datetime` can hold."""
LEGENDS = tuple(key.legend for key in chain.from_iterable(KEY_ROWS))


class FaultPlanError(HostError):
    """A fault plan cannot be read, or names what this board does not have."""


class FullDisk(Struct, frozen=True):
    """Every write fails with SQLITE_FULL."""

    span: FaultWindow


class ReadOnlyDisk(Struct, frozen=True):
    """Every write fails with SQLITE_READONLY, as after Linux remounted a damaged card read-only."""

    span: FaultWindow


class SlowDisk(Struct, frozen=True):
    """Every write takes `by_s` seconds longer."""

    span: FaultWindow
    by_s: float


class WrongClock(Struct, frozen=True):
    """The time of day is off by `by_s` seconds: a Pi has no battery clock, and gets the time only after the start."""

    span: FaultWindow
    by_s: float


DiskFault = FullDisk | ReadOnlyDisk | SlowDisk
PlannedFault = BoardFault | DiskFault | WrongClock


def since_now() -> Callable[[], float]:
    """A monotonic clock in seconds that starts at 0 now."""
    start_s = monotonic()
    return lambda: monotonic() - start_s


class FaultPlan(Struct, frozen=True):
    """The faults of a plan; their times are seconds of the clock `since_start`. `pause` sleeps for a slow disk."""

    faults: tuple[PlannedFault, ...] = ()
    since_start: Callable[[], float] = field(default_factory=since_now)
    pause: Callable[[float], None] = sleep

    @property
    def on_board(self) -> tuple[BoardFault, ...]:
        """The faults that FaultyBoard injects: those of sensors, cable, keys and display."""
        return tuple(fault for fault in self.faults if isinstance(fault, BoardFault))

    @property
    def on_wire(self) -> tuple[WireFault, ...]:
        """The faults that change the sensor bits of a frame."""
        return tuple(fault for fault in self.faults if isinstance(fault, WireFault))

    @property
    def on_cable(self) -> tuple[CableFault, ...]:
        """The faults of the serial cable to a scanner."""
        return tuple(fault for fault in self.faults if isinstance(fault, CableFault))

    @property
    def on_disk(self) -> tuple[DiskFault, ...]:
        """The faults of writes to the journal."""
        return tuple(fault for fault in self.faults if isinstance(fault, DiskFault))

    def apply_disk_faults(self) -> None:
        """Apply the disk faults of this moment; the journal calls it before each write. May sleep.

        Raises sqlite3.OperationalError as SQLite does on a full or read-only disk.
        """
        for fault in self.on_disk:
            if fault.span.covers(self.since_start()):
                self._apply(fault)

    def _apply(self, fault: DiskFault) -> None:
        match fault:
            case SlowDisk(by_s=by_s):
                self.pause(by_s)
            case FullDisk():
                raise _sqlite_error(sqlite3.SQLITE_FULL, "database or disk is full")
            case ReadOnlyDisk():
                raise _sqlite_error(sqlite3.SQLITE_READONLY, "attempt to write a readonly database")

    def time_of_day(self) -> datetime:
        """The time of day in UTC, wrong by the sum of the clock faults of this moment."""
        at_s = self.since_start()
        jumps = (each.by_s for each in self.faults if isinstance(each, WrongClock) and each.span.covers(at_s))
        off_s = max(-CENTURY_S, min(sum(jumps), CENTURY_S))
        return datetime.now(UTC) + timedelta(seconds=off_s)


def read_fault_plan(file: Path, plan: BoardPlan) -> FaultPlan:
    """Read a fault plan for the board `plan`. Raises FaultPlanError."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise FaultPlanError("a fault plan", str(fault), str(file), "name a text file that can be read") from fault
    try:
        return parse_fault_plan(text, plan)
    except PlanError as fault:
        fix = f"correct it; the kinds are {', '.join(KINDS)}"
        raise FaultPlanError(fault.expected, str(fault.got), f"{file}, {fault.where}", fix) from fault


def parse_fault_plan(text: str, plan: BoardPlan) -> FaultPlan:
    """The faults in the text of a plan. Raises PlanError with the place in the text, such as `fault[0].kind`."""
    reader = PlanReader.of_text(text)
    faults = tuple(_fault(table, plan) for table in reader.tables("fault"))
    reader.finish()
    return FaultPlan(faults)


def _fault(reader: PlanReader, plan: BoardPlan) -> PlannedFault:
    read = KINDS[reader.choice("kind", tuple(KINDS))]
    fault = read(reader, plan, _span(reader))
    reader.finish()
    return fault


def _span(reader: PlanReader) -> FaultWindow:
    return FaultWindow(reader.number("from_s", 0.0), _seconds(reader, "for_s", inf), _seconds(reader, "every_s", inf))


def _seconds(reader: PlanReader, key: str, default: float) -> float:
    if key not in reader.keys:
        return default
    found = reader.number(key)
    if found <= 0:
        raise PlanError(reader.path(key), "seconds above 0", found)
    return found


def _dead(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    return DeadHoles(span, _sensors(reader, plan))


def _stuck(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    return StuckHoles(span, _sensors(reader, plan))


def _magnet(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    """A magnet over one hole closes all holes within its reach."""
    (middle,) = _holes(reader.path("hole"), plan, (reader.text("hole"),))
    reach_mm = reader.number("reach_mm", MAGNET_REACH_MM)
    near = (each for each in plan.holes if hypot(each.x_mm - middle.x_mm, each.y_mm - middle.y_mm) <= reach_mm)
    return StuckHoles(span, frozenset(each.sensor for each in near))


def _random_of(window: FaultWindow) -> Random:
    """A generator seeded with the times of the fault: a plan gives the same faults in every run."""
    return Random(f"seed {window.from_s} {window.for_s} {window.every_s}")


def _bouncing(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    return BouncingHoles(span, reader.number("bounce_s", BOUNCE_S), _random_of(span))


def _swapped(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    strips = reader.integers("strips")
    if len(strips) != 2 or max(strips) > plan.strip_count:
        raise PlanError(reader.path("strips"), f"two strips from 1 to {plan.strip_count}", list(strips))
    return SwappedStrips(span, (strips[0] - 1, strips[1] - 1))


def _broken(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    strip = reader.integer("strip")
    if strip > plan.strip_count:
        raise PlanError(reader.path("strip"), f"a strip from 1 to {plan.strip_count}", strip)
    return BrokenChain(span, strip - 1)


def _dead_column(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    return _line_fault(reader, plan, span, "column", ErrorCode.COLUMN_CURRENT)


def _shorted_row(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    return _line_fault(reader, plan, span, "row", ErrorCode.ROW_SHORTED)


def _line_fault(reader: PlanReader, plan: BoardPlan, span: FaultWindow, key: str, code: ErrorCode) -> PlannedFault:
    """The fault of a line, counted from 1, as the sensing board of the plan reports it."""
    line = reader.integer(key)
    wiring = matrix_wiring(plan, plan)
    if wiring is None:
        raise PlanError(reader.path(key), "a board whose holes fit a sensing board", plan.id)
    lines = wiring.column_holes if code == ErrorCode.COLUMN_CURRENT else wiring.row_holes
    if line > len(lines):
        raise PlanError(reader.path(key), f"a {key} from 1 to {len(lines)}", line)
    return LineFault(span, wiring.line_fault(code, line - 1, 0))


def _noise(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    return SerialNoise(span, **{what: _share(reader, what) for what in NOISE}, random=_random_of(span))


def _share(reader: PlanReader, key: str) -> float:
    found = reader.number(key, NOISE[key])
    if not 0 <= found <= 1:
        raise PlanError(reader.path(key), "a share of the bytes, from 0 to 1", found)
    return found


def _slow_disk(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    by_s = _seconds(reader, "by_s", 2.0)
    if by_s > MAX_PAUSE_S:
        raise PlanError(reader.path("by_s"), f"{MAX_PAUSE_S:.0f} seconds at most", by_s)
    return SlowDisk(span, by_s)


def _stuck_key(reader: PlanReader, plan: BoardPlan, span: FaultWindow) -> PlannedFault:
    return StuckKey(span, reader.choice("key", LEGENDS))


KINDS: Mapping[str, Callable[[PlanReader, BoardPlan, FaultWindow], PlannedFault]] = {
    "dead_holes": _dead,
    "stuck_holes": _stuck,
    "magnet_near": _magnet,
    "bouncing_holes": _bouncing,
    "swapped_strips": _swapped,
    "broken_chain": _broken,
    "dead_column": _dead_column,
    "shorted_row": _shorted_row,
    "serial_noise": _noise,
    "pulled_cable": lambda reader, plan, span: PulledCable(span),
    "stuck_key": _stuck_key,
    "lost_oled": lambda reader, plan, span: LostScoreboard(span),
    "full_disk": lambda reader, plan, span: FullDisk(span),
    "read_only_disk": lambda reader, plan, span: ReadOnlyDisk(span),
    "slow_disk": _slow_disk,
    "wrong_clock": lambda reader, plan, span: WrongClock(span, reader.number("by_s")),
}
"""Kind of fault -> the function that reads the rest of its table."""


def _sensors(reader: PlanReader, plan: BoardPlan) -> frozenset[int]:
    return frozenset(hole.sensor for hole in _holes(reader.path("holes"), plan, reader.texts("holes")))


def _holes(where: str, plan: BoardPlan, names: Sequence[str]) -> list[PlannedHole]:
    try:
        return [plan.named(name) for name in names]
    except NoSuchHole as fault:
        raise PlanError(where, "a hole of this board", fault) from fault


def _sqlite_error(code: int, text: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error
