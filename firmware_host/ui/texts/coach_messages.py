"""The sentences of the count coach: questions, hints, solutions, and the names of what a learner misses.

A hint names the cards of the scores that were not found; the page lights the same cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.coach.attempt import parts_of_level
from firmware_host.coach.diagnosis import Diagnosis
from firmware_host.coach.kinds import Hand, Kind
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.score import Score
from firmware_host.cribbage.show import Part
from firmware_host.ui.texts.count_parts import PART_NAMES, QUESTIONS, verdicts_in_words
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.translator import Translator, labelled

KIND_NAMES: Mapping[Kind, str] = {
    Kind.FIFTEEN_OF_TWO: "fifteens of two cards",
    Kind.FIFTEEN_OF_THREE: "fifteens of three cards",
    Kind.FIFTEEN_OF_FOUR: "fifteens of four cards or more",
    Kind.PAIR: "pairs",
    Kind.TWO_PAIRS: "a second pair",
    Kind.PAIR_ROYAL: "three of a kind",
    Kind.DOUBLE_PAIR_ROYAL: "four of a kind",
    Kind.RUN_OF_THREE: "runs of three",
    Kind.RUN_OF_FOUR: "runs of four",
    Kind.RUN_OF_FIVE: "runs of five",
    Kind.DOUBLE_RUN: "double runs",
    Kind.MULTIPLE_RUN: "triple and quadruple runs",
    Kind.FLUSH: "a flush in the hand",
    Kind.FLUSH_OF_FIVE: "the starter in a flush",
    Kind.NOBS: "the jack of the starter’s suit",
}
TEXTS = (*PART_NAMES.values(), *QUESTIONS.values(), *KIND_NAMES.values())
"""Every sentence of the tables, for the catalogue."""


def question(part: Part, tr: Translator) -> str:
    """What the coach asks about one part."""
    return tr(QUESTIONS[part])


def hint(hand: Hand, part: Part, given: int, tr: Translator) -> str:
    """What to look at: `given` scores with their cards (0 for none yet), and how many there are."""
    scores = hand.count.scores_of(part)
    if not scores:
        return tr("There is nothing to find here.")
    number = len(scores)
    how_many = tr.counted("There is {number} to find.", "There are {number} to find.", number).format(number=number)
    return " ".join([how_many, *(score_in_cards(score, tr) for score in scores[:given])])


def score_in_cards(score: Score, tr: Translator) -> str:
    """The cards of one score and its points: "5♥ J♣: 2 points."."""
    points = tr.counted("{number} point", "{number} points", score.points).format(number=score.points)
    return f"{labelled(cards_in_text(score.cards), points, tr)}."


def cards_in_text(cards: Sequence[Card]) -> str:
    """Cards as people read them: "5♥ J♣"."""
    return " ".join(with_suit_symbol(str(card)) for card in cards)


def verdict(hand: Hand, part: Part, points: int, tr: Translator) -> str:
    """Whether an answer is right, too low or too high. It does not say the right number."""
    expected = hand.count.points(part)
    verdicts = verdicts_in_words(tr)
    return verdicts["right"] if points == expected else verdicts["low" if points < expected else "high"]


def solution(hand: Hand, part: Part, tr: Translator) -> str:
    """The right number of points with the cards of each score."""
    points = hand.count.points(part)
    scores = hand.count.scores_of(part)
    number = tr.counted("{number} point", "{number} points", points).format(number=points)
    return " ".join(
        [f"{labelled(tr(PART_NAMES[part]), number, tr)}.", *(score_in_cards(score, tr) for score in scores)]
    )


def level_sentence(level: int, tr: Translator) -> str:
    """What a level (1 to 5) asks for: "Level 2: Fifteens, Pairs"."""
    parts = ", ".join(tr(PART_NAMES[part]) for part in parts_of_level(level))
    return tr("Level {number}: {parts}").format(number=level, parts=parts)


def repeats_sentence(number: int, tr: Translator) -> str:
    """How many missed hands come back; empty for none."""
    if not number:
        return ""
    return tr.counted(
        "{number} hand that was missed comes back.", "{number} hands that were missed come back.", number
    ).format(number=number)


def summary_sentences(diagnosis: Diagnosis, tr: Translator) -> list[str]:
    """The teacher's summary in sentences: hands counted, blind spots, and parts with points that are not there."""
    hands = tr.counted("{number} hand counted", "{number} hands counted", diagnosis.hands).format(
        number=diagnosis.hands
    )
    sentences = [tr("{hands}, {right} of them without a mistake.").format(hands=hands, right=diagnosis.right)]
    spots = ", ".join(tr(KIND_NAMES[kind]) for kind in diagnosis.blind_spots)
    sentences.append(tr("Often missed: {kinds}.").format(kinds=spots) if spots else tr("Nothing is missed often."))
    often = [part for part in Part if diagnosis.too_many.get(part, 0) > 1]
    if often:
        names = ", ".join(tr(PART_NAMES[part]) for part in often)
        sentences.append(tr("Too many points counted: {parts}.").format(parts=names))
    return sentences
