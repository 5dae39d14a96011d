"""Hands that were counted at the board are in the file of learners, if the count coach would count them alike."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest

from firmware_host.app import build_app
from firmware_host.coach.progress import Progress
from firmware_host.config.settings_sources import load_settings
from firmware_host.cribbage.cards import parse_cards
from firmware_host.startup.games_and_people import keep_count
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.ui.keys.input_state import CountAttempt

CARDS = tuple(parse_cards("5S 5H 6D 7C 4S"))
COUNTED = CountAttempt("Ann", CARDS, (4, 2, 8), (4, None, 8))


def wait_for_learners() -> None:
    for thread in threading.enumerate():
        if thread.name == "learner":
            thread.join()


def kept(file: Path, counted: CountAttempt) -> Progress:
    keep_count(file, counted)
    wait_for_learners()
    return LearnersFile(file).progress("ann")


def test_a_counted_hand_is_kept_under_the_players_name(tmp_path: Path) -> None:
    progress = kept(tmp_path / "learners.json", COUNTED)
    (attempt,) = progress.attempts
    assert (progress.hands, attempt.level, attempt.answers) == (1, 3, (4, None, 8))
    assert attempt.hand.cards == CARDS
    assert kept(tmp_path / "learners.json", COUNTED).hands == 2


@pytest.mark.parametrize(
    "counted",
    [
        pytest.param(CountAttempt("Ann", CARDS[:4], (0, 2, 0), (0, 2, 0)), id="five-card cribbage"),
        pytest.param(CountAttempt("Ann", CARDS, (4, 2, 6), (4, 2, 6)), id="other rules"),
    ],
)
def test_a_hand_that_the_coach_would_count_otherwise_is_not_kept(tmp_path: Path, counted: CountAttempt) -> None:
    assert kept(tmp_path / "learners.json", counted) == Progress()


def test_a_file_that_cannot_be_written_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    with caplog.at_level(logging.ERROR):
        keep_count(tmp_path / "state" / "learners.json", COUNTED)
        wait_for_learners()
    assert "progress of a learner is not kept" in caplog.text


def test_the_program_keeps_what_is_counted_at_its_board(tmp_path: Path) -> None:
    settings = load_settings(None, {}, {"state_folder": tmp_path, "port": 8300})
    running = build_app(settings)
    try:
        running.host.setup.on_count(COUNTED)
        wait_for_learners()
        assert LearnersFile(settings.learners).progress("Ann").hands == 1
    finally:
        running.stop()
        running.server.close()
