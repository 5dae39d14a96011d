"""Compares what the peg tracker reports of a game with what the players meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from board_drivers.simulated_hands import Style
from firmware_host.board.course import AT_START, Course, Hole
from firmware_host.tracking.peg_tracker import PegTracker
from firmware_host.tracking.readings import PegAdjusted, PegLeapt, Reading
from tests.tracking.recorded_game import Frame, IntendedTurn, RecordedGame, SwitchSettings, record_game

TimedReading = tuple[float, Reading]
"""When a reading was reported, in seconds, and the reading."""

COURSES = (
    Course(120, 121, 121),
    Course(120, 61, 61, shares_game_hole=False),
    Course(60, 61, 61),
    Course(60, 61, 121),
    Course(60, 61, 181),
)
"""The courses of all boards and targets."""


class TraceResult(NamedTuple):
    """`wrong`: the turns whose score was not the last one reported before the next lift of that track.

    `latencies_s`: from the seated peg to the first report of the right score, one for each other turn.
    """

    turns: int
    wrong: list[IntendedTurn]
    latencies_s: list[float]

    def plus(self, other: TraceResult) -> TraceResult:
        """Both results together."""
        wrong, latencies_s = [*self.wrong, *other.wrong], [*self.latencies_s, *other.latencies_s]
        return TraceResult(self.turns + other.turns, wrong, latencies_s)


def route_of(course: Course) -> list[int]:
    """The hole of every score from 0 on. A board of 121 holes goes on after a target of 61: hands may err there."""
    beyond = range(course.target + 1, course.target + 9) if course.target < course.lap else range(0)
    return [*(int(course.hole_of(score)) for score in range(course.target + 1)), *beyond]


def simulate_game(
    seed: int, course: Course, tracks: int, style: Style, wood: SwitchSettings | None = None
) -> RecordedGame:
    """A whole game of simulated hands on this course; the same seed gives the same game."""
    return record_game(seed, route_of(course), course.target, tracks, style, wood)


def replay(course: Course, tracks: int, frames: Iterable[Frame]) -> Iterator[TimedReading]:
    """The readings of a game, each at the time of its deadline."""
    tracker = PegTracker(course, [AT_START] * tracks)
    for frame in frames:
        yield from readings_due(tracker, frame.at_s)
        holes = [frozenset(map(Hole, track)) for track in frame.holes]
        yield from ((frame.at_s, reading) for reading in tracker.update(holes, frame.at_s))
    yield from readings_due(tracker, float("inf"))


def readings_due(tracker: PegTracker, until_s: float) -> Iterator[TimedReading]:
    """The readings that fall due up to `until_s`."""
    while (due_s := tracker.deadline_s) is not None and due_s <= until_s:
        for reading in tracker.tick(due_s):
            yield due_s, reading


def check_trace(readings: Sequence[TimedReading], intended: Sequence[IntendedTurn]) -> TraceResult:
    """Compares the readings of a game with its turns; turns that ended in a dead hole are left out."""
    result = TraceResult(0, [], [])
    for track in {turn.track for turn in intended}:
        scores = [(at_s, move.score) for at_s, move in moves_in(readings) if move.track == track]
        turns = [turn for turn in intended if turn.track == track]
        next_lifts = [turn.lifted_s for turn in turns[1:]]
        result = result.plus(_check_track(scores, list(zip(turns, [*next_lifts, float("inf")], strict=True))))
    return result


def moves_in(readings: Iterable[TimedReading]) -> list[tuple[float, PegLeapt | PegAdjusted]]:
    """The moves among the readings."""
    return [(at_s, reading) for at_s, reading in readings if isinstance(reading, PegLeapt | PegAdjusted)]


def _check_track(scores: Sequence[tuple[float, int]], turns: Sequence[tuple[IntendedTurn, float]]) -> TraceResult:
    wrong, latencies_s = list[IntendedTurn](), list[float]()
    visible = [(turn, next_lift_s) for turn, next_lift_s in turns if not turn.is_unseen]
    for turn, next_lift_s in visible:
        readings = [(at_s, score) for at_s, score in scores if at_s < next_lift_s]
        if not readings or readings[-1][1] != turn.score:
            wrong.append(turn)
            continue
        first_s = (at_s for at_s, score in readings if score == turn.score and at_s >= turn.lifted_s)
        latencies_s += [at_s - turn.seated_s for at_s in first_s][:1]
    return TraceResult(len(visible), wrong, latencies_s)
