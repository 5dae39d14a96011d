"""The answers of `cribboard engine` against the rules on paper: legal, complete, the same again, and errors by name.

The questions come from deals that `tests/paper_rules` plays at random; a third of them has one fault.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from tests.cli.engine_questions import Asked, broken, questions_of_deal

PAGE = Path(__file__).parents[2] / "firmware_host/strategy/README.md"
LEVELS = ("beginner", "club", "expert")


def lines_of(seed: int, number: int) -> list[tuple[Asked, bytes]]:
    """Questions of all systems with their lines: blanks, tabs and line ends as programs may write them."""
    random = Random(seed)
    asked = list[Asked]()
    while len(asked) < number:
        asked += [broken(each, random) if random.random() < 0.3 else each for each in questions_of_deal(random)]
    return [(each, line_of(each, random)) for each in asked[:number]]


def line_of(asked: Asked, random: Random) -> bytes:
    wants_all = not asked.error and bool(asked.points or random.random() < 0.1)
    question = asked.question | ({"analysis": True} if wants_all else {})
    fields = random.sample(sorted(question.items()), len(question))
    text = json.dumps(dict(fields), separators=random.choice(((",", ":"), (" , ", " : "))))
    blank, end = random.choice(("", "  ", "\t")), random.choice(("\n", "\r\n", " \t\r\n", "\n\n"))
    return f"{blank}{text}{end}".encode()


def answers_to(data: bytes, level: str, code: int) -> list[dict[str, Any]]:
    """What the program answers to these bytes on its standard input."""
    run = CliRunner().invoke(main, ["engine", "--level", level], input=data)
    assert (run.exit_code, run.stderr) == (code, "")
    return [json.loads(line) for line in run.stdout.splitlines()]


def faults_of(asked: Asked, answer: dict[str, Any], level: str) -> Iterator[str]:
    """What is wrong with an answer."""
    if asked.error or "error" in answer:
        if answer.get("error", "") != asked.error:
            yield f"the error {answer.get('error')}, not {asked.error}"
        return
    chosen = choice_of(answer)
    if chosen not in asked.allowed:
        yield "it is against the rules"
    if "all" not in answer:
        return
    judged = [choice_of(each) for each in answer["all"]]
    if sorted(judged) != sorted(asked.allowed - {()}):
        yield "the analysis has not every choice once"
    if level == "expert" and judged and judged[0] != chosen:
        yield "it is not the first of the analysis"
    for each in answer["all"]:
        if asked.points and each["points"] != asked.points[each["card"]]:
            yield f"{each['card']} is worth {asked.points[each['card']]}"


def choice_of(answer: dict[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(answer["discard"])) if "discard" in answer else (answer.get("play") or answer["card"],)


def check(lines: Sequence[tuple[Asked, bytes]], level: str) -> None:
    answers = answers_to(b"".join(line for _, line in lines), level, code=1)
    assert len(answers) == len(lines)
    found = [
        (fault, line, answer)
        for (asked, line), answer in zip(lines, answers, strict=True)
        for fault in faults_of(asked, answer, level)
    ]
    assert not found, found[:3]
    assert {"discard", "play", "error"} <= {key for answer in answers for key in answer}


def test_answers_keep_to_the_rules_on_paper() -> None:
    check(lines_of(1, 80), "beginner")


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_many_answers_keep_to_the_rules_on_paper(level: str) -> None:
    check(lines_of(2, 1500), level)


def test_the_answer_follows_from_the_question_not_from_its_line() -> None:
    """Nor from the lines before it, nor from whether an analysis is asked for."""
    deal = [asked for asked in questions_of_deal(Random(6)) if asked.question["ask"] == "play"][:2]
    written = [json.dumps(asked.question) for asked in deal]
    otherwise = [json.dumps(dict(reversed(asked.question.items())) | {"analysis": True}, indent=1) for asked in deal]
    otherwise = [text.replace("\n", "") for text in reversed(otherwise)]
    answers = answers_to("\n".join([*written, *otherwise]).encode(), "beginner", code=0)
    assert [answer["play"] for answer in answers[:2]] == [answer["play"] for answer in reversed(answers[2:])]


def test_the_last_line_may_end_without_a_line_end_or_in_its_middle() -> None:
    asked = next(questions_of_deal(Random(3)))
    line = json.dumps(asked.question).encode()
    (whole,) = answers_to(line, "beginner", code=0)
    first, second = answers_to(b"\xef\xbb\xbf" + line + b"\r\n" + line[:-9], "beginner", code=1)
    assert first == whole and second["error"] == "not_json"
    assert answers_to(b"", "beginner", code=0) == answers_to(b"\n \r\n\t\n", "beginner", code=0) == []


def test_each_line_is_answered_at_once() -> None:
    """A player may wait for the answer before it asks again."""
    command = [sys.executable, "-m", "firmware_host", "engine", "--level", "beginner"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        for asked in [*questions_of_deal(Random(4))][:3]:
            engine.stdin.write(json.dumps(asked.question).encode() + b"\n")
            engine.stdin.flush()
            assert not [*faults_of(asked, json.loads(engine.stdout.readline()), "beginner")]
        engine.stdin.close()
        assert engine.wait() == 0


def test_answers_are_those_of_the_page() -> None:
    lines = PAGE.read_text().partition("```json\n")[2].partition("\n```")[0].splitlines()
    answers = answers_to("\n".join(lines[::2]).encode(), "expert", code=1)
    assert answers == [json.loads(line) for line in lines[1::2]]
