"""A count as it is said aloud: "fifteen two, fifteen four, and a double run of three is twelve".

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

_PHRASES = {
    ScoreKind.FIFTEEN: "fifteen {total}",
    ScoreKind.PAIR: "a pair is {total}",
    ScoreKind.PAIR_ROYAL: "a pair royal is {total}",
    ScoreKind.DOUBLE_PAIR_ROYAL: "a double pair royal is {total}",
    ScoreKind.FLUSH: "a flush of {length} is {total}",
    ScoreKind.HIS_NOBS: "his nobs is {total}",
}
_RUN_PHRASES = {
    (): "a run of {length} is {total}",
    (2,): "a double run of {length} is {total}",
    (3,): "a triple run of {length} is {total}",
    (4,): "a quadruple run of {length} is {total}",
    (2, 2): "a double double run of {length} is {total}",
    (2, 3): "a double triple run of {length} is {total}",
    (2, 2, 2): "a double double double run of {length} is {total}",
}
"""The sizes of the pairs within a run, small to large -> what it is called."""

NO_POINTS = "no points"
LAST_OF_LIST = "{list}, and {last}"


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
        spoken.append(say(item.phrase).format(length=say(NUMBERS[item.length]), total=say(NUMBERS[total])))
    if len(spoken) < 2:
        return spoken[0] if spoken else say(NO_POINTS)
    return say(LAST_OF_LIST).format(list=", ".join(spoken[:-1]), last=spoken[-1])


def _items(count: Count) -> Iterator[_Item]:
    pairs, runs = count.scores_of(Part.PAIRS), count.scores_of(Part.RUNS)
    in_runs = {card.rank for run in runs for card in run.cards}
    loose = [pair for pair in pairs if pair.cards[0].rank not in in_runs]
    yield from map(_item, (*count.scores_of(Part.FIFTEENS), *loose))
    yield from _run_items(runs, pairs)
    yield from map(_item, (*count.scores_of(Part.FLUSH), *count.scores_of(Part.NOBS)))


def _item(score: Score) -> _Item:
    return _Item(_PHRASES[score.kind], len(score.cards), score.points)


def _run_items(runs: Sequence[Score], pairs: Sequence[Score]) -> Iterator[_Item]:
    """All ways through the same ranks, and their pairs, are one item."""
    for ranks, same in groupby(runs, key=lambda run: tuple(card.rank for card in run.cards)):
        within = [pair for pair in pairs if pair.cards[0].rank in ranks]
        points = sum(score.points for score in (*same, *within))
        yield _Item(_RUN_PHRASES[tuple(sorted(len(pair.cards) for pair in within))], len(ranks), points)
