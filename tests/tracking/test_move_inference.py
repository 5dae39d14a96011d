"""The inference from one frame: every way in which two pegs can stand, compared with the believed position."""

from __future__ import annotations

import pytest

from firmware_host.board.course import AT_START, Course, Hole, TrackPegs
from firmware_host.tracking.move_inference import Belief
from firmware_host.tracking.readings import Fault

LONG = Course(lap=120, game_hole=121, target=121)
LAPPED = Course(lap=60, game_hole=61, target=181)


def holes(*numbers: int) -> frozenset[Hole]:
    return frozenset(map(Hole, numbers))


def belief(back: int, front: int, course: Course = LONG, **more: object) -> Belief:
    return Belief(course, TrackPegs(back, front), **more)  # type: ignore[arg-type]


def test_pegs_in_their_holes_show_nothing() -> None:
    inference = belief(20, 26).infer(holes(20, 26))
    assert (inference.move, inference.fault) == (None, None)


@pytest.mark.parametrize(("seen", "fault"), [((26,), Fault.PEG_UNSEEN), ((20,), Fault.FRONT_OUT), ((), Fault.BOTH_OUT)])
def test_a_peg_that_is_out_is_a_fault(seen: tuple[int, ...], fault: Fault) -> None:
    inference = belief(20, 26).infer(holes(*seen))
    assert (inference.move, inference.fault) == (None, fault)


def test_the_back_peg_leaps() -> None:
    move = belief(20, 26).infer(holes(26, 34)).move
    assert move and move.is_leap
    assert (move.now, move.points) == (TrackPegs(26, 34), 8)


@pytest.mark.parametrize(("hole", "points"), [(30, 4), (24, -2), (21, -5)])
def test_the_front_peg_slides_forward_and_back(hole: int, points: int) -> None:
    move = belief(20, 26).infer(holes(20, hole)).move
    assert move and not move.is_leap
    assert (move.now, move.points) == (TrackPegs(20, hole), points)


def test_the_front_peg_may_be_taken_back_to_where_it_leapt_from() -> None:
    before_leap = TrackPegs(12, 20)
    move = belief(20, 26, before_leap=before_leap).infer(holes(20, 12)).move
    assert move and move.is_taken_back
    assert (move.now, move.points) == (before_leap, -6)


def test_the_first_leap_may_be_taken_back_to_the_start() -> None:
    move = belief(0, 6, before_leap=AT_START).infer(holes(0, -1)).move
    assert move and move.is_taken_back
    assert move.now == AT_START


@pytest.mark.parametrize("seen", [(26, 23), (26, 19), (20, 12), (0, 26)])
def test_a_peg_behind_is_off_the_lap(seen: tuple[int, ...]) -> None:
    inference = belief(20, 26).infer(holes(*seen))
    assert (inference.move, inference.fault) == (None, Fault.OFF_LAP)


def test_a_hole_beyond_the_game_hole_is_off_the_lap() -> None:
    short = Course(lap=120, game_hole=61, target=61)
    assert belief(50, 58, short).infer(holes(58, 63)).fault is Fault.OFF_LAP


def test_a_third_peg_moves_nothing() -> None:
    inference = belief(20, 26).infer(holes(20, 26, 40))
    assert (inference.move, inference.fault, inference.unexpected) == (None, Fault.THIRD_PEG, holes(40))


def test_of_two_holes_ahead_the_nearer_one_holds_the_peg() -> None:
    inference = belief(20, 26).infer(holes(26, 30, 50))
    assert inference.move and inference.move.score == 30
    assert inference.unexpected == holes(50)


def test_of_two_holes_ahead_the_one_that_is_owed_holds_the_peg() -> None:
    move = belief(20, 26, owed=24).infer(holes(26, 30, 50)).move
    assert move and move.score == 50


def test_a_peg_from_an_unread_hole_is_counted_from_the_front_peg() -> None:
    move = belief(20, 26).infer(holes(40)).move
    assert move and (move.now, move.is_leap) == (TrackPegs(26, 40), True)


def test_both_pegs_may_have_leapt() -> None:
    move = belief(20, 26).infer(holes(30, 40)).move
    assert move and move.now == TrackPegs(30, 40)


def test_a_hole_stands_for_the_nearest_score_ahead() -> None:
    move = belief(50, 56, LAPPED).infer(holes(56, 4)).move
    assert move and move.now == TrackPegs(56, 64)


def test_a_peg_just_behind_did_not_leap_most_of_a_lap() -> None:
    assert belief(80, 86, LAPPED).infer(holes(26, 24)).fault is Fault.OFF_LAP
    owed = belief(80, 86, LAPPED, owed=58).infer(holes(26, 24)).move
    assert owed and owed.score == 144


def test_the_owed_points_decide_the_lap() -> None:
    leap = belief(20, 26, LAPPED, owed=64).infer(holes(26, 30)).move
    assert leap and leap.score == 90
    slide = belief(20, 146, LAPPED, owed=-58).infer(holes(20, 28)).move
    assert slide and slide.score == 88


def test_a_slide_goes_the_shorter_way_round() -> None:
    back = belief(110, 118, LAPPED).infer(holes(50, 56)).move
    assert back and back.score == 116
    on = belief(110, 118, LAPPED).infer(holes(50, 5)).move
    assert on and on.score == 125


@pytest.mark.parametrize(
    ("hole", "points", "is_likely_error"), [(38, -20, False), (37, -21, True), (28, -30, True), (27, 29, False)]
)
def test_a_slide_back_is_a_likely_error_where_an_error_on_the_next_lap_may_end(
    hole: int, points: int, is_likely_error: bool
) -> None:
    move = belief(61, 118, LAPPED).infer(holes(1, hole)).move
    assert move and (move.points, move.is_likely_error) == (points, is_likely_error)


def test_a_slide_on_by_more_than_a_hand_is_a_likely_error_and_one_back_on_a_long_board_is_not() -> None:
    on = belief(90, 118, LAPPED).infer(holes(30, 28)).move
    assert on and (on.points, on.is_likely_error) == (30, True)
    back = belief(20, 60).infer(holes(20, 37)).move
    assert back and (back.points, back.is_likely_error) == (-23, False)


def test_a_leap_taken_back_is_a_likely_error_where_a_slide_on_may_end() -> None:
    leap = TrackPegs(85, 89)
    back = belief(89, 118, LAPPED, before_leap=leap).infer(holes(29, 25)).move
    assert back and back.is_taken_back and back.is_likely_error


def test_an_unreadable_hole_may_hold_the_peg_that_is_out() -> None:
    move = belief(20, 26, unreadable=holes(31)).infer(holes(26)).move
    assert move and move.is_unlikely
    assert move.score == 31


def test_a_leap_by_more_than_a_hand_is_unlikely() -> None:
    move = belief(20, 26).infer(holes(26, 56)).move
    assert move and move.is_unlikely
