"""The peg tracker over time, as people and boards use it. Times are seconds; `Scene` moves pegs."""

from __future__ import annotations

import pytest

from firmware_host.board.course import AT_START, Course, Hole, TrackPegs
from firmware_host.tracking.peg_tracker import PegTracker
from firmware_host.tracking.readings import Fault, FaultCleared, PegAdjusted, PegLeapt, Reading, TrackFault

LONG = Course(lap=120, game_hole=121, target=121)
LAPPED = Course(lap=60, game_hole=61, target=181)


class Scene:
    """A board with two tracks and a hand that moves pegs. `readings` are those reported so far."""

    def __init__(self, *pegs: TrackPegs, course: Course = LONG) -> None:
        self.course = course
        self.tracker = PegTracker(course, pegs)
        self.holes = [set(course.holes_of(own)) for own in pegs]
        self.now_s = 0.0
        self.readings: list[Reading] = []
        self.update()

    def update(self) -> None:
        self._keep(self.tracker.update([frozenset(own) for own in self.holes], self.now_s))

    def wait(self, wait_s: float) -> Scene:
        until_s = self.now_s + wait_s
        while (due_s := self.tracker.deadline_s) is not None and due_s <= until_s:
            self.now_s = max(self.now_s, due_s)
            self._keep(self.tracker.tick(due_s))
        self.now_s = until_s
        return self

    def lift(self, hole: int, track: int = 0) -> Scene:
        self.holes[track].remove(Hole(hole))
        self.update()
        return self

    def place(self, hole: int, track: int = 0) -> Scene:
        self.holes[track].add(Hole(hole))
        self.update()
        return self

    def move(self, origin: int, hole: int, track: int = 0) -> Scene:
        return self.lift(origin, track).wait(0.4).place(hole, track)

    def _keep(self, readings: list[Reading]) -> None:
        self.readings += readings

    @property
    def faults(self) -> list[Fault]:
        return [reading.fault for reading in self.readings if isinstance(reading, TrackFault)]


def scene(back: int = 20, front: int = 26, course: Course = LONG) -> Scene:
    return Scene(TrackPegs(back, front), TrackPegs(30, 34), course=course).wait(10)


def test_a_leap_is_pending_at_its_first_frame_and_reported_once_it_held_still() -> None:
    board = scene().move(20, 34)
    pending = board.tracker.pending[0]
    assert pending and (pending.score, pending.points) == (34, 8)
    assert board.wait(0.29).readings == []
    assert board.wait(0.02).readings == [PegLeapt(0, 34, 8)]
    assert board.tracker.pending == (None, None)
    assert board.tracker.pegs[0] == TrackPegs(26, 34)


def test_nothing_is_due_while_nothing_moves() -> None:
    assert scene().tracker.deadline_s is None


def test_the_first_leap_may_come_from_either_start_hole() -> None:
    for start in (-1, 0):
        board = Scene(AT_START, AT_START).wait(1).move(start, 6).wait(1)
        assert board.readings == [PegLeapt(0, 6, 6)]


def test_counting_through_the_holes_reports_only_the_last_one() -> None:
    board = scene().lift(20)
    for hole in range(27, 34):
        board.wait(0.2).place(hole).wait(0.22).lift(hole)
    board.wait(0.2).place(34).wait(1)
    assert board.readings == [PegLeapt(0, 34, 8)]


def test_a_wrong_hole_is_reported_and_then_corrected() -> None:
    board = scene().move(20, 35).wait(1.2).move(35, 34).wait(1)
    assert board.readings == [PegLeapt(0, 35, 9), PegAdjusted(0, 34, -1)]


def test_a_jostled_peg_reports_nothing() -> None:
    board = scene().lift(26).wait(0.08).place(26).wait(5)
    assert board.readings == []


def test_a_leap_taken_back_is_marked_as_such() -> None:
    board = scene().move(20, 34).wait(1).move(34, 20).wait(1)
    assert board.readings == [PegLeapt(0, 34, 8), PegAdjusted(0, 26, -8, is_taken_back=True, back=20)]
    assert board.tracker.pegs[0] == TrackPegs(20, 26)


def test_a_leap_by_the_owed_points_is_reported_sooner() -> None:
    board = scene()
    board.tracker.set_owed([8, 0])
    board.move(20, 34).wait(0.13)
    assert board.readings == [PegLeapt(0, 34, 8)]


def test_leap_by_the_owed_points_is_not_taken_back_while_its_end_still_reads() -> None:
    board = scene()
    board.tracker.set_owed([4, 0])
    board.move(20, 30).wait(1).place(20).wait(10)
    assert board.readings[0] == PegLeapt(0, 30, 4)
    assert board.tracker.pegs[0] == TrackPegs(26, 30) and board.faults == [Fault.THIRD_PEG]


