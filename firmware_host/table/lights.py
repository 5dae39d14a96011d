"""What the lights say. One grammar on the board, on the phone and in the docs:

steady = a peg belongs here; slow blink = do this next; a from/to pair = move this peg there; fast blink = wrong.
Colour tells the track, never the meaning: the meaning is in the rhythm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from firmware_host.board.course import Course, Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.readings import PegsAstray
from firmware_host.table.manner import Manner
from firmware_host.table.state import Phase, Table

Colour = tuple[int, int, int]
DARK: Colour = (0, 0, 0)
WALK_STEP_S = 0.1
"""How long each hole is lit while the lights are looked at."""


class Signal(Enum):
    """(half a blink in seconds or 0 for steady, brightness 0 to 1, whether it starts lit)."""

    REST = (0.0, 0.12, True)
    FROM = (0.5, 0.6, True)
    TO = (0.5, 1.0, False)
    NEXT = (0.5, 1.0, True)
    WRONG = (0.125, 1.0, True)
    TEST = (0.0, 1.0, True)
    """Outside the game: this hole's light is being looked at."""

    def is_lit(self, at_s: float) -> bool:
        half_s, _, starts_lit = self.value
        return not half_s or (int(at_s / half_s) % 2 == 0) is starts_lit

    @property
    def brightness(self) -> float:
        return self.value[1]


@dataclass(frozen=True, slots=True)
class HoleSignal:
    track: int
    hole: Hole
    signal: Signal


@dataclass(frozen=True, slots=True)
class Leap:
    """A leap that was seen and has not yet held still: the light answers at once, the score waits."""

    side: int
    score: int
    points: int


def signals(
    table: Table,
    course: Course,
    seen: Sequence[frozenset[Hole]],
    pending: Iterable[Leap] = (),
    astray: Iterable[PegsAstray] = (),
    manner: Manner = Manner.TEACHER,
) -> tuple[HoleSignal, ...]:
    """One signal a hole; where two would meet, the more urgent one."""
    shown: dict[tuple[int, Hole], HoleSignal] = {}
    for signal in (
        *at_rest(table, course, seen),
        *(to_move(table, course) if manner.lights_holes else ()),
        *answering(table, course, pending),
        *leading_back(astray),
    ):
        shown[signal.track, signal.hole] = signal
    return tuple(shown.values())


def at_rest(table: Table, course: Course, seen: Sequence[frozenset[Hole]]) -> Iterator[HoleSignal]:
    """Where the pegs belong. The start holes are alike: the one that has the peg is the one that should."""
    for track in range(table.sides_on_board):
        pegs = table.pegs[track]
        holes = {course.hole_of(pegs.front), course.hole_of(pegs.back)}
        if pegs.front == 0:
            holes = {Hole(-1), Hole(0)}
        elif pegs.back == 0 and Hole(0) not in seen[track] and Hole(-1) in seen[track]:
            holes = {course.hole_of(pegs.front), Hole(-1)}
        for hole in holes:
            yield HoleSignal(track, hole, Signal.REST)


def to_move(table: Table, course: Course) -> Iterator[HoleSignal]:
    """The pairs of holes between which points that are owed, or taken too many, are to be moved."""
    if table.phase is Phase.OVER:
        return
    for track in range(table.sides_on_board):
        owed, pegs = table.owed[track], table.pegs[track]
        if owed:
            moving = pegs.back if owed > 0 else pegs.front
            yield HoleSignal(track, course.hole_of(moving), Signal.FROM if owed > 0 else Signal.WRONG)
            yield HoleSignal(track, course.hole_of(table.rightful[track]), Signal.TO)


def answering(table: Table, course: Course, pending: Iterable[Leap]) -> Iterator[HoleSignal]:
    for leap in pending:
        yield HoleSignal(leap.side, course.hole_of(leap.score), Signal.REST)


def leading_back(astray: Iterable[PegsAstray]) -> Iterator[HoleSignal]:
    for odd in astray:
        yield from (HoleSignal(odd.track, hole, Signal.WRONG) for hole in odd.holes)
        yield from (HoleSignal(odd.track, hole, Signal.TO) for hole in odd.way_back)


def walk(plan: BoardPlan, for_s: float) -> tuple[HoleSignal, ...]:
    """The light that has wandered through the holes for so long, one at a time, in the order of play; empty: it is
    through."""
    way = sorted(plan.holes, key=lambda hole: (hole.track is None, hole.track, hole.hole))
    at = int(for_s / WALK_STEP_S)
    return tuple(HoleSignal(hole.track or 0, hole.hole, Signal.TEST) for hole in way[at : at + 1])


def light_frame(shown: Iterable[HoleSignal], plan: BoardPlan, at_s: float, share: float = 1.0) -> list[Colour]:
    """The colour of every light of the chain at this moment; `share` of their usual brightness."""
    frame = [DARK] * plan.led_count
    for signal in shown:
        if signal.signal.is_lit(at_s):
            led = plan.at(signal.track, signal.hole).led
            frame[led] = dimmed(plan.inlays[signal.track].colour, share * signal.signal.brightness)
    return frame


def next_change_s(shown: Iterable[HoleSignal], at_s: float) -> float | None:
    """When the frame changes by itself, for it blinks; None: never."""
    halves = {signal.signal.value[0] for signal in shown} - {0.0}
    return min(((int(at_s / half) + 1) * half for half in halves), default=None)


def dimmed(css: str, brightness: float) -> Colour:
    """A colour written #rrggbb, less bright."""
    red, green, blue = (round(part * brightness) for part in bytes.fromhex(css.removeprefix("#")))
    return red, green, blue
