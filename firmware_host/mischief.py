"""A plan of what shall go wrong: TOML, one table a trouble. For trying out how a board takes it, and for tests.
The kinds and what they take are in README.md.

[[trouble]]
kind = "dead_holes"
holes = ["red 37"]
from_s = 60                  # seconds from the start; 0 if silent
for_s = 20                   # for ever if silent
every_s = 120                # again and again; once if silent
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain
from math import hypot, inf
from pathlib import Path
from random import Random
from time import monotonic, sleep

from board_drivers.misbehaving import (
    BoardTrouble,
    BouncingHoles,
    BrokenChain,
    DeadHoles,
    LostScoreboard,
    StuckHoles,
    StuckKey,
    SwappedStrips,
    WireTrouble,
)
from board_drivers.misbehaving_cable import CableTrouble, PulledCable, SerialNoise
from board_drivers.ports import KEY_ROWS
from board_drivers.span import Span
from firmware_host.board.facts import Facts, PlanError
from firmware_host.board.plan import BoardPlan, NoSuchHole, PlannedHole
from firmware_host.faults import HostFault

MAGNET_REACH_MM = 45.0
"""How far a loudspeaker's magnet on the board reaches, if the plan does not say."""
BOUNCE_S = 0.06
NOISE = {"flipped": 0.01, "lost": 0.002, "extra": 0.002}
"""Shares of the bytes on a noisy cable, if the plan does not say: every third snapshot is spoiled."""
LONGEST_PAUSE_S = 3600.0
CENTURY_S = 36525 * 86400.0
"""No clock is more wrong than that; far beyond there are no dates."""
LEGENDS = tuple(key.legend for key in chain.from_iterable(KEY_ROWS))


class MischiefFault(HostFault):
    """A plan of troubles cannot be read, or asks for what this board has not got."""


@dataclass(frozen=True, slots=True)
class FullDisk:
    """Nothing can be written: no room."""

    span: Span


@dataclass(frozen=True, slots=True)
class ReadOnlyDisk:
    """Nothing can be written: the system found the card damaged, and mounted it to read."""

    span: Span


@dataclass(frozen=True, slots=True)
class SlowDisk:
    """Every turn takes so much longer to be durable."""

    span: Span
    by_s: float


@dataclass(frozen=True, slots=True)
class WrongClock:
    """The time of day is off: a Pi has no clock of its own, and is told the time some while after the start."""

    span: Span
    by_s: float


DiskTrouble = FullDisk | ReadOnlyDisk | SlowDisk
Trouble = BoardTrouble | DiskTrouble | WrongClock


def since_now() -> Callable[[], float]:
    """A clock that begins at 0."""
    start_s = monotonic()
    return lambda: monotonic() - start_s


@dataclass(frozen=True, slots=True)
class Mischief:
    """Everything that shall go wrong, in seconds of the clock `since_start`."""

    troubles: tuple[Trouble, ...] = ()
    since_start: Callable[[], float] = field(default_factory=since_now)
    pause: Callable[[float], None] = sleep

    @property
    def on_board(self) -> tuple[BoardTrouble, ...]:
        return tuple(trouble for trouble in self.troubles if isinstance(trouble, BoardTrouble))

    @property
    def on_wire(self) -> tuple[WireTrouble, ...]:
        return tuple(trouble for trouble in self.troubles if isinstance(trouble, WireTrouble))

    @property
    def on_cable(self) -> tuple[CableTrouble, ...]:
        return tuple(trouble for trouble in self.troubles if isinstance(trouble, CableTrouble))

    @property
    def on_disk(self) -> tuple[DiskTrouble, ...]:
        return tuple(trouble for trouble in self.troubles if isinstance(trouble, DiskTrouble))

    def trouble_disk(self) -> None:
        """Wait as long as a slow disk takes. Raises what SQLite says of a full one, or one that cannot be written."""
        for trouble in self.on_disk:
            if trouble.span.covers(self.since_start()):
                self._suffer(trouble)

    def _suffer(self, trouble: DiskTrouble) -> None:
        match trouble:
            case SlowDisk(by_s=by_s):
                self.pause(by_s)
            case FullDisk():
                raise _said_by_sqlite(sqlite3.SQLITE_FULL, "database or disk is full")
            case ReadOnlyDisk():
                raise _said_by_sqlite(sqlite3.SQLITE_READONLY, "attempt to write a readonly database")

    def time_of_day(self) -> datetime:
        """What the clock on the wall is thought to say."""
        at_s = self.since_start()
        jumps = (each.by_s for each in self.troubles if isinstance(each, WrongClock) and each.span.covers(at_s))
        off_s = max(-CENTURY_S, min(sum(jumps), CENTURY_S))
        return datetime.now(UTC) + timedelta(seconds=off_s)


