"""The file of the count coach, `learners.json` in the state folder: the progress of each learner.

`{"format": 1, "learners": {"Ann": {"level": 2, "hands": 14, "attempts": [["5H 5S 5D JC 5C", [8, 12]], ..]}}}`. The last
card is the starter; an answer is null where a hint was asked for first. The file is read at each use and replaced
atomically, so that the command line and the page can both be used, and a power cut loses no counted hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from firmware_host.coach.attempt import MAX_ANSWER, MAX_LEVEL, Attempt
from firmware_host.coach.kinds import hand_of
from firmware_host.coach.progress import KEPT, Progress
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.stats.people import name_key, tidy_name
from firmware_host.storage.atomic_file import replace_file
from firmware_host.storage.backup import documents_in
from firmware_host.storage.folder_lock import locked_folder

FORMAT = 1
FILE_MODE = 0o600
DOCUMENT = "learners.json"
"""The name of the file, and of the document in a backup."""
MAX_LEARNERS = 50
"""More names are refused, so that the file stays small."""
DEFAULT_NAME = "Learner"
"""Whose progress is kept where nobody gives a name."""

Learners = Mapping[str, Progress]


class LearnersFileError(HostError):
    """The file of learners cannot be read or written, or does not hold learners."""


class LearnersFile:
    """The progress of all learners in their file; without a path, in memory. Any thread and process may use it."""

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock, self._in_memory = path, Lock(), dict[str, Progress]()

    def read(self) -> Learners:
        """The progress of each learner by name; empty if there is no file. Raises LearnersFileError."""
        return read_learners(self._path) if self._path else dict(self._in_memory)

    def progress(self, name: str) -> Progress:
        """The progress of one learner; new for a new name. Raises LearnersFileError."""
        learners = self.read()
        return learners.get(known_spelling(learners, name), Progress())

    def change(self, name: str, change: Callable[[Progress], Progress]) -> Progress:
        """Replace the progress of one learner, new if the name is new, and return it. Raises LearnersFileError."""
        with self._only_writer():
            learners = changed(self.read(), name, change)
            self._write(learners)
        return learners[known_spelling(learners, name)]

    def text(self) -> str:
        """The content of the file, for a backup. Raises LearnersFileError."""
        return text_of(self.read())

    def restore(self, learners: Learners) -> Path | None:
        """Replace all progress by that of a backup. Raises LearnersFileError.

        Other progress that was here is kept in a file beside it, whose path is returned.
        """
        with self._only_writer():
            aside = self._keep_old(learners)
            self._write(learners)
        return aside

    def _keep_old(self, learners: Learners) -> Path | None:
        try:
            old = self._path.read_bytes() if self._path else b""
        except FileNotFoundError:
            return None
        if self._path is None or old == text_of(learners).encode():
            return None
        aside = self._path.with_name(f"{self._path.stem}.aside-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}{self._path.suffix}")
        replace_file(aside, old, FILE_MODE)
        return aside

    def _write(self, learners: Learners) -> None:
        if self._path:
            replace_file(self._path, text_of(learners).encode(), FILE_MODE)
        self._in_memory = dict(learners)

    @contextmanager
    def _only_writer(self) -> Iterator[None]:
        """Waits until no other thread or process changes the file. Raises LearnersFileError if it cannot be written."""
        with self._lock:
            if self._path is None:
                yield
                return
            try:
                with locked_folder(self._path.parent):
                    yield
            except OSError as error:
                fix = "free some disk space, or correct the permissions"
                got = error.strerror or str(error)
                raise LearnersFileError("a file that can be written", got, str(self._path), fix) from error


def known_spelling(learners: Learners, name: str) -> str:
    """The name as the learner's progress is kept: "Ann" for "ann", if Ann is a learner. Else the tidied name."""
    key = name_key(name)
    return next((known for known in learners if name_key(known) == key), tidy_name(name))


def changed(learners: Learners, name: str, change: Callable[[Progress], Progress]) -> dict[str, Progress]:
    """The learners with one changed. Raises LearnersFileError if that would be one too many."""
    name = known_spelling(learners, name)
    if name not in learners and len(learners) >= MAX_LEARNERS:
        raise LearnersFileError(f"{MAX_LEARNERS} learners at most", "one more", name, "use a name that is there")
    return {**learners, name: change(learners.get(name, Progress()))}


def learners_in_backup(backup: Path) -> Learners | None:
    """The learners in a backup; None if it was made without them. Raises JournalError or LearnersFileError."""
    text = documents_in(backup).get(DOCUMENT)
    return None if text is None else parse_learners(text, f"{backup}, {DOCUMENT}")


def read_learners(path: Path) -> Learners:
    """The learners in a file; none if there is no file. Raises LearnersFileError."""
    try:
        return parse_learners(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        return {}
    except OSError as error:
        got = error.strerror or str(error)
        raise LearnersFileError("a file that can be read", got, str(path), "correct its permissions") from error
    except UnicodeDecodeError as error:
        raise _not_learners(f"bytes that are not UTF-8, at {error.start}", str(path)) from error


def parse_learners(text: str, where: str) -> Learners:
    """The learners in the text of a file. Raises LearnersFileError."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _not_learners(str(error), where) from error
    if not isinstance(document, dict) or not isinstance(document.get("learners"), dict):
        raise _not_learners("another document", where)
    version = document.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise LearnersFileError(f"format {FORMAT} at most", f"format {version}", where, "update cribboard")
    if version != FORMAT:
        raise _not_learners("no format number", where)
    try:
        return {name: _progress(record) for name, record in document["learners"].items()}
    except (Refusal, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _not_learners(f"{type(error).__name__}: {error}", where) from error


def text_of(learners: Learners) -> str:
    """The text of the file, which `parse_learners` reads."""
    records = {name: _record(progress) for name, progress in learners.items()}
    return json.dumps({"format": FORMAT, "learners": records}, ensure_ascii=True, separators=(",", ":"))


def _record(progress: Progress) -> dict[str, object]:
    attempts = [[" ".join(map(str, each.hand.cards)), each.answers] for each in progress.attempts]
    return {"level": progress.level, "hands": progress.hands, "attempts": attempts}


def _progress(record: Mapping[str, Any]) -> Progress:
    """Raises Refusal, ValueError, TypeError, KeyError or AttributeError for a record that was not written here."""
    level, hands = _number(record["level"], 1, MAX_LEVEL), _number(record["hands"], 0, 10**9)
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


def _not_learners(got: str, where: str) -> LearnersFileError:
    expected = f'learners, {{"format": {FORMAT}, "learners": {{..}}}}'
    return LearnersFileError(expected, got[:200], where, "correct the file, or move it away: then all start at level 1")
