"""The progress of learners in its file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.coach.progress import KEPT, Progress
from firmware_host.stats.learners_file import (
    MAX_LEARNERS,
    LearnersFile,
)
from firmware_host.storage.document_file import DocumentError
from tests.coach.learners import COUNTING, practise


def test_progress_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = LearnersFile(tmp_path / "new" / "learners.json")
    progress = practise(COUNTING, 12, seed=1, slips=0.3)
    assert file.change("Żaneta", lambda _: progress) == progress
    assert file.read() == {"Żaneta": progress}
    assert file.change("Żaneta", lambda before: before.at_level(2)).level == 2
    assert LearnersFile.read_file(tmp_path / "new" / "learners.json")["Żaneta"].attempts == progress.attempts


def test_learners_without_a_path_are_kept_in_memory() -> None:
    file = LearnersFile()
    file.change("Ann", lambda before: before.at_level(3))
    assert file.read() == {"Ann": Progress(3)}


def test_spellings_of_one_name_are_one_learner(tmp_path: Path) -> None:
    file = LearnersFile(tmp_path / "learners.json")
    file.change(" Ann  K ", lambda before: before.at_level(3))
    assert file.change("ann k", lambda before: before.at_level(4)) == file.progress("ANN K") == Progress(4)
    assert [*file.read()] == ["Ann K"]


def test_old_attempts_leave_the_file() -> None:
    progress = practise(COUNTING, KEPT + 5, seed=2)
    assert LearnersFile.parse(LearnersFile.text_of({"Ann": progress}), "here")["Ann"] == progress
    assert (len(progress.attempts), progress.hands) == (KEPT, KEPT + 5)


def test_interrupted_write_leaves_the_old_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = LearnersFile(tmp_path / "learners.json")
    file.change("Ann", lambda before: before.at_level(4))

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(DocumentError, match="No space left"):
        file.change("Ann", lambda before: before.at_level(5))
    assert file.read() == {"Ann": Progress(4)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"learners": {}}',
        '{"format": 1, "learners": []}',
        '{"format": 1, "learners": {"Ann": {"level": 9, "hands": 0, "attempts": []}}}',
        '{"format": 1, "learners": {"Ann": {"level": 1, "hands": 0, "attempts": [["5H 5S 5D JC 5C", [8]]]}}}',
        '{"format": 1, "learners": {"Ann": {"level": 1, "hands": 1, "attempts": [["5H 5H 5D JC 5C", [8]]]}}}',
        '{"format": 1, "learners": {"Ann": {"level": 1, "hands": 1, "attempts": [["5H 5S 5D JC 5C", [true]]]}}}',
        '{"format": 1, "learners": {"Ann": {"level": 1, "hands": 1, "attempts": [["5H", [8]]]}}}',
        '{"format": 1, "learners": {"Ann": null}}',
    ],
)
def test_other_content_is_refused_with_a_fix(text: str) -> None:
    with pytest.raises(DocumentError, match="move it away"):
        LearnersFile.parse(text, "learners.json")


def test_newer_format_asks_for_an_update() -> None:
    with pytest.raises(DocumentError, match="update cribboard"):
        LearnersFile.parse('{"format": 2, "learners": {}}', "learners.json")


def test_number_of_learners_is_limited() -> None:
    file = LearnersFile()
    for number in range(MAX_LEARNERS):
        file.change(f"Learner {number}", lambda before: before)
    with pytest.raises(DocumentError, match="use a name that is there"):
        file.change("One more", lambda before: before)
