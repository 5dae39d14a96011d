"""Games of simulated hands, harsher than people. On sound boards no turn may be read wrong, on worn ones hardly any."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median

import pytest
from msgspec.structs import replace

from board_drivers.simulated_hands import EVERYDAY, TIDY, UNTIDY
from firmware_host.board.course import Course
from firmware_host.cli.trace import Trace
from tests.tracking.recorded_game import SwitchSettings, trace_lines
from tests.tracking.trace_check import COURSES, TraceResult, check_trace, replay, simulate_game

HARSH = replace(
    UNTIDY, taps=0.6, misplaces=0.35, hesitates=0.15, slides=0.15, jostles=0.5, reseats=0.15, wipes=0.12, overlaps=0.4
)
STYLES = (TIDY, EVERYDAY, UNTIDY, HARSH)
SWITCHES = ((0.0, 0.0), (0.0, 0.6), (0.05, 0.0))
"""Period in seconds and share of bouncing changes: ideal, bouncing, and sampled 20 times a second."""


def wear(random: Random, course: Course, tracks: int, kind: str) -> SwitchSettings:
    """Up to four dead holes a track, or one that gets stuck within the first minute."""
    period_s, bounce_share = random.choice(SWITCHES)
    holes = range(1, min(course.lap, course.target))
    if kind == "dead":
        dead = [frozenset(random.sample(holes, random.randint(1, 4))) for _ in range(tracks)]
        return SwitchSettings(period_s, bounce_share, dead=dead)
    if kind == "stuck":
        return SwitchSettings(
            period_s, bounce_share, stuck=[{random.choice(holes): random.uniform(1, 60)} for _ in range(tracks)]
        )
    return SwitchSettings(period_s, bounce_share)


def results(games: int, kind: str) -> Iterator[TraceResult]:
    for seed in range(games):
        random = Random(seed)
        course, tracks, style = random.choice(COURSES), random.choice((2, 2, 3, 4)), random.choice(STYLES)
        game = simulate_game(seed, course, tracks, style, wear(random, course, tracks, kind))
        yield check_trace(list(replay(course, tracks, game.frames)), game.intended)


def total(games: int, kind: str) -> TraceResult:
    sums = TraceResult(0, [], [])
    for result in results(games, kind):
        sums = sums.plus(result)
    print(f"{kind}: {sums.turns} turns, {len(sums.wrong)} wrong, median {median(sums.latencies_s):.3f} s")
    return sums


def test_sound_boards_are_read_without_a_wrong_turn() -> None:
    result = total(25, "sound")
    assert result.turns > 500
    assert not result.wrong
    assert median(result.latencies_s) <= 0.35


def test_dead_holes_hardly_cost_turns_that_end_elsewhere() -> None:
    result = total(15, "dead")
    assert len(result.wrong) <= result.turns // 500


def test_stuck_holes_hardly_cost_a_turn() -> None:
    result = total(15, "stuck")
    assert len(result.wrong) <= result.turns // 150


@pytest.mark.slow
def test_forty_thousand_turns_on_sound_boards() -> None:
    assert not total(1600, "sound").wrong


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "share"), [("dead", 0.003), ("stuck", 0.005)])
def test_ten_thousand_turns_on_worn_boards(kind: str, share: float) -> None:
    """Some turns cannot be read without knowing what was owed: a hole gets stuck just as a peg is set down elsewhere,
    or a leap out of a dead hole ends exactly where a peg was a lap ago, and the lap is lost for a while.
    """
    result = total(400, kind)
    assert len(result.wrong) <= share * result.turns


@pytest.mark.parametrize("course", COURSES, ids=str)
def test_a_written_trace_reads_back_as_the_same_game(course: Course) -> None:
    board = "continuous-121" if course.lap == 120 else "classic-61"
    game = simulate_game(1, course, 2, UNTIDY)
    lines = [line.encode() for line in trace_lines(game, board, course.target)]
    trace = Trace(lines)
    assert trace.header.course == course
    assert [tuple(map(frozenset, frame.holes)) for frame in trace] == [frame.holes for frame in game.frames]
