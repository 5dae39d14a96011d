"""Points in words, as players count them aloud: a hand in cadence, "fifteen two, fifteen four, and a double run of
three is twelve", and a card in play, "fifteen for two, and a pair for two".

Every phrase is translated as a whole, because other languages inflect numbers and nouns in their own way. A part that
scores nothing is left out, and pairs within a run are counted with the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.show import PART_OF, Count, Part

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty")
NUMBERS = (*_SMALL, *(f"{tens}-{unit}" if unit != "zero" else tens for tens in _TENS for unit in _SMALL[:10]))
"""0 to 59: no count, not even of seven cards, is higher."""

OF_CARDS = {length: f"of {NUMBERS[length]}" for length in range(3, 8)}
"""The length of a run or a flush. A phrase of its own, since other languages inflect the number here."""

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
"""Sizes of the pairs within a run, in rising order -> the phrase for the run."""

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
    ScoreKind.PONES_THREE: "three for not dealing",
}
"""A score of the play, by itself. Its points are fixed, or are the length of the run or flush."""

NO_POINTS = "no points"
NINETEEN = "nineteen: no points"
"""The players' word for a hand of nothing, because no hand counts nineteen, with its meaning for everybody else."""
LAST_OF_LIST = "{list}, and {last}"

PHRASES = (
    *(*NUMBERS, *OF_CARDS.values(), NO_POINTS, NINETEEN, LAST_OF_LIST),
    *(*COUNTED.values(), *COUNTED_RUNS.values(), *EARNED.values()),
)
"""Every phrase that this module translates, for the catalogue."""


class CountStep(NamedTuple):
    """One saying of a count, such as "a double run of three is twelve"."""

    words: str
    total: int
    """The points so far, with this step."""
    scores: tuple[int, ...]
    """Which scores of the count it is about, as indexes: the two runs and the pair of a double run."""


class _Item(NamedTuple):
    """One part of a count. `length`: cards in it; `points`: what it adds to the running total; `scores`: indexes."""

    phrase: str
    length: int
    points: int
    scores: tuple[int, ...]


def count_in_words(count: Count, translate: Callable[[str], str] = str) -> str:
    """The whole count as one sentence, without a full stop. `translate` is called for each phrase and each number."""
    parts = [step.words for step in count_steps(count, translate)]
    return _joined(parts, translate) if parts else translate(NO_POINTS)


def hand_in_words(count: Count, translate: Callable[[str], str] = str) -> str:
    """As `count_in_words`, for a hand that somebody shows: nothing is a nineteen."""
    return count_in_words(count, translate) if count.scores else translate(NINETEEN)


def count_steps(count: Count, translate: Callable[[str], str] = str) -> Iterator[CountStep]:
    """The sayings of a count in their order. `translate` is called for each phrase and each number."""
    total = 0
    for item in _items(count):
        total += item.points
        of_cards = _of_cards(item.length, translate)
        words = translate(item.phrase).format(of_cards=of_cards, total=translate(NUMBERS[total]))
        yield CountStep(words, total, item.scores)


def scores_in_words(scores: Sequence[Score], translate: Callable[[str], str] = str) -> str:
    """What one card, go or starter scored, each score with its own points. `scores` must not be empty."""
    parts = [translate(EARNED[score.kind]).format(of_cards=_of_cards(len(score.cards), translate)) for score in scores]
    return _joined(parts, translate)


def _joined(parts: Sequence[str], translate: Callable[[str], str]) -> str:
    *first, last = parts
    return translate(LAST_OF_LIST).format(list=", ".join(first), last=last) if first else last


def _of_cards(length: int, translate: Callable[[str], str]) -> str:
    return translate(OF_CARDS[length]) if length in OF_CARDS else ""


_Numbered = tuple[int, Score]
"""A score with its index in the count."""


def _items(count: Count) -> Iterator[_Item]:
    pairs = _scores_of(count, Part.PAIRS)
    runs = _scores_of(count, Part.RUNS)
    in_runs = {card.rank for _, run in runs for card in run.cards}
    loose = [(number, pair) for number, pair in pairs if pair.cards[0].rank not in in_runs]
    yield from map(_item, (*_scores_of(count, Part.FIFTEENS), *loose))
    yield from _run_items(runs, pairs)
    yield from map(_item, (*_scores_of(count, Part.FLUSH), *_scores_of(count, Part.NOBS)))


def _scores_of(count: Count, part: Part) -> list[_Numbered]:
    return [(number, score) for number, score in enumerate(count.scores) if PART_OF[score.kind] is part]


def _item(numbered: _Numbered) -> _Item:
    number, score = numbered
    return _Item(COUNTED[score.kind], len(score.cards), score.points, (number,))


def _run_items(runs: Sequence[_Numbered], pairs: Sequence[_Numbered]) -> Iterator[_Item]:
    """The runs of the same ranks, together with the pairs in them, are one item."""
    for ranks, same in groupby(runs, key=lambda run: tuple(card.rank for card in run[1].cards)):
        within = [(number, pair) for number, pair in pairs if pair.cards[0].rank in ranks]
        scores = (*same, *within)
        points = sum(score.points for _, score in scores)
        numbers = tuple(number for number, _ in scores)
        sizes = tuple(sorted(len(pair.cards) for _, pair in within))
        yield _Item(COUNTED_RUNS[sizes], len(ranks), points, numbers)
