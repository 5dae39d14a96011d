"""Steps of scoring: what a rule gives or takes, when pegs move by themselves, and when the game ends."""

from __future__ import annotations

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game import events as e
from firmware_host.game.decision import Decision
from firmware_host.game.dues import change_rightful
from firmware_host.game.state import Table
from tests.game.script import table_after

ANN, BEN = Seat(0), Seat(1)
PAIR = (Score(ScoreKind.PAIR, 2),)


def decision(ann: int, ben: int, pegs: str = "by table", rules: str = "six_card") -> Decision:
    return Decision(table_after(f"rules {rules} \n seats Ann Ben \n scores {ann} {ben} \n pegs {pegs}"))


def penalty(points: int, side: int = 0) -> e.PenaltyGiven:
    return e.PenaltyGiven(side, points, e.Breach.OVERRUN)


def in_debt(table: Table, debt: int) -> Table:
    return change_rightful(table, 0, -debt - table.sides[0].earned)


def test_scored_points_move_at_once_where_the_table_moves_the_pegs() -> None:
    scoring = decision(10, 20)
    scoring.score(ANN, e.Source.PLAY, PAIR)
    assert scoring.events == [
        e.PointsDue(0, ANN, e.Source.PLAY, PAIR),
        e.PegLeapt(0, TrackPegs(10, 12), stands=False),
    ]


@pytest.mark.parametrize("pegs", ["by hand", "by entry"])
def test_scored_points_wait_where_people_move_or_enter_them(pegs: str) -> None:
    scoring = decision(10, 20, pegs)
    scoring.score(BEN, e.Source.PLAY, PAIR)
    assert scoring.events == [e.PointsDue(1, BEN, e.Source.PLAY, PAIR)]
    assert scoring.table.owed == (0, 2)


def test_nothing_is_scored_without_points_or_once_a_side_has_the_points_to_win() -> None:
    scoring = decision(120, 20, "by hand")
    scoring.score(ANN, e.Source.PLAY, ())
    assert not scoring.events and not scoring.is_going_out
    scoring.score(ANN, e.Source.PLAY, PAIR)
    assert scoring.is_going_out and scoring.table.winner is None
    scoring.score(BEN, e.Source.PLAY, PAIR)
    assert len(scoring.events) == 1


@pytest.mark.parametrize("pegs", ["by table", "by entry"])
def test_award_moves_at_once_without_pegs_on_the_board(pegs: str) -> None:
    giving = decision(10, 20, pegs)
    giving.award(penalty(3), 0)
    assert giving.events == [penalty(3), e.PegLeapt(0, TrackPegs(10, 13), stands=False)]


def test_award_waits_for_the_peg_on_the_board() -> None:
    giving = decision(10, 20, "by hand")
    giving.award(penalty(3), 0)
    assert giving.events == [penalty(3)] and giving.table.owed == (3, 0)


def test_award_moves_without_points_that_people_have_still_to_enter() -> None:
    giving = decision(10, 20, "by entry")
    giving.score(ANN, e.Source.PLAY, PAIR)
    giving.award(penalty(3), 0)
    assert giving.table.fronts == (13, 20) and giving.table.owed == (2, 0)


def test_award_moves_no_further_than_the_game_hole_and_wins() -> None:
    giving = decision(119, 20)
    giving.award(penalty(3), 0)
    assert giving.events == [penalty(3), e.PegLeapt(0, TrackPegs(119, 121), stands=False), e.GameWon(0)]


@pytest.mark.parametrize(("score", "back_to"), [(40, 25), (15, 0), (10, 0)])
def test_pegs_set_back_go_back_at_once_but_never_behind_the_start(score: int, back_to: int) -> None:
    setting_back = decision(score, 20)
    setting_back.award(e.PegsSetBack(0, 15, e.Breach.FALSE_GAME), 0)
    assert setting_back.table.fronts == (back_to, 20) and setting_back.table.owed == (0, 0)
    assert [type(event) for event in setting_back.events] == [e.PegsSetBack, e.PegAdjusted]


