"""What the page of the count coach receives: one hand with its questions, hints and solutions, and the progress. Pure.

A hand comes with everything that the page says about it, so that a slow connection never interrupts a hand.
"""

from __future__ import annotations

from firmware_host.coach.attempt import parts_of_level
from firmware_host.coach.kinds import Hand
from firmware_host.coach.progress import Progress
from firmware_host.cribbage.show import Part, places_of_scores
from firmware_host.ui.texts.cadence import count_in_words
from firmware_host.ui.texts.coach_messages import (
    KIND_NAMES,
    hint,
    level_sentence,
    question,
    repeats_sentence,
    score_in_cards,
    solution,
    summary_sentences,
)
from firmware_host.ui.texts.messages import capitalized
from firmware_host.ui.translator import Translator
from web_panel.json_type import Json


def exercise_json(hand: Hand, level: int, tr: Translator) -> Json:
    """The hand as JSON: `held`, `starter`, `parts` by level, and the whole count in words (`count`, `total`)."""
    return {
        "held": [str(card) for card in hand.held],
        "starter": str(hand.starter),
        "level": level,
        "parts": [part_json(hand, part, tr) for part in parts_of_level(level)],
        "count": f"{count_in_words(hand.count, tr)} ({hand.count.total})",
        "total": hand.count.total,
    }


def part_json(hand: Hand, part: Part, tr: Translator) -> Json:
    """One question: its right `points`, and the `scores`, each with the `places` of its cards (4 is the starter)."""
    places = dict(zip(hand.count.scores, places_of_scores(hand.count, hand.held, hand.starter), strict=True))
    scores = hand.count.scores_of(part)
    return {
        "question": question(part, tr),
        "points": hand.count.points(part),
        "how_many": hint(hand, part, 0, tr),
        "scores": [{"places": places[score], "text": score_in_cards(score, tr)} for score in scores],
        "solution": solution(hand, part, tr),
    }


def progress_json(progress: Progress, tr: Translator) -> Json:
    """The teacher's summary as JSON: `level`, `hands`, `sentences`, and how often each kind was found."""
    diagnosis = progress.diagnosis
    repeats = repeats_sentence(len(progress.repeats), tr)
    return {
        "level": progress.level,
        "level_name": level_sentence(progress.level, tr),
        "hands": progress.hands,
        "sentences": [capitalized(each) for each in (*summary_sentences(diagnosis, tr), repeats)],
        "kinds": [
            {
                "name": tr(KIND_NAMES[figures.kind]),
                "found": figures.found,
                "shown": figures.shown,
                "is_blind_spot": figures.is_blind_spot,
            }
            for figures in diagnosis.figures
        ],
    }
