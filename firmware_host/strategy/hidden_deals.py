"""What another player was dealt, kept and discarded, given the cards that are gone.

A player who is dealt six cards holds one of 18,395 sets of ranks. For each set the choice of a sensible player is
stored, so the distributions of discards and of kept hands follow by counting: a set weighs as many ways as the unseen
cards can make it. Nothing is sampled.

A set is split into its low half, the ranks up to six, and its high half. The ways of each half are counted once, and a
set is the product of two of them. The sets are in the order of `deals_in_order`: by low half, then by high half.
"""

from __future__ import annotations

import zlib
from array import array
from binascii import a2b_base64
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from operator import itemgetter, mul
from typing import TypeVar

import msgspec

from firmware_host.strategy import choice_tables

T = TypeVar("T")

Ranks = tuple[int, ...]
"""Sorted ranks, 1 (ace) to 13 (king)."""

LOW = range(1, 7)
HIGH = range(7, 14)
"""The ranks of both halves."""
LARGEST_DEAL = 7


class Kind(msgspec.Struct, frozen=True):
    """One kind of deal, and the side for which the player chooses."""

    dealt: int
    """Cards dealt: 5, 6 or 7."""
    discarded: int
    """Cards discarded from them: 1 or 2."""
    own_crib: bool
    """Whether the crib belongs to the player's side."""


@cache
def rank_sets(size: int) -> tuple[Ranks, ...]:
    """All sets of ranks that so many cards of a pack can have, each sorted, in order."""
    sets = combinations_with_replacement(range(1, 14), size)
    return tuple(ranks for ranks in sets if size < 5 or max(map(ranks.count, ranks)) <= 4)


def deals_in_order(dealt: int) -> Iterator[Ranks]:
    """The sets of `rank_sets`, in the order in which ways are counted and choices are stored."""
    rows = _pairs_of_parts(dealt, _half(LOW).parts, _half(HIGH).parts)
    return ((*low, *high) for low, others in rows for high in others)


def choices_of(ranks: Ranks, discarded: int) -> tuple[Ranks, ...]:
    """The different sets of so many cards that can be discarded from these, in order."""
    return tuple(sorted(set(combinations(ranks, discarded))))


def rest_of(ranks: Ranks, gone: Ranks) -> Ranks:
    """The ranks without those that are gone, one for one."""
    left = list(ranks)
    for rank in gone:
        left.remove(rank)
    return tuple(left)


def ways_of(ranks: Ranks, unseen: Sequence[int]) -> int:
    """In how many ways the unseen cards make this set of ranks. `unseen[rank]`: cards of a rank; index 0 is unused."""
    return prod(comb(unseen[rank], ranks.count(rank)) for rank in set(ranks))


def discard_weights(kind: Kind, unseen: Sequence[int]) -> list[int]:
    """In how many ways the player can have discarded each of `rank_sets(kind.discarded)`."""
    return _sums(chosen_numbers(kind), _ways(kind.dealt, unseen), len(rank_sets(kind.discarded)))


def hand_weights(kind: Kind, unseen: Sequence[int]) -> list[int]:
    """In how many ways the player can have kept each of `rank_sets(kind.dealt - kind.discarded)`."""
    hands = rank_sets(kind.dealt - kind.discarded)
    return _sums(_kept_numbers(kind), _ways(kind.dealt, unseen), len(hands))


def _sums(numbers: Sequence[int], ways: Sequence[int], groups: int) -> list[int]:
    sums = [0] * groups
    for number, each in zip(numbers, ways, strict=True):
        sums[number] += each
    return sums


@cache
def chosen_numbers(kind: Kind) -> bytes:
    """For each of `deals_in_order` the number of the chosen discard among `rank_sets(kind.discarded)`."""
    return zlib.decompress(a2b_base64(choice_tables.CHOICES[kind.dealt, kind.discarded, kind.own_crib]))


def chosen_discards(kind: Kind) -> dict[Ranks, Ranks]:
    """Each deal -> the discard that a sensible player chooses."""
    discards = rank_sets(kind.discarded)
    return {
        deal: discards[number] for deal, number in zip(deals_in_order(kind.dealt), chosen_numbers(kind), strict=True)
    }


KEPT_UNIT = 1 / 400
"""The unit of `choice_tables.KEPT`; a byte holds up to 0.64."""


