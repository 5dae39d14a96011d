"""The lights of the board: which holes are lit, how they blink, and in which colour.

| signal      | light                                    | meaning                              |
|-------------|------------------------------------------|--------------------------------------|
| REST        | steady, dim                              | a peg belongs here                   |
| FROM and TO | slow blink, one lit as the other is dark | move the peg from here to there      |
| NEXT        | slow blink                               | do this next                         |
| WRONG       | fast blink                               | the peg here is wrong                |
| TEST        | steady                                   | the light test has come to this hole |

The board, the page and the documentation use the same signals. The colour only says which track it is: the meaning is
in the rhythm, so that people who are colour-blind can read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from msgspec import Struct

from firmware_host.board.course import START_HOLES, Course, Hole, TrackPegs
from firmware_host.board.plan import BoardPlan
from firmware_host.game.state import Phase
from firmware_host.tracking.readings import TrackFault
from firmware_host.tracking.way_back import WayBack
from firmware_host.ui.lights.colours import LightColours
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import Shown

Colour = tuple[int, int, int]
"""Red, green and blue, each 0 to 255."""
DARK: Colour = (0, 0, 0)
LIGHT_TEST_STEP_S = 0.1
"""How long the light test lights each hole."""


class Signal(Enum):
    """How a light behaves: (half a blink period in seconds, 0 for steady; brightness 0 to 1; whether it starts lit)."""

    REST = (0.0, 0.12, True)
    FROM = (0.5, 0.6, True)
    TO = (0.5, 1.0, False)
    NEXT = (0.5, 1.0, True)
    WRONG = (0.125, 1.0, True)
    TEST = (0.0, 1.0, True)
    """Used by the light test only."""

    def is_lit(self, at_s: float) -> bool:
        """Whether it is lit at a time of any clock; all lights blink in step with the same clock."""
        half_s, _, starts_lit = self.value
        return not half_s or (int(at_s / half_s) % 2 == 0) is starts_lit

    @property
    def brightness(self) -> float:
        """0 to 1."""
        return self.value[1]


class HoleSignal(Struct, frozen=True):
    """The signal at one hole."""

    track: int
    hole: Hole
    signal: Signal


class PendingLeap(Struct, frozen=True):
    """A leap that is seen but not yet settled: its light is on at once, its score waits until the pegs hold still."""

    side: int
    score: int
    points: int
    back: int | None = None
    """The score of the back peg; None: where the front peg was."""


def signals(
    game: Shown,
    course: Course,
    seen: Sequence[frozenset[Hole]],
    pending: Iterable[PendingLeap] = (),
    astray: Iterable[TrackFault] = (),
    referee_mode: RefereeMode = RefereeMode.TEACHER,
) -> tuple[HoleSignal, ...]:
    """The signals of a game, one for each hole: of several for the same hole, the most urgent one.

    `seen`: the occupied holes of each track. From least to most urgent: pegs at rest, points to move (unless the
    referee mode is silent), pending leaps, pegs astray.
    """
    shown = dict[tuple[int, Hole], HoleSignal]()
    for signal in (
        *rest_signals(game, course, seen),
        *(move_signals(game, course, seen) if referee_mode.lights_holes else ()),
        *pending_signals(course, pending),
        *astray_signals(astray, seen),
    ):
        shown[signal.track, signal.hole] = signal
    return tuple(shown.values())


def rest_signals(game: Shown, course: Course, seen: Sequence[frozenset[Hole]]) -> Iterator[HoleSignal]:
    """Where the pegs belong. The two start holes are equal: a back peg at the start may stand in either.

    On the way back a peg also belongs where it was put by then, and no longer where it came from.
    """
    for track, side in enumerate(game.sides[: game.table.sides_on_board]):
        pegs = side.pegs
        goal = side.goal
        holes = resting_holes(pegs, course, seen[track])
        if goal.front < pegs.front:
            ends = resting_holes(goal, course, seen[track])
            holes = holes & (seen[track] | ends) | ends & seen[track]
        for hole in holes:
            yield HoleSignal(track, hole, Signal.REST)


def resting_holes(pegs: TrackPegs, course: Course, seen: frozenset[Hole]) -> frozenset[Hole]:
    """The holes of the pegs; a peg at the start is in the one of the two equal holes in which it is seen."""
    return frozenset(as_seen(hole, seen) for hole in course.holes_of(pegs))


def as_seen(hole: Hole, seen: frozenset[Hole]) -> Hole:
    """The hole on the board. The tracker takes a single peg in the start holes to be in the forward one."""
    first, second = START_HOLES
    is_swapped = first in seen and second not in seen
    return {first: second, second: first}.get(hole, hole) if is_swapped else hole


def move_signals(game: Shown, course: Course, seen: Sequence[frozenset[Hole]]) -> Iterator[HoleSignal]:
    """For each side that owes a move: the peg to move next, as it is seen on the board, and where to.

    A peg that was moved without need is wrong where it stands; one that moves for points or a price is not.
    """
    if game.table.phase is Phase.OVER:
        return
    for track, side in enumerate(game.sides[: game.table.sides_on_board]):
        pegs = side.pegs
        goal = side.goal
        if goal == pegs:
            continue
        origin, end = next_step(pegs, goal, course, seen[track])
        if origin is not None:
            yield HoleSignal(track, origin, Signal.WRONG if side.is_astray else Signal.FROM)
        if end is not None:
            yield HoleSignal(track, end, Signal.TO)


def next_step(
    pegs: TrackPegs, goal: TrackPegs, course: Course, seen: frozenset[Hole]
) -> tuple[Hole | None, Hole | None]:
    """The hole of the peg to move next and where to, on the way from `pegs` to `goal`; None for a peg in a hand, or
    where nothing is left to move."""
    if goal.front < pegs.front:
        step = WayBack(course, pegs, goal).next_step(seen)
        return (step.origin, step.end) if step else (None, None)
    back, front = course.holes_of(pegs)
    origin = as_seen(back, seen) if goal.back == pegs.front else front
    return origin, course.hole_of(goal.front)


def pending_signals(course: Course, pending: Iterable[PendingLeap]) -> Iterator[HoleSignal]:
    """Where the front pegs of pending leaps stand."""
    for leap in pending:
        yield HoleSignal(leap.side, course.hole_of(leap.score), Signal.REST)


def astray_signals(astray: Iterable[TrackFault], seen: Sequence[frozenset[Hole]]) -> Iterator[HoleSignal]:
    """The holes that are wrong, and the holes where their pegs belong."""
    for pegs in astray:
        on_board = seen[pegs.track]
        yield from (HoleSignal(pegs.track, as_seen(hole, on_board), Signal.WRONG) for hole in pegs.holes)
        yield from (HoleSignal(pegs.track, as_seen(hole, on_board), Signal.TO) for hole in pegs.missing)


def light_test(plan: BoardPlan, for_s: float) -> tuple[HoleSignal, ...]:
    """The light test after `for_s` seconds: one hole after the other, in the order of play; empty when it is over."""
    order = sorted(plan.holes, key=lambda hole: (hole.track is None, hole.track, hole.hole))
    step = int(for_s / LIGHT_TEST_STEP_S)
    return tuple(HoleSignal(hole.track or 0, hole.hole, Signal.TEST) for hole in order[step : step + 1])


def light_frame(
    shown: Iterable[HoleSignal],
    plan: BoardPlan,
    at_s: float,
    brightness: float = 1.0,
    colours: LightColours = LightColours.BOARD,
) -> list[Colour]:
    """The colour of every light of the chain at a time. `brightness`: 0 to 1, a factor for all of them."""
    frame = [DARK] * plan.led_count
    for signal in shown:
        if signal.signal.is_lit(at_s):
            led = plan.at(signal.track, signal.hole).led
            colour = colours.of_track(signal.track, plan.track_info[signal.track].colour)
            frame[led] = dimmed(colour, brightness * signal.signal.brightness)
    return frame


def next_change_s(shown: Iterable[HoleSignal], at_s: float) -> float | None:
    """When a blink changes the frame next, on the same clock; None if nothing blinks."""
    halves = {signal.signal.value[0] for signal in shown} - {0.0}
    return min(((int(at_s / half) + 1) * half for half in halves), default=None)


def dimmed(css: str, brightness: float) -> Colour:
    """A CSS colour `#rrggbb` at a brightness of 0 to 1."""
    red, green, blue = (round(part * brightness) for part in bytes.fromhex(css.removeprefix("#")))
    return red, green, blue