def read_mischief(file: Path, plan: BoardPlan) -> Mischief:
    """The plan in this file, for this board. Raises MischiefFault."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise MischiefFault("a plan of troubles", str(fault), str(file), "name a text file that can be read") from fault
    try:
        return parse_mischief(text, plan)
    except PlanError as fault:
        mend = f"correct it; the kinds are {', '.join(KINDS)}"
        raise MischiefFault(fault.expected, str(fault.got), f"{file}, {fault.where}", mend) from fault


def parse_mischief(text: str, plan: BoardPlan) -> Mischief:
    """Raises PlanError with the place in the text."""
    facts = Facts.of_text(text)
    troubles = tuple(_trouble(table, plan) for table in facts.tables("trouble"))
    facts.finish()
    return Mischief(troubles)


def _trouble(facts: Facts, plan: BoardPlan) -> Trouble:
    read = KINDS[facts.choice("kind", tuple(KINDS))]
    trouble = read(facts, plan, _span(facts))
    facts.finish()
    return trouble


def _span(facts: Facts) -> Span:
    return Span(facts.number("from_s", 0.0), _seconds(facts, "for_s", inf), _seconds(facts, "every_s", inf))


def _seconds(facts: Facts, key: str, default: float) -> float:
    if key not in facts.keys:
        return default
    found = facts.number(key)
    if found <= 0:
        raise PlanError(facts.path(key), "seconds above 0", found)
    return found


def _dead(facts: Facts, plan: BoardPlan, span: Span) -> Trouble:
    return DeadHoles(span, _sensors(facts, plan))


def _stuck(facts: Facts, plan: BoardPlan, span: Span) -> Trouble:
    return StuckHoles(span, _sensors(facts, plan))


def _magnet(facts: Facts, plan: BoardPlan, span: Span) -> Trouble:
    """All holes around one."""
    (middle,) = _holes(facts.path("hole"), plan, (facts.text("hole"),))
    reach_mm = facts.number("reach_mm", MAGNET_REACH_MM)
    near = (each for each in plan.holes if hypot(each.x_mm - middle.x_mm, each.y_mm - middle.y_mm) <= reach_mm)
    return StuckHoles(span, frozenset(each.sensor for each in near))


def _bouncing(facts: Facts, plan: BoardPlan, span: Span) -> Trouble:
    return BouncingHoles(span, facts.number("bounce_s", BOUNCE_S), Random(str(span)))


def _swapped(facts: Facts, plan: BoardPlan, span: Span) -> Trouble:
    strips = facts.wholes("strips")
    if len(strips) != 2 or max(strips) > plan.strip_count:
        raise PlanError(facts.path("strips"), f"two strips from 1 to {plan.strip_count}", list(strips))
    return SwappedStrips(span, (strips[0] - 1, strips[1] - 1))


def _broken(facts: Facts, plan: BoardPlan, span: Span) -> Trouble:
    strip = facts.whole("strip")
    if strip > plan.strip_count:
        raise PlanError(facts.path("strip"), f"a strip from 1 to {plan.strip_count}", strip)
    return BrokenChain(span, strip - 1)


def _noise(facts: Facts, plan: BoardPlan, span: Span) -> Trouble:
    return SerialNoise(span, **{what: _share(facts, what) for what in NOISE}, random=Random(str(span)))


def _share(facts: Facts, key: str) -> float:
    found = facts.number(key, NOISE[key])
    if not 0 <= found <= 1:
        raise PlanError(facts.path(key), "a share of the bytes, from 0 to 1", found)
    return found


def _slow_disk(facts: Facts, plan: BoardPlan, span: Span) -> Trouble:
    by_s = _seconds(facts, "by_s", 2.0)
    if by_s > LONGEST_PAUSE_S:
        raise PlanError(facts.path("by_s"), f"{LONGEST_PAUSE_S:.0f} seconds at most", by_s)
    return SlowDisk(span, by_s)


def _stuck_key(facts: Facts, plan: BoardPlan, span: Span) -> Trouble:
    return StuckKey(span, facts.choice("key", LEGENDS))


KINDS: Mapping[str, Callable[[Facts, BoardPlan, Span], Trouble]] = {
    "dead_holes": _dead,
    "stuck_holes": _stuck,
    "magnet_near": _magnet,
    "bouncing_holes": _bouncing,
    "swapped_strips": _swapped,
    "broken_chain": _broken,
    "serial_noise": _noise,
    "pulled_cable": lambda facts, plan, span: PulledCable(span),
    "stuck_key": _stuck_key,
    "lost_oled": lambda facts, plan, span: LostScoreboard(span),
    "full_disk": lambda facts, plan, span: FullDisk(span),
    "read_only_disk": lambda facts, plan, span: ReadOnlyDisk(span),
    "slow_disk": _slow_disk,
    "wrong_clock": lambda facts, plan, span: WrongClock(span, facts.number("by_s")),
}
"""kind -> what reads the rest of its table."""


def _sensors(facts: Facts, plan: BoardPlan) -> frozenset[int]:
    return frozenset(hole.sensor for hole in _holes(facts.path("holes"), plan, facts.texts("holes")))


def _holes(where: str, plan: BoardPlan, names: Sequence[str]) -> list[PlannedHole]:
    try:
        return [plan.named(name) for name in names]
    except NoSuchHole as fault:
        raise PlanError(where, "a hole of this board", fault) from fault


def _said_by_sqlite(code: int, words: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(words)
    error.sqlite_errorcode = code
    return error
