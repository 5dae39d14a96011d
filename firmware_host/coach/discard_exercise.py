"""The discard coach: six cards, whose crib it is, and what each choice of two cards is worth on average."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from msgspec import Struct

from firmware_host.coach.deals import Draw
from firmware_host.coach.kinds import RULES
from firmware_host.cribbage.cards import PACK, Card
from firmware_host.strategy.discard_judge import EVEN, Discard, judge_discards

DEALT = 6


class DiscardExercise(Struct, frozen=True, dict=True):
    """One question. The answer is computed when it is first asked for."""

    dealt: tuple[Card, ...]
    own_crib: bool

    @cached_property
    def discards(self) -> tuple[Discard, ...]:
        """All 15 discards, best first."""
        return judge_discards(self.dealt, RULES, own_crib=self.own_crib, scores=EVEN)

    @property
    def best(self) -> Discard:
        """The discard with the highest average."""
        return self.discards[0]

    def discard(self, cards: Collection[Card]) -> Discard | None:
        """The discard of these cards; None unless they are two of those dealt."""
        return next((each for each in self.discards if set(each.discarded) == set(cards)), None)

    def loss(self, discard: Discard) -> float:
        """How many points it gives away on average against the best one; 0 for the best."""
        return self.best.total - discard.total


def discard_exercise(draw: Draw) -> DiscardExercise:
    """Six random cards, and either crib."""
    pack = list(PACK)
    dealt = tuple(sorted(pack.pop(draw(len(pack))) for _ in range(DEALT)))
    return DiscardExercise(dealt, own_crib=draw(2) == 1)
