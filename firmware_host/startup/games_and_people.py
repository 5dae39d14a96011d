"""Past games, merged names and the progress of learners. Their modules are imported when somebody asks for them."""

from __future__ import annotations

import logging
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from firmware_host.config.settings import Settings
from firmware_host.cribbage.rule_errors import WrongNumberOfCards
from firmware_host.errors import HostError
from firmware_host.storage.journal import Journal
from firmware_host.ui.keys.input_state import CountAttempt

if TYPE_CHECKING:
    from firmware_host.stats.archive import Archive
    from firmware_host.stats.learners_file import LearnersFile
    from firmware_host.stats.people_file import PeopleFile

log = logging.getLogger(__name__)


def archive_of(settings: Settings) -> Archive:
    """The past games of the journal."""
    from firmware_host.stats.archive import Archive

    return Archive(lambda: closing(Journal.open_readonly(settings.journal)))


def people_file_of(settings: Settings) -> PeopleFile:
    """The file of merged names."""
    from firmware_host.stats.people_file import PeopleFile

    PeopleFile.prepare(settings.people)
    return PeopleFile(settings.people)


def learners_file_of(settings: Settings) -> LearnersFile:
    """The file of the count coach."""
    from firmware_host.stats.learners_file import LearnersFile

    LearnersFile.prepare(settings.learners)
    return LearnersFile(settings.learners)


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
