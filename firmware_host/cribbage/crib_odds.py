"""Mean points of a crib: one's own discards are known, the other crib cards and the starter are hidden.

The ranks of the hidden cards decide fifteens, pairs and runs, and three hidden cards have only 455 sets of ranks. So
the 45,540 ways to complete a crib become one row of points, weighted by how often each set occurs; flush and nobs are
added in closed form. All weights are integers, and nothing is rounded.
"""

from __future__ import annotations

import zlib
from binascii import a2b_base64
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from operator import itemgetter, mul

from msgspec import Struct

from firmware_host.cribbage import crib_tables
from firmware_host.cribbage.cards import JACK, PACK, Card, Suit
from firmware_host.cribbage.discard_model import DiscardModel

Unseen = Mapping[Suit, Sequence[int]]
"""The ranks (1 to 13) of the unseen cards, by suit."""


class CribOdds(Struct, frozen=True):
    """The weights of all ways to complete a crib, as far as they matter for points."""

    ways: int
    """The weight of all ways together."""
    of_ranks: Sequence[int]
    """The weight of each of `rank_sets`: the ranks of all hidden cards, starter included."""
    starters: dict[Suit, int]
    """The weight of a starter of that suit."""
    flush_of_five: dict[Suit, int]
    """The weight of all hidden cards being of that suit."""
    flush_of_four: dict[Suit, int]
    """The weight of all being of that suit but the starter."""
    hidden_nobs: int
    """The weight of the jack of the starter's suit being among the hidden crib cards."""

    def expected(self, discards: Sequence[Card], *, four_flush: bool) -> Fraction:
        """The mean points of a crib that holds these discards. `four_flush`: four of a suit count in a crib."""
        points = weighed_points(tuple(card.rank for card in discards), self.of_ranks) + self.hidden_nobs
        points += sum(self.starters[suit] for card in discards if card.rank == JACK and (suit := card.suit))
        if suit := common_suit(discards):
            points += 5 * self.flush_of_five[suit] + (4 * self.flush_of_four[suit] if four_flush else 0)
        return Fraction(points, self.ways)


def unseen_after(seen: Collection[Card]) -> Unseen:
    """The pack without the cards that were seen."""
    unseen = dict[Suit, list[int]]((suit, []) for suit in Suit)
    for card in PACK:
        if card not in seen and (suit := card.suit):
            unseen[suit].append(card.rank)
    return unseen


def odds_at_random(unseen: Unseen, hidden: int) -> CribOdds:
    """The odds when `hidden` crib cards and the starter are any of the unseen cards with equal probability."""
    cards = sum(map(len, unseen.values()))
    sizes = {suit: len(ranks) for suit, ranks in unseen.items()}
    return CribOdds(
        ways=comb(cards, hidden) * (cards - hidden),
        of_ranks=[(hidden + 1) * ways for ways in ways_of_rank_sets(_times_by_rank(unseen), hidden + 1)],
        starters={suit: size * comb(cards - 1, hidden) for suit, size in sizes.items()},
        flush_of_five={suit: comb(size, hidden) * (size - hidden) for suit, size in sizes.items()},
        flush_of_four={suit: comb(size, hidden) * (cards - size) for suit, size in sizes.items()},
        hidden_nobs=sum(
            (sizes[suit] - 1) * comb(cards - 2, hidden - 1) for suit, ranks in unseen.items() if JACK in ranks
        ),
    )


def odds_by_model(unseen: Unseen, model: DiscardModel) -> CribOdds:
    """The odds when the opponent discarded two of the unseen cards by `model`, and the starter is any of the rest."""
    cards = sum(map(len, unseen.values()))
    times = _times_by_rank(unseen)
    with_card = model.with_card(times)
    pairs = sum(map(mul, times, with_card)) // 2
    alike = {suit: sum(model.of[a][b] for a, b in combinations(ranks, 2)) for suit, ranks in unseen.items()}
    return CribOdds(
        ways=pairs * (cards - 2),
        of_ranks=list(map(mul, ways_of_rank_sets(times, 3), model.of_three)),
        starters={suit: sum(pairs - with_card[rank] for rank in ranks) for suit, ranks in unseen.items()},
        flush_of_five={suit: weight * (len(unseen[suit]) - 2) for suit, weight in alike.items()},
        flush_of_four={suit: weight * (cards - len(unseen[suit])) for suit, weight in alike.items()},
        hidden_nobs=sum(
            sum(with_card[JACK] - model.of[JACK][rank] for rank in ranks if rank != JACK)
            for ranks in unseen.values()
            if JACK in ranks
        ),
    )


def common_suit(cards: Sequence[Card]) -> Suit | None:
    """The suit that all cards have; None if they differ or are unknown."""
    suit = cards[0].suit
    return suit if all(card.suit is suit for card in cards) else None


def weighed_points(known: tuple[int, ...], of_ranks: Iterable[int]) -> int:
    """The sum, over the sets of hidden ranks, of the crib's rank points times the weight of the set."""
    return sum(map(mul, _points_with(known, 5 - len(known)), of_ranks))


def _points_with(known: tuple[int, ...], hidden: int) -> memoryview:
    """Points of fifteens, pairs and runs of the known ranks with each set of hidden ones, in the order of `rank_sets`.
    Sets with five of a rank are counted too; their weight is 0."""
    start = _rows()[tuple(sorted(known))]
    return _points()[start : start + _number_of_sets(hidden)]


KNOWN_SIZES = (2, 1)
"""The numbers of known cards for which points are counted beforehand, in the order of the table."""


@cache
def _points() -> memoryview:
    """All rows of `crib_tables`: 65 kB."""
    return memoryview(zlib.decompress(a2b_base64(crib_tables.POINTS)))


@cache
def _rows() -> dict[tuple[int, ...], int]:
    """Known ranks -> where their row begins."""
    rows = dict[tuple[int, ...], int]()
    start = 0
    for size in KNOWN_SIZES:
        for known in rank_sets(size):
            rows[known] = start
            start += _number_of_sets(5 - size)
    return rows


def _number_of_sets(size: int) -> int:
    """How many `rank_sets` there are."""
    return comb(12 + size, size)


@cache
def rank_sets(size: int) -> tuple[tuple[int, ...], ...]:
    """All sets of ranks that so many cards can have, each sorted, in order."""
    return tuple(combinations_with_replacement(range(1, 14), size))


def ways_of_rank_sets(times: Sequence[int], size: int) -> list[int]:
    """The number of sets of cards for each of `rank_sets`, with `times[rank]` cards of each rank; `times[0]` is 0."""
    choices = [comb(cards, taken) for cards in times for taken in range(size + 1)]
    return [prod(factors) for factors in zip(*(pick(choices) for pick in _picks(size)), strict=True)]


@cache
def _picks(size: int) -> list[Callable[[list[int]], tuple[int, ...]]]:
    """Getters that pick the factors of every rank set out of the choices: all first ranks, all second ranks, ..."""
    sets = rank_sets(size)
    columns = [[ranks[0] * (size + 1) + ranks.count(ranks[0]) for ranks in sets]]
    for place in range(1, size):  # place 0 of the choices: one way to take none of nothing
        columns.append(
            [
                0 if ranks[place] == ranks[place - 1] else ranks[place] * (size + 1) + ranks.count(ranks[place])
                for ranks in sets
            ]
        )
    return [itemgetter(*column) for column in columns]


def _times_by_rank(unseen: Unseen) -> list[int]:
    """The number of cards of each rank: index 0 is unused, then ace to king."""
    times = Counter(rank for ranks in unseen.values() for rank in ranks)
    return [times[rank] for rank in range(14)]
