"""What others discard and keep, against deals that are enumerated one by one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from firmware_host.cribbage.cards import PACK, RANK_OF
from firmware_host.strategy.hidden_deals import (
    Kind,
    choices_of,
    chosen_discards,
    deals_in_order,
    discard_weights,
    free_chances,
    hand_weights,
    rank_sets,
    rest_of,
    ways_of,
)

KINDS = [Kind(dealt, discarded, own) for dealt, discarded in ((5, 1), (5, 2), (6, 2), (7, 2)) for own in (True, False)]


def test_there_are_as_many_deals_as_sets_of_ranks() -> None:
    assert [len(rank_sets(size)) for size in (4, 5, 6, 7)] == [1820, 6175, 18_395, 49_205]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_both_orders_have_the_same_sets(size: int) -> None:
    assert sorted(deals_in_order(size)) == list(rank_sets(size))


@pytest.mark.parametrize("kind", KINDS)
def test_every_deal_has_a_choice(kind: Kind) -> None:
    for deal, discard in chosen_discards(kind).items():
        assert discard in choices_of(deal, kind.discarded)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_those_of_enumerated_deals(kind: Kind) -> None:
    """Of few unseen cards, so that all deals can be listed."""
    cards = Random(str(kind)).sample(PACK, kind.dealt + 5)
    unseen = [0] * 14
    for card in cards:
        unseen[RANK_OF[card]] += 1
    chosen = chosen_discards(kind)
    discards, hands = Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()
    for dealt in combinations(sorted(cards), kind.dealt):
        ranks = tuple(RANK_OF[card] for card in dealt)
        discards[chosen[ranks]] += 1
        hands[rest_of(ranks, chosen[ranks])] += 1
    for size, weights, expected in (
        (kind.discarded, discard_weights(kind, unseen), discards),
        (kind.dealt - kind.discarded, hand_weights(kind, unseen), hands),
    ):
        by_cards = dict(zip(rank_sets(size), weights, strict=True))
        assert {ranks: weight for ranks, weight in by_cards.items() if weight} == expected


def test_ways_of_a_set_of_ranks() -> None:
    unseen = [0, 4, 3, 2, *[4] * 10]
    assert ways_of((1, 1, 3), unseen) == 6 * 2
    assert ways_of((3, 3, 3), unseen) == 0


def test_somebody_who_discards_a_king_and_queen_keeps_no_fewer_fives_than_others() -> None:
    kind = Kind(6, 2, own_crib=False)
    row = free_chances(kind)[rank_sets(2).index((12, 13))]
    assert row[5 - 1] < row[13 - 1]
    assert all(0.3 < chance < 1.0001 for chance in row)


def test_dealers_discard_two_sevens_more_often_when_others_hold_the_eights() -> None:
    kind, place = Kind(6, 2, own_crib=True), rank_sets(2).index((7, 7))
    few_eights = [0, *[4] * 13]
    few_eights[8] = 2
    few_kings = [0, *[4] * 13]
    few_kings[13] = 2
    weights = [discard_weights(kind, unseen) for unseen in (few_eights, few_kings)]
    shares = [each[place] / sum(each) for each in weights]
    assert shares[0] > shares[1]
