"""The show: a hand or a crib counted with the starter, part by part, each score with its cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from firmware_host.cribbage.cards import JACK, PACK, RANK_OF, RANKS, SUIT_OF, Card, card_of, no_duplicates
from firmware_host.cribbage.options import CribFlush
from firmware_host.cribbage.ranks import combinations_of
from firmware_host.cribbage.refusals import WrongNumberOfCards
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
"""Starter -> the jack that would be his nobs; None while its suit is not known."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a hand or crib is worth, in the order in which it is counted aloud."""

    scores: tuple[Score, ...]

    @property
    def total(self) -> int:
        return sum(score.points for score in self.scores)

    def scores_of(self, part: Part) -> tuple[Score, ...]:
        return tuple(score for score in self.scores if PART_OF[score.kind] is part)

    def points(self, part: Part) -> int:
        return sum(score.points for score in self.scores_of(part))

    @property
    def parts(self) -> dict[str, int]:
        """All five parts by name, zeros too."""
        return {part.value: self.points(part) for part in Part}


def count_show(held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool = False) -> Count:
    """Counts `held`, a hand of `rules.hand_size` cards or a crib of four, with the starter.

    Cards whose suit is not known count for their rank alone. Raises WrongNumberOfCards, DuplicateCard.
    """
    _must_be_a_hand(held, starter, rules, is_crib)
    cards = sorted((*held, starter), key=RANK_OF.__getitem__)
    combinations = combinations_of(tuple([RANK_OF[card] for card in cards]))
    scores = [Score(kind, points, pick(cards)) for kind, points, pick in combinations]
    needs_five = is_crib and rules.crib_flush is CribFlush.FIVE_ONLY
    if flush := flush_of(held, starter, needs_five):
        scores.append(flush)
    jack = NOBS_OF[starter]
    if jack is not None and jack in held:
        scores.append(Score(ScoreKind.HIS_NOBS, 1, (jack,)))
    return Count(tuple(scores))


def flush_of(held: Sequence[Card], starter: Card, needs_five: bool) -> Score | None:
    """All held cards of one suit, and the starter if it matches. `needs_five`: nothing unless it does."""
    suit = SUIT_OF[held[0]]
    for card in held:
        if suit is None or SUIT_OF[card] is not suit:
            return None
    if SUIT_OF[starter] is suit:
        return Score(ScoreKind.FLUSH, len(held) + 1, (*held, starter))
    return None if needs_five else Score(ScoreKind.FLUSH, len(held), tuple(held))


def _must_be_a_hand(held: Sequence[Card], starter: Card, rules: RuleSet, is_crib: bool) -> None:
    size = CRIB_SIZE if is_crib else rules.hand_size
    if len(held) != size:
        where = "crib" if is_crib else f"hand of {rules.variant}"
        raise WrongNumberOfCards(f"{size} cards and the starter", f"{len(held)} cards", where, number=size)
    no_duplicates((*held, starter))
