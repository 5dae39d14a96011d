"""The file of the count coach, `learners.json` in the state folder: the progress of each learner.

`{"format": 1, "learners": {"Ann": {"level": 2, "hands": 14, "attempts": [["5H 5S 5D JC 5C", [8, 12]], ..]}}}`. The last
card is the starter; an answer is null where a hint was asked for first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from firmware_host.coach.attempt import MAX_ANSWER, MAX_LEVEL, Attempt
from firmware_host.coach.kinds import hand_of
from firmware_host.coach.progress import KEPT, Progress
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.names import name_key, tidy_name
from firmware_host.storage.document_file import FORMAT, Document, DocumentError, DocumentFile

MAX_LEARNERS = 50
"""More names are refused, so that the file stays small."""
DEFAULT_NAME = "Learner"
"""Whose progress is kept where nobody gives a name."""

Learners = Mapping[str, Progress]
Answers = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=MAX_ANSWER)] | None, ...], Meta(min_length=1, max_length=MAX_LEVEL)
]
"""None where a hint was asked for first."""


class LearnerRecord(Struct, frozen=True):
    """The progress of one learner. An attempt has its cards and its answers."""

    level: Annotated[int, Meta(ge=1, le=MAX_LEVEL)]
    hands: Annotated[int, Meta(ge=0, le=10**9)]
    attempts: Annotated[tuple[tuple[str, Answers], ...], Meta(max_length=KEPT)]

    def __post_init__(self) -> None:
        if len(self.attempts) > self.hands:
            raise ValueError(f"expected {self.hands} attempts at most, got {len(self.attempts)}")


class LearnersDocument(Document, frozen=True):
    """A record of each learner, by name."""

    learners: dict[str, LearnerRecord]


class LearnersFile(DocumentFile[Learners]):
    """The progress of all learners in their file, by name."""

    NAME = "learners.json"
    DOCUMENT = LearnersDocument
    EXPECTED = 'learners, {"format": 1, "learners": {..}}'
    FIX = "correct the file, or move it away: then all start at level 1"

    @staticmethod
    def empty() -> Learners:
        """No learners."""
        return {}

    @staticmethod
    def decoded(document: LearnersDocument) -> Learners:
        """The learners. Raises Refusal for cards that are no hand."""
        return {name: _progress(record) for name, record in document.learners.items()}

    @staticmethod
    def encoded(content: Learners) -> LearnersDocument:
        """A record of each learner, by name."""
        return LearnersDocument(FORMAT, {name: _record(progress) for name, progress in content.items()})

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


def _record(progress: Progress) -> LearnerRecord:
    attempts = tuple((" ".join(map(str, each.hand.cards)), each.answers) for each in progress.attempts)
    return LearnerRecord(progress.level, progress.hands, attempts)


def _progress(record: LearnerRecord) -> Progress:
    """Raises Refusal for cards that are no hand."""
    attempts = tuple(Attempt(hand_of(parse_cards(cards)), answers) for cards, answers in record.attempts)
    return Progress(record.level, attempts, record.hands)
