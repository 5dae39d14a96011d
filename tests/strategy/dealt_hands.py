"""Hands and cribs that are dealt: what a discard brings against an opponent who discards by Schell's table.

Nothing here is taken from the engine; hands and cribs are counted by the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.totals import show_total
from tests.strategy.published_tables import SCHELL, of_pair


class Mean(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float


@cache
def points_of_ranks(ranks: tuple[int, ...]) -> int:
    """Fifteens, pairs and runs of five ranks, by plain enumeration."""
    subsets = [subset for size in range(2, 6) for subset in combinations(sorted(ranks), size)]
    fifteens = sum(sum(min(rank, 10) for rank in subset) == 15 for subset in subsets)
    pairs = sum(len(subset) == 2 and subset[0] == subset[1] for subset in subsets)
    runs = [subset for subset in subsets if len(subset) > 2 and subset == tuple(range(subset[0], subset[-1] + 1))]
    longest = max(map(len, runs), default=0)
    return 2 * fifteens + 2 * pairs + sum(len(run) for run in runs if len(run) == longest)


@cache
def discard_of_ranks(dealt: tuple[int, ...], own_crib: bool) -> tuple[int, int]:
    """The places of the two cards that somebody gives away who knows Schell's table, of sorted ranks."""
    table, sign = (SCHELL["own"], 1) if own_crib else (SCHELL["theirs"], -1)

    def worth(places: tuple[int, int]) -> float:
        kept = [rank for place, rank in enumerate(dealt) if place not in places]
        starters = {rank: 4 - dealt.count(rank) for rank in range(1, 14)}
        hand = sum(ways * points_of_ranks(tuple(sorted((*kept, rank)))) for rank, ways in starters.items() if ways)
        return hand / 46 + sign * of_pair(table, dealt[places[0]], dealt[places[1]])

    return max(combinations(range(6), 2), key=worth)


def difference(
    dealt: Sequence[Card], one: Sequence[Card], other: Sequence[Card], *, own_crib: bool, deals: int, random: Random
) -> Mean:
    """How many points of hand and crib the discard `one` brings more than the `other`, over so many deals of the rest
    of the pack."""
    rest = [card for card in PACK if card not in dealt]
    found = list[float]()
    for _ in range(deals):
        *theirs, starter = random.sample(rest, 7)
        theirs = sorted(theirs)
        places = discard_of_ranks(tuple(card.rank for card in theirs), not own_crib)
        gone = [theirs[place] for place in places]
        found.append(_total(dealt, one, gone, starter, own_crib) - _total(dealt, other, gone, starter, own_crib))
    return Mean(fmean(found), stdev(found) / sqrt(deals))


def _total(dealt: Sequence[Card], discard: Sequence[Card], gone: Sequence[Card], starter: Card, own_crib: bool) -> int:
    kept = [card for card in dealt if card not in discard]
    crib = show_total((*discard, *gone), starter, True)
    return show_total(kept, starter) + (crib if own_crib else -crib)
