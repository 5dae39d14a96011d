"""`cribboard advise`: the table, the JSON, the JSON lines, and the errors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main

DEALT = "3C 3D 4S 4H 5C 9D"


def advise(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["advise", *arguments], input=stdin)


def objects(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_table_is_aligned_with_best_discard_first() -> None:
    lines = advise(DEALT, "--crib", "own").stdout.splitlines()
    assert len(lines) == 16
    assert lines[0].split() == ["discard", "keep", "hand", "crib", "sensible", "play", "total", "least", "most"]
    assert lines[1].startswith("4S 9D    3D 3C 4H 5C  13.61  4.10      3.6")
    assert len(set(map(len, lines))) == 1


@pytest.mark.parametrize("cards", ["5 5 J Q 2 9", "5H 5 J Q 2 9"])
def test_ranks_are_enough_and_equal_discards_are_one(cards: str) -> None:
    result = advise(cards, "--crib", "own")
    assert result.exit_code == 0 and "no flush counts" in result.stderr
    rows = [row.split("  ")[0].strip() for row in result.stdout.splitlines()[1:]]
    assert rows[0] == "2 9" and len(rows) == len(set(rows)) == 11
    assert objects(advise(cards, "--crib", "own", "--json"))[0]["keep"] == ["5", "5", "J", "Q"]


def test_advice_for_ranks_is_that_for_suits_without_a_flush() -> None:
    by_ranks = objects(advise("3 3 4 4 5 9", "--crib", "own", "--json"))
    assert by_ranks[0]["discard"] == ["4", "9"]
    assert by_ranks[0]["hand"] == objects(advise(DEALT, "--crib", "own", "--json"))[0]["hand"]


def test_lines_of_json_need_suits() -> None:
    line = json.dumps({"cards": ["5", "5", "J", "Q", "2", "9"], "crib": "own"})
    assert json.loads(advise("--jsonl", stdin=line).stdout)["error"] == "not_a_card"


def test_json_has_one_object_per_discard() -> None:
    discards = objects(advise(DEALT, "--crib", "own", "--json"))
    assert len(discards) == 15
    chosen = next(discard for discard in discards if discard["discard"] == ["5C", "9D"])
    assert chosen["keep"] == ["3D", "3C", "4S", "4H"]
    assert chosen["hand"] + chosen["crib"] == pytest.approx(13.74, abs=0.005)
    assert chosen["total"] == pytest.approx(chosen["hand"] + chosen["crib_sensible"])
    assert "win" not in chosen
    assert (chosen["least"], chosen["most"]) == (4, 20)
    assert sum(chosen["chances"].values()) == pytest.approx(1)
    assert chosen["crib_sensible"] < chosen["crib"]


def test_crib_of_the_other_side_is_subtracted() -> None:
    for discard in objects(advise(DEALT, "--crib", "theirs", "--json")):
        assert discard["total"] == pytest.approx(discard["hand"] - discard["crib_sensible"])


def test_three_hand_discards_are_single_cards() -> None:
    cards = "3C 3D 4S 4H 5C"
    discards = objects(advise(cards, "--crib", "theirs", "--variant", "three_hand", "--json"))
    assert [len(discard["discard"]) for discard in discards] == [1] * 5
    assert all(0 < discard["crib_sensible"] < 10 for discard in discards)


def test_lowball_has_no_sensible_crib() -> None:
    lowball = (DEALT, "--crib", "theirs", "--option", "lowball=on")
    assert {discard["crib_sensible"] for discard in objects(advise(*lowball, "--json"))} == {None}
    assert " - " in advise(*lowball).stdout


def test_scores_rank_by_the_chance_to_win() -> None:
    """At 117 to 118 the pone needs four points before the dealer counts. The hand with the best total makes them with
    some starters only; 4-4-5 and a three make them with every one."""
    discards = objects(advise(DEALT, "--crib", "theirs", "--scores", "117", "118", "--json"))
    chances = [discard["win"] for discard in discards]
    assert chances == sorted(chances, reverse=True) and all(0 <= chance <= 1 for chance in chances)
    totals = [discard["total"] for discard in discards]
    assert totals == sorted(totals, reverse=True)
    assert discards[0]["least"] >= 4
    assert advise(DEALT, "--crib", "theirs", "--scores", "117", "118").stdout.splitlines()[1].endswith("%")


def test_lines_may_have_scores() -> None:
    line = {"cards": DEALT.split(), "crib": "own", "scores": [100, 90]}
    (answer,) = objects(advise("--jsonl", stdin=json.dumps(line)))
    assert answer["discards"] == objects(advise(DEALT, "--crib", "own", "--scores", "100", "90", "--json"))


@pytest.mark.parametrize(
    ("scores", "kind"),
    [
        *(([1], "wrong_value"), ([1, 2, 3], "wrong_value"), ([-1, 5], "wrong_value")),
        *(([True, 1], "wrong_type"), (["1", "2"], "wrong_type"), ([1e9, 2], "wrong_type"), ([1.5, 2], "wrong_type")),
    ],
)
def test_wrong_scores_get_an_error(scores: object, kind: str) -> None:
    line = {"cards": DEALT.split(), "crib": "own", "scores": scores}
    answer = json.loads(advise("--jsonl", stdin=json.dumps(line)).stdout)
    assert answer["error"] == kind


def test_house_rules_change_the_means() -> None:
    clubs = "2C 9C 4S 4H 5D 6D"
    strict, lenient = (
        objects(advise(clubs, "--crib", "own", "--json", "--option", f"crib_flush={choice}"))
        for choice in ("five_only", "four_ok")
    )
    assert sum(d["crib"] for d in lenient) > sum(d["crib"] for d in strict)


def test_bad_line_gets_an_error_and_the_next_is_answered() -> None:
    good = {"cards": DEALT.split(), "crib": "own"}
    result = advise("--jsonl", stdin="\n".join(map(json.dumps, [good, {**good, "crib": "mine"}, good])))
    first, bad, last = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert first == last == {"discards": objects(advise(DEALT, "--crib", "own", "--json"))}
    assert bad["error"] == "wrong_value"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([DEALT], "expected CARDS and --crib", id="no crib option"),
        pytest.param(["--crib", "own"], "expected CARDS and --crib", id="no cards"),
        pytest.param([DEALT, "--crib", "mine"], "'own', 'theirs'", id="unknown crib"),
        pytest.param(["3C 3D", "--crib", "own"], "expected 6 cards, got 2", id="too few cards"),
        pytest.param(["3C 3C 4S 4H 5C 9D", "--crib", "own"], "expected 3C once, got 2 times", id="duplicate card"),
        pytest.param(["5 5 5 5 5 9", "--crib", "own"], "expected four cards of rank 5", id="five fives"),
        pytest.param(["3C 3D 4S 4H 5C 9X", "--crib", "own"], "expected a card such as", id="not a card"),
        pytest.param(
            [DEALT, "--crib", "own", "--option", "flush"], "expected an option such as", id="option without value"
        ),
        pytest.param([DEALT, "--crib", "own", "--variant", "whist"], "expected one of six_card", id="unknown variant"),
        pytest.param([DEALT, "--crib", "own", "--jsonl"], "leave out the other arguments", id="lines and arguments"),
    ],
)
def test_wrong_arguments_give_one_line_of_error(arguments: list[str], message: str) -> None:
    result = advise(*arguments)
    is_refusal_of_cards = "expected CARDS" not in message and arguments[0] != DEALT
    assert result.exit_code == (1 if is_refusal_of_cards else 2)
    assert message in result.stderr and len(result.stderr.splitlines()) == 1
    assert result.stdout == ""
