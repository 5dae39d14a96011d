"""The sentences of the play coach and the discard coach, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.coach.discard_exercise import DiscardExercise
from firmware_host.coach.play_exercise import PlayExercise
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.series import FULL_COUNT
from firmware_host.strategy.discard_judge import Discard
from firmware_host.ui.texts.cadence import scores_in_words
from firmware_host.ui.texts.coach_messages import cards_in_text
from firmware_host.ui.translator import Translator

PLAY_QUESTIONS: Mapping[ScoreKind, str] = {
    ScoreKind.FIFTEEN: "Which card makes fifteen?",
    ScoreKind.THIRTY_ONE: "Which card makes 31?",
    ScoreKind.PAIR: "Which card makes a pair?",
    ScoreKind.RUN: "Which card makes a run?",
}
TEXTS = tuple(PLAY_QUESTIONS.values())
"""Every sentence of the table, for the catalogue."""


def play_question(exercise: PlayExercise, tr: Translator) -> str:
    """The count on the table, and what is asked."""
    count = tr("The count is {count}.").format(count=exercise.count)
    return f"{count} {tr(PLAY_QUESTIONS[exercise.asked])}"


def play_verdict(exercise: PlayExercise, card: Card, tr: Translator) -> str:
    """Whether the card is right, and what it does: the count, and its points in words."""
    first = tr("Right.") if exercise.makes_it(card) else tr("Not this one.")
    return f"{first} {play_result(exercise, card, tr)}"


def play_result(exercise: PlayExercise, card: Card, tr: Translator) -> str:
    """What a card does: "9♦ makes 31: thirty-one for two."."""
    name = cards_in_text((card,))
    count = exercise.count + card.pips
    if count > FULL_COUNT:
        return tr("{card} would make {count}, which is more than 31.").format(card=name, count=count)
    words = scores_in_words(exercise.scores(card), tr)
    return tr("{card} makes {count}: {points}.").format(card=name, count=count, points=words)


def discard_question(exercise: DiscardExercise, tr: Translator) -> str:
    """Whose crib it is, and what is asked."""
    crib = tr("The crib is yours.") if exercise.own_crib else tr("The crib is your opponent’s.")
    asked = tr("Which two cards do you discard?")
    return f"{crib} {asked}"


def discard_verdict(exercise: DiscardExercise, chosen: Discard, number: Callable[[float], str], tr: Translator) -> str:
    """Whether the choice is the best, or what it gives away on average. `number` writes a number in the language."""
    loss = exercise.loss(chosen)
    if not loss:
        return tr("This is the best discard.")
    best = cards_in_text(exercise.best.discarded)
    return tr("{cards} is better by {points} points on average.").format(cards=best, points=number(loss))
