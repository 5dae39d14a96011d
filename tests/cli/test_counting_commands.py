"""`cribboard count` and `cribboard play`, with arguments and with JSON lines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.cli import main
from firmware_host.config.languages import LANGUAGES
from firmware_host.cribbage.variants import VARIANTS


def run(*args: str, lines: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, args, input=lines)


def answers(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def count_lines(*records: object) -> Result:
    return run("count", "--jsonl", lines="\n".join(map(json.dumps, records)))


def play_lines(*records: object) -> Result:
    return run("play", "--jsonl", lines="\n".join(map(json.dumps, records)))


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (
            ["5H 5S 5D 4C", "6C"],
            "fifteen two, fifteen four, fifteen six, fifteen eight, and a triple run of three is twenty-three",
        ),
        (["7s,8s,8h,9d", "kd"], "fifteen two, fifteen four, and a double run of three is twelve"),
        (["2S 4H 6D 8C", "KH"], "no points"),
        (["2H 6H 8H KH", "TS", "--crib"], "no points"),
        (["2H 6H 8H KH", "TS", "--crib", "--option", "crib_flush=four_ok"], "a flush of four is four"),
        (["2D 7D 9D", "KD", "--variant", "five_card"], "a flush of four is four"),
        (["QS QH QD 2C", "10H"], "a pair royal is six"),
    ],
)
def test_hand_is_counted_in_words(args: list[str], words: str) -> None:
    result = run("count", *args)
    points = json.loads(run("count", *args, "--json").stdout)["total"]
    assert (result.stdout, result.exit_code) == (f"{words} ({points})\n", 0)


@pytest.mark.parametrize(
    "args",
    [
        ["5H", "5S", "5D", "JC", "5C"],
        ["5H 5S 5D JC 5C"],
        ["5H,5S,5D,JC", "5C"],
        ["5H 5S", "5D JC", "5C"],
        ["5h,", "5s,", "5d,", "jc,", "5c"],
    ],
)
def test_cards_are_read_quoted_or_not(args: list[str]) -> None:
    result = run("count", *args)
    assert result.exit_code == 0 and result.stdout.endswith("his nobs is twenty-nine (29)\n")


def test_cards_of_a_crib_and_of_other_variants_are_read_unquoted() -> None:
    assert run("count", *["2D", "7D", "9D", "KD"], "--variant", "five_card").stdout == "a flush of four is four (4)\n"
    assert run("count", *["2H", "6H", "8H", "KH", "TS"], "--crib", "--variant", "five_card").stdout == "no points (0)\n"
    assert run("count", *["4S", "4H", "5D", "5C", "6S", "6H"], "--variant", "seven_card").stdout.endswith("(46)\n")


def test_advice_is_given_for_unquoted_cards() -> None:
    quoted, unquoted = (
        run("advise", *cards, "--crib", "own")
        for cards in (["3C 3D 4S 4H 5C 9D"], ["3C", "3D", "4S", "4H", "5C", "9D"])
    )
    assert quoted.exit_code == unquoted.exit_code == 0 and quoted.stdout == unquoted.stdout


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "fifteen two, fifteen four, and a double run of three is twelve"),
        ("fr", "quinze deux, quinze quatre et une suite double de trois fait douze"),
        (
            "ru",
            "пятнадцать\N{NO-BREAK SPACE}— два, пятнадцать\N{NO-BREAK SPACE}— четыре"
            " и двойной секвенс из трёх\N{NO-BREAK SPACE}— двенадцать",
        ),
        (
            "pl",
            "piętnaście\N{NO-BREAK SPACE}– dwa, piętnaście\N{NO-BREAK SPACE}– cztery"
            " i podwójny sekwens trzech kart\N{NO-BREAK SPACE}– dwanaście",
        ),
    ],
)
def test_hand_is_counted_in_each_language(language: str, words: str) -> None:
    assert run("count", "7S 8S 8H 9D", "KD", "--lang", language).stdout == f"{words} (12)\n"


def test_json_has_the_parts_of_the_count() -> None:
    result = run("count", "--json", "5S 5D 5C JH", "5H")
    parts = answers(result)[0]
    scores = parts.pop("scores")
    assert parts == {"total": 29, "fifteens": 16, "pairs": 12, "runs": 0, "flush": 0, "nobs": 1}
    assert scores[-1] == {"kind": "his_nobs", "points": 1, "cards": ["JH"]}
    assert sum(score["points"] for score in scores) == 29


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("5 5 5 J 4", ["a pair royal is fourteen (14)", "His nobs would add 1."]),
        ("5 5 6 7 8", ["a double run of four is twelve (12)"]),
        ("2 6 8 K T", ["no points (0)", "A flush would add 4, with the starter 5."]),
        ("2 6 8 K 8", ["a pair is two (2)", "A flush would add 4."]),
        ("2 6 8 J T", ["no points (0)", "A flush would add 4, with the starter 5. His nobs would add 1."]),
        ("2H 6H 8H KH T", ["a flush of four is four (4)", "A flush would add 1."]),
        ("5H 5 5 JH 4D", ["a pair royal is fourteen (14)"]),
        ("2 6 8 K T --crib", ["no points (0)", "A flush would add 5."]),
        ("2 6 8 K 8 --crib", ["a pair is two (2)"]),
    ],
)
def test_ranks_are_counted_and_it_says_what_suits_would_add(cards: str, said: list[str]) -> None:
    result = run("count", *cards.split())
    first, *rest = result.stdout.splitlines()
    assert first.endswith(said[0]) and rest == said[1:]


def test_json_of_ranks_has_the_most_that_suits_could_add() -> None:
    assert answers(run("count", "--json", "2 6 8 J T"))[0]["could_add"] == {"flush": 5, "nobs": 1}
    assert answers(run("count", "--json", "5 5 6 7 8"))[0]["could_add"] == {"flush": 0, "nobs": 0}
    assert "could_add" not in answers(run("count", "--json", "5H 5S 5D JC 5C"))[0]


def test_what_suits_would_add_is_said_in_each_language() -> None:
    said = {run("count", "2 6 8 J T", "--lang", language).stdout.splitlines()[1] for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["5H 5S 5D JC"],
        ["5H 5S 5D JC", "9C", "--variant", "bridge"],
        ["5H 5S 5D JC", "9C", "--option", "crib_flush"],
        ["5H 5S 5D JC", "9C", "--option", "crib_flush=six"],
        ["5H 5S 5D JC", "9C", "--option", "flush=six"],
        ["5H 5S 5D JC", "9C", "--lang", "de"],
        ["5H 5S 5D JC", "9C", "--jsonl"],
        ["--jsonl", "--lang", "fr"],
        ["5H 5S 5D JC", "9C", "5C"],
        ["5H", "5S", "5D", "9C"],
        ["5H", "5S", "5D"],
    ],
)
def test_wrong_usage_gives_one_line_and_exit_code_2(args: list[str]) -> None:
    result = run("count", *args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "args",
    [["5H 5S 5D JC", "5X"], ["5H 5S 5D", "9C"], ["5H 5H 5D JC", "9C"], ["5 5 5 5 5"], ["5 5 5 J", "X"]],
)
def test_impossible_cards_give_one_line_and_exit_code_1(args: list[str]) -> None:
    result = run("count", *args)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1 and "expected" in result.stderr


def test_each_json_line_is_counted() -> None:
    result = count_lines(
        {"cards": ["5S", "5D", "5C", "JH"], "starter": "5H"},
        {"cards": ["9S", "7D", "8H", "6H"], "starter": "5H", "crib": True, "variant": "five_card", "options": {}},
        {"cards": ["2H", "6H", "8H", "KH"], "starter": "TS", "crib": True, "options": {"crib_flush": "four_ok"}},
        {"cards": ["4S", "4H", "5D", "5C", "6S"], "starter": "6H", "crib": False, "variant": "seven_card"},
    )
    assert result.exit_code == 0
    assert answers(result)[0] == {"total": 29, "fifteens": 16, "pairs": 12, "runs": 0, "flush": 0, "nobs": 1}
    assert [answer["total"] for answer in answers(result)] == [29, 9, 4, 46]


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_variant_counts_its_hand_size_and_a_crib_of_four(variant: str) -> None:
    hand = ["2H", "4H", "6H", "8H", "TH"][: VARIANTS[variant].hand_size]
    result = count_lines(
        {"cards": hand, "starter": "QS", "variant": variant},
        {"cards": ["2H", "4H", "6H", "8H"], "starter": "QH", "variant": variant, "crib": True},
    )
    assert [answer["flush"] for answer in answers(result)] == [len(hand), 5]


GOOD = {"cards": ["5S", "5D", "5C", "JH"], "starter": "5H"}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("{", "not_json"),
        ("5H", "not_json"),
        ("[" * 100_000, "not_json"),
        ("9" * 10_000, "not_json"),
        (b"\xff\xfe{}", "not_json"),
        ("[]", "wrong_type"),
        ("null", "wrong_type"),
        ("5", "wrong_type"),
        ("{}", "missing_field"),
        (GOOD | {"starter": None}, "missing_field"),
        (GOOD | {"starter": 5}, "wrong_type"),
        (GOOD | {"cards": "5S 5D 5C JH"}, "wrong_type"),
        (GOOD | {"cards": {"5S": 1}}, "wrong_type"),
        (GOOD | {"crib": "yes"}, "wrong_type"),
        (GOOD | {"crib": 1}, "wrong_type"),
        (GOOD | {"variant": ["six_card"]}, "wrong_type"),
        (GOOD | {"options": [1]}, "wrong_type"),
        (GOOD | {"cards": ["5S", "5D", "5C", 5]}, "not_a_card"),
        (GOOD | {"cards": ["5S", "5D", "5C", None]}, "not_a_card"),
        (GOOD | {"cards": ["5S", "5D", "5C", ["JH"]]}, "not_a_card"),
        (GOOD | {"cards": ["5S", "5D", "5C", "\ud800"]}, "not_a_card"),
        (GOOD | {"cards": ["5S", "5D", "5C", "J"]}, "not_a_card"),
        (GOOD | {"starter": "5S"}, "duplicate_card"),
        (GOOD | {"cards": ["5S", "5D", "5C"]}, "wrong_number_of_cards"),
        (GOOD | {"variant": "bridge"}, "unknown_variant"),
        (GOOD | {"options": {"flush": 1}}, "unknown_option"),
        (GOOD | {"options": {"crib_flush": {"a": []}}}, "unknown_choice"),
        (GOOD | {"options": {"players": 3}}, "options_clash"),
    ],
)
def test_bad_line_gets_an_error_and_the_next_is_answered(line: str | bytes | dict[str, object], kind: str) -> None:
    text = json.dumps(line) if isinstance(line, dict) else line
    good = json.dumps(GOOD).encode()
    bad = text if isinstance(text, bytes) else text.encode()
    result = run("count", "--jsonl", lines=b"\n".join([good, b"", bad, b"  ", good]))
    first, error, last = answers(result)
    assert first == last == {"total": 29, "fifteens": 16, "pairs": 12, "runs": 0, "flush": 0, "nobs": 1}
    assert error.keys() == {"error", "message"}
    assert error["error"] == kind
    assert "\n" not in error["message"]
    assert result.exit_code == 1


@settings(max_examples=50)
@given(st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line)))
def test_any_bytes_get_one_answer_per_line(lines: list[bytes]) -> None:
    for command in ("count", "play"):
        result = run(command, "--jsonl", lines=b"\n".join(lines))
        assert result.exit_code in (0, 1)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert len(answers(result)) == sum(bool(line.strip()) for line in lines)


json_atoms = st.sampled_from([None, True, 0, -1, 2.5, float("inf"), "", "5H", "9C", "six_card", "target"])
json_values = json_atoms | st.lists(json_atoms, max_size=4) | st.dictionaries(st.just("target"), json_atoms)
field_names = st.sampled_from(["cards", "starter", "crib", "variant", "options", "new_count_at"])


@settings(max_examples=60)
@given(st.lists(st.dictionaries(field_names, json_values), max_size=10))
def test_any_json_objects_get_one_answer_each(records: list[dict[str, object]]) -> None:
    completed = [GOOD | record for record in records]
    for result in (count_lines(*records), play_lines(*records), count_lines(*completed)):
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert len(answers(result)) == len(records)


def test_empty_input_gives_empty_output() -> None:
    for command in ("count", "play"):
        assert (run(command, "--jsonl", lines="\n \n").stdout, run(command, "--jsonl", lines="").exit_code) == ("", 0)


def test_play_scores_each_card() -> None:
    result = play_lines({"cards": ["8", "7", "8", "8"], "new_count_at": [0]})
    assert result.exit_code == 0
    answer = answers(result)[0]
    assert answer["count"] == [8, 15, 23, 31]
    assert answer["points"] == [0, 2, 0, 4]
    assert answer["parts"][-1] == {"fifteen": 0, "thirty_one": 2, "pair": 2, "run": 0}


@pytest.mark.parametrize(
    ("record", "counts"),
    [
        ({"cards": ["KH", "QH", "8D", "3D", "TC"]}, [10, 20, 28, 31, 10]),
        ({"cards": ["KH", "QH", "8D", "3D", "TC"], "new_count_at": [0, 4]}, [10, 20, 28, 31, 10]),
        ({"cards": ["KH", "QH", "8D", "3D", "TC"], "new_count_at": [0]}, [10, 20, 28, 31, 10]),
        ({"cards": ["KH", "QH", "8D", "9D"]}, [10, 20, 28, 9]),
        ({"cards": ["KH", "QH", "AD", "9D"], "new_count_at": [0, 2]}, [10, 20, 1, 10]),
        ({"cards": []}, []),
    ],
)
def test_new_count_begins_over_31_or_at_given_indexes(record: dict[str, object], counts: list[int]) -> None:
    assert answers(play_lines(record))[0]["count"] == counts


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ({}, "missing_field"),
        ({"cards": "5H"}, "wrong_type"),
        ({"cards": ["5H", "5H"]}, "duplicate_card"),
        ({"cards": ["5H", "1H"]}, "not_a_card"),
        ({"cards": ["KH", "QH", "9D", "JD"], "new_count_at": [0]}, "over_31"),
        ({"cards": ["KH", "QH"], "new_count_at": [2]}, "wrong_value"),
        ({"cards": ["KH", "QH"], "new_count_at": [-1]}, "wrong_value"),
        ({"cards": ["KH", "QH"], "new_count_at": [True]}, "wrong_type"),
        ({"cards": ["KH", "QH"], "new_count_at": [[0]]}, "wrong_type"),
        ({"cards": ["KH", "QH"], "new_count_at": 0}, "wrong_type"),
    ],
)
def test_impossible_play_gets_an_error(record: dict[str, object], kind: str) -> None:
    result = play_lines(record, {"cards": ["5H"]})
    assert [answer.get("error") for answer in answers(result)] == [kind, None]
    assert result.exit_code == 1


@pytest.mark.parametrize("args", [["7 8 9"], ["7", "8", "9"], ["7,8,9"], ["7H", "8S 9D"]])
def test_play_is_scored_from_arguments(args: list[str]) -> None:
    result = run("play", *args)
    assert result.exit_code == 0
    assert [line.split(maxsplit=3)[1:] for line in result.stdout.splitlines()] == [
        ["7", "0"],
        ["15", "2", "fifteen for two"],
        ["24", "3", "a run of three"],
    ]


def test_play_from_arguments_begins_new_counts() -> None:
    assert json.loads(run("play", "K", "Q", "9", "5", "--json").stdout)["count"] == [10, 20, 29, 5]
    assert json.loads(run("play", "K 5 / 5/5", "--json").stdout)["count"] == [10, 15, 5, 5]
    assert json.loads(run("play", "7 7", "--json").stdout) == answers(play_lines({"cards": ["7", "7"]}))[0]


def test_play_takes_variant_options_and_language() -> None:
    flush = run("play", "2H", "9H", "KH", "--option", "play_flush=three_up")
    assert flush.stdout.splitlines()[2].split(maxsplit=3)[2:] == ["3", "a flush of three"]
    assert "секвенс" in run("play", "7 8 9", "--lang", "ru").stdout
    over = run("play", *["K", "Q", "9", "5"], "--variant", "five_card")
    assert over.exit_code == 1 and "card 4 of 4" in over.stderr
    assert run("play", "7", "--variant", "bridge").exit_code == 2
    lines = play_lines(
        {"cards": ["2H", "9H", "KH"], "options": {"play_flush": "three_up"}},
        {"cards": ["KH", "QH", "9H", "5H"], "variant": "five_card"},
        {"cards": ["KH"], "variant": "bridge"},
    )
    assert answers(lines)[0]["parts"][2]["flush"] == answers(lines)[0]["points"][2] == 3
    assert [answer.get("error") for answer in answers(lines)] == [None, "play_is_over", "unknown_variant"]


@pytest.mark.parametrize("args", [["7", "X"], ["7H", "7H"], ["1"]])
def test_impossible_cards_played_give_one_line(args: list[str]) -> None:
    result = run("play", *args)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)


def test_play_without_cards_or_lines_is_a_usage_error() -> None:
    for args in ([], ["/"], ["7", "--jsonl"], ["--jsonl", "--variant", "six_card"]):
        assert run("play", *args).exit_code == 2


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        (["cuont"], "'count'"),
        (["refree", "x"], "'referee'"),
        (["Play"], "'play'"),
        (["games", "crad"], "'card'"),
        (["deck", "tech"], "'teach'"),
        (["count", "--varaint", "six_card"], "'--variant'"),
        (["count", "5H 5S 5D JC", "5C", "--variant", "six-card"], "six_card"),
        (["count", "5H 5S 5D JC", "5C", "--option", "crib_flsh=four_ok"], "crib_flush"),
        (["count", "5H 5S 5D JC", "5C", "--option", "crib_flush=four"], "four_ok"),
    ],
)
def test_mistyped_commands_and_options_get_a_suggestion(args: list[str], meant: str) -> None:
    result = run(*args)
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1
    assert meant in result.stderr.lower().partition("did you mean")[2]


def test_command_that_resembles_nothing_gets_no_suggestion() -> None:
    result = run("tea")
    assert result.exit_code == 2 and "No such command 'tea'." in result.stderr
    assert "Did you mean" not in result.stderr


@pytest.mark.parametrize("command", ["count", "play", "advise"])
def test_bad_json_is_reported_with_line_column_and_a_right_line(command: str) -> None:
    message = answers(run(command, "--jsonl", lines='\n{"cards": [5H]}'))[0]["message"]
    assert message.startswith("line 2, column 13: expected ")
    example = message.partition("write a line such as ")[2]
    assert "error" not in answers(run(command, "--jsonl", lines=example))[0]


def test_answers_are_flushed_and_a_closed_pipe_ends_the_program_quietly() -> None:
    """A program that writes one line at a time gets one answer at a time, and may close the pipe at any time."""
    command = [sys.executable, "-m", "firmware_host", "count", "--jsonl"]
    question = json.dumps(GOOD).encode() + b"\n"
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        for _ in range(2):
            process.stdin.write(question)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["total"] == 29
        process.stdout.close()
        process.stdin.write(question)
        process.stdin.close()
        assert b"Traceback" not in process.stderr.read()
        assert process.wait(timeout=60) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_full_disk_gives_an_error_without_traceback() -> None:
    command = [sys.executable, "-m", "firmware_host", "count", "5H 5S 5D JC", "9C"]
    with Path("/dev/full").open("w") as full:
        finished = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert finished.returncode != 0
    assert "standard output cannot be written" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize("cards", [["ZZ"], ["5H", "5S"], ["5H", "5S", "5D", "JC"], ["5H 5S"]])
def test_cards_that_are_missing_are_counted_with_the_starter(cards: list[str]) -> None:
    result = run("count", *cards)
    number = len(" ".join(cards).split())
    said = f"expected 4 cards and the starter, such as 5H 5S 5D JC 5C, got {number} "
    assert result.exit_code == 2 and said in result.stderr
