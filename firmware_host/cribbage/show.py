"""The show: the count of a hand or crib with the starter, part by part, each score with its cards."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from firmware_host.cribbage.cards import JACK, PACK, RANK_OF, RANKS, SUIT_OF, Card, card_of, no_duplicates
from firmware_host.cribbage.options import CribFlush
from firmware_host.cribbage.ranks import combinations_of
from firmware_host.cribbage.rule_errors import WrongNumberOfCards
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet
from firmware_host.cribbage.score import Score, ScoreKind


class Part(Enum):
    """The five parts of a count, in counting order."""

    FIFTEENS = "fifteens"
    PAIRS = "pairs"
    RUNS = "runs"
    FLUSH = "flush"
    NOBS = "nobs"


PART_OF = {
    ScoreKind.FIFTEEN: Part.FIFTEENS,
    ScoreKind.PAIR: Part.PAIRS,
    ScoreKind.PAIR_ROYAL: Part.PAIRS,
    ScoreKind.DOUBLE_PAIR_ROYAL: Part.PAIRS,
    ScoreKind.RUN: Part.RUNS,
    ScoreKind.FLUSH: Part.FLUSH,
    ScoreKind.HIS_NOBS: Part.NOBS,
}

NOBS_OF = [None if card.suit is None else card_of(JACK, card.suit) for card in (*PACK, *RANKS)]
"""Starter -> the jack of its suit; None where the suit is not known. Indexed by card."""


class Count(Struct, frozen=True):
    """The scores of a hand or crib, in the order in which they are counted aloud."""

    scores: tuple[Score, ...]

    @property
    def total(self) -> int:
        """The points of all scores, 0 to 29 for four held cards."""
        return sum([score.points for score in self.scores])

    def scores_of(self, part: Part) -> tuple[Score, ...]:
        """The scores of one part."""
        return tuple(score for score in self.scores if PART_OF[score.kind] is part)

    def points(self, part: Part) -> int:
        """The points of one part."""
        return sum(score.points for score in self.scores_of(part))

    @property
    def parts(self) -> dict[str, int]:
        """The points of all five parts by name, zeros included."""
        return {part.value: self.points(part) for part in Part}


def count_show(held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool = False) -> Count:
    """Count `held`, a hand of `rules.hand_size` cards or a crib of four, with the starter.

    Cards of unknown suit count by rank only. Raises WrongNumberOfCards, DuplicateCard.
    """
    _check_hand(held, starter, rules, is_crib)
    cards = sorted((*held, starter), key=RANK_OF.__getitem__)
    combinations = combinations_of(tuple([RANK_OF[card] for card in cards]))
    scores = [Score(kind, points, pick(cards)) for kind, points, pick in combinations]
    if flush := flush_of(held, starter, flush_needs_starter(rules, is_crib)):
        scores.append(flush)
    jack = NOBS_OF[starter]
    if jack is not None and jack in held:
        scores.append(Score(ScoreKind.HIS_NOBS, 1, (jack,)))
    return Count(tuple(scores))


def places_of_scores(count: Count, held: Sequence[Card], starter: Card) -> tuple[tuple[int, ...], ...]:
    """For each score of the count the places of its cards in `held`; the starter has the place after them.

    Places tell cards of unknown suit apart: two fives known by rank make two fifteens with a ten.
    """
    cards = (*held, starter)
    places = sorted(range(len(cards)), key=lambda place: RANK_OF[cards[place]])
    picked = [pick(places) for _, _, pick in combinations_of(tuple(RANK_OF[cards[place]] for place in places))]
    others = [tuple(cards.index(card) for card in score.cards) for score in count.scores[len(picked) :]]
    return tuple(tuple(place) for place in (*picked, *others))


def flush_needs_starter(rules: RuleSet, is_crib: bool) -> bool:
    """Whether a flush counts only with the starter, as in most cribs."""
    return is_crib and rules.crib_flush is CribFlush.FIVE_ONLY


def flush_of(held: Sequence[Card], starter: Card, needs_five: bool) -> Score | None:
    """The flush of the held cards, with the starter if it matches; None if there is none.

    `needs_five`: the starter must match, as in most cribs.
    """
    suit = SUIT_OF[held[0]]
    for card in held:
        if suit is None or SUIT_OF[card] is not suit:
            return None
    if SUIT_OF[starter] is suit:
        return Score(ScoreKind.FLUSH, len(held) + 1, (*held, starter))
    return None if needs_five else Score(ScoreKind.FLUSH, len(held), tuple(held))


def _check_hand(held: Sequence[Card], starter: Card, rules: RuleSet, is_crib: bool) -> None:
    size = CRIB_SIZE if is_crib else rules.hand_size
    if len(held) != size:
        where = "crib" if is_crib else f"hand of {rules.variant}"
        raise WrongNumberOfCards(f"{size} cards and the starter", f"{len(held)} cards", where, number=size)
    no_duplicates((*held, starter))
