"""Properties of the peg tracker that hold whatever hands and switches do."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from board_drivers.simulated_hands import UNTIDY
from firmware_host.board.course import AT_START, Course, Hole, TrackPegs
from firmware_host.tracking.peg_tracker import PegTracker
from firmware_host.tracking.readings import PegAdjusted, PegLeapt, Reading
from tests.tracking.trace_check import COURSES, moves_in, readings_due, replay, simulate_game

BACK, FRONT = 12, 18
PEGS = [TrackPegs(BACK, FRONT), AT_START]
START = frozenset({Hole(-1), Hole(0)})
DURATIONS_S = st.floats(0.035, 3.0)
PLACES = st.lists(st.tuples(st.integers(1, 29), DURATIONS_S, DURATIONS_S), max_size=8)
"""Where a peg is set down (points from the front peg), for how long, and how long until the next place."""


def settled_tracker() -> PegTracker:
    tracker = PegTracker(COURSES[0], PEGS)
    tracker.update([frozenset({Hole(BACK), Hole(FRONT)}), START], 0.0)
    return tracker


def frame(tracker: PegTracker, at_s: float, *holes: int) -> list[Reading]:
    return [
        *(reading for _, reading in readings_due(tracker, at_s)),
        *tracker.update([frozenset(map(Hole, holes)), START], at_s),
    ]


def points_in(readings: list[Reading]) -> int:
    return sum(reading.points for reading in readings if isinstance(reading, PegLeapt | PegAdjusted))


@given(PLACES, st.integers(1, 29))
def test_a_leap_is_read_wherever_the_back_peg_rests_on_its_way(
    places: list[tuple[int, float, float]], last: int
) -> None:
    tracker, at_s = settled_tracker(), 10.0
    readings = frame(tracker, at_s, FRONT)
    for points, rest_s, pause_s in places:
        readings += frame(tracker, at_s := at_s + pause_s, FRONT, FRONT + points)
        readings += frame(tracker, at_s := at_s + rest_s, FRONT)
    readings += frame(tracker, at_s + 0.5, FRONT, FRONT + last)
    readings += frame(tracker, at_s + 9, FRONT, FRONT + last)
    assert tracker.pegs[0] == TrackPegs(FRONT, FRONT + last)
    assert points_in(readings) == last


@given(st.permutations([BACK, FRONT]), st.permutations([BACK, FRONT]), DURATIONS_S, DURATIONS_S, DURATIONS_S)
def test_pegs_taken_out_and_put_back_in_any_order_score_nothing(
    out: list[int], back: list[int], first_s: float, away_s: float, last_s: float
) -> None:
    tracker = settled_tracker()
    readings = frame(tracker, 10.0, out[1])
    readings += frame(tracker, 10.0 + first_s)
    readings += frame(tracker, 10.0 + first_s + away_s, back[0])
    readings += frame(tracker, 10.0 + first_s + away_s + last_s, BACK, FRONT)
    readings += frame(tracker, 60.0, BACK, FRONT)
    assert points_in(readings) == 0
    assert tracker.pegs[0] == PEGS[0]


@given(st.floats(0.0, 0.05), st.booleans(), st.integers(1, 29))
def test_two_sensors_may_show_one_leap_in_either_order_and_apart(
    apart_s: float, is_full_first: bool, points: int
) -> None:
    tracker, landed = settled_tracker(), FRONT + points
    readings = frame(tracker, 10.0, *((BACK, FRONT, landed) if is_full_first else (FRONT,)))
    readings += frame(tracker, 10.0 + apart_s, FRONT, landed)
    readings += frame(tracker, 12.0, FRONT, landed)
    assert readings == [PegLeapt(0, landed, points)]


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from(COURSES))
def test_extra_ticks_make_no_difference(seed: int, course: Course) -> None:
    frames, random = simulate_game(seed, course, 2, UNTIDY).frames[:150], Random(seed)
    often, seldom = PegTracker(course, [AT_START] * 2), PegTracker(course, [AT_START] * 2)
    readings_often, readings_seldom = list[Reading](), list[Reading]()
    last_s = 0.0
    for frame in frames:
        for at_s in sorted(random.uniform(last_s, frame.at_s) for _ in range(3)):
            readings_often += often.tick(at_s)
        holes = [frozenset(map(Hole, track)) for track in frame.holes]
        readings_often += often.update(holes, frame.at_s)
        readings_seldom += seldom.update(holes, frame.at_s)
        last_s = frame.at_s
    assert readings_often == readings_seldom


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from(COURSES))
def test_all_reported_points_add_up_to_the_score(seed: int, course: Course) -> None:
    score = [0, 0]
    for _, move in moves_in(replay(course, 2, simulate_game(seed, course, 2, UNTIDY).frames)):
        score[move.track] += move.points
        assert score[move.track] == move.score
