"""Claims that are refused, what a short leap releases, and which misses a claim is about."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decide import decide
from firmware_host.game.decision import Decision
from firmware_host.game.due_points import Due, Miss
from firmware_host.game.dues import add_due, change_rightful
from firmware_host.game.missed_points import can_wait, check_can_lose_game, is_released_short
from firmware_host.game.muggins import check_claim, misses_claimed
from firmware_host.game.overruns import is_penalized, record_overrun
from firmware_host.game.rule_errors import GameHoleFirst, NoMuggins, NoMugginsNow, NoMugginsYet, NotASeat
from firmware_host.game.state import Table
from tests.game.script import table_after

ANN, BEN = Seat(0), Seat(1)
RUN = (Score(ScoreKind.RUN, 3),)


def game(lines: str, rules: str = "muggins_mode=claim", scores: str = "40 40", pegs: str = "by hand") -> Table:
    begin = f"rules six_card {rules} \n seats Ann Ben \n dealer Ben \n scores {scores} \n pegs {pegs} \n"
    return table_after(begin + lines.replace(";", "\n"))


@pytest.mark.parametrize(
    ("lines", "rules", "claim", "refusal", "message"),
    [
        ("starter KC", "muggins_mode=claim", c.ClaimMuggins(2, 1), NotASeat, "a side from 0 to 1, got 2"),
        ("starter KC", "muggins_mode=claim", c.ClaimMuggins(-1, 1), NotASeat, "a side from 0 to 1, got -1"),
        (
            "starter KC",
            "muggins_mode=coach",
            c.ClaimMuggins(0, 1),
            NoMuggins,
            "by claim in the rules, got muggins coach",
        ),
        ("starter KC", "muggins_mode=claim", c.ClaimMuggins(0, 0), NoMugginsNow, "a claim of 1 to 121, got 0"),
        ("", "muggins_mode=claim", c.ClaimMuggins(0, 1), NoMugginsNow, "in the play or the show, got one in the deal"),
        (
            "starter KC",
            "muggins_mode=claim muggins_scope=show",
            c.ClaimMuggins(0, 1),
            NoMugginsNow,
            "a claim in the show, got one in the play",
        ),
        (
            "starter KC; Ann plays 2; Ben plays 2",
            "muggins_mode=claim",
            c.ClaimMuggins(0, 2),
            NoMugginsYet,
            "once the game has gone on, got one while the points may still be pegged",
        ),
    ],
)
def test_claim_is_refused(lines: str, rules: str, claim: c.ClaimMuggins, refusal: type[Refusal], message: str) -> None:
    with pytest.raises(refusal) as refused:
        decide(game(lines, rules), claim)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("lines", "rules", "side", "points"),
    [
        ("starter KC", "muggins_mode=claim", 0, 1),
        ("starter KC", "muggins_mode=claim", 1, 1),
        ("starter KC; show", "muggins_mode=claim muggins_scope=show", 0, 1),
        ("starter KC; show; skip hand; skip hand; skip hand", "muggins_mode=claim", 0, 1),
    ],
)
def test_claim_is_allowed(lines: str, rules: str, side: int, points: int) -> None:
    check_claim(game(lines, rules), c.ClaimMuggins(side, points))


def test_own_points_that_can_still_be_pegged_are_no_reason_to_wait_with_a_claim() -> None:
    """Nobody else missed any, so the claim is wrong."""
    table = game("starter KC; Ann plays 2; Ben plays 2")
    (given,) = decide(table, c.ClaimMuggins(1, 2)).events
    assert given == e.PenaltyGiven(0, 2, e.Breach.FALSE_CLAIM)


def test_points_that_muggins_does_not_cover_make_a_claim_wrong_and_not_early() -> None:
    (given,) = decide(game("starter JC"), c.ClaimMuggins(0, 2)).events
    assert given == e.PenaltyGiven(1, 2, e.Breach.FALSE_CLAIM)


def test_claim_is_about_misses_of_one_side_that_the_claimer_may_still_claim() -> None:
    table = table_after("rules three_hand muggins_mode=claim \n seats Ann Ben Cat \n dealer Cat \n pegs by hand")

    def miss(side: int, points: int, *claimers: int) -> Miss:
        return Miss(side, Seat(side), e.Source.PLAY, points, (), claimers)

    closed, of_ben, of_cat = miss(1, 3, 2), miss(1, 2, 0, 2), miss(2, 3, 0, 1)
    table = replace(table, misses=(closed, of_ben, of_cat))
    assert misses_claimed(table, c.ClaimMuggins(0, 3)) == (of_cat,)
    assert misses_claimed(table, c.ClaimMuggins(0, 5)) == (of_ben,)
    assert misses_claimed(table, c.ClaimMuggins(1, 1)) == (of_cat,)
    assert misses_claimed(replace(table, misses=()), c.ClaimMuggins(1, 1)) == ()


SHORT = "starter KC; Ann plays 2; Ben plays 2; Ben moves 1"


def test_peg_inside_a_score_is_released_short() -> None:
    assert is_released_short(game(SHORT), 1)
    assert not is_released_short(game(SHORT), 0)
    assert not is_released_short(game("starter KC; Ann plays 2; Ben plays 2"), 1)
    assert not is_released_short(game("starter KC; Ann plays 2; Ben plays 2; Ben moves 2"), 1)


def test_points_that_were_entered_were_not_released_by_a_peg() -> None:
    entered = game("starter KC; Ann plays 2; Ben plays 2", pegs="by entry")
    moved = entered.with_side(1, game(SHORT).sides[1])
    assert not is_released_short(moved, 1)


def test_peg_that_went_back_from_a_short_leap_is_in_hand_again() -> None:
    """The points can still be pegged, so it is too early to claim them."""
    table = game(f"{SHORT}; Ben slides -1", "muggins_mode=claim pegging_policy=acc")
    assert table.sides[1].dues[0].moved == 1 and not is_released_short(table, 1)
    with pytest.raises(NoMugginsYet):
        decide(table, c.ClaimMuggins(0, 1))


def test_rest_of_a_short_leap_can_be_claimed_before_the_game_goes_on() -> None:
    events = decide(game(SHORT), c.ClaimMuggins(0, 1)).events
    assert [type(event) for event in events] == [e.PointsMissed, e.MugginsTaken]
    assert decide(game(SHORT), c.ClaimMuggins(1, 1)).events == (e.PenaltyGiven(0, 1, e.Breach.FALSE_CLAIM),)


def test_side_that_goes_on_may_peg_later_what_its_peg_was_not_released_in() -> None:
    table = game(SHORT, "muggins_mode=automatic")
    later = Due(BEN, e.Source.PLAY, 3, RUN)
    both = add_due(table, 1, later)
    rest = both.sides[1].forfeitable_dues[0]
    assert not can_wait(both, 1, rest) and can_wait(both, 1, later)
    assert can_wait(game(SHORT, "muggins_mode=coach"), 1, rest)


@pytest.mark.parametrize(
    ("rules", "waits"),
    [("muggins_mode=automatic", False), ("muggins_mode=coach", True), ("pegging_policy=acc", True)],
)
def test_points_to_win_cannot_wait_where_muggins_takes_them(rules: str, waits: bool) -> None:
    table = game("starter KC; Ann plays 2; Ben plays 2", rules, scores="40 119")
    (due,) = table.sides[1].dues
    assert can_wait(table, 1, due) == waits
    of_ann = Due(ANN, e.Source.PLAY, 3, RUN)
    assert can_wait(add_due(table, 0, of_ann), 0, of_ann)


def test_game_waits_for_the_peg_that_wins_also_without_what_is_lost() -> None:
    table = game("starter KC; Ann plays 2; Ben plays 2", scores="40 119")
    (pair,) = table.sides[1].dues
    check_can_lose_game(table, 0, [])
    check_can_lose_game(table, 1, [pair])
    with pytest.raises(GameHoleFirst) as refused:
        check_can_lose_game(table, 1, [])
    assert "expected Ben's peg in the game hole first, got the game to go on" in str(refused.value)
    check_can_lose_game(replace(table, winner=1), 1, [])
    with pytest.raises(GameHoleFirst):
        check_can_lose_game(add_due(table, 1, Due(BEN, e.Source.PENALTY, 2)), 1, [pair])
    check_can_lose_game(add_due(table, 1, Due(BEN, e.Source.PLAY, 3, RUN)), 1, [pair, Due(BEN, e.Source.PLAY, 3, RUN)])


@pytest.mark.parametrize(
    ("score", "excess", "back"),
    [(40, 5, 0), (115, 5, 0), (115, 6, 15), (0, 120, 0), (0, 121, 15)],
)
def test_excess_that_reaches_the_game_hole_is_a_false_game(score: int, excess: int, back: int) -> None:
    decision = Decision(game("starter KC; Ann plays 2", "pegging_policy=acc", scores=f"{score} 40"))
    record_overrun(decision, 0, excess, 3)
    breach = e.Breach.FALSE_GAME if back else e.Breach.OVERRUN
    ruled = [e.PegsSetBack(0, 15, breach)] if back else []
    assert decision.events == [e.PegsOverran(0, excess), *ruled, e.PenaltyGiven(1, 3, breach)]


def test_debt_does_not_keep_a_peg_in_the_game_hole_from_being_a_false_game() -> None:
    text = """
        rules auction auction_debt=debt pegging_policy=acc
        seats Ann Ben
        dealer Ben
        pegs by hand
        Ann bids 1
        Ben passes
        starter KC
        Ann plays 2
    """
    decision = Decision(change_rightful(table_after(text), 0, -5))
    record_overrun(decision, 0, 121, 121)
    assert e.PegsSetBack(0, 15, e.Breach.FALSE_GAME) in decision.events


@pytest.mark.parametrize(
    ("lines", "rules", "penalized"),
    [
        ("starter KC; Ann plays 2", "pegging_policy=acc", True),
        ("starter KC; Ann plays 2", "pegging_policy=correct", False),
        ("starter KC", "pegging_policy=acc", False),
    ],
)
def test_excess_costs_by_acc_rules_where_every_score_is_known(lines: str, rules: str, penalized: bool) -> None:
    table = game(lines, rules)
    assert is_penalized(table, 0) == penalized
    decision = Decision(table)
    record_overrun(decision, 0, 3, 3)
    assert len(decision.events) == (2 if penalized else 1)


def test_excess_is_reported_once_and_again_only_as_far_as_it_grew() -> None:
    table = game("starter KC; Ann plays 2; Ben plays 2; Ben moves 5; Ann plays K", "pegging_policy=acc")
    assert table.sides[1].reported_excess == 3
    ace = c.PlayCard(parse_card("A", rank_only=True), BEN)
    further = decide(table, c.PegsMoved(1, TrackPegs(40, 46), is_leap=False)).table
    for before, given in ((table, []), (further, [e.PenaltyGiven(0, 1, e.Breach.OVERRUN)])):
        events = decide(before, ace).events
        assert [event for event in events if isinstance(event, e.PenaltyGiven)] == given
