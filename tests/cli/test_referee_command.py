"""The command `referee`, as people and as programs use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main

GAME = {"record": 1, "variant": "six_card", "seats": ["Ann", "Ben"], "dealer": 1}
LINES = [
    json.dumps(line) for line in (GAME, {"starter": "JS"}, {"play": [0, "7H"]}, {"play": [1, "8S"]}, {"undo": True})
]


def referee(*args: str, lines: str | None = None) -> Result:
    return CliRunner().invoke(main, ["referee", *args], input=lines)


def test_a_record_is_refereed_line_by_line() -> None:
    result = referee("-", "--json", lines="\n".join(LINES))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [answer["line"] for answer in answers] == [1, 2, 3, 4, 5]
    assert [answer["scores"] for answer in answers] == [[0, 0], [0, 2], [0, 2], [0, 4], [0, 2]]
    assert answers[3] == {
        "line": 4,
        "phase": "play",
        "due": [{"seat": 1, "points": 2, "why": ["fifteen"]}],
        "missed": [],
        "scores": [0, 4],
        "next": 0,
        "refused": None,
        "winner": None,
    }


def test_a_record_is_refereed_in_words(tmp_path: Path) -> None:
    record = tmp_path / "evening.jsonl"
    record.write_text("\n".join(LINES), encoding="utf-8")
    result = referee(str(record))
    assert result.exit_code == 0
    assert "heels" in result.stdout and "fifteen" in result.stdout and "taken back" in result.stdout
    assert [line.partition(":")[0] for line in result.stdout.splitlines()] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("nonsense", "not_json"),
        ("[1]", "wrong_type"),
        ('{"play": "7H"}', "not_a_record"),
        ('{"play": [0, "1H"]}', "not_a_card"),
        ('{"tea": true}', "not_a_record"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_goes_on(bad: str, kind: str) -> None:
    result = referee("-", "--json", lines="\n".join((*LINES[:2], bad, LINES[2])))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert answers[2]["refused"]["kind"] == kind
    assert answers[3]["refused"] is None and answers[3]["next"] == 1
    assert result.exit_code == 1


def test_what_the_rules_refuse_is_no_bad_record() -> None:
    result = referee("-", "--json", lines="\n".join((*LINES[:2], '{"play": [1, "7H"]}', "", LINES[2])))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert answers[2]["refused"]["kind"] == "out_of_turn"
    assert answers[3]["line"] == 5
    assert result.exit_code == 0
