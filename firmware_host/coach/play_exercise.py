"""The play coach: a series on the table, four cards in hand, and the question which card makes a score."""

from __future__ import annotations

from msgspec import Struct

from firmware_host.coach.deals import Draw
from firmware_host.coach.kinds import RULES
from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.series import FULL_COUNT, can_play, count_of, playable_cards, scores_for

ASKED = (ScoreKind.FIFTEEN, ScoreKind.THIRTY_ONE, ScoreKind.PAIR, ScoreKind.RUN)
"""The scores that the play coach asks for."""
HELD = 4
MAX_ON_TABLE = 6


class PlayExercise(Struct, frozen=True):
    """One question: exactly one of the held cards makes the score that is asked for."""

    asked: ScoreKind
    series: tuple[Card, ...]
    held: tuple[Card, ...]

    @property
    def count(self) -> int:
        """The count on the table, 1 to 30."""
        return count_of(self.series)

    def scores(self, card: Card) -> tuple[Score, ...]:
        """What the card would score; nothing if it takes the count past 31."""
        fits = playable_cards((card,), self.count)
        return scores_for((*self.series, card), RULES) if fits else ()

    def makes_it(self, card: Card) -> bool:
        """Whether the card makes the score that is asked for."""
        return any(score.kind is self.asked for score in self.scores(card))

    @property
    def answer(self) -> Card:
        """The card that makes it."""
        return next(card for card in self.held if self.makes_it(card))


def play_exercise(draw: Draw) -> PlayExercise:
    """A random question."""
    asked = ASKED[draw(len(ASKED))]
    while True:
        cards = _some_cards(HELD + 1 + draw(MAX_ON_TABLE), draw)
        exercise = PlayExercise(asked, cards[HELD:], tuple(sorted(cards[:HELD])))
        is_possible = exercise.count < FULL_COUNT and can_play(exercise.held, exercise.count)
        if is_possible and sum(map(exercise.makes_it, exercise.held)) == 1:
            return exercise


def _some_cards(number: int, draw: Draw) -> tuple[Card, ...]:
    """Different cards of the pack."""
    pack = list(PACK)
    return tuple(pack.pop(draw(len(pack))) for _ in range(number))
