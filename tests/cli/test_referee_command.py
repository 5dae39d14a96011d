"""`cribboard referee`, with its output in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main

ROOT = Path(__file__).parents[2]
GAME = {"record": 1, "variant": "six_card", "seats": ["Ann", "Ben"], "dealer": 1}
LINES = [
    json.dumps(line) for line in (GAME, {"starter": "JS"}, {"play": [0, "7H"]}, {"play": [1, "8S"]}, {"undo": True})
]


def referee(*args: str, lines: str | None = None) -> Result:
    return CliRunner().invoke(main, ["referee", *args], input=lines)


def test_json_output_has_one_object_per_line() -> None:
    result = referee("-", "--json", lines="\n".join(LINES))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [answer["line"] for answer in answers] == [1, 2, 3, 4, 5]
    assert [answer["scores"] for answer in answers] == [[0, 0], [0, 2], [0, 2], [0, 4], [0, 2]]
    assert answers[3] == {
        "line": 4,
        "phase": "play",
        "due": [
            {
                "seat": 1,
                "points": 2,
                "why": ["fifteen"],
                "source": "play",
                "parts": [{"kind": "fifteen", "points": 2, "cards": ["7H", "8S"]}],
            }
        ],
        "missed": [],
        "scores": [0, 4],
        "next": 0,
        "refused": None,
        "winner": None,
        "next_name": "Ann",
        "next_move": "card",
        "dealer": 1,
        "count": 15,
        "playable": None,
        "played": [{"seat": 1, "card": "8S", "count": 15}],
        "counted": [],
        "margin": None,
        "match_points": None,
        "spread": None,
    }


def test_output_in_words_has_one_line_per_line(tmp_path: Path) -> None:
    record = tmp_path / "evening.jsonl"
    record.write_text("\n".join(LINES), encoding="utf-8")
    result = referee(str(record))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "1: New game to 121: Ann, Ben. Ben deals. [Ann 0, Ben 0]",
        "2: The starter is J♠. Ben: two for his heels. [Ann 0, Ben 2; Ann to lead]",
        "3: Ann plays 7♥: 7. [Ann 0, Ben 2; Ben to play on 7]",
        "4: Ben plays 8♠: 15. Ben: fifteen for two. [Ann 0, Ben 4; Ann to play on 15]",
        "5: Undone. [Ann 0, Ben 2; Ben to play on 7]",
    ]


def test_help_shows_a_complete_record_that_runs_and_names_the_page() -> None:
    text = referee("--help").stdout
    record = [line for line in map(str.strip, text.splitlines()) if line.startswith(("{", "#"))]
    assert record[0].startswith("#") and '"record": 1' in record[1]
    result = referee("-", "--json", lines="\n".join(record))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0 and len(answers) == len(record) - 1
    assert [answer["refused"] for answer in answers] == [None] * len(answers)
    assert answers[-1]["winner"] == 0 and answers[-1]["margin"] == "win"
    (page,) = {word.strip(".") for word in text.split() if "RECORDS" in word}
    assert (ROOT / page).is_file()


def test_page_shows_what_the_record_of_the_help_prints() -> None:
    page = (ROOT / "firmware_host" / "RECORDS.md").read_text(encoding="utf-8")
    shown = page.partition("$ cribboard referee game.jsonl\n")[2].partition("```")[0]
    record = [line for line in map(str.strip, referee("--help").stdout.splitlines()) if line.startswith(("{", "#"))]
    assert shown and referee("-", lines="\n".join(record)).stdout.startswith(shown)


def test_comment_lines_get_no_answer_but_are_counted() -> None:
    commented = ["\ufeff# Ann against Ben", LINES[0], "  # no cards yet", "", LINES[1]]
    result = referee("-", "--json", lines="\n".join(commented))
    assert [json.loads(line)["line"] for line in result.stdout.splitlines()] == [2, 5]
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("bad", "where", "got"),
    [
        ("nonsense", "line 3, column 1", "'nonsense'"),
        ('{"play": [0, "7H"]', "line 3, column 19", "the end of the line"),
        ('{"play": [0 "7H"]}', "line 3, column 13", '"7H"'),
        ("{play: 1}", "line 3, column 2", "a field name in double quotes"),
        ('{"play" [0]}', "line 3, column 9", "a colon"),
        ('{"play": [0, "7H"]} {}', "line 3, column 21", "'{}'"),
        ("[1]", "line 3", "[1]"),
    ],
)
def test_bad_json_is_reported_with_line_column_and_a_right_line(bad: str, where: str, got: str) -> None:
    for options in ((), ("--json",)):
        result = referee("-", *options, lines="\n".join((*LINES[:2], bad, LINES[2])))
        text = result.stdout.splitlines()[2]
        message = json.loads(text)["refused"]["message"] if options else text
        assert f"{where}: expected" in message and got in message
        assert message.endswith('write a line such as {"play": [0, "5H"]}')
        assert result.exit_code == 1


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
def test_bad_line_is_refused_and_the_next_is_read(bad: str, kind: str) -> None:
    result = referee("-", "--json", lines="\n".join((*LINES[:2], bad, LINES[2])))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert answers[2]["refused"]["kind"] == kind
    assert answers[3]["refused"] is None and answers[3]["next"] == 1
    assert result.exit_code == 1


def test_line_refused_by_the_rules_does_not_fail_the_command() -> None:
    result = referee("-", "--json", lines="\n".join((*LINES[:2], '{"play": [1, "7H"]}', "", LINES[2])))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert answers[2]["refused"]["kind"] == "out_of_turn"
    assert answers[3]["line"] == 5
    assert result.exit_code == 0
