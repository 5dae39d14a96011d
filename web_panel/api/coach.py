"""The count coach's route: takes a counted hand, keeps the progress, and answers with the next hand."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from random import SystemRandom

from flask import Blueprint, Response
from msgspec import Struct

from firmware_host.coach.attempt import MAX_ANSWER, MAX_LEVEL, Attempt
from firmware_host.coach.kinds import hand_of
from firmware_host.coach.progress import Progress, next_hand
from firmware_host.config.languages import translator
from firmware_host.cribbage.cards import parse_cards
from firmware_host.errors import HostError
from firmware_host.stats.learners_file import DEFAULT_NAME, LearnersFile
from firmware_host.stats.people import tidy_name
from firmware_host.validation.fields import Integer, ListOf
from web_panel.api.json_body import JsonBody, reads_json
from web_panel.api.me import private
from web_panel.errors import Problem
from web_panel.language import language_now
from web_panel.security.learner_access import learner_of
from web_panel.security.permissions import current_visitor
from web_panel.views.coach import exercise_json, progress_json

log = logging.getLogger(__name__)

HINT_FIRST = -1
"""Stands for an answer before which a hint was asked for."""
LEVEL = Integer(1, MAX_LEVEL)
ANSWERS = ListOf(Integer(HINT_FIRST, MAX_ANSWER), f"a list of points, {HINT_FIRST} where a hint came first", 1)
MAX_HANDS = 10**9


class CoachRequest(Struct, frozen=True):
    """What the page sends to get the next hand."""

    name: str | None
    """Whose progress; None: the visitor's own."""
    level: int | None
    """The level to ask at from now on; None: the learner's."""
    attempt: Attempt | None
    """The hand that was counted, if any."""
    hands: int | None
    """The learner's number of hands before the attempt: one that was sent twice is kept once."""


def read_request(body: JsonBody) -> CoachRequest:
    """Raises Problem for fields that cannot be used, Refusal for cards that are no hand."""
    name = body.optional_text("name")
    level = body.read_optional("level", LEVEL)
    cards = body.optional_texts("cards")
    answers = body.read_optional("answers", ANSWERS)
    hands = body.read_optional("hands", Integer(0, MAX_HANDS))
    attempt = None
    if cards is not None and answers is not None:
        points = tuple(None if each == HINT_FIRST else each for each in answers[:MAX_LEVEL])
        attempt = Attempt(hand_of(parse_cards(cards)), points)
    return CoachRequest(name and tidy_name(name), level, attempt, hands)


def make_coach_api(learners: LearnersFile) -> Blueprint:
    """The route /api/v1/coach/hand."""
    api = Blueprint("coach_api", __name__, url_prefix="/api/v1/coach")

    @api.post("/hand")
    @reads_json(read_request)
    def hand(asked: CoachRequest) -> Response:
        """Keep a counted hand, if one is sent, and answer with the next hand and the learner's progress."""
        name = learner_of(current_visitor(), asked.name, DEFAULT_NAME)
        tr = translator(language_now())
        progress = Progress(asked.level or 1) if name is None else kept(learners, name, partial(progress_after, asked))
        exercise = exercise_json(next_hand(progress, SystemRandom().randrange), progress.level, tr)
        return private({"name": name, "exercise": exercise, "progress": name and progress_json(progress, tr)})

    return api


def progress_after(asked: CoachRequest, before: Progress) -> Progress:
    """The progress with the attempt, and at the level that was chosen."""
    is_new = asked.attempt is not None and asked.hands == before.hands
    after = before.after(asked.attempt) if asked.attempt is not None and is_new else before
    return after.at_level(asked.level) if asked.level else after


def kept(learners: LearnersFile, name: str, change: Callable[[Progress], Progress]) -> Progress:
    """The progress after a change; the file is written only if it differs. Raises Problem (503)."""
    try:
        before = learners.progress(name)
        return learners.change(name, change) if change(before) != before else before
    except HostError as fault:
        log.error("progress of a learner is not kept: %s", fault)
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the progress cannot be kept; the log says why") from fault