def test_owed_points_are_moved_once() -> None:
    board = scene()
    board.tracker.set_owed([1, 0])
    board.move(20, 27).wait(0.2).place(28).wait(10)  # a ring over the next hole, before the game took the move in
    assert board.readings[0] == PegLeapt(0, 27, 1)
    assert board.tracker.pegs[0] == TrackPegs(26, 27) and board.faults == [Fault.THIRD_PEG]


def test_counting_past_the_owed_points_is_read_to_its_end() -> None:
    board = scene()
    board.tracker.set_owed([3, 0])
    board.move(20, 29).wait(0.11).lift(29).wait(0.1).place(30).wait(1)
    assert board.readings == [PegLeapt(0, 30, 4)]


def test_enter_settles_at_once() -> None:
    board = scene().move(20, 34).wait(0.05)
    assert board.tracker.settle_now(board.now_s) == [PegLeapt(0, 34, 8)]


def test_a_lift_on_another_track_settles_a_leap() -> None:
    board = scene().move(20, 34).wait(0.1).lift(30, track=1).wait(0.11)
    assert board.readings == [PegLeapt(0, 34, 8)]


def test_a_jostle_on_another_track_settles_nothing() -> None:
    board = scene().move(20, 34).wait(0.15).lift(30, track=1).wait(0.04).place(30, track=1).wait(0.1)
    assert board.readings == []


def test_both_pegs_out_are_a_fault_until_they_are_back() -> None:
    board = scene().lift(26).wait(0.2).lift(20).wait(3).place(26).wait(0.3).place(20).wait(1)
    assert board.readings == [TrackFault(0, Fault.BOTH_OUT, (), (Hole(20), Hole(26))), FaultCleared(0)]


def test_a_front_peg_that_stays_out_is_a_fault() -> None:
    board = scene().lift(26).wait(4)
    assert board.readings == [TrackFault(0, Fault.FRONT_OUT, (), (Hole(26),))]


def test_a_peg_behind_the_front_one_is_reported_with_the_hole_it_belongs_in() -> None:
    board = scene().move(20, 23).wait(2).move(23, 20).wait(1)
    assert board.readings == [TrackFault(0, Fault.OFF_LAP, (Hole(23),), (Hole(20),)), FaultCleared(0)]


def test_a_third_peg_is_a_fault_until_it_is_taken_out() -> None:
    board = scene().place(50).wait(5).lift(50).wait(1)
    assert board.readings == [TrackFault(0, Fault.THIRD_PEG, (Hole(50),)), FaultCleared(0)]


def test_a_third_peg_is_foreign_while_another_track_lacks_one() -> None:
    board = scene().lift(30, track=1).wait(0.4).place(50).wait(2.5)
    assert board.faults == [Fault.FOREIGN_LANE]


def test_a_hole_that_stays_full_after_a_leap_is_stuck_and_the_game_goes_on() -> None:
    board = scene().place(50).wait(5).move(20, 34).wait(1).move(26, 40).wait(1)
    moves = [reading for reading in board.readings if isinstance(reading, PegLeapt)]
    assert moves == [PegLeapt(0, 34, 8), PegLeapt(0, 40, 6)]
    assert board.faults == [Fault.THIRD_PEG, Fault.STUCK_HOLE]


def test_a_peg_may_come_to_rest_in_a_stuck_hole_and_leave_it() -> None:
    board = scene().place(32).wait(5).lift(20).wait(1.1)
    assert board.tracker.pegs[0] == TrackPegs(26, 32)
    board.wait(2).move(26, 36).wait(1).place(40).wait(1)
    assert board.tracker.pegs[0].front == 40


def test_a_leap_into_a_dead_hole_is_counted_with_the_next_one() -> None:
    board = scene().lift(20).wait(5).move(26, 40).wait(1)
    assert PegLeapt(0, 40, 14) in board.readings
    assert Fault.DEAD_HOLE in board.faults
    assert board.place(44).wait(1).tracker.pegs[0] == TrackPegs(40, 44)


def test_a_track_is_in_doubt_while_its_peg_may_stand_in_a_hole_that_does_not_read() -> None:
    board = scene()
    assert board.tracker.doubtful(board.now_s) == frozenset()
    board.place(30).wait(0.2).lift(30).wait(60)  # out of a stuck hole, through 30, into a dead one
    assert board.tracker.doubtful(board.now_s) == frozenset({0})
    board.move(26, 40).wait(10)
    assert board.tracker.doubtful(board.now_s) == frozenset()


def test_a_track_is_in_doubt_from_the_first_frame_without_its_peg() -> None:
    board = scene().lift(20)
    assert board.tracker.doubtful(board.now_s) == frozenset({0})


