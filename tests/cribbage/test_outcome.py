"""What a finished game is worth, and who deals the next one."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.dealer import first_dealer, next_games_dealer
from firmware_host.cribbage.outcome import Outcome, outcome_of
from firmware_host.cribbage.rule_errors import DuplicateCard, WrongNumberOfCards
from firmware_host.cribbage.rules import Margin, RuleSet, Seat, Side
from firmware_host.cribbage.variants import rules_for


def test_a_loser_at_ninety_is_skunked() -> None:
    assert outcome_of(rules_for("six_card"), Side(0), (121, 90)) == Outcome(Side(0), Margin.SKUNK, (3, 0), (31, -31))


def test_a_loser_at_ninety_one_is_not_skunked() -> None:
    assert outcome_of(rules_for("six_card"), Side(0), (121, 91)) == Outcome(Side(0), Margin.WIN, (2, 0), (30, -30))


@pytest.mark.parametrize(
    ("target", "scores", "points"), [(61, (30, 61), (0, 2)), (121, (60, 121), (0, 3)), (121, (61, 121), (0, 2))]
)
def test_a_match_may_count_games(target: int, scores: tuple[int, int], points: tuple[int, int]) -> None:
    rules = rules_for("six_card", {"target": target, "match_points": "games"})
    assert outcome_of(rules, Side(1), scores).points == points


def test_of_three_the_winner_is_measured_against_the_best_loser() -> None:
    outcome = outcome_of(rules_for("three_hand"), Side(1), (100, 121, 58))
    assert (outcome.margin, outcome.points, outcome.spread) == (Margin.WIN, (0, 2, 0), (-21, 21, -63))
    assert outcome.last == (Side(2),)


def test_losers_with_equal_scores_are_both_last() -> None:
    assert outcome_of(rules_for("four_single"), Side(1), (80, 121, 100, 80)).last == (Side(0), Side(3))


def test_the_spread_of_a_captain_counts_from_61() -> None:
    rules = rules_for("three_hand", {"captain": True})
    assert outcome_of(rules, Side(0), (61, 117)).spread == (4, -4)
    assert outcome_of(rules, Side(1), (51, 121)).spread == (-10, 10)


def test_in_lowball_the_first_at_the_target_is_last() -> None:
    outcome = outcome_of(rules_for("three_hand", {"lowball": True}), Side(2), (121, 100, 70))
    assert (outcome.spread, outcome.points, outcome.last) == ((-51, -30, 30), (0, 0, 2), (Side(0),))


@pytest.mark.parametrize(
    ("choice", "cut", "dealer"),
    [
        ("lowest", "4H 9S", 0),
        ("lowest", "KH AS", 1),
        ("lowest", "4H 4S", None),
        ("highest", "4H 9S", 1),
        ("highest", "KH AS", 0),
        ("highest", "KH KS", None),
        ("manual", "4H 9S", None),
    ],
)
def test_the_cut_decides_who_deals_first(choice: str, cut: str, dealer: int | None) -> None:
    assert first_dealer(parse_cards(cut), rules_for("six_card", {"first_dealer": choice})) == dealer


def test_equal_cards_that_are_not_the_best_cut_do_not_matter() -> None:
    assert first_dealer(parse_cards("9H 9S 2C"), rules_for("three_hand")) == Seat(2)


def test_a_cut_needs_one_card_a_seat_from_one_pack() -> None:
    with pytest.raises(WrongNumberOfCards, match="3 cards cut"):
        first_dealer(parse_cards("9H 9S"), rules_for("three_hand"))
    with pytest.raises(DuplicateCard):
        first_dealer(parse_cards("9H 9H"), rules_for("six_card"))


def next_dealer(
    variant: str, choice: str, winner: int, scores: tuple[int, ...], first: int | None, last: int | None
) -> Seat | None:
    rules: RuleSet = rules_for(variant, {"next_game_dealer": choice})
    outcome = outcome_of(rules, Side(winner), scores)
    return next_games_dealer(
        rules, outcome, None if first is None else Seat(first), None if last is None else Seat(last)
    )


@pytest.mark.parametrize(("choice", "dealer"), [("loser", 1), ("winner", 0), ("alternate", 0)])
def test_of_two_players_the_option_decides_who_deals(choice: str, dealer: int) -> None:
    for last in (0, 1, None):
        assert next_dealer("six_card", choice, 0, (121, 100), first=1, last=last) == dealer


def test_alternate_needs_a_known_first_dealer() -> None:
    assert next_dealer("six_card", "alternate", 0, (121, 100), first=None, last=None) is None


@pytest.mark.parametrize(
    ("choice", "last", "dealer"),
    [("loser", 0, 1), ("loser", 1, 3), ("loser", 2, 3), ("loser", 3, 1), ("winner", 0, 2), ("winner", 3, 0)],
)
def test_of_partners_the_one_whom_the_deal_reaches_first_deals(choice: str, last: int, dealer: int) -> None:
    assert next_dealer("four_partners", choice, 0, (121, 100), first=0, last=last) == dealer


def test_of_three_the_one_furthest_behind_deals() -> None:
    assert next_dealer("three_hand", "loser", 0, (121, 100, 99), first=0, last=2) == Seat(2)
    assert next_dealer("three_hand", "winner", 0, (121, 100, 99), first=0, last=2) == Seat(0)
    assert next_dealer("three_hand", "alternate", 0, (121, 100, 99), first=2, last=1) == Seat(0)


def test_of_level_losers_the_one_whom_the_deal_reaches_first_deals() -> None:
    assert next_dealer("three_hand", "loser", 0, (121, 99, 99), first=0, last=1) == Seat(2)


def test_counterclockwise_the_next_dealer_sits_on_the_right() -> None:
    rules = rules_for("three_hand", {"next_game_dealer": "alternate", "direction": "counterclockwise"})
    assert next_games_dealer(rules, outcome_of(rules, Side(0), (121, 9, 9)), Seat(0), Seat(1)) == Seat(2)
