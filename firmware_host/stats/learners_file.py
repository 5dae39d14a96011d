"""The file of the count coach, `learners.json` in the state folder: the progress of each learner.

`{"format": 1, "learners": {"Ann": {"level": 2, "hands": 14, "attempts": [["5H 5S 5D JC 5C", [8, 12]], ..]}}}`. The last
card is the starter; an answer is null where a hint was asked for first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.coach.attempt import MAX_ANSWER, MAX_LEVEL, Attempt
from firmware_host.coach.kinds import hand_of
from firmware_host.coach.progress import KEPT, Progress
from firmware_host.cribbage.cards import parse_cards
from firmware_host.stats.people import name_key, tidy_name
from firmware_host.storage.document_file import DocumentError, DocumentFile

MAX_LEARNERS = 50
"""More names are refused, so that the file stays small."""
DEFAULT_NAME = "Learner"
"""Whose progress is kept where nobody gives a name."""

Learners = Mapping[str, Progress]


class LearnersFile(DocumentFile[Learners]):
    """The progress of all learners in their file, by name."""

    NAME = "learners.json"
    KEY = "learners"
    EXPECTED = 'learners, {"format": 1, "learners": {..}}'
    FIX = "correct the file, or move it away: then all start at level 1"

    @staticmethod
    def empty() -> Learners:
        """No learners."""
        return {}

    @staticmethod
    def decoded(value: Any) -> Learners:
        """The learners. Raises any of `document_file.UNREADABLE` for a value that was not written here."""
        return {name: _progress(record) for name, record in value.items()}

    @staticmethod
    def encoded(content: Learners) -> object:
        """A record of each learner, by name."""
        return {name: _record(progress) for name, progress in content.items()}

    def progress(self, name: str) -> Progress:
        """The progress of one learner; new for a new name. Raises DocumentError."""
        learners = self.read()
        return learners.get(known_spelling(learners, name), Progress())

    def change(self, name: str, change: Callable[[Progress], Progress]) -> Progress:
        """Replace the progress of one learner, new if the name is new, and return it. Raises DocumentError."""
        learners = self.replace(lambda before: changed(before, name, change))
        return learners[known_spelling(learners, name)]


def known_spelling(learners: Learners, name: str) -> str:
    """The name as the learner's progress is kept: "Ann" for "ann", if Ann is a learner. Else the tidied name."""
    key = name_key(name)
    return next((known for known in learners if name_key(known) == key), tidy_name(name))


def changed(learners: Learners, name: str, change: Callable[[Progress], Progress]) -> dict[str, Progress]:
    """The learners with one changed. Raises DocumentError if that would be one too many."""
    name = known_spelling(learners, name)
    if name not in learners and len(learners) >= MAX_LEARNERS:
        raise DocumentError(f"{MAX_LEARNERS} learners at most", "one more", name, "use a name that is there")
    return {**learners, name: change(learners.get(name, Progress()))}


def _record(progress: Progress) -> dict[str, object]:
    attempts = [[" ".join(map(str, each.hand.cards)), each.answers] for each in progress.attempts]
    return {"level": progress.level, "hands": progress.hands, "attempts": attempts}


def _progress(record: Mapping[str, Any]) -> Progress:
    """Raises Refusal, ValueError, TypeError, KeyError or AttributeError for a record that was not written here."""
    level = _number(record["level"], 1, MAX_LEVEL)
    hands = _number(record["hands"], 0, 10**9)
    attempts = tuple(_attempt(*each) for each in record["attempts"])
    if len(attempts) > min(KEPT, hands):
        raise ValueError(f"{len(attempts)} attempts")
    return Progress(level, attempts, hands)


def _attempt(text: str, answers: list[Any]) -> Attempt:
    if not 1 <= len(answers) <= MAX_LEVEL:
        raise ValueError(f"{text!r} with {len(answers)} answers")
    points = tuple(None if answer is None else _number(answer, 0, MAX_ANSWER) for answer in answers)
    return Attempt(hand_of(parse_cards(text)), points)


def _number(value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} where {least} to {most} is expected")
    return value