def test_a_leap_into_a_hole_that_is_known_to_be_stuck_is_in_doubt() -> None:
    board = scene().place(28).wait(10)
    board.tracker.set_owed([8, 0])
    board.lift(20).wait(10)  # perhaps into 28, which reads all the time, perhaps into 34, which is dead
    assert board.tracker.pegs[0] == TrackPegs(26, 28)
    assert board.tracker.doubtful(board.now_s) == frozenset({0})


def test_a_peg_that_is_back_in_its_own_hole_leaves_no_doubt() -> None:
    board = scene().lift(20).wait(0.2).place(30).wait(0.2).lift(30).wait(1)
    assert board.tracker.doubtful(board.now_s) == frozenset({0})
    assert board.place(20).tracker.doubtful(board.wait(2).now_s) == frozenset()


def test_a_leap_taken_back_is_in_doubt_until_it_would_have_been_made_again() -> None:
    board = scene().move(20, 34).wait(3).move(34, 20).wait(2)
    assert board.readings[-1] == PegAdjusted(0, 26, -8, is_taken_back=True, back=20)
    assert board.tracker.doubtful(board.now_s) == frozenset({0})
    assert board.tracker.doubtful(board.wait(4).now_s) == frozenset()


def test_a_leap_past_a_front_peg_that_is_not_seen_stays_on_its_lap() -> None:
    board = scene(0, 100, LAPPED).lift(40).wait(2).move(0, 50).wait(1)
    assert board.readings[0] == PegLeapt(0, 110, 10)
    behind = scene(0, 100, LAPPED).lift(40).wait(2).move(0, 38).wait(1)
    assert behind.readings[0] == PegAdjusted(0, 98, -2)


def test_enter_puts_the_missing_peg_where_the_owed_points_end() -> None:
    board = scene().lift(20).wait(1)
    board.tracker.set_owed([6, 0])
    readings = board.tracker.settle_now(board.now_s)
    assert readings == [PegLeapt(0, 32, 6), TrackFault(0, Fault.DEAD_HOLE, (Hole(32),))]
    assert board.wait(10).move(26, 36).wait(1).tracker.pegs[0] == TrackPegs(32, 36)


def test_enter_moves_a_peg_by_a_whole_lap_if_that_is_owed() -> None:
    board = scene(70, 101, LAPPED)
    board.tracker.set_owed([29, 0])
    assert board.tracker.settle_now(board.now_s) == [PegLeapt(0, 130, 29)]


def test_after_an_undo_the_peg_is_misplaced_and_does_not_leap() -> None:
    board = scene().move(20, 34).wait(1)
    board.tracker.set_pegs([TrackPegs(20, 26), TrackPegs(30, 34)], board.now_s)
    board.wait(1)
    assert board.readings[1:] == [TrackFault(0, Fault.MISPLACED, (Hole(34),), (Hole(20),))]
    board.move(34, 20).wait(1)
    assert board.readings[2:] == [FaultCleared(0)]


@pytest.mark.parametrize("course", [LONG, LAPPED])
def test_pegs_carried_to_the_start_for_a_new_game_do_not_leap(course: Course) -> None:
    board = scene(course=course)
    board.tracker.set_pegs([AT_START, AT_START], board.now_s)
    board.wait(1).move(20, 0).wait(5).move(26, -1).wait(1)
    board.move(30, 0, track=1).wait(2).move(34, -1, track=1).wait(1)
    assert {type(reading) for reading in board.readings} == {TrackFault, FaultCleared}
    assert board.move(0, 7).wait(1).readings[-1] == PegLeapt(0, 7, 7)


def test_a_leap_made_while_the_power_was_off_is_read() -> None:
    board = Scene(TrackPegs(20, 26), TrackPegs(30, 34))
    board.tracker = PegTracker(LONG, [TrackPegs(12, 20), TrackPegs(30, 34)])
    board.update()
    assert board.wait(1).readings == [PegLeapt(0, 26, 6)]


def test_the_game_hole_belongs_to_the_track_that_lacks_a_peg() -> None:
    board = Scene(TrackPegs(100, 115), TrackPegs(110, 119)).wait(1).lift(100)
    board.holes[1].add(Hole(121))
    board.wait(0.4).place(121).wait(1)
    assert board.readings == [PegLeapt(0, 121, 6)]


def test_the_game_hole_goes_to_the_track_that_lifts_a_peg_just_after() -> None:
    board = Scene(TrackPegs(100, 115), TrackPegs(110, 119)).wait(1)
    for own in board.holes:
        own.add(Hole(121))
    board.update()
    board.wait(0.05).lift(110, track=1).wait(1)
    assert board.readings == [PegLeapt(1, 121, 2)]


def test_both_sides_may_move_at_once() -> None:
    board = scene().lift(20).wait(0.1).lift(30, track=1).wait(0.3).place(34).wait(0.1).place(40, track=1).wait(1)
    assert board.readings == [PegLeapt(0, 34, 8), PegLeapt(1, 40, 6)]
