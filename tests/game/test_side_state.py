"""What a side has, owes and moved too far, compared with a count of its track hole by hole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game.due_points import Due
from firmware_host.game.events import PointsMissed, Source
from firmware_host.game.side import SideState

TARGET = 30


def pegs() -> st.SearchStrategy[TrackPegs]:
    """Pegs at the start, or the back one behind the front one."""
    fronts = st.integers(0, TARGET)
    return fronts.flatmap(lambda front: st.builds(TrackPegs, st.integers(0, max(0, front - 1)), st.just(front)))


@st.composite
def any_due(draw: st.DrawFn) -> Due:
    points = draw(st.integers(0, 12))
    return Due(
        Seat(0),
        draw(st.sampled_from(Source)),
        points,
        (Score(draw(st.sampled_from(ScoreKind)), points, ()),),
        moved=draw(st.integers(0, points)),
        is_reported=draw(st.booleans()),
    )


@st.composite
def any_side(draw: st.DrawFn) -> SideState:
    """Any pegs, also beside what the side earned. A surplus is earned beyond the game hole only."""
    rightful = draw(st.integers(-9, TARGET))
    settled = draw(pegs())
    return SideState(
        TARGET,
        pegs=draw(st.just(settled) | pegs()),
        settled=settled,
        rightful=draw(st.sampled_from((rightful, settled.front))),
        surplus=draw(st.integers(0, 9)) if rightful == TARGET else 0,
        dues=tuple(draw(st.lists(any_due(), max_size=4))),
    )


def holes_up_to(score: int) -> set[int]:
    """The holes that lie behind a peg at this score, its own included; none at the start or in debt."""
    return {hole for hole in range(1, TARGET + 1) if hole <= score}


@given(any_side())
def test_score_is_the_holes_that_were_earned_and_moved(side: SideState) -> None:
    earned = holes_up_to(side.rightful)
    assert side.score == len(earned & holes_up_to(side.settled.front))
    assert side.goal_hole == len(earned)
    assert side.earned == side.rightful + side.surplus
    assert side.is_going_out == (TARGET in earned)


@given(any_side())
def test_holes_between_peg_and_goal_are_owed(side: SideState) -> None:
    earned, moved = holes_up_to(side.rightful), holes_up_to(side.pegs.front)
    assert side.owed == len(earned - moved) - len(moved - earned)
    assert side.is_owing == (earned != moved)


@given(any_side())
def test_excess_is_the_holes_beyond_the_settled_peg(side: SideState) -> None:
    assert side.excess == len(holes_up_to(side.pegs.front) - holes_up_to(side.settled.front))


@given(any_side())
def test_side_at_rest_has_no_move_to_make_and_made_none_that_was_not_due(side: SideState) -> None:
    owes_points = side.is_owing or side.rightful < 0 or side.surplus > 0
    assert side.is_at_rest == (not owes_points and side.pegs == side.settled)
    if side.is_at_rest:
        assert side.goal == side.pegs and not side.is_unsettled and not side.is_astray


@given(any_side())
def test_side_goes_back_behind_a_score_that_it_had(side: SideState) -> None:
    lost = holes_up_to(side.settled.front) - holes_up_to(side.rightful)
    assert side.is_to_go_back == bool(lost & holes_up_to(side.pegs.front))


@given(any_side())
def test_side_is_astray_beyond_its_goal_and_its_score_or_short_of_both(side: SideState) -> None:
    """A peg between its score and a goal behind it is on the way back: that price is half paid."""
    front = side.pegs.front
    if side.is_astray:
        assert side.pegs != side.settled and front != side.goal_hole
        assert front not in range(side.goal_hole, side.settled.front + 1)
    elif side.pegs != side.settled:
        assert front == side.goal_hole or side.goal_hole < front <= side.settled.front


@given(any_side())
def test_next_move_ends_at_the_goal_unless_a_wrong_move_back_comes_first(side: SideState) -> None:
    goal = side.goal
    is_put_back_first = side.pegs.front < side.settled.front < side.goal_hole
    assert goal.front == (side.settled.front if is_put_back_first else side.goal_hole)
    assert goal.back < goal.front or goal.front == 0
    if not side.is_owing:
        assert goal == side.pegs


@given(any_side())
def test_dues_are_pegged_in_order_up_to_the_game_hole(side: SideState) -> None:
    still_to_move = [place for place, due in enumerate(side.dues) for _ in range(due.points - due.moved)]
    in_reach = still_to_move[: TARGET - side.score]
    found = {place: in_reach.count(place) for place in dict.fromkeys(in_reach)}
    assert [due.left for due in side.outstanding] == list(found.values())
    assert all(due.is_of(side.dues[place]) for due, place in zip(side.outstanding, found, strict=True))
    assert all(due.moved == side.dues[place].moved for due, place in zip(side.outstanding, found, strict=True))


@given(any_side())
def test_unreported_points_of_play_and_show_are_forfeitable_unless_everything_is_settled(side: SideState) -> None:
    is_settled = side.settled.front == side.earned
    assert side.is_unsettled != is_settled
    wanted = [due for due in side.outstanding if due.source in (Source.PLAY, Source.SHOW) and not due.is_reported]
    assert list(side.forfeitable_dues) == ([] if is_settled else wanted)


@given(any_side(), any_due())
def test_points_were_reported_if_the_same_are_marked_so(side: SideState, due: Due) -> None:
    missed = PointsMissed(0, due.seat, due.source, due.points, due.scores, is_lost=True)
    marked = {(due.source, due.scores) for due in side.dues if due.is_reported}
    assert side.was_reported(missed) == ((due.source, due.scores) in marked)


def test_back_peg_that_is_behind_the_goal_stays_on_the_way_back() -> None:
    slid_back_then_leapt = SideState(TARGET, pegs=TrackPegs(8, 16), settled=TrackPegs(0, 11), rightful=11)
    assert slid_back_then_leapt.goal == TrackPegs(8, 11)
    leapt_for_nothing = SideState(TARGET, pegs=TrackPegs(11, 16), settled=TrackPegs(3, 11), rightful=11)
    assert leapt_for_nothing.goal == TrackPegs(3, 11)


def test_rest_of_a_short_leap_is_moved_by_the_front_peg_and_new_points_by_the_back_peg() -> None:
    side = SideState(TARGET, pegs=TrackPegs(3, 8), settled=TrackPegs(3, 8), rightful=10)
    begun, fresh = Due(Seat(0), Source.SHOW, 6, moved=4), Due(Seat(0), Source.SHOW, 2)
    assert SideState(TARGET, side.pegs, side.settled, 10, dues=(begun,)).goal == TrackPegs(3, 10)
    assert SideState(TARGET, side.pegs, side.settled, 10, dues=(fresh,)).goal == TrackPegs(8, 10)
    assert SideState(TARGET, side.pegs, side.settled, 10).goal == TrackPegs(8, 10)
