"""The pegs that the sensors see and the lights of the board, each by its sensor and by its score. Pure.

On a lapped board one hole stands for a score in each lap. The straightened lane of the page shows scores, so it needs
both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from firmware_host.board.course import START_HOLES, Course, Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.game.state import Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.shown import Shown
from web_panel.json_type import Json

USUAL_TARGET = 121
"""The target of the board that is shown before the first game, if the board allows it."""


def course_shown(plan: BoardPlan, table: Table | None) -> Course:
    """The course of the game, or that of a usual game before there is one."""
    target = USUAL_TARGET if USUAL_TARGET in plan.targets else plan.targets[0]
    return plan.course(table.rules.target if table else target)


def place_of(course: Course, hole: Hole, near: Iterable[int]) -> int | None:
    """The score that a hole stands for: of several laps the one nearest to one of the scores `near`.

    0 and -1 for the two start holes; None for a hole to which no score of the game leads.
    """
    if hole <= 0:
        return int(hole)
    scores = tuple(near)
    return min(course.scores_at(hole), key=lambda score: min(abs(score - each) for each in scores), default=None)


def pegs(snapshot: Snapshot) -> list[Json]:
    """The pegs that the sensors see: sensor, track, position (`front`, `back` or empty), and score (see `place_of`)."""
    course = course_shown(snapshot.plan, snapshot.table)
    found = list[Json]()
    for track, holes in enumerate(pegs_by_track(snapshot)):
        expected = expected_scores(snapshot, track)
        for hole in sorted(holes):
            position = position_of(course, hole, expected)
            score = place_of(course, hole, expected.backs if position == "back" else expected.fronts)
            sensor = snapshot.plan.at(track, hole).sensor
            found.append({"sensor": sensor, "track": track, "position": position, "score": score})
    return found


def pegs_by_track(snapshot: Snapshot) -> list[set[Hole]]:
    """The holes with pegs of each track. A peg in the shared game hole is seen in every track; the leader owns it."""
    seen = [set(holes) for holes in snapshot.occupied]
    game_hole = snapshot.plan.game_hole
    table = snapshot.table
    if snapshot.plan.shares_game_hole and any(game_hole in holes for holes in seen):
        fronts = [scores_as_seen(snapshot, side)[0] for side in range(len(table.sides))] if table else [0]
        leader = fronts.index(max(fronts))
        for track, holes in enumerate(seen):
            if track != leader:
                holes.discard(game_hole)
    return seen


class Expected(NamedTuple):
    """The scores at which the pegs of a track may stand: where they are, and on the way back where they shall be."""

    fronts: tuple[int, ...] = (0,)
    backs: tuple[int, ...] = (0,)


def expected_scores(snapshot: Snapshot, track: int) -> Expected:
    """Where the game has the pegs of a track, settled or not. Without a game both are at the start."""
    shown = snapshot.shown
    if shown is None or track >= sides_drawn(shown.table, snapshot.plan):
        return Expected()
    side = shown.sides[track]
    front, back = scores_as_seen(snapshot, track)
    goal = side.goal
    if goal.front < side.pegs.front:
        return Expected((front, goal.front), (goal.back, back))
    return Expected((front,), (back,))


def sides_drawn(table: Table, plan: BoardPlan) -> int:
    """How many sides have pegs in the drawing: those on the board. A game on people's own board has as many as the
    plan has tracks, where it is drawn to be looked at again."""
    return min(len(table.sides), plan.tracks) if table.is_by_hand else table.sides_on_board


def position_of(course: Course, hole: Hole, expected: Expected) -> str:
    """`front`, `back`, or empty for a peg that is not where the game has one."""
    fronts, backs = expected
    if fronts == (0,):
        return {START_HOLES[0]: "back", START_HOLES[1]: "front"}.get(hole, "")
    if any(hole == course.hole_of(front) for front in fronts):
        return "front"
    return "back" if any(hole == course.hole_of(back) for back in backs) or (0 in backs and hole in START_HOLES) else ""


def scores_as_seen(snapshot: Snapshot, side: int) -> tuple[int, int]:
    """The scores of the front and the back peg as seen, settled or not."""
    assert snapshot.shown is not None
    pegs = snapshot.shown.sides[side].pegs
    for leap in snapshot.pending:
        if leap.side == side:
            return leap.score, pegs.front if leap.back is None else leap.back
    return pegs.front, pegs.back


def lights(snapshot: Snapshot) -> list[Json]:
    """The lights of the board by sensor and by score, with the same signals as on the board."""
    course = course_shown(snapshot.plan, snapshot.table)
    return [
        {
            "sensor": snapshot.plan.at(shown.track, shown.hole).sensor,
            "track": shown.track,
            "signal": shown.signal.name.lower(),
            "score": place_of(course, shown.hole, scores_near(snapshot.shown, shown.track)),
        }
        for shown in snapshot.signals
    ]


def scores_near(shown: Shown | None, track: int) -> tuple[int, ...]:
    """The scores near which the lights of a track are: those of its pegs, now and after the next move."""
    if shown is None or track >= len(shown.sides):
        return (0,)
    goal = shown.sides[track].goal
    now = shown.sides[track].pegs
    return goal.front, goal.back, now.front, now.back
