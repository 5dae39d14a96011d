"""Games by simulated hands, harsher than people: nearly no turn may be read wrong, and then only where nobody could."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from statistics import median

import pytest

from board_drivers.hands import EVERYDAY, TIDY, UNTIDY
from board_drivers.recorded_game import Wood, trace_lines
from firmware_host.board.course import Course
from firmware_host.cli.trace import Trace
from tests.board.judge import COURSES, Verdict, judge, play, read

HARSH = replace(
    UNTIDY, counts=0.6, errs=0.35, hesitates=0.15, slides=0.15, jostles=0.5, fingers=0.15, wipes=0.12, at_once=0.4
)
STYLES = (TIDY, EVERYDAY, UNTIDY, HARSH)
SWITCHES = ((0.0, 0.0), (0.0, 0.6), (0.05, 0.0))
"""Period in seconds and share of bouncing changes: ideal, bouncing, and sampled 20 times a second."""


def wear(random: Random, course: Course, tracks: int, kind: str) -> Wood:
    """Up to four dead holes a track, or one that sticks within the first minute."""
    period_s, chatters = random.choice(SWITCHES)
    holes = range(1, min(course.lap, course.target))
    if kind == "dead":
        dead = [frozenset(random.sample(holes, random.randint(1, 4))) for _ in range(tracks)]
        return Wood(period_s, chatters, dead=dead)
    if kind == "stuck":
        return Wood(period_s, chatters, stuck=[{random.choice(holes): random.uniform(1, 60)} for _ in range(tracks)])
    return Wood(period_s, chatters)


def verdicts(games: int, kind: str) -> Iterator[Verdict]:
    for seed in range(games):
        random = Random(seed)
        course, tracks, style = random.choice(COURSES), random.choice((2, 2, 3, 4)), random.choice(STYLES)
        game = play(seed, course, tracks, style, wear(random, course, tracks, kind))
        yield judge(list(read(course, tracks, game.frames)), game.meant)


def total(games: int, kind: str) -> Verdict:
    sums = Verdict(0, [], [])
    for verdict in verdicts(games, kind):
        sums = sums.plus(verdict)
    print(f"{kind}: {sums.turns} turns, {len(sums.wrong)} wrong, median {median(sums.latencies_s):.3f} s")
    return sums


def test_sound_boards_are_read_without_a_wrong_turn() -> None:
    verdict = total(25, "sound")
    assert verdict.turns > 500
    assert not verdict.wrong
    assert median(verdict.latencies_s) <= 0.35


def test_dead_holes_cost_the_turns_that_end_in_them_and_hardly_another() -> None:
    verdict = total(15, "dead")
    assert len(verdict.wrong) <= verdict.turns // 500


def test_stuck_holes_cost_hardly_a_turn() -> None:
    verdict = total(15, "stuck")
    assert len(verdict.wrong) <= verdict.turns // 150


@pytest.mark.slow
def test_forty_thousand_turns_on_sound_boards() -> None:
    assert not total(1600, "sound").wrong


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "share"), [("dead", 0.003), ("stuck", 0.005)])
def test_ten_thousand_turns_on_worn_boards(kind: str, share: float) -> None:
    """Some turns nobody could tell without knowing what was owed: a hole sticks just as a peg is set down elsewhere, or
    a leap out of a dead hole ends exactly where a peg had been a lap ago, and the lap is lost for a while.
    """
    verdict = total(400, kind)
    assert len(verdict.wrong) <= share * verdict.turns


@pytest.mark.parametrize("course", COURSES, ids=str)
def test_a_played_game_survives_being_written_down(course: Course) -> None:
    board = "continuous-121" if course.lap == 120 else "classic-61"
    game = play(1, course, 2, UNTIDY)
    lines = [line.encode() for line in trace_lines(game, board, course.target)]
    trace = Trace(lines)
    assert trace.header.course == course
    assert [tuple(map(frozenset, frame.holes)) for frame in trace] == [frame.holes for frame in game.frames]
