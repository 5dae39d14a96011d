"""The count coach's route: takes a counted hand, keeps the progress, and answers with the next hand."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from random import SystemRandom
from typing import Annotated

from flask import Blueprint, Response
from msgspec import Meta

from firmware_host.coach.attempt import MAX_ANSWER, MAX_LEVEL, Attempt
from firmware_host.coach.kinds import hand_of
from firmware_host.coach.progress import Progress, next_hand
from firmware_host.config.languages import translator
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.names import tidy_name
from firmware_host.errors import HostError
from firmware_host.stats.learners_file import DEFAULT_NAME, LearnersFile
from web_panel.api.json_body import Body, Text, Texts, reads_json
from web_panel.api.me import private
from web_panel.errors import Problem
from web_panel.language import language_now
from web_panel.security.learner_access import learner_of
from web_panel.security.permissions import current_visitor
from web_panel.views.coach import exercise_json, progress_json

log = logging.getLogger(__name__)

HINT_FIRST = -1
"""Stands for an answer before which a hint was asked for."""
MAX_HANDS = 10**9
Answers = Annotated[
    tuple[Annotated[int, Meta(ge=HINT_FIRST, le=MAX_ANSWER)], ...],
    Meta(min_length=1, description=f"a list of points, {HINT_FIRST} where a hint came first"),
]


class CoachRequest(Body, frozen=True):
    """What the page sends to get the next hand."""

    name: Text | None = None
    """Whose progress; None: the visitor's own."""
    level: Annotated[int, Meta(ge=1, le=MAX_LEVEL)] | None = None
    """The level to ask at from now on; None: the learner's."""
    cards: Texts | None = None
    """The hand that was counted, if any, with its `answers`."""
    answers: Answers | None = None
    hands: Annotated[int, Meta(ge=0, le=MAX_HANDS)] | None = None
    """The learner's number of hands before the attempt: one that was sent twice is kept once."""

    @property
    def attempt(self) -> Attempt | None:
        """The counted hand. Raises Refusal for cards that are no hand."""
        if self.cards is None or self.answers is None:
            return None
        points = tuple(None if each == HINT_FIRST else each for each in self.answers[:MAX_LEVEL])
        return Attempt(hand_of(parse_cards(self.cards)), points)


def make_coach_api(learners: LearnersFile) -> Blueprint:
    """The route /api/v1/coach/hand."""
    api = Blueprint("coach_api", __name__, url_prefix="/api/v1/coach")

    @api.post("/hand")
    @reads_json(CoachRequest)
    def hand(asked: CoachRequest) -> Response:
        """Keep a counted hand, if one is sent, and answer with the next hand and the learner's progress."""
        attempt = asked.attempt
        name = learner_of(current_visitor(), asked.name and tidy_name(asked.name), DEFAULT_NAME)
        tr = translator(language_now())
        change = partial(progress_after, asked, attempt)
        progress = Progress(asked.level or 1) if name is None else kept(learners, name, change)
        exercise = exercise_json(next_hand(progress, SystemRandom().randrange), progress.level, tr)
        return private({"name": name, "exercise": exercise, "progress": name and progress_json(progress, tr)})

    return api


def progress_after(asked: CoachRequest, attempt: Attempt | None, before: Progress) -> Progress:
    """The progress with the attempt, and at the level that was chosen."""
    after = before.after(attempt) if attempt is not None and asked.hands == before.hands else before
    return after.at_level(asked.level) if asked.level else after


def kept(learners: LearnersFile, name: str, change: Callable[[Progress], Progress]) -> Progress:
    """The progress after a change; the file is written only if it differs. Raises Problem (503)."""
    try:
        before = learners.progress(name)
        return learners.change(name, change) if change(before) != before else before
    except HostError as fault:
        log.error("progress of a learner is not kept: %s", fault)
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the progress cannot be kept; the log says why") from fault
