"""Whatever hands and switches do, what must hold."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from board_drivers.hands import UNTIDY
from firmware_host.board.course import Course, Hole, TrackPegs
from firmware_host.board.pegs import PegReader
from firmware_host.board.readings import PegAdjusted, PegLeapt, Reading
from tests.board.judge import COURSES, due, moves_in, play, read

BACK, FRONT = 12, 18
PEGS = [TrackPegs(BACK, FRONT), TrackPegs()]
START = frozenset({Hole(-1), Hole(0)})
SPANS_S = st.floats(0.035, 3.0)
PLACES = st.lists(st.tuples(st.integers(1, 29), SPANS_S, SPANS_S), max_size=8)
"""Where a peg is set down, in points from the front peg, for how long, and how long till the next place."""


def settled_reader() -> PegReader:
    reader = PegReader(COURSES[0], PEGS)
    reader.see([frozenset({Hole(BACK), Hole(FRONT)}), START], 0.0)
    return reader


def move(reader: PegReader, at_s: float, *holes: int) -> list[Reading]:
    return [*(told for _, told in due(reader, at_s)), *reader.see([frozenset(map(Hole, holes)), START], at_s)]


def points_in(readings: list[Reading]) -> int:
    return sum(told.points for told in readings if isinstance(told, PegLeapt | PegAdjusted))


@given(PLACES, st.integers(1, 29))
def test_wherever_the_back_peg_rests_on_its_way_the_end_is_read(
    places: list[tuple[int, float, float]], last: int
) -> None:
    reader, at_s = settled_reader(), 10.0
    told = move(reader, at_s, FRONT)
    for points, rest_s, pause_s in places:
        told += move(reader, at_s := at_s + pause_s, FRONT, FRONT + points)
        told += move(reader, at_s := at_s + rest_s, FRONT)
    told += move(reader, at_s + 0.5, FRONT, FRONT + last)
    told += move(reader, at_s + 9, FRONT, FRONT + last)
    assert reader.pegs[0] == TrackPegs(FRONT, FRONT + last)
    assert points_in(told) == last


@given(st.permutations([BACK, FRONT]), st.permutations([BACK, FRONT]), SPANS_S, SPANS_S, SPANS_S)
def test_pegs_taken_out_and_put_back_in_any_order_score_nothing(
    out: list[int], back: list[int], first_s: float, away_s: float, last_s: float
) -> None:
    reader = settled_reader()
    told = move(reader, 10.0, out[1])
    told += move(reader, 10.0 + first_s)
    told += move(reader, 10.0 + first_s + away_s, back[0])
    told += move(reader, 10.0 + first_s + away_s + last_s, BACK, FRONT)
    told += move(reader, 60.0, BACK, FRONT)
    assert points_in(told) == 0
    assert reader.pegs[0] == PEGS[0]


@given(st.floats(0.0, 0.05), st.booleans(), st.integers(1, 29))
def test_two_sensors_may_tell_one_leap_in_either_order_and_with_a_gap(
    apart_s: float, is_full_first: bool, points: int
) -> None:
    reader, landed = settled_reader(), FRONT + points
    told = move(reader, 10.0, *((BACK, FRONT, landed) if is_full_first else (FRONT,)))
    told += move(reader, 10.0 + apart_s, FRONT, landed)
    told += move(reader, 12.0, FRONT, landed)
    assert told == [PegLeapt(0, landed, points)]


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from(COURSES))
def test_more_ticks_or_none_make_no_difference(seed: int, course: Course) -> None:
    frames, random = play(seed, course, 2, UNTIDY).frames[:150], Random(seed)
    often, seldom = PegReader(course, [TrackPegs()] * 2), PegReader(course, [TrackPegs()] * 2)
    told_often, told_seldom = list[Reading](), list[Reading]()
    last_s = 0.0
    for frame in frames:
        for at_s in sorted(random.uniform(last_s, frame.at_s) for _ in range(3)):
            told_often += often.tick(at_s)
        holes = [frozenset(map(Hole, track)) for track in frame.holes]
        told_often += often.see(holes, frame.at_s)
        told_seldom += seldom.see(holes, frame.at_s)
        last_s = frame.at_s
    assert told_often == told_seldom


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from(COURSES))
def test_all_points_told_add_up_to_the_front_peg(seed: int, course: Course) -> None:
    score = [0, 0]
    for _, told in moves_in(read(course, 2, play(seed, course, 2, UNTIDY).frames)):
        score[told.track] += told.points
        assert score[told.track] == told.score
