"""Which kinds of scores a learner may have overlooked, given the points that the learner counted for one part.

An answer often has several explanations: who counts two points too few in a hand with fifteens of two and of three
cards missed one of either. `diagnosis.py` decides between them from many hands.

| part | a kind that is overlooked | points that follow |
| --- | --- | --- |
| fifteens | all of that kind, or some | two less for each |
| pairs | pair royal | 0, 2 or 4 instead of 6 |
| | second of two pairs | 2 instead of 4 |
| runs | length of four | nothing, or runs of three |
| | double run | the run once, or nothing |
| flush | starter | 4 instead of 5 |
| nobs | | nothing |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, product
from typing import NamedTuple

from firmware_host.coach.kinds import KINDS_OF_PART, Hand, Kind
from firmware_host.cribbage.show import Part

_SOME = 0.3
"""Weight of points that are less likely to follow, such as one of two fifteens of the same kind overlooked."""

_Points = Mapping[int, float]
"""Points that a learner would count -> weight."""
_Missed = frozenset[Kind]


class Explanation(NamedTuple):
    """Kinds that were overlooked, none for a right answer, and how well that explains the answer: 0 to 1."""

    missed: _Missed
    weight: float


def explanations(hand: Hand, part: Part, points: int) -> tuple[Explanation, ...]:
    """All explanations of an answer; none if points were counted that are not in the hand, or in no usual way."""
    expected = hand.count.points(part)
    if points == expected:
        return (Explanation(frozenset(), 1.0),)
    present = [kind for kind in KINDS_OF_PART[part] if kind in hand.kinds]
    answers = _ANSWERS[part]
    sets = (frozenset(some) for size in range(1, len(present) + 1) for some in combinations(present, size))
    weights = ((missed, answers(hand, missed).get(points, 0.0)) for missed in sets)
    return tuple(Explanation(missed, weight) for missed, weight in weights if weight)


def _fifteens(hand: Hand, missed: _Missed) -> _Points:
    found = hand.count.points(Part.FIFTEENS)
    numbers = [hand.kinds[kind] for kind in missed]
    points = {found - 2 * some: _SOME for some in range(len(missed), sum(numbers))} if len(missed) == 1 else {}
    return points | {found - 2 * sum(numbers): 1.0}


def _pairs(hand: Hand, missed: _Missed) -> _Points:
    if Kind.TWO_PAIRS not in hand.kinds:
        return dict.fromkeys(range(0, hand.count.points(Part.PAIRS), 2), 1.0)
    if Kind.PAIR_ROYAL not in hand.kinds:
        return {0: 1.0} if missed == {Kind.PAIR} else {0: _SOME} if Kind.PAIR in missed else {2: 1.0}
    return _PAIR_AND_PAIR_ROYAL.get(missed, {0: _SOME, 2: _SOME})


_PAIR_AND_PAIR_ROYAL: Mapping[_Missed, _Points] = {
    frozenset({Kind.PAIR}): {6: 1.0},
    frozenset({Kind.PAIR_ROYAL}): {2: 1.0, 4: 1.0, 6: _SOME},
    frozenset({Kind.TWO_PAIRS}): {2: _SOME, 6: 1.0},
}
"""Kinds overlooked in a hand with both, worth 8 points -> the points that follow."""


def _runs(hand: Hand, missed: _Missed) -> _Points:
    runs = hand.count.scores_of(Part.RUNS)
    length = len(runs[0].cards)
    ways = len(runs)
    misses_length = not missed.isdisjoint((Kind.RUN_OF_THREE, Kind.RUN_OF_FOUR, Kind.RUN_OF_FIVE))
    misses_ways = not missed.isdisjoint((Kind.DOUBLE_RUN, Kind.MULTIPLE_RUN))
    lengths: Iterable[int] = range(3, length) if misses_length else (length,)
    times: Iterable[int] = range(1, ways) if misses_ways else (ways,)
    nothing = 1.0 if misses_length and not misses_ways else _SOME
    return {one * time: 1.0 for one, time in product(lengths, times)} | {0: nothing}


def _flush(hand: Hand, missed: _Missed) -> _Points:
    if missed == {Kind.FLUSH_OF_FIVE}:
        return {4: 1.0, 0: _SOME}
    return {0: 1.0 if missed == {Kind.FLUSH} else _SOME}


def _nobs(hand: Hand, missed: _Missed) -> _Points:
    return {0: 1.0}


_ANSWERS: Mapping[Part, Callable[[Hand, _Missed], _Points]] = {
    Part.FIFTEENS: _fifteens,
    Part.PAIRS: _pairs,
    Part.RUNS: _runs,
    Part.FLUSH: _flush,
    Part.NOBS: _nobs,
}
