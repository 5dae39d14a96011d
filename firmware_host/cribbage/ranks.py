"""Points of ranks alone at the show: fifteens, pairs and runs. Suits only add to them (`show.py`).

The combinations of a set of ranks are found once, as places in the sorted cards, and cached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, groupby, product
from operator import itemgetter
from typing import NamedTuple, Protocol, TypeVar

from firmware_host.cribbage.cards import PIPS_OF, RANKS
from firmware_host.cribbage.score import ALIKE, ScoreKind

T = TypeVar("T")

_PATTERNS_KEPT = 8192
"""Size of the cache: all 6,175 sets of five ranks fit, and many of other sizes."""


class Picker(Protocol):
    """Picks the same places out of any sequence."""

    def __call__(self, cards: Sequence[T], /) -> tuple[T, ...]: ...


class Combination(NamedTuple):
    """A score of a set of ranks, before the cards are known."""

    kind: ScoreKind
    points: int
    pick: Picker
    """Picks its cards out of all cards, which must be sorted by rank."""


@lru_cache(maxsize=_PATTERNS_KEPT)
def combinations_of(ranks: tuple[int, ...]) -> tuple[Combination, ...]:
    """Every fifteen, then the pairs, then the runs of `ranks`, which must be sorted (1 ace to 13 king)."""
    return (*_fifteens(ranks), *_pairs(ranks), *_runs(ranks))


def rank_points(ranks: tuple[int, ...]) -> int:
    """The sum of the points of all `combinations_of(ranks)`, for ranks in any order. Fast: for tables of totals."""
    pairs = sum(map(ranks.count, ranks)) - len(ranks)  # n alike are worth n (n - 1)
    sums = 1  # byte n: in how many ways some of the cards make n pips
    present = 0
    for rank in ranks:
        sums += sums << _BITS_OF_PIPS[rank]
        present |= 1 << rank
    fifteens = 2 * (sums >> _BITS_OF_FIFTEEN & 0xFF)
    return fifteens + pairs + (_run_points(ranks) if present & present >> 1 & present >> 2 else 0)


_BITS_OF_PIPS = [8 * min(rank, 10) for rank in range(14)]
_BITS_OF_FIFTEEN = 8 * 15


def _run_points(ranks: tuple[int, ...]) -> int:
    points = length = 0
    ways = 1
    for rank in range(1, 15):  # 14 is no rank: it ends a run up to the king
        if times := ranks.count(rank):
            length = length + 1
            ways = ways * times
        else:
            points += length * ways if length >= 3 else 0
            length = 0
            ways = 1
    return points


def _fifteens(ranks: tuple[int, ...]) -> Iterator[Combination]:
    pips = [PIPS_OF[RANKS[rank - 1]] for rank in ranks]
    for size in range(2, len(ranks) + 1):
        for places in combinations(range(len(ranks)), size):
            if sum(pips[place] for place in places) == 15:
                yield Combination(ScoreKind.FIFTEEN, 2, itemgetter(*places))


def _pairs(ranks: tuple[int, ...]) -> Iterator[Combination]:
    for places in _places_by_rank(ranks).values():
        if len(places) > 1:
            kind, points = ALIKE[len(places)]
            yield Combination(kind, points, itemgetter(*places))


def _runs(ranks: tuple[int, ...]) -> Iterator[Combination]:
    """Each way through each maximal block of at least three consecutive ranks."""
    places_by_rank = _places_by_rank(ranks)
    for _, block in groupby(enumerate(places_by_rank), key=lambda numbered: numbered[1] - numbered[0]):
        run = [rank for _, rank in block]
        if len(run) >= 3:
            for places in product(*(places_by_rank[rank] for rank in run)):
                yield Combination(ScoreKind.RUN, len(run), itemgetter(*places))


def _places_by_rank(ranks: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    first = 0
    found = {}
    for rank, times in Counter(ranks).items():
        found[rank] = tuple(range(first, first + times))
        first += times
    return found
