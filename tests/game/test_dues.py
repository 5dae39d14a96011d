"""Arithmetic of dues: in which order a peg settles them, what a debt takes, and which misses a claim is about."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game import events as e
from firmware_host.game.due_points import Due, Miss
from firmware_host.game.dues import (
    add_award,
    add_due,
    change_rightful,
    claimed_misses,
    close_claims,
    mark_reported,
    move_pegs,
    remove_missed,
    set_score,
    take_misses,
)
from firmware_host.game.side import SideState
from firmware_host.game.state import Table
from tests.game.script import table_after

ANN, BEN, CAT = Seat(0), Seat(1), Seat(2)
PAIR = (Score(ScoreKind.PAIR, 2),)
RUN = (Score(ScoreKind.RUN, 3),)


def table(*scores: int, rules: str = "six_card", pegs: str = "by hand") -> Table:
    names = " ".join(("Ann", "Ben", "Cat")[: len(scores)])
    return table_after(f"rules {rules} \n seats {names} \n scores {' '.join(map(str, scores))} \n pegs {pegs}")


def play(points: int, scores: tuple[Score, ...] = PAIR) -> Due:
    return Due(ANN, e.Source.PLAY, points, scores)


def heels() -> Due:
    return Due(ANN, e.Source.HEELS, 2, (Score(ScoreKind.HIS_HEELS, 2),))


def miss(points: int, side: int = 1, source: e.Source = e.Source.PLAY, claimers: tuple[int, ...] = (0,)) -> Miss:
    return Miss(side, Seat(side), source, points, (), claimers)


def points_of(side: SideState) -> list[int]:
    return [due.points for due in side.dues]


def leap(side: SideState, points: int) -> e.PegLeapt:
    return e.PegLeapt(0, side.pegs.leapt_to(side.pegs.front + points), stands=False)


def test_dues_that_can_be_lost_are_settled_before_those_that_can_wait() -> None:
    both = add_due(add_due(table(10, 20), 0, heels()), 0, play(3))
    assert points_of(both.sides[0]) == [3, 2]
    assert both.sides[0].owed == 5 and both.sides[1].owed == 0


def test_dues_of_the_same_rank_are_settled_in_the_order_in_which_they_were_earned() -> None:
    both = add_due(add_due(table(10, 20), 0, play(3, RUN)), 0, play(2))
    assert points_of(both.sides[0]) == [3, 2]


def test_debt_takes_points_first_and_leaves_only_the_rest_to_move() -> None:
    in_debt = change_rightful(table(0, 0, rules="auction auction_debt=debt"), 0, -5)
    assert in_debt.sides[0].rightful == -5 and in_debt.sides[0].goal_hole == 0
    assert points_of(add_due(in_debt, 0, play(3)).sides[0]) == [0]
    paid = add_due(in_debt, 0, play(8)).sides[0]
    assert (points_of(paid), paid.owed, paid.rightful) == ([3], 3, 3)


def test_price_takes_points_that_are_due_first() -> None:
    owing = add_due(add_due(table(10, 20), 0, play(3, RUN)), 0, play(2))
    charged = change_rightful(owing, 0, -4).sides[0]
    assert points_of(charged) == [0, 1] and charged.owed == 1


def test_price_beyond_the_score_takes_all_that_is_due_and_leaves_a_debt() -> None:
    owing = add_due(table(0, 20, rules="auction auction_debt=debt"), 0, play(3))
    charged = change_rightful(owing, 0, -5).sides[0]
    assert (charged.rightful, [due.left for due in charged.dues], charged.owed) == (-2, [0], 0)


def test_points_beyond_the_game_hole_are_kept_as_surplus() -> None:
    out = add_due(table(118, 20), 0, play(5)).sides[0]
    assert (out.rightful, out.surplus, out.owed) == (121, 2, 3)
    back = change_rightful(add_due(table(118, 20), 0, play(5)), 0, -2).sides[0]
    assert (back.rightful, back.surplus) == (121, 0)


@pytest.mark.parametrize(("pegs", "moves_itself"), [("by hand", False), ("by table", True), ("by entry", True)])
def test_award_moves_itself_where_the_side_has_no_pegs_on_the_board(pegs: str, moves_itself: bool) -> None:
    (due,) = add_award(table(10, 20, pegs=pegs), 1, e.Source.PENALTY, 2).sides[1].dues
    assert due == Due(BEN, e.Source.PENALTY, 2, moves_itself=moves_itself)


def test_short_leap_settles_the_first_due_in_part() -> None:
    owing = add_due(add_due(table(10, 20), 0, play(3, RUN)), 0, play(2))
    moved = move_pegs(owing, leap(owing.sides[0], 4)).sides[0]
    assert [due.moved for due in moved.dues] == [3, 1]
    assert (moved.score, moved.owed, moved.excess, moved.is_checked, moved.overran) == (14, 1, 0, True, True)


def test_leap_too_far_settles_all_and_leaves_an_excess() -> None:
    owing = add_due(table(10, 20), 0, play(3))
    moved = move_pegs(owing, leap(owing.sides[0], 5)).sides[0]
    assert (moved.score, moved.owed, moved.excess, moved.overran) == (13, -2, 2, True)
    further = replace(owing.sides[0], dues=(), rightful=10)
    moved = move_pegs(owing.with_side(0, further), leap(further, 5)).sides[0]
    assert (moved.score, moved.excess, moved.overran) == (10, 5, False)


def test_leap_for_nothing_leaves_the_pegs_settled_where_they_were() -> None:
    at_rest = SideState(121, pegs=TrackPegs(5, 10), settled=TrackPegs(5, 10), rightful=10)
    moved = move_pegs(table(10, 20).with_side(0, at_rest), leap(at_rest, 4)).sides[0]
    assert moved.settled == moved.goal == TrackPegs(5, 10)


def test_end_of_an_overrun_stays_one_while_the_peg_moves_on() -> None:
    owing = add_due(table(10, 20), 0, play(3))
    by_one = move_pegs(owing, leap(owing.sides[0], 4))
    assert move_pegs(by_one, e.PegAdjusted(0, TrackPegs(10, 16), stands=False)).sides[0].overran
    too_far = move_pegs(owing, leap(owing.sides[0], 5))
    further = move_pegs(too_far, e.PegAdjusted(0, TrackPegs(10, 16), stands=False)).sides[0]
    assert (further.excess, further.overran) == (3, True)
    back = move_pegs(too_far, e.PegAdjusted(0, TrackPegs(10, 13), stands=False))
    assert (back.sides[0].excess, back.sides[0].owed) == (0, 0)
    again = move_pegs(back, leap(back.sides[0], 4)).sides[0]
    assert (again.excess, again.overran) == (4, False)


def test_reported_excess_shrinks_with_the_excess_and_does_not_grow_with_it() -> None:
    owing = table(10, 20)
    too_far = replace(move_pegs(owing, leap(owing.sides[0], 5)).sides[0], reported_excess=5)
    start = owing.with_side(0, too_far)
    for front, reported in ((13, 3), (10, 0), (17, 5)):
        moved = move_pegs(start, e.PegAdjusted(0, TrackPegs(5, front), stands=False)).sides[0]
        assert moved.reported_excess == reported


def test_leap_from_behind_the_score_settles_what_is_due_but_not_the_holes_lost_before() -> None:
    """Ann slid back from 10 to 7, then leaps 3 for a run: her peg stands at 10, with the 3 lost holes still to move."""
    behind = move_pegs(table(10, 20), e.PegAdjusted(0, TrackPegs(5, 7), stands=False))
    owing = add_due(behind, 0, play(3, RUN))
    assert owing.sides[0].owed == 6
    moved = move_pegs(owing, leap(owing.sides[0], 3)).sides[0]
    assert (moved.score, moved.owed, [due.left for due in moved.dues]) == (13, 3, [0])
    slid = move_pegs(owing, e.PegAdjusted(0, TrackPegs(5, 10), stands=False)).sides[0]
    assert (slid.score, slid.owed, [due.left for due in slid.dues]) == (10, 3, [3])


def test_only_a_move_forward_makes_a_side_the_last_to_move() -> None:
    start = table(10, 20)
    assert move_pegs(start, leap(start.sides[0], 2)).last_to_move == 0
    assert move_pegs(start, e.PegAdjusted(0, TrackPegs(5, 8), stands=False)).last_to_move is None
    assert move_pegs(start, e.PegLeapt(0, TrackPegs(10, 12), stands=True)).last_to_move == 0
    assert move_pegs(start, e.PegAdjusted(0, TrackPegs(5, 8), stands=True)).last_to_move is None


def test_accepted_pegs_are_the_score_and_drop_what_was_due() -> None:
    owing = add_due(table(10, 20), 0, play(3))
    assert set_score(owing, 0, TrackPegs(10, 15)).sides[0] == SideState(
        121, pegs=TrackPegs(10, 15), settled=TrackPegs(10, 15), rightful=15
    )
    assert move_pegs(owing, e.PegLeapt(0, TrackPegs(10, 15), stands=True)).sides[0].dues == ()


def test_accepted_move_back_loses_holes_of_the_score_and_leaves_dues_due() -> None:
    owing = add_due(table(10, 20), 0, play(3))
    lowered = move_pegs(owing, e.PegAdjusted(0, TrackPegs(5, 6), stands=True)).sides[0]
    assert (lowered.score, lowered.rightful, lowered.owed, points_of(lowered)) == (6, 9, 3, [3])
    assert not lowered.is_checked and lowered.settled == lowered.pegs


def test_accepted_move_back_within_an_excess_loses_none_of_the_score() -> None:
    start = table(10, 20)
    too_far = start.with_side(0, replace(move_pegs(start, leap(start.sides[0], 5)).sides[0], reported_excess=5))
    back = move_pegs(too_far, e.PegAdjusted(0, TrackPegs(5, 12), stands=True)).sides[0]
    assert (back.rightful, back.settled.front, back.reported_excess) == (10, 12, 0)


def missed(points: int, scores: tuple[Score, ...] = PAIR, *, is_lost: bool = True) -> e.PointsMissed:
    return e.PointsMissed(0, ANN, e.Source.PLAY, points, scores, is_lost)


def test_reported_points_are_settled_after_those_that_can_still_be_lost() -> None:
    owing = add_due(add_due(table(10, 20), 0, play(2)), 0, play(3, RUN))
    reported = mark_reported(owing, missed(2, is_lost=False)).sides[0]
    assert [(due.points, due.is_reported) for due in reported.dues] == [(3, False), (2, True)]


def test_lost_points_are_taken_from_what_the_side_has_to_move() -> None:
    owing = add_due(add_due(table(10, 20), 0, play(2)), 0, play(3, RUN))
    lost = remove_missed(owing, missed(2)).sides[0]
    assert (lost.rightful, [due.left for due in lost.dues]) == (13, [0, 3])
    assert remove_missed(remove_missed(owing, missed(2)), missed(2)).sides[0] == lost


def test_points_that_are_lost_need_not_be_the_first_in_order() -> None:
    owing = add_due(add_due(table(10, 20), 0, play(2)), 0, play(3, RUN))
    lost = remove_missed(owing, missed(3, RUN)).sides[0]
    assert (lost.rightful, [due.left for due in lost.dues]) == (12, [2, 0])


def test_miss_of_a_partner_names_side_and_seat() -> None:
    text = "rules four_partners muggins_mode=claim \n seats Ann Ben Cat Dan \n pegs by hand"
    after = remove_missed(table_after(text), e.PointsMissed(0, CAT, e.Source.SHOW, 2, PAIR, is_lost=True))
    assert after.misses == (Miss(0, CAT, e.Source.SHOW, 2, PAIR, claimers=(1,)),)


def test_lost_points_keep_the_part_of_them_that_was_moved() -> None:
    owing = add_due(table(10, 20), 0, play(3, RUN))
    short = move_pegs(owing, leap(owing.sides[0], 2))
    lost = remove_missed(short, missed(1, RUN)).sides[0]
    assert (lost.rightful, lost.owed, lost.dues[0].points, lost.dues[0].moved) == (12, 0, 2, 2)


@pytest.mark.parametrize(
    ("rules", "source", "claimers"),
    [
        ("three_hand muggins_mode=claim", e.Source.PLAY, [(1, 2)]),
        ("three_hand muggins_mode=claim", e.Source.HEELS, []),
        ("three_hand muggins_mode=claim muggins_scope=show", e.Source.PLAY, []),
        ("three_hand muggins_mode=automatic", e.Source.PLAY, []),
        ("three_hand", e.Source.PLAY, []),
    ],
)
def test_lost_points_can_be_claimed_by_all_others_where_muggins_covers_them(
    rules: str, source: e.Source, claimers: list[tuple[int, ...]]
) -> None:
    start = table(10, 20, 30, rules=rules)
    after = remove_missed(start, e.PointsMissed(0, ANN, source, 2, PAIR, is_lost=True))
    assert [each.claimers for each in after.misses] == claimers


@pytest.mark.parametrize(
    ("missed", "claimed", "taken"),
    [
        ([2, 3, 1], 3, [3]),
        ([2, 1, 4], 5, [1, 4]),
        ([2, 1, 2], 2, [2]),
        ([2, 2, 2, 2], 1, [2]),
        ([2, 2, 2, 2], 3, [2, 2]),
        ([2, 2], 9, [2, 2]),
        ([2, 2], 4, [2, 2]),
        ([4, 3], 1, [4]),
        ([3], 1, [3]),
        ([], 3, []),
    ],
)
def test_claim_is_about_the_fewest_misses_that_make_it_up_else_the_oldest_that_cover_it(
    missed: list[int], claimed: int, taken: list[int]
) -> None:
    misses = [miss(points) for points in missed]
    assert [each.points for each in claimed_misses(misses, claimed)] == taken


def test_taken_points_can_be_claimed_no_more_and_others_still_can() -> None:
    """Only misses of the named side that the taker may still claim are taken."""
    of_others = (miss(2, side=2), miss(2, claimers=(2,)))
    start = replace(table(10, 20, 30, rules="three_hand"), misses=(*of_others, miss(2), miss(3)))
    assert take_misses(start, e.MugginsTaken(0, 1, 2)).misses == (*of_others, miss(3))


def test_claims_of_one_side_are_closed_and_those_of_others_stay() -> None:
    start = replace(table(10, 20, 30, rules="three_hand"), misses=(miss(2, claimers=(0, 2)), miss(3, claimers=(0,))))
    assert close_claims(start, e.Source.PLAY, by=0).misses == (miss(2, claimers=(2,)),)
    assert close_claims(start, e.Source.PLAY).misses == ()
    assert close_claims(start, e.Source.SHOW).misses == start.misses


def test_claims_on_the_points_of_one_side_are_closed_and_those_on_others_stay() -> None:
    start = replace(table(10, 20, 30, rules="three_hand"), misses=(miss(2, side=1), miss(3, side=2)))
    assert close_claims(start, e.Source.PLAY, of=1).misses == (miss(3, side=2),)
