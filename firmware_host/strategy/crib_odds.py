"""Mean points of a crib: one's own discards are known, the other crib cards and the starter are hidden.

The ranks of the hidden cards decide fifteens, pairs and runs, and three hidden cards have only 455 sets of ranks. So
the 45,540 ways to complete a crib become one row of points, weighted by how often each set occurs; flush and nobs are
added in closed form. Where others discard at random, all weights are integers, and nothing is rounded.
"""

from __future__ import annotations

import zlib
from binascii import a2b_base64
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, prod
from operator import add, itemgetter, mul

import msgspec

from firmware_host.cribbage.cards import JACK, PACK, Card, Suit
from firmware_host.strategy import crib_tables
from firmware_host.strategy.hidden_deals import Kind, discard_weights, free_chances, rank_sets, ways_of

Unseen = Mapping[Suit, Sequence[int]]
"""The ranks (1 to 13) of the unseen cards, by suit."""


class CribOdds(msgspec.Struct, frozen=True):
    """The weights of all ways to complete a crib, as far as they matter for points."""

    ways: float
    """The weight of all ways together."""
    of_ranks: Sequence[float]
    """The weight of each of `rank_sets`: the ranks of all hidden cards, starter included."""
    starters: dict[Suit, float]
    """The weight of a starter of that suit."""
    flush_of_five: dict[Suit, float]
    """The weight of all hidden cards being of that suit."""
    flush_of_four: dict[Suit, float]
    """The weight of all being of that suit but the starter."""
    hidden_nobs: float
    """The weight of the jack of the starter's suit being among the hidden crib cards."""

    def exact(self, discards: Sequence[Card], *, four_flush: bool) -> Fraction:
        """`expected` as a fraction, where all weights are integers."""
        return Fraction(int(self._points(discards, four_flush)), int(self.ways))

    def expected(self, discards: Sequence[Card], *, four_flush: bool) -> float:
        """The mean points of a crib that holds these discards. `four_flush`: four of a suit count in a crib."""
        return self._points(discards, four_flush) / self.ways

    def spread(self, discards: Sequence[Card], mean: float) -> list[float]:
        """The chance of each number of points of a crib that holds these discards, 0 to 29. Flush and nobs raise all of
        it a little, as far as the `mean` is above that of the ranks."""
        spread = [0.0] * 64
        row = _points_with(tuple(card.rank for card in discards), 5 - len(discards))
        for points, weight in zip(row, self.of_ranks, strict=True):
            spread[points] += weight
        total = sum(spread)
        spread = [weight / total for weight in spread[:30]]  # five alike would make more, and weigh nothing
        more = min(1.0, max(0.0, mean - sum(points * chance for points, chance in enumerate(spread))))
        return [(1 - more) * here + more * below for here, below in zip(spread, (0.0, *spread), strict=False)]

    def _points(self, discards: Sequence[Card], four_flush: bool) -> float:
        points = weighed_points(tuple(card.rank for card in discards), self.of_ranks) + self.hidden_nobs
        points += sum(self.starters[suit] for card in discards if card.rank == JACK and (suit := card.suit))
        if suit := common_suit(discards):
            points += 5 * self.flush_of_five[suit] + (4 * self.flush_of_four[suit] if four_flush else 0)
        return points


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


def odds_by_choice(unseen: Unseen, dealt: int, *, own_crib: bool) -> CribOdds:
    """The odds when the opponent, who was dealt so many of the unseen cards, discarded two of them as a sensible player
    does, and the starter is one of the rest. `own_crib`: the crib is not the opponent's.

    The starter is less likely a card of the kind that the opponent keeps, such as a five.
    """
    kind = Kind(dealt, 2, not own_crib)
    times = _times_by_rank(unseen)
    cards = sum(times)
    weights = discard_weights(kind, times)
    ways = sum(weights)
    of_both = list[float]()
    for weight, (a, b), row in zip(weights, rank_sets(2), free_chances(kind), strict=True):
        if not weight:
            of_both += _NO_STARTERS
            continue
        left = times[1:]
        left[a - 1] -= 1
        left[b - 1] -= 1
        starters = list(map(mul, left, row))
        factor = weight / sum(starters)
        of_both += [starter * factor for starter in starters]
    first, second, third = _both_and_starter()
    of_both.append(0.0)
    per_pair = {
        pair: weight / pairs
        for pair, weight in zip(rank_sets(2), weights, strict=True)
        if (pairs := ways_of(pair, times))
    }
    alike = {
        suit: sum(per_pair[pair] for pair in combinations(ranks, 2)) / (cards - 2) for suit, ranks in unseen.items()
    }
    jacks = sum(weight * pair.count(JACK) for pair, weight in zip(rank_sets(2), weights, strict=True))
    jack = jacks / times[JACK] if times[JACK] else 0.0
    return CribOdds(
        ways=ways,
        of_ranks=list(map(add, map(add, first(of_both), second(of_both)), third(of_both))),
        starters={suit: ways * len(ranks) / cards for suit, ranks in unseen.items()},
        flush_of_five={suit: weight * (len(unseen[suit]) - 2) for suit, weight in alike.items()},
        flush_of_four={suit: weight * (cards - len(unseen[suit])) for suit, weight in alike.items()},
        hidden_nobs=sum(jack * (len(ranks) - 1) / (cards - 1) for ranks in unseen.values() if JACK in ranks),
    )


