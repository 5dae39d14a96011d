"""The tables of the chance to win, against themselves and against games that are played on."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.strategy.deal_chances import DealChances, both, spread_of
from firmware_host.strategy.discard_judge import judge_discards
from firmware_host.strategy.win_chance import WinChances, chances_for

NAMES = ("six_card", "five_card", "seven_card", "four_partners")


def chances_of(variant: str) -> WinChances:
    chances = chances_for(VARIANTS[variant])
    assert chances is not None
    return chances


@pytest.mark.parametrize("variant", NAMES)
def test_chances_rise_with_the_own_score_and_fall_with_theirs(variant: str) -> None:
    """In steps of ten holes, which are more than the noise of the deals."""
    chances = chances_of(variant)
    for need in range(chances.size, 30, -10):
        by_own = [chances.of_dealer(own, need) for own in range(chances.size, 0, -10)]
        by_theirs = [chances.of_dealer(need, theirs) for theirs in range(chances.size, 0, -10)]
        assert by_own == sorted(by_own)
        assert by_theirs == sorted(by_theirs, reverse=True)


@pytest.mark.parametrize("variant", NAMES)
def test_chances_of_both_sides_sum_to_one(variant: str) -> None:
    chances = chances_of(variant)
    assert chances.of_dealer(40, 50) + chances.of_pone(50, 40) == pytest.approx(1)


@pytest.mark.parametrize(
    ("variant", "low", "high"),
    [("six_card", 0.55, 0.58), ("five_card", 0.45, 0.6), ("seven_card", 0.5, 0.6), ("four_partners", 0.53, 0.6)],
)
def test_the_first_dealer_has_the_known_advantage(variant: str, low: float, high: float) -> None:
    chances = chances_of(variant)
    assert low < chances.of_dealer(chances.size, chances.size) < high


def test_a_longer_game_is_decided_by_the_difference() -> None:
    chances = chances_of("six_card")
    assert chances.of_dealer(181, 171) == chances.of_dealer(121, 111)


def test_a_game_that_is_over_is_won_or_lost() -> None:
    chances = chances_of("six_card")
    assert (chances.of_dealer(0, 5), chances.of_dealer(5, 0)) == (1, 0)


def test_no_table_fits_three_sides_a_captain_or_lowball() -> None:
    others = (
        VARIANTS["three_hand"],
        rules_for("three_hand", {"captain": True}),
        rules_for("six_card", {"lowball": True}),
    )
    assert [chances_for(rules) for rules in others] == [None, None, None]
    assert chances_for(VARIANTS["auction"]) is not None


def test_the_spread_of_a_sum() -> None:
    assert both([0.5, 0.5], [0.25, 0.75]) == [0.125, 0.5, 0.375]
    assert spread_of({0: 1, 2: 3}) == [0.25, 0, 0.75]


def test_a_sure_win_is_one_and_a_lost_game_is_nothing() -> None:
    chances = chances_of("six_card")
    needs_four = DealChances(chances, 4, 100, is_dealer=False)
    assert needs_four.win([0, 0, 0, 0, 1.0], [1.0], 0) == pytest.approx(1, abs=1e-3)
    hopeless = DealChances(chances, 100, 1, is_dealer=False)
    assert hopeless.win([1.0], [1.0], 0) < 0.01


def test_more_points_in_the_hand_never_hurt() -> None:
    chances = chances_of("six_card")
    for needs in ((121, 121), (30, 20), (8, 5)):
        for is_dealer in (True, False):
            deal = DealChances(chances, *needs, is_dealer=is_dealer)
            wins = [deal.win([0.0] * points + [1.0], [0.0, 0.0, 1.0], 0) for points in range(0, 25, 4)]
            assert all(later >= earlier - 0.002 for earlier, later in pairwise(wins))


def test_at_the_end_the_pone_keeps_the_hand_that_counts_out() -> None:
    """At 113 to 110 the pone needs eight and counts first: the flush of hearts has too few, the run of four enough."""
    cards = parse_cards("4H 5H 6H 6S KH 2D")
    discards = judge_discards(cards, VARIANTS["six_card"], own_crib=False, scores=(113, 110))
    wins = [discard.win for discard in discards]
    assert wins == sorted(wins, key=lambda win: win or 0, reverse=True)
    assert {str(card) for card in discards[0].kept} >= {"4H", "5H", "6H", "6S"}
