"""`cribboard coach`: questions, hints, progress that is kept, and the summary."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import coach_drills, main
from firmware_host.coach.attempt import parts_of_level
from firmware_host.coach.discard_exercise import discard_exercise
from firmware_host.coach.play_exercise import play_exercise
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.ui.texts.cadence import count_in_words
from firmware_host.ui.texts.coach_messages import hint, solution, verdict
from firmware_host.ui.texts.drill_messages import play_result
from firmware_host.ui.translator import untranslated
from tests.coach.learners import hand


def coach(folder: Path, *arguments: str, answers: str = "") -> Result:
    return CliRunner().invoke(main, ["coach", "--state-folder", str(folder), *arguments], input=answers)


def records(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_first_answers_are_kept_and_summed(tmp_path: Path) -> None:
    answers = "98\n" * 4
    hands = records(coach(tmp_path, "--name", "Ann", "--hands", "2", "--json", answers=answers))
    *counted, summary = hands
    assert [each["answers"] for each in counted] == [{"fifteens": 98}] * 2
    assert not any(each["right"] for each in counted)
    assert (summary["name"], summary["hands"], summary["level"], summary["too_many"]) == ("Ann", 2, 1, {"fifteens": 2})
    assert records(coach(tmp_path, "--name", " Ann ", "--summary", "--json")) == [summary]
    assert LearnersFile(tmp_path / "learners.json").read()["Ann"].hands == 2


def test_hint_before_an_answer_is_kept_as_none_and_the_hand_is_counted_aloud(tmp_path: Path) -> None:
    first = records(coach(tmp_path, "--hands", "1", "--json", answers="98\n98\n"))[0]
    exercise = hand(" ".join((*first["cards"], first["starter"])))
    assert first["points"] == {"fifteens": exercise.count.points(parts_of_level(1)[0])}
    result = coach(tmp_path, "--hands", "1", "--level", "2", answers="?\n" * 40)
    counted = LearnersFile(tmp_path / "learners.json").read()["Learner"].attempts[-1]
    assert counted.answers == (None, None)
    assert f"{count_in_words(counted.hand.count)} ({counted.hand.count.total})" in result.stdout


def test_hand_that_was_not_finished_is_not_kept(tmp_path: Path) -> None:
    for answers in ("", "q\n", "seven\nq\n"):
        result = coach(tmp_path, "--level", "5", answers=answers)
        assert result.exit_code == 0
        assert "0 hands counted" in result.stdout
    assert "Enter a number of points" in result.stdout


def test_damaged_file_is_one_line_on_standard_error(tmp_path: Path) -> None:
    (tmp_path / "learners.json").write_text("{")
    result = coach(tmp_path, "--summary")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "move it away" in result.stderr


@pytest.mark.parametrize("arguments", [("--level", "6"), ("--hands", "0"), ("--name", " "), ("--lang", "de")])
def test_wrong_argument_is_a_usage_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert coach(tmp_path, *arguments).exit_code == 2


def test_hints_name_the_cards_one_score_after_the_other() -> None:
    exercise = hand("5H 5S 2D 9C JC")
    fifteens = parts_of_level(1)[0]
    assert hint(exercise, fifteens, 0, untranslated) == "There are 2 to find."
    assert hint(exercise, fifteens, 1, untranslated) == "There are 2 to find. 5♥ J♣: 2 points."
    assert solution(exercise, fifteens, untranslated) == "Fifteens: 4 points. 5♥ J♣: 2 points. 5♠ J♣: 2 points."
    assert [verdict(exercise, fifteens, points, untranslated) for points in (2, 4, 6)] == [
        "There is more to find.",
        "Right.",
        "That is too many.",
    ]


@pytest.mark.parametrize(("drill", "number"), [("play", 4), ("discard", 6)])
def test_drills_ask_before_they_show(tmp_path: Path, drill: str, number: int) -> None:
    asked = coach(tmp_path, "--drill", drill, "--hands", "1", answers="x\nq\n").stdout
    assert asked.count("Which") == 2 and "0 of 0 right." in asked
    assert re.search(rf"these cards: (\S+ ){{{number - 1}}}\S+, or q", asked)
    assert "best" not in asked and "makes 31:" not in asked


def test_a_card_is_chosen_in_the_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    exercise = play_exercise(Random(3).randrange)
    monkeypatch.setattr(coach_drills, "play_exercise", lambda draw: exercise)
    wrong = next(card for card in exercise.held if card != exercise.answer)
    result = coach(tmp_path, "--drill", "play", "--hands", "2", answers=f"{exercise.answer}\n{wrong}\n").stdout
    assert "Right." in result and "Not this one." in result and "1 of 2 right." in result
    assert result.count(play_result(exercise, exercise.answer, untranslated)) == 2


def test_a_discard_is_ranked_after_the_choice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    exercise = discard_exercise(Random(3).randrange)
    monkeypatch.setattr(coach_drills, "discard_exercise", lambda draw: exercise)
    best, worst = (" ".join(map(str, each.discarded)) for each in (exercise.best, exercise.discards[-1]))
    result = coach(tmp_path, "--drill", "discard", "--hands", "2", answers=f"{best}\n{worst}\n").stdout
    assert "This is the best discard." in result and "points on average" in result and "1 of 2 right." in result
