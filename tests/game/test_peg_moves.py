"""Moves on the board and entered points, compared with what was due."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decide import decide
from firmware_host.game.due_points import Miss
from firmware_host.game.evidence import Evidence
from firmware_host.game.peg_moves import is_muggins_claim, knows_points_due
from firmware_host.game.rule_errors import NotAScore, NotASeat
from firmware_host.game.state import Table
from tests.game.script import table_after


def game(lines: str, rules: str = "", scores: str = "40 40", pegs: str = "by hand") -> Table:
    begin = f"rules six_card {rules} \n seats Ann Ben \n dealer Ben \n scores {scores} \n pegs {pegs} \n"
    return table_after(begin + lines.replace(";", "\n"))


PAIR_DUE = "starter KC; Ann plays 2; Ben plays 2"


def leap(side: int, table: Table, points: int) -> c.PegsMoved:
    pegs = table.sides[side].pegs
    return c.PegsMoved(side, pegs.leapt_to(pegs.front + points), is_leap=True)


def slide(side: int, table: Table, points: int) -> c.PegsMoved:
    pegs = table.sides[side].pegs
    return c.PegsMoved(side, pegs.slid_to(pegs.front + points), is_leap=False)


@pytest.mark.parametrize(
    ("pegs", "command", "refusal", "message"),
    [
        ("by hand", c.EnterPoints(2, 1), NotASeat, "expected a side from 0 to 1, got 2"),
        ("by hand", c.EnterPoints(-1, 1), NotASeat, "expected a side from 0 to 1, got -1"),
        ("by entry", c.EnterPoints(0, -1), NotASeat, "expected points from 0, got -1"),
        ("by table", c.EnterPoints(0, -1), NotASeat, "expected points from 0, got -1"),
        ("by hand", c.CorrectScore(2, 1, ""), NotASeat, "expected a side from 0 to 1, got 2"),
        ("by hand", c.CorrectScore(0, 122, ""), NotAScore, "expected a score from 0 to 121, got 122"),
        ("by hand", c.CorrectScore(0, -1, ""), NotAScore, "expected a score from 0 to 121, got -1"),
    ],
)
def test_points_of_no_side_and_scores_off_the_board_are_refused(
    pegs: str, command: c.Command, refusal: type[Refusal], message: str
) -> None:
    with pytest.raises(refusal) as refused:
        decide(game("", pegs=pegs), command)
    assert message in str(refused.value)


def test_correction_keeps_its_reason() -> None:
    assert decide(game(""), c.CorrectScore(1, 45, "a slip")).events == (e.ScoreCorrected(1, 45, "a slip"),)


CARDS_ENTERED = """
    Ann dealt 2C 4H 6S 8D AC 3C; Ann discards AC 3C; Ben dealt QC QD 9S 9H AD AH; Ben discards AD AH; starter KH
    Ann plays 2C; Ben plays QC; Ann plays 4H; Ben plays 9S; Ann plays 6S; Ben says go; Ann says go; Ben plays QD
    Ann plays 8D; Ben plays 9H; Ben enters 1; Ann counts; Ben counts; Ben enters 5; Ben counts the crib; next deal
