"""Points as they are said aloud: a hand in cadence, "fifteen two, fifteen four, and a double run of three is twelve",
and a card in play, "fifteen for two, and a pair for two".

Rule: every word is a whole phrase that goes through `say`, so a catalogue of another language can replace it. What
scores nothing is not said, and pairs within a run are said with the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.show import Count, Part

_SMALL = (
    *("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty")
NUMBERS = (*_SMALL, *(f"{tens}-{unit}" if unit != "nought" else tens for tens in _TENS for unit in _SMALL[:10]))
"""0 to 59: no count, not even of seven cards, is higher."""

OF_CARDS = {length: f"of {NUMBERS[length]}" for length in range(3, 8)}
"""How long a run or a flush is. A phrase of its own: in other languages the number takes another form here."""

COUNTED = {
    ScoreKind.FIFTEEN: "fifteen {total}",
    ScoreKind.PAIR: "a pair is {total}",
    ScoreKind.PAIR_ROYAL: "a pair royal is {total}",
    ScoreKind.DOUBLE_PAIR_ROYAL: "a double pair royal is {total}",
    ScoreKind.FLUSH: "a flush {of_cards} is {total}",
    ScoreKind.HIS_NOBS: "his nobs is {total}",
}
COUNTED_RUNS = {
    (): "a run {of_cards} is {total}",
    (2,): "a double run {of_cards} is {total}",
    (3,): "a triple run {of_cards} is {total}",
    (4,): "a quadruple run {of_cards} is {total}",
    (2, 2): "a double double run {of_cards} is {total}",
    (2, 3): "a double triple run {of_cards} is {total}",
    (2, 2, 2): "a double double double run {of_cards} is {total}",
}
"""The sizes of the pairs within a run, small to large -> what it is called."""

EARNED = {
    ScoreKind.FIFTEEN: "fifteen for two",
    ScoreKind.THIRTY_ONE: "thirty-one for two",
    ScoreKind.PAIR: "a pair for two",
    ScoreKind.PAIR_ROYAL: "a pair royal for six",
    ScoreKind.DOUBLE_PAIR_ROYAL: "a double pair royal for twelve",
    ScoreKind.RUN: "a run {of_cards}",
    ScoreKind.FLUSH: "a flush {of_cards}",
    ScoreKind.LAST_CARD: "one for last",
    ScoreKind.GO: "one for the go",
    ScoreKind.HIS_HEELS: "two for his heels",
    ScoreKind.HIS_NOBS: "one for his nobs",
    ScoreKind.PONES_THREE: "three for last",
}
"""A score by itself, as it falls in the play: its points are always the same, or the length of the run or flush."""

NO_POINTS = "no points"
LAST_OF_LIST = "{list}, and {last}"

PHRASES = (
    *(*NUMBERS, *OF_CARDS.values(), NO_POINTS, LAST_OF_LIST),
    *(*COUNTED.values(), *COUNTED_RUNS.values(), *EARNED.values()),
)
"""All that is ever looked up here, for the catalogue."""


class _Item(NamedTuple):
    phrase: str
    length: int
    points: int


def count_in_words(count: Count, say: Callable[[str], str] = str) -> str:
    """The whole count as one sentence without a full stop. `say` translates a phrase; a number is a phrase too."""
    total = 0
    spoken = []
    for item in _items(count):
        total += item.points
        spoken.append(say(item.phrase).format(of_cards=_of_cards(item.length, say), total=say(NUMBERS[total])))
    return _listed(spoken, say) if spoken else say(NO_POINTS)


def scores_in_words(scores: Sequence[Score], say: Callable[[str], str] = str) -> str:
    """What one card, go or starter earned, at least one score, each with its own points."""
    return _listed([say(EARNED[score.kind]).format(of_cards=_of_cards(len(score.cards), say)) for score in scores], say)


def _listed(spoken: Sequence[str], say: Callable[[str], str]) -> str:
    *first, last = spoken
    return say(LAST_OF_LIST).format(list=", ".join(first), last=last) if first else last


def _of_cards(length: int, say: Callable[[str], str]) -> str:
    return say(OF_CARDS[length]) if length in OF_CARDS else ""


def _items(count: Count) -> Iterator[_Item]:
    pairs, runs = count.scores_of(Part.PAIRS), count.scores_of(Part.RUNS)
    in_runs = {card.rank for run in runs for card in run.cards}
    loose = [pair for pair in pairs if pair.cards[0].rank not in in_runs]
    yield from map(_item, (*count.scores_of(Part.FIFTEENS), *loose))
    yield from _run_items(runs, pairs)
    yield from map(_item, (*count.scores_of(Part.FLUSH), *count.scores_of(Part.NOBS)))


def _item(score: Score) -> _Item:
    return _Item(COUNTED[score.kind], len(score.cards), score.points)


def _run_items(runs: Sequence[Score], pairs: Sequence[Score]) -> Iterator[_Item]:
    """All ways through the same ranks, and their pairs, are one item."""
    for ranks, same in groupby(runs, key=lambda run: tuple(card.rank for card in run.cards)):
        within = [pair for pair in pairs if pair.cards[0].rank in ranks]
        points = sum(score.points for score in (*same, *within))
        yield _Item(COUNTED_RUNS[tuple(sorted(len(pair.cards) for pair in within))], len(ranks), points)