@cache
def free_chances(kind: Kind) -> tuple[tuple[float, ...], ...]:
    """For each discard of two, in the order of `rank_sets(2)`, and each rank, ace to king: the chance that a card of
    the rank is not in the hand of the player who discarded these."""
    packed = zlib.decompress(a2b_base64(choice_tables.KEPT[kind.dealt, kind.discarded, kind.own_crib]))
    free = [1 - KEPT_UNIT * kept for kept in packed]
    return tuple(tuple(free[start : start + 13]) for start in range(0, len(free), 13))


@cache
def _kept_numbers(kind: Kind) -> array[int]:
    """For each of `deals_in_order` the number of the hand that is kept. A set of ranks has a key, the sum of those of
    its cards, so the hand is a difference."""
    numbers = {_key(hand): number for number, hand in enumerate(rank_sets(kind.dealt - kind.discarded))}
    gone = [_key(discard) for discard in rank_sets(kind.discarded)]
    halves = _pairs_of_parts(kind.dealt, _half(LOW).keys, _half(HIGH).keys)
    keys = [key + other for key, others in halves for other in others]
    kept = (numbers[key - gone[chosen]] for key, chosen in zip(keys, chosen_numbers(kind), strict=True))
    return array("H", kept)


def _key(ranks: Ranks) -> int:
    return sum(1 << 3 * rank for rank in ranks)


class _Half(msgspec.Struct, frozen=True):
    """All sets of ranks of one half of the ranks, up to seven cards, by size and then in the order of building."""

    parts: tuple[Ranks, ...]
    keys: tuple[int, ...]
    ends: tuple[int, ...]
    """Where the parts of each size begin; last the number of parts."""
    steps: tuple[tuple[Callable[[Sequence[int]], tuple[int, ...]], Callable[[Sequence[int]], tuple[int, ...]]], ...]
    """How the ways of the parts with one more rank follow from those without it: which part, and how many cards."""
    in_order: Callable[[Sequence[int]], tuple[int, ...]]
    """Sorts the ways by size of the part."""

    def of_size(self, size: int) -> slice:
        """The parts with so many cards."""
        return slice(self.ends[size], self.ends[size + 1])

    def ways(self, unseen: Sequence[int], ranks: range) -> tuple[int, ...]:
        """The ways of each part."""
        ways: Sequence[int] = [1]
        for rank, (of_part, of_times) in zip(ranks, self.steps, strict=True):
            factors = [comb(unseen[rank], times) for times in range(5)]
            ways = [*map(mul, of_part(ways), of_times(factors))]
        return self.in_order(ways)


@cache
def _half(ranks: range) -> _Half:
    parts: list[Ranks] = [()]
    steps = []
    for rank in ranks:
        longer = [
            (number, times)
            for number, part in enumerate(parts)
            for times in range(min(4, LARGEST_DEAL - len(part)) + 1)
        ]
        parts = [(*parts[number], *(rank,) * times) for number, times in longer]
        steps.append((itemgetter(*(number for number, _ in longer)), itemgetter(*(times for _, times in longer))))
    order = sorted(range(len(parts)), key=lambda number: len(parts[number]))
    in_order = tuple(parts[number] for number in order)
    sizes = [len(part) for part in in_order]
    ends = (*(sizes.index(size) for size in range(LARGEST_DEAL + 1)), len(sizes))
    return _Half(in_order, tuple(map(_key, in_order)), ends, tuple(steps), itemgetter(*order))


def _ways(dealt: int, unseen: Sequence[int]) -> list[int]:
    """The ways of each of `deals_in_order`."""
    low = _half(LOW).ways(unseen, LOW)
    high = _half(HIGH).ways(unseen, HIGH)
    return [way * other for way, others in _pairs_of_parts(dealt, low, high) for other in others]


def _pairs_of_parts(dealt: int, low: Sequence[T], high: Sequence[T]) -> Iterator[tuple[T, Sequence[T]]]:
    """What belongs to each low half, with what belongs to all high halves that go with it, in order."""
    rows = [high[_half(HIGH).of_size(size)] for size in range(dealt + 1)]
    for part, each in zip(_half(LOW).parts, low, strict=True):
        if len(part) <= dealt:
            yield each, rows[dealt - len(part)]
