"""The pages of the coach: count hands, find a card in the play, choose a discard. None needs a game or a board.

The exercises of the play and the discard have numbers, so that a page can be asked again and nothing is stored. Cards
cannot be given, so that the coach never advises on a hand of a game in which advice is off.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random, SystemRandom

from flask import Blueprint, request

from firmware_host.coach.attempt import MAX_ANSWER, MAX_LEVEL, TRIES
from firmware_host.coach.discard_exercise import discard_exercise
from firmware_host.coach.play_exercise import play_exercise
from firmware_host.coach.progress import Progress, next_hand
from firmware_host.config.languages import translator
from firmware_host.cribbage.cards import Card
from firmware_host.stats.learners_file import DEFAULT_NAME, LearnersFile
from firmware_host.storage.document_file import DocumentError
from firmware_host.ui.texts.coach_messages import level_sentence
from firmware_host.ui.texts.count_parts import verdicts_in_words
from firmware_host.ui.texts.drill_messages import (
    discard_question,
    discard_verdict,
    play_question,
    play_result,
    play_verdict,
)
from firmware_host.ui.texts.messages import with_suit_symbol
from web_panel.language import format_number, language_now
from web_panel.pages.advice import numbers
from web_panel.rendering import render
from web_panel.security.learner_access import learner_of, sees_all_learners
from web_panel.security.permissions import current_visitor
from web_panel.views.coach import exercise_json, progress_json

MAX_EXERCISE = 9_999
"""The highest number of an exercise."""
SHOWN_DISCARDS = 5
LONGEST_NAME = 60


def make_coach(learners: LearnersFile) -> Blueprint:
    """The pages /coach, /coach/play and /coach/discard."""
    pages = Blueprint("coach", __name__)
    pages.add_url_rule("/coach", "count", partial(count, learners))
    pages.add_url_rule("/coach/play", view_func=play)
    pages.add_url_rule("/coach/discard", view_func=discard)
    return pages


def count(learners: LearnersFile) -> str:
    """Hands to count, and the summary of the learner that the visitor may see."""
    visitor = current_visitor()
    tr = translator(language_now())
    name = learner_of(visitor, " ".join(request.args.get("name", "").split())[:LONGEST_NAME] or None, DEFAULT_NAME)
    try:
        progress = learners.progress(name) if name else Progress()
        others = sorted(learners.read()) if sees_all_learners(visitor) else []
    except DocumentError:
        return render("coach_count.html", fault=tr("The progress of learners cannot be read."))
    draw = Random(number).randrange if (number := exercise_number()) else SystemRandom().randrange
    exercise = exercise_json(next_hand(progress, draw), progress.level, tr)
    return render(
        "coach_count.html",
        fault="",
        name=name,
        default_name=DEFAULT_NAME,
        is_teacher=sees_all_learners(visitor),
        others=others,
        exercise=exercise,
        progress=progress_json(progress, tr),
        levels=[(level, level_sentence(level, tr)) for level in range(1, MAX_LEVEL + 1)],
        verdicts=verdicts_in_words(tr),
        tries=TRIES,
        max_answer=MAX_ANSWER,
    )


def play() -> str:
    """Which card makes a score? The card of the query string is answered."""
    number = exercise_number() or new_number()
    tr = translator(language_now())
    exercise = play_exercise(Random(number).randrange)
    chosen = chosen_cards(exercise.held)[:1]
    is_right = bool(chosen) and exercise.makes_it(chosen[0])
    return render(
        "coach_play.html",
        number=number,
        next_number=new_number(),
        question=play_question(exercise, tr),
        series=exercise.series,
        held=exercise.held,
        chosen=chosen,
        is_right=is_right,
        answer=exercise.answer,
        verdict=play_verdict(exercise, chosen[0], tr) if chosen else "",
        solution=play_result(exercise, exercise.answer, tr) if chosen and not is_right else "",
        pretty=with_suit_symbol,
    )


def discard() -> str:
    """Which two cards to discard? Averages are shown once two cards of the query string are chosen."""
    number = exercise_number() or new_number()
    tr = translator(language_now())
    exercise = discard_exercise(Random(number).randrange)
    cards = chosen_cards(exercise.dealt)
    chosen = exercise.discard(cards) if cards else None
    best = exercise.discards[:SHOWN_DISCARDS] if chosen else ()
    shown = (*best, chosen) if chosen and chosen not in best else best
    return render(
        "coach_discard.html",
        number=number,
        next_number=new_number(),
        question=discard_question(exercise, tr),
        dealt=exercise.dealt,
        cards=cards,
        is_incomplete=bool(cards) and chosen is None,
        is_best=chosen is not None and not exercise.loss(chosen),
        verdict=discard_verdict(exercise, chosen, two_places, tr) if chosen else "",
        discards=[(each.discarded, each.kept, numbers(each), each is chosen) for each in shown],
        pretty=with_suit_symbol,
    )


def exercise_number() -> int | None:
    """The number of the exercise in the query string; None for none that can be used."""
    text = request.args.get("exercise", "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_EXERCISE))
    return int(text) or None if is_number else None


def new_number() -> int:
    """The number of an exercise that is drawn at random, from 1."""
    return 1 + SystemRandom().randrange(MAX_EXERCISE)


def chosen_cards(dealt: tuple[Card, ...]) -> list[Card]:
    """Those of the cards that the query string names."""
    named = set(request.args.getlist("card"))
    return [card for card in dealt if str(card) in named]


def two_places(value: float | Fraction) -> str:
    """A mean with two decimals, in the way of the language of the request."""
    return format_number(float(value), language_now(), 2)