"""


def test_leap_before_the_first_card_is_asked_about_if_only_a_sensor_reports_it() -> None:
    table = game(CARDS_ENTERED)
    (entered,) = decide(table, leap(1, table, 5)).events
    assert entered == e.PegLeapt(1, leap(1, table, 5).pegs, stands=True)
    sensed = decide(table, leap(1, table, 5), Evidence(frozenset({0, 1})))
    assert sensed.events == (e.PegLeapt(1, leap(1, table, 5).pegs, stands=False),)
    assert (sensed.table.scores, sensed.table.owed) == (table.scores, (table.owed[0], -5))
    restored = decide(sensed.table, c.PegsMoved(1, table.sides[1].pegs, is_leap=False), Evidence(frozenset({0, 1})))
    assert restored.table.sides[1].pegs == table.sides[1].pegs and restored.table.scores == table.scores


def test_people_who_stop_entering_cards_accept_their_pegs_once() -> None:
    table = game(CARDS_ENTERED)
    sensed = Evidence(frozenset({0, 1}))
    leapt = decide(table, leap(1, table, 5), sensed).table
    accepted = decide(leapt, c.AcceptPegs(), sensed).table
    assert accepted.scores[1] == table.scores[1] + 5
    assert decide(accepted, leap(1, accepted, 4), sensed).table.scores[1] == table.scores[1] + 9


def test_points_may_be_entered_also_for_pegs_on_the_board() -> None:
    table = game(PAIR_DUE)
    assert decide(table, c.EnterPoints(1, 2)).events == (e.PegLeapt(1, TrackPegs(40, 42), stands=False),)


@pytest.mark.parametrize(
    ("lines", "points", "moved", "stands"),
    [
        (PAIR_DUE, 2, 2, False),
        (PAIR_DUE, 9, 2, False),
        ("starter KC", 9, 9, True),
        ("starter KC; Ann plays 2", 9, 0, False),
    ],
)
def test_entered_points_move_what_is_due_or_what_nobody_can_know(
    lines: str, points: int, moved: int, stands: bool
) -> None:
    events = decide(game(lines, pegs="by entry"), c.EnterPoints(1, points)).events
    leaps = [event for event in events if isinstance(event, e.PegLeapt)]
    assert leaps == ([e.PegLeapt(1, TrackPegs(40, 40 + moved), stands)] if moved else [])
    excess = 0 if stands else points - moved
    assert [event.points for event in events if isinstance(event, e.PegsOverran)] == ([excess] if excess else [])


def test_points_beyond_the_game_hole_are_not_entered_as_an_excess() -> None:
    table = game(PAIR_DUE, "pegging_policy=acc", scores="40 119", pegs="by entry")
    events = decide(table, c.EnterPoints(1, 9)).events
    assert [type(event) for event in events] == [e.PegLeapt, e.GameWon]


def test_side_that_owes_a_price_has_nothing_due_to_enter() -> None:
    text = """
        rules auction
        seats Ann Ben
        dealer Ben
        scores 30 30
        pegs by hand
        Ann bids 5
        Ben passes
        starter KC
        Ann plays 2
    """
    table = table_after(text)
    assert table.owed == (-5, 0)
    assert [type(event) for event in decide(table, c.EnterPoints(0, 3)).events] == [e.PegsOverran]


@pytest.mark.parametrize(
    ("lines", "rules", "points", "is_leap", "knows"),
    [
        pytest.param(PAIR_DUE, "", 2, True, True, id="points are due"),
        pytest.param("starter KC", "", 2, True, False, id="nothing is known"),
        pytest.param("starter KC; Ann plays 2", "", 2, True, True, id="every card is entered"),
        pytest.param(f"{PAIR_DUE}; Ben moves 2; show", "", 2, True, False, id="a leap, cards no longer entered"),
        pytest.param(f"{PAIR_DUE}; Ben moves 2; show", "", 2, False, True, id="a slide after a checked move"),
        pytest.param(f"{PAIR_DUE}; Ben moves 2", "", -1, False, True, id="back, at home"),
        pytest.param(f"{PAIR_DUE}; Ben moves 2", "pegging_policy=acc", -1, False, False, id="back, by ACC rules"),
        pytest.param(f"{PAIR_DUE}; Ben moves 1", "pegging_policy=acc", -1, False, False, id="back, and points due"),
        pytest.param(
            f"{PAIR_DUE}; Ben moves 3", "pegging_policy=acc", -1, False, True, id="back from an excess of one"
        ),
        pytest.param(f"{PAIR_DUE}; Ben moves 5", "pegging_policy=acc", -1, False, True, id="back from an excess"),
        pytest.param(PAIR_DUE, "pegging_policy=acc", 0, False, True, id="no further"),
    ],
)
def test_move_is_compared_with_what_was_due_where_that_is_known(
    lines: str, rules: str, points: int, is_leap: bool, knows: bool
) -> None:
    table = game(lines, rules)
    move = leap(1, table, points) if is_leap else slide(1, table, points)
    assert knows_points_due(table, move, points) == knows


def with_misses(table: Table, *claimers: tuple[int, ...]) -> Table:
    misses = tuple(Miss(1, Seat(1), e.Source.PLAY, 2, (), each) for each in claimers)
    return replace(table, misses=misses)


@pytest.mark.parametrize(
    ("lines", "claimers", "points", "claims"),
    [
        pytest.param("starter KC", [(0,)], 2, True, id="what was missed"),
        pytest.param("starter KC", [(0,)], 1, True, id="a part of it"),
        pytest.param("starter KC", [(0,)], 3, False, id="more, which may be a score"),
        pytest.param("starter KC; Ann plays 2", [(0,)], 3, True, id="more, where every score is known"),
        pytest.param("starter KC", [(0,), (0,)], 4, True, id="two misses"),
        pytest.param("starter KC", [(2,)], 2, False, id="nothing that this side may claim"),
        pytest.param("starter KC; Ann plays 2", [], 2, False, id="nothing was missed"),
    ],
)
def test_leap_without_points_due_claims_what_others_missed(
    lines: str, claimers: list[tuple[int, ...]], points: int, claims: bool
) -> None:
    assert is_muggins_claim(with_misses(game(lines, "muggins_mode=claim"), *claimers), 0, points) == claims


def test_leap_of_a_side_with_points_due_is_no_claim() -> None:
    table = with_misses(game("starter KC; Ann plays 2; Ben plays 9; Ann plays 4", "muggins_mode=claim"), (0,))
    assert table.sides[0].owed == 2 and not is_muggins_claim(table, 0, 2)


def test_leap_after_a_short_one_claims_its_rest() -> None:
    short = game("starter KC; Ann plays 2; Ben plays 2; Ben moves 2; Ann plays 2; Ann moves 4", "muggins_mode=claim")
    assert is_muggins_claim(short, 1, 2) and is_muggins_claim(short, 1, 1)
    assert not is_muggins_claim(short, 0, 2)


def test_move_after_the_game_is_no_event() -> None:
    over = game("starter JC; Ben moves 2", scores="40 119")
    assert over.winner == 1
    assert decide(over, leap(0, over, 2)).events == ()


def test_wrong_peg_in_the_game_hole_is_reported_at_once_and_elsewhere_when_the_game_goes_on() -> None:
    for score, overran in ((118, True), (110, False)):
        table = game(PAIR_DUE, scores=f"40 {score}")
        events = decide(table, leap(1, table, 3)).events
        assert any(isinstance(event, e.PegsOverran) for event in events) == overran
        assert events[0] == e.PegLeapt(1, TrackPegs(score, score + 3), stands=False)
