"""A series: cards played from count 0 to at most 31, and the points of its last card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_host.cribbage.cards import PIPS_OF, RANK_OF, Card
from firmware_host.cribbage.options import PlayFlush
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.score import ALIKE, Score, ScoreKind

FULL_COUNT = 31
"""No series goes past it."""

_FLUSHES_COUNT = PlayFlush.THREE_UP
_RANK_BIT = [1 << rank for rank in RANK_OF]
_RUN_OF_RANKS = {(2**length - 1) << low: length for length in range(3, 8) for low in range(1, 15 - length)}
"""Consecutive ranks as bits -> how many. Eight of them always make more than 31."""
_ALIKE_POINTS = (0, 0, *(points for _, points in ALIKE.values()))


def count_of(series: Iterable[Card]) -> int:
    """The sum of the pips."""
    count = 0
    for card in series:
        count += PIPS_OF[card]
    return count


def playable_cards(cards: Iterable[Card], count: int) -> tuple[Card, ...]:
    """The cards that do not take the count past 31."""
    return tuple([card for card in cards if count + PIPS_OF[card] <= FULL_COUNT])


def can_play(cards: Iterable[Card], count: int) -> bool:
    """Whether any of the cards does not take the count past 31."""
    return min([PIPS_OF[card] for card in cards], default=FULL_COUNT + 1) <= FULL_COUNT - count


def points_for(series: Sequence[Card]) -> int:
    """The points of the last card by rank: fifteen, thirty-one, and a pair, triple or four, or a run."""
    count = count_of(series)
    points = 2 if count == 15 or count == FULL_COUNT else 0
    if len(series) > 1 and RANK_OF[series[-1]] == RANK_OF[series[-2]]:
        return points + _ALIKE_POINTS[_alike(series)]
    return points + _run_length(series)


def scores_for(series: Sequence[Card], rules: RuleSet) -> tuple[Score, ...]:
    """The scores of the last card, each with its cards, in the order in which players announce them."""
    if len(series) < 2:
        return ()  # one card scores nothing
    series = tuple(series)
    scores = list[Score]()
    count = count_of(series)
    if count == 15:
        scores.append(Score(ScoreKind.FIFTEEN, 2, series))
    elif count == FULL_COUNT:
        scores.append(Score(ScoreKind.THIRTY_ONE, 2, series))
    if RANK_OF[series[-1]] == RANK_OF[series[-2]]:
        alike = _alike(series)
        kind, points = ALIKE[alike]
        scores.append(Score(kind, points, series[-alike:]))
    elif run := _run_length(series):
        scores.append(Score(ScoreKind.RUN, run, series[-run:]))
    if rules.play_flush is _FLUSHES_COUNT and (flush := _flush_length(series)) >= 3:
        scores.append(Score(ScoreKind.FLUSH, flush, series[-flush:]))
    return tuple(scores)


def _alike(series: Sequence[Card]) -> int:
    """The number of cards of one rank at the end."""
    rank = RANK_OF[series[-1]]
    alike = 0
    for card in reversed(series):
        if RANK_OF[card] != rank:
            break
        alike += 1
    return alike


def _run_length(series: Sequence[Card]) -> int:
    """The most cards at the end that are a run in any order; 0 for fewer than three."""
    ranks = longest = 0
    for card in reversed(series):
        bit = _RANK_BIT[card]
        if ranks & bit:
            break
        ranks |= bit
        if ranks in _RUN_OF_RANKS:
            longest = _RUN_OF_RANKS[ranks]
    return longest


def _flush_length(series: Sequence[Card]) -> int:
    """The number of cards at the end that are known to be of one suit."""
    suit = series[-1].suit
    length = 0
    for card in reversed(series):
        if suit is None or card.suit is not suit:
            break
        length += 1
    return length