def test_nothing_moves_for_a_penalty_of_nothing() -> None:
    setting_back = decision(0, 20)
    setting_back.award(e.PegsSetBack(0, 15, e.Breach.FALSE_GAME), 0)
    assert [type(event) for event in setting_back.events] == [e.PegsSetBack]


@pytest.mark.parametrize(("award", "score"), [(5, 2), (3, 0), (2, 0)])
def test_award_pays_a_debt_before_the_peg_moves(award: int, score: int) -> None:
    start = decision(0, 20, rules="auction auction_debt=debt").table
    giving = Decision(in_debt(start, 3))
    giving.award(penalty(award), 0)
    assert giving.table.fronts == (score, 20)
    assert [type(event) for event in giving.events] == ([e.PenaltyGiven, e.PegLeapt] if score else [e.PenaltyGiven])


def test_price_beyond_the_score_moves_the_peg_to_the_start_and_leaves_a_debt() -> None:
    start = table_after(
        "rules auction auction_debt=debt \n seats Ann Ben \n dealer Ben \n scores 2 20 \n pegs by table \n Ann bids 5"
    )
    buying = Decision(start)
    buying.award(e.CribSold(ANN, 5), 0)
    assert buying.table.fronts == (0, 20) and buying.table.sides[0].rightful == -3
    buying.award(e.CribSold(ANN, 5), 0)
    assert buying.table.sides[0].rightful == -8
    assert [type(event) for event in buying.events] == [e.CribSold, e.PegAdjusted, e.CribSold]


def test_points_that_move_themselves_pay_a_debt_first() -> None:
    start = decision(0, 20, rules="auction auction_debt=debt").table
    scoring = Decision(in_debt(start, 3))
    scoring.score(ANN, e.Source.PLAY, PAIR)
    assert [type(event) for event in scoring.events] == [e.PointsDue] and scoring.table.fronts == (0, 20)
    scoring.score(ANN, e.Source.PLAY, PAIR)
    assert scoring.table.fronts == (1, 20)


def test_game_ends_when_the_front_peg_is_in_the_game_hole_and_only_once() -> None:
    ending = decision(119, 20, "by hand")
    ending.find_winner()
    ending.score(ANN, e.Source.PLAY, PAIR)
    assert ending.table.winner is None
    ending.apply(e.PegLeapt(0, TrackPegs(119, 120), stands=False))
    ending.find_winner()
    assert ending.table.winner is None
    ending.apply(e.PegAdjusted(0, TrackPegs(119, 121), stands=False))
    ending.find_winner()
    ending.find_winner()
    assert ending.table.winner == 0 and ending.events.count(e.GameWon(0)) == 1


def test_side_at_rest_does_not_win_while_the_other_is_to_peg_out() -> None:
    ending = decision(10, 119, "by hand")
    ending.score(BEN, e.Source.PLAY, PAIR)
    assert ending.table.owed == (0, 2) and ending.table.winner is None


def test_lowest_score_wins_lowball() -> None:
    start = table_after("rules three_hand lowball=on \n seats Ann Ben Cat \n scores 119 40 30 \n pegs by table")
    ending = Decision(start)
    ending.score(ANN, e.Source.PLAY, PAIR)
    assert ending.table.winner == 2


def test_points_that_are_not_pegged_yet_do_not_help_in_lowball() -> None:
    start = "rules three_hand lowball=on \n seats Ann Ben Cat \n scores 119 30 31 \n pegs by hand"
    ending = Decision(table_after(start))
    ending.score(BEN, e.Source.PLAY, PAIR)
    ending.score(ANN, e.Source.PLAY, PAIR)
    assert ending.table.winner is None and ending.table.scores == (119, 30, 31)
    ending.apply(e.PegLeapt(0, ending.table.sides[0].goal, stands=False))
    ending.find_winner()
    assert ending.table.winner == 2
