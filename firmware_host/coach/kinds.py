"""What there is to see in a hand: the kinds of scores that a learner may overlook, such as a run of four."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cached_property

from msgspec import Struct

from firmware_host.cribbage.cards import Card, no_duplicates
from firmware_host.cribbage.rule_errors import WrongNumberOfCards
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.show import Count, Part, count_show
from firmware_host.cribbage.variants import rules_for

RULES: RuleSet = rules_for("six_card", {})
"""The coach asks about hands of four cards and the starter."""


class Kind(Enum):
    """A kind of score that a learner sees or overlooks. The value is its name in files and JSON."""

    FIFTEEN_OF_TWO = "fifteen_of_two"
    FIFTEEN_OF_THREE = "fifteen_of_three"
    FIFTEEN_OF_FOUR = "fifteen_of_four"
    """Of four or of five cards."""
    PAIR = "pair"
    TWO_PAIRS = "two_pairs"
    """The second of two pairs, or of a pair and a pair royal."""
    PAIR_ROYAL = "pair_royal"
    DOUBLE_PAIR_ROYAL = "double_pair_royal"
    RUN_OF_THREE = "run_of_three"
    RUN_OF_FOUR = "run_of_four"
    RUN_OF_FIVE = "run_of_five"
    DOUBLE_RUN = "double_run"
    """That a pair in a run makes the run count twice."""
    MULTIPLE_RUN = "multiple_run"
    """That a run counts three or four times: triple and double double runs."""
    FLUSH = "flush"
    FLUSH_OF_FIVE = "flush_of_five"
    """That the starter belongs to the flush."""
    NOBS = "nobs"


KINDS_OF_PART: Mapping[Part, tuple[Kind, ...]] = {
    Part.FIFTEENS: (Kind.FIFTEEN_OF_TWO, Kind.FIFTEEN_OF_THREE, Kind.FIFTEEN_OF_FOUR),
    Part.PAIRS: (Kind.PAIR, Kind.TWO_PAIRS, Kind.PAIR_ROYAL, Kind.DOUBLE_PAIR_ROYAL),
    Part.RUNS: (Kind.RUN_OF_THREE, Kind.RUN_OF_FOUR, Kind.RUN_OF_FIVE, Kind.DOUBLE_RUN, Kind.MULTIPLE_RUN),
    Part.FLUSH: (Kind.FLUSH, Kind.FLUSH_OF_FIVE),
    Part.NOBS: (Kind.NOBS,),
}
PART_OF_KIND: Mapping[Kind, Part] = {kind: part for part, kinds in KINDS_OF_PART.items() for kind in kinds}

_FIFTEENS = {2: Kind.FIFTEEN_OF_TWO, 3: Kind.FIFTEEN_OF_THREE, 4: Kind.FIFTEEN_OF_FOUR, 5: Kind.FIFTEEN_OF_FOUR}
_RUNS = {3: Kind.RUN_OF_THREE, 4: Kind.RUN_OF_FOUR, 5: Kind.RUN_OF_FIVE}


class Hand(Struct, frozen=True, dict=True):
    """Four held cards of the pack and the starter: one exercise."""

    held: tuple[Card, ...]
    starter: Card

    @property
    def cards(self) -> tuple[Card, ...]:
        """The held cards, then the starter."""
        return (*self.held, self.starter)

    @cached_property
    def count(self) -> Count:
        """Its count. Raises WrongNumberOfCards, DuplicateCard."""
        return count_show(self.held, self.starter, RULES)

    @cached_property
    def kinds(self) -> Mapping[Kind, int]:
        """How often the hand has each kind that it has."""
        return Counter(kind for part in Part for kind in _kinds(part, self.count.scores_of(part)))


def hand_of(cards: Sequence[Card]) -> Hand:
    """The hand of five cards; the last one is the starter. Raises WrongNumberOfCards, DuplicateCard."""
    number = RULES.hand_size + 1
    if len(cards) != number:
        raise WrongNumberOfCards(f"{number} cards", str(len(cards)), fix="the last one is the starter", number=number)
    no_duplicates(cards)
    *held, starter = cards
    return Hand(tuple(held), starter)


def _kinds(part: Part, scores: Sequence[Score]) -> Sequence[Kind]:
    if not scores:
        return ()
    match part:
        case Part.FIFTEENS:
            return [_FIFTEENS[len(score.cards)] for score in scores]
        case Part.PAIRS:
            return _pairs([score.kind for score in scores])
        case Part.RUNS:
            ways = {1: (), 2: (Kind.DOUBLE_RUN,)}.get(len(scores), (Kind.MULTIPLE_RUN,))
            return (_RUNS[len(scores[0].cards)], *ways)
        case Part.FLUSH:
            return (Kind.FLUSH, Kind.FLUSH_OF_FIVE)[: len(scores[0].cards) - 3]
        case Part.NOBS:
            return (Kind.NOBS,)


def _pairs(scores: Sequence[ScoreKind]) -> Sequence[Kind]:
    names = {
        ScoreKind.PAIR: Kind.PAIR,
        ScoreKind.PAIR_ROYAL: Kind.PAIR_ROYAL,
        ScoreKind.DOUBLE_PAIR_ROYAL: Kind.DOUBLE_PAIR_ROYAL,
    }
    found = dict.fromkeys(names[score] for score in scores)
    return (*found, Kind.TWO_PAIRS) if len(scores) > 1 else tuple(found)
