"""Keeps the hands that players count at the board in the file of learners."""

from __future__ import annotations

import logging
from pathlib import Path
from threading import Thread

from firmware_host.cribbage.rule_errors import WrongNumberOfCards
from firmware_host.errors import HostError
from firmware_host.ui.input_state import CountAttempt

log = logging.getLogger(__name__)


def keep_count(file: Path, counted: CountAttempt) -> None:
    """Add a counted hand to the progress of its player. It is written on another thread: the host must not wait for the
    disk."""
    Thread(target=_write, args=(file, counted), name="learner").start()


def _write(file: Path, counted: CountAttempt) -> None:
    # Not imported before the display shows its first page.
    from firmware_host.coach.attempt import Attempt, parts_of_level
    from firmware_host.coach.kinds import hand_of
    from firmware_host.stats.learners_file import LearnersFile

    try:
        attempt = Attempt(hand_of(counted.cards), counted.answers)
    except WrongNumberOfCards:
        return  # the coach asks for hands of four cards and the starter
    if counted.points != tuple(map(attempt.hand.count.points, parts_of_level(attempt.level))):
        return  # by other rules than those of the coach
    try:
        LearnersFile(file).change(counted.name, lambda before: before.after(attempt))
    except HostError as error:
        log.error("progress of a learner is not kept: %s", error)