_NO_STARTERS = [0.0] * 13


@cache
def _both_and_starter() -> tuple[Callable[[Sequence[float]], tuple[float, ...]], ...]:
    """Getters of the weights of a discard and a starter, which together are each set of three ranks. A set has one to
    three of them; the place after the last weight is 0."""
    number = {pair: place for place, pair in enumerate(rank_sets(2))}
    nothing = 13 * len(number)
    columns: list[list[int]] = [[], [], []]
    for a, b, c in rank_sets(3):
        splits = {((a, b), c), ((a, c), b), ((b, c), a)}
        places = [13 * number[pair] + starter - 1 for pair, starter in sorted(splits)]
        for column, place in zip(columns, (*places, *[nothing] * (3 - len(places))), strict=True):
            column.append(place)
    return tuple(itemgetter(*column) for column in columns)


def odds_by_choices_of_one(unseen: Unseen, sources: Sequence[bool], from_stock: int) -> CribOdds:
    """The odds when several others discarded one card of five each, as sensible players do, the stock added
    `from_stock` cards, and the starter is one of the rest.

    `sources`: for each of the others whether the crib belongs to that player's side. How likely a card was discarded is
    the mean of all of them.
    """
    times = _times_by_rank(unseen)
    cards = sum(times)
    hidden = len(sources) + from_stock
    per_card = [0.0] * 14
    for own_crib, players in Counter(sources).items():
        weights = discard_weights(Kind(5, 1, own_crib), times)
        share = cards * players / len(sources) / sum(weights)
        for rank, weight in enumerate(weights, 1):
            if times[rank]:
                per_card[rank] += weight / times[rank] * share
    columns = [itemgetter(*column)(per_card) for column in zip(*rank_sets(hidden + 1), strict=True)]
    likely = _sums_of_products(columns, len(sources))
    of_ranks = [*map(mul, ways_of_rank_sets(times, hidden + 1), likely)]
    ways = sum(of_ranks)
    sizes = {suit: len(ranks) for suit, ranks in unseen.items()}
    suited = {suit: comb(size, hidden) / comb(cards, hidden) for suit, size in sizes.items()}
    hidden_jack = (len(sources) * per_card[JACK] + from_stock) / cards
    return CribOdds(
        ways=ways,
        of_ranks=of_ranks,
        starters={suit: ways * size / cards for suit, size in sizes.items()},
        flush_of_five={suit: ways * suited[suit] * (size - hidden) / (cards - hidden) for suit, size in sizes.items()},
        flush_of_four={suit: ways * suited[suit] * (cards - size) / (cards - hidden) for suit, size in sizes.items()},
        hidden_nobs=sum(
            ways * hidden_jack * (sizes[suit] - 1) / (cards - 1) for suit, ranks in unseen.items() if JACK in ranks
        ),
    )


def _sums_of_products(columns: Sequence[Sequence[float]], factors: int) -> list[float]:
    """For each row the sum of the products of so many of its numbers, over all choices of them."""
    rows = len(columns[0])
    sums: list[list[float]] = [[1.0] * rows, *([0.0] * rows for _ in range(factors))]
    for column in columns:
        for size in range(factors, 0, -1):
            sums[size] = [*map(add, sums[size], map(mul, sums[size - 1], column))]
    return sums[factors]


def common_suit(cards: Sequence[Card]) -> Suit | None:
    """The suit that all cards have; None if they differ or are unknown."""
    suit = cards[0].suit
    return suit if all(card.suit is suit for card in cards) else None


def weighed_points(known: tuple[int, ...], of_ranks: Iterable[float]) -> float:
    """The sum, over the sets of hidden ranks, of the crib's rank points times the weight of the set."""
    points: float = sum(map(mul, _points_with(known, 5 - len(known)), of_ranks))
    return points


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
