"""Values of cribs, against cribs that are dealt, and against the published tables."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

import pytest

from firmware_host.cribbage.cards import PACK, RANK_OF, SUIT_OF, Card, parse_cards
from firmware_host.cribbage.totals import show_total
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.strategy.discard_judge import judge_discards
from firmware_host.strategy.hidden_deals import Kind, Ranks, chosen_discards
from tests.strategy.players import mean_hand
from tests.strategy.published_tables import HESSEL, SCHELL, Table, of_pair

SIX = VARIANTS["six_card"]
CASES = [json.loads(line) for line in Path(__file__).with_name("clear_discards.jsonl").read_text().splitlines()]


class Difference(NamedTuple):
    """Dealt cribs less the engine's values for one pair of ranks: the mean, its standard error, and the hands."""

    mean: float
    error: float
    hands: int


class Opponent:
    """Discards by the engine; without four cards of a suit by its table, which is the same and quicker."""

    def __init__(self, own_crib: bool) -> None:
        self.own_crib = own_crib
        self.choices = chosen_discards(Kind(6, 2, own_crib))

    def discard(self, dealt: list[Card]) -> list[Card]:
        suits = [SUIT_OF[card] for card in dealt]
        if max(map(suits.count, suits)) >= 4:
            return list(judge_discards(dealt, SIX, own_crib=self.own_crib)[0].discarded)
        wanted, gone = list(self.choices[tuple(sorted(RANK_OF[card] for card in dealt))]), list[Card]()
        for card in dealt:
            if RANK_OF[card] in wanted:
                wanted.remove(RANK_OF[card])
                gone.append(card)
        return gone


def differences(own_crib: bool, hands: int, deals: int, seed: int) -> dict[Ranks, Difference]:
    """By pair of ranks. For each of `hands` own hands so many hands of the opponent and starters are dealt."""
    random, opponent = Random(seed), Opponent(not own_crib)
    found = defaultdict[Ranks, list[float]](list)
    for _ in range(hands):
        pack = random.sample(PACK, 52)
        discards = judge_discards(pack[:6], SIX, own_crib=own_crib)
        totals = [0] * len(discards)
        for _ in range(deals):
            *theirs, starter = random.sample(pack[6:], 7)
            gone = opponent.discard(theirs)
            for place, discard in enumerate(discards):
                totals[place] += show_total((*discard.discarded, *gone), starter, True)
        for total, discard in zip(totals, discards, strict=True):
            ranks = tuple(RANK_OF[card] for card in discard.discarded)
            found[ranks].append(total / deals - discard.mean_crib)
    return {ranks: _difference(values) for ranks, values in found.items()}


def _difference(values: list[float]) -> Difference:
    mean = fmean(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return Difference(mean, sqrt(spread / len(values)), len(values))


@pytest.mark.parametrize("own_crib", [True, False])
def test_values_have_no_bias(own_crib: bool) -> None:
    """Over all pairs; each alone is in the test of `make strength`."""
    found = differences(own_crib, hands=12, deals=40, seed=11)
    mean = sum(each.mean * each.hands for each in found.values()) / sum(each.hands for each in found.values())
    assert abs(mean) < 0.3


@pytest.mark.strength
@pytest.mark.timeout(36_000)
@pytest.mark.parametrize("own_crib", [True, False])
def test_the_value_of_each_pair_is_the_mean_of_dealt_cribs(own_crib: bool) -> None:
    found = differences(own_crib, hands=3000, deals=150, seed=12)
    assert len(found) == 91
    assert max(each.error for each in found.values()) < 0.03
    far = {ranks: each for ranks, each in found.items() if abs(each.mean) > 0.10}
    assert not far


def behind(table: Table, own_crib: bool, hands: int, seed: int) -> float:
    """How many points a hand the first advice is behind the best by a published table."""
    random, sign, lost = Random(seed), 1 if own_crib else -1, 0.0
    for _ in range(hands):
        discards = judge_discards(random.sample(PACK, 6), SIX, own_crib=own_crib)
        worth = []
        for discard in discards:
            crib = of_pair(table, *(RANK_OF[card] for card in discard.discarded))
            worth.append(float(discard.hand) + sign * crib)
        lost += max(worth) - worth[0]
    return lost / hands


@pytest.mark.strength
@pytest.mark.timeout(36_000)
@pytest.mark.parametrize("name", ["own", "theirs"])
@pytest.mark.parametrize("table", [SCHELL, HESSEL], ids=["Schell", "Hessel"])
def test_the_first_advice_is_hardly_behind_published_tables(name: str, table: dict[str, Table]) -> None:
    assert behind(table[name], name == "own", 10_000, seed=13) < 0.005


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case["cards"]))
def test_clear_discards_are_found(case: dict[str, str | list[str]]) -> None:
    """By hand and Schell's table these are best. Where another is, it is by less than what the table knows: dealt cribs
    of two sevens make 6.09 beside 6-4-K-K, 0.17 more than the table has."""
    discards = judge_discards(parse_cards(case["cards"]), SIX, own_crib=case["crib"] == "own")
    best = ranks_of(parse_cards(case["best"]))
    expected = next(discard for discard in discards if ranks_of(discard.discarded) == best)
    assert discards[0].total - expected.total < 0.1


def ranks_of(cards: Sequence[Card]) -> list[int]:
    return sorted(RANK_OF[card] for card in cards)


def test_the_mean_hand_is_that_of_the_rules() -> None:
    dealt = parse_cards("3C 3D 4S 4H 5C 9D")
    for discard in judge_discards(dealt, SIX, own_crib=True):
        assert float(discard.hand) == pytest.approx(mean_hand(discard.kept, dealt))
