"""A magnet that wanders over a track while both pegs of it stay in place moves no score, or gives it back when it goes.

Its readings look like those of a peg that has left a stuck hole, and real leaps out of one must still be followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board.course import Course, Hole, TrackPegs
from firmware_host.tracking.peg_tracker import PegTracker
from firmware_host.tracking.readings import Fault, PegAdjusted, PegLeapt, Reading, TrackFault
from tests.tracking.trace_check import readings_due

LONG = Course(lap=120, game_hole=121, target=121)
LAPPED = Course(lap=60, game_hole=61, target=121)
PEGS = TrackPegs(33, 40)
AHEAD = (44, 47, 50, 53, 56, 59, 62, 65)
BETWEEN = (39, 38, 37, 36, 35, 34)
BEHIND = (10, 13, 16, 19, 22, 25)
WAYS = (AHEAD, AHEAD[::-1], BETWEEN, BETWEEN[::-1], BEHIND, (50, 38, 60, 20, 45), (44,) * 6, (44, 50) * 4)
"""The holes in which a magnet is held, one after the other."""
GONE_S = 10.0
"""After this long without the magnet, everything is as it was."""


class Track:
    """One track of several, with both pegs in their holes and a hand that holds something over it."""

    def __init__(self, pegs: TrackPegs = PEGS, course: Course = LONG, track: int = 0, tracks: int = 2) -> None:
        self._tracker = PegTracker(course, [pegs] * tracks)
        self._pegs = frozenset(course.holes_of(pegs))
        self._track = track
        self._now_s = 0.0
        self.readings: list[Reading] = []
        self.show()
        self.wait(60.0)

    def show(self, *extra: int) -> None:
        """The holes of both pegs read, and these too."""
        frame = [self._pegs] * len(self._tracker.pegs)
        frame[self._track] = self._pegs.union(map(Hole, extra))
        self.readings += self._tracker.update(frame, self._now_s)

    def wait(self, seconds: float) -> None:
        self._now_s += seconds
        self.readings += [reading for _, reading in readings_due(self._tracker, self._now_s)]

    def hop(self, holes: Sequence[int], rest_s: float, pause_s: float) -> None:
        """Something is held in one hole after the other, and the pegs stay."""
        for hole in holes:
            self.rest(hole, rest_s)
            self.wait(pause_s)

    def rest(self, hole: int, rest_s: float) -> None:
        self.show(hole)
        self.wait(rest_s)
        self.show()

    def set_owed(self, points: int) -> None:
        owed = [0] * len(self._tracker.pegs)
        owed[self._track] = points
        self._tracker.set_owed(owed)

    @property
    def pegs(self) -> TrackPegs:
        return self._tracker.pegs[self._track]

    @property
    def moves(self) -> list[PegLeapt | PegAdjusted]:
        return [reading for reading in self.readings if isinstance(reading, PegLeapt | PegAdjusted)]

    @property
    def faults(self) -> set[Fault]:
        return {reading.fault for reading in self.readings if isinstance(reading, TrackFault)}


@pytest.mark.parametrize("holes", WAYS, ids=str)
def test_magnet_in_one_hole_after_the_other_moves_nothing(holes: tuple[int, ...]) -> None:
    for rest_s, pause_s in product((0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 1.7, 3.0, 8.0), (0.15, 0.4, 1.0, 5.0)):
        track = Track()
        track.hop(holes, rest_s, pause_s)
        track.wait(GONE_S)
        assert track.moves == [], (rest_s, pause_s)
        assert track.pegs == PEGS


@pytest.mark.parametrize("tracks", [2, 3, 4])
@pytest.mark.parametrize("course", [LONG, LAPPED], ids=["long", "lapped"])
def test_magnet_moves_nothing_on_any_track(tracks: int, course: Course) -> None:
    for track in range(tracks):
        board = Track(course=course, track=track, tracks=tracks)
        board.hop(AHEAD[:6], 0.4, 0.4)
        board.wait(GONE_S)
        assert board.moves == []


@pytest.mark.parametrize("holes", range(2, 9))
def test_magnet_that_hopped_and_then_stays_is_a_third_peg(holes: int) -> None:
    track = Track()
    track.hop(AHEAD[:holes], 0.4, 0.4)
    track.show(70)
    track.wait(60)
    assert track.moves == []
    assert track.faults == {Fault.THIRD_PEG}


def test_magnet_that_comes_again_later_is_no_hand_that_counts() -> None:
    track = Track()
    track.hop((44, 50), 0.2, 60)
    track.rest(47, 30)
    assert track.moves == []


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(1, 119), st.floats(0.03, 5), st.floats(0.03, 8)), max_size=12),
    st.integers(0, 12),
    st.sampled_from([LONG, LAPPED]),
)
def test_whatever_a_magnet_does_the_score_is_right_when_it_is_gone(
    hops: list[tuple[int, float, float]], owed: int, course: Course
) -> None:
    track = Track(course=course)
    track.set_owed(owed)
    for hole, rest_s, pause_s in hops:
        if hole % course.lap not in (33, 40):
            track.rest(hole % course.lap, rest_s)
            track.wait(pause_s)
    track.wait(GONE_S)
    assert track.pegs == PEGS
    assert sum(move.points for move in track.moves) == 0


def test_leap_out_of_a_stuck_hole_is_read_by_the_taps_of_its_count() -> None:
    track = Track()
    track.hop(range(41, 48), 0.2, 0.15)
    track.show(48)
    track.wait(1.2)
    assert track.moves == [PegLeapt(0, 48, 8)]
    assert track.faults == {Fault.STUCK_HOLE}


def test_leap_out_of_a_stuck_hole_is_read_after_one_wrong_hole() -> None:
    track = Track()
    track.hop((49,), 1.2, 0.4)
    track.show(48)
    track.wait(1.8)
    assert track.moves == [PegLeapt(0, 48, 8)]


def test_quick_magnet_that_rests_gives_its_points_back_however_far_they_are() -> None:
    track = Track()
    track.hop((45, 50, 55, 60), 0.2, 0.2)
    track.rest(65, 2)
    assert track.pegs.front == 65
    track.wait(GONE_S)
    assert track.moves == [PegLeapt(0, 65, 25), PegAdjusted(0, 40, -25, is_taken_back=True, back=33)]
    assert track.pegs == PEGS
