"""`cribboard engine`: the answers, the analysis, the errors, and that it keeps to the rules of a question."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.cribbage.cards import Card
from firmware_host.strategy.view import PlayerView
from tests.strategy.positions import positions

DISCARD: dict[str, Any] = {
    "ask": "discard",
    "dealt": ["3C", "3D", "4S", "4H", "5C", "9D"],
    "crib": "own",
    "scores": [0, 0],
    "target": 121,
    "variant": "six_card",
    "options": {},
}
PLAY: dict[str, Any] = {
    "ask": "play",
    "hand": ["4S", "JD"],
    "discarded": ["2C", "KD"],
    "crib": "own",
    "starter": "5C",
    "played": [
        ["them", "7H"],
        ["me", "8S"],
        ["them", "6S"],
        ["me", "9C"],
        ["them", "go"],
        ["me", "go"],
        ["them", "KS"],
    ],
    "scores": [10, 20],
    "target": 121,
}


def ask(*questions: object, level: str = "expert", code: int = 0) -> list[dict[str, Any]]:
    lines = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in questions)
    result = CliRunner().invoke(main, ["engine", "--level", level], input=lines)
    assert result.exit_code == code, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_discard_and_a_card() -> None:
    assert ask(DISCARD, PLAY) == [{"discard": ["4S", "9D"]}, {"play": "4S"}]


def test_analysis_has_every_choice_best_first() -> None:
    discard, play = ask({**DISCARD, "analysis": True}, {**PLAY, "analysis": True})
    assert discard["all"][0]["discard"] == discard["discard"] and len(discard["all"]) == 15
    assert {each["card"] for each in play["all"]} == {"4S", "JD"}
    assert play["all"][0]["card"] == play["play"]
    for answer in (discard, play):
        wins = [each["win"] for each in answer["all"]]
        assert wins == sorted(wins, reverse=True) and all(0 <= win <= 1 for win in wins)
        assert all(isinstance(each["points"], float) for each in answer["all"])


def test_a_go_where_nothing_fits() -> None:
    question = {**PLAY, "played": PLAY["played"][:4] + [["them", "go"]]}
    (answer,) = ask({**question, "analysis": True})
    assert answer["play"] == "go" and [each["card"] for each in answer["all"]] == ["go"]


def test_a_go_that_everybody_saw_may_be_left_out() -> None:
    written = ask(PLAY)
    assert ask({**PLAY, "played": [act for act in PLAY["played"] if act[1] != "go"]}) == written


@pytest.mark.parametrize("level", ["beginner", "club", "expert"])
def test_every_level_answers_and_repeats_its_answer(level: str) -> None:
    first, second = ask(DISCARD, PLAY, level=level), ask(DISCARD, PLAY, level=level)
    assert first == second
    assert set(first[0]["discard"]) < set(DISCARD["dealt"]) and first[1]["play"] in PLAY["hand"]


def test_scores_decide_near_the_end() -> None:
    """The pone at 113 counts first and needs eight."""
    dealt = ["4H", "5H", "6H", "6S", "KH", "2D"]
    (answer,) = ask({**DISCARD, "dealt": dealt, "crib": "theirs", "scores": [113, 110]})
    assert not {"4H", "5H", "6H", "6S"} & set(answer["discard"])


def test_another_target_moves_the_scores() -> None:
    near = {**DISCARD, "analysis": True, "scores": [80, 85], "target": 90}
    same = {**DISCARD, "analysis": True, "scores": [111, 116], "target": 121}
    assert ask(near)[0]["all"] == ask(same)[0]["all"]


@pytest.mark.parametrize(
    ("question", "kind", "message"),
    [
        pytest.param("nonsense", "not_json", "line 1", id="not JSON"),
        pytest.param("[1]", "wrong_type", "object", id="no object"),
        pytest.param(b"\xff".decode("latin-1"), "not_json", "line 1", id="not ASCII"),
        pytest.param({"ask": "jump"}, "wrong_value", "ask", id="unknown question"),
        pytest.param({"dealt": []}, "missing_field", "ask", id="no question"),
        pytest.param({**DISCARD, "crib": "mine"}, "wrong_value", "crib", id="unknown crib"),
        pytest.param({**DISCARD, "crib": 3}, "wrong_type", "crib", id="crib of a wrong type"),
        pytest.param({**DISCARD, "scores": [1]}, "wrong_value", "a list of 2 to 6 whole numbers", id="one score"),
        pytest.param({**DISCARD, "scores": [1, -2]}, "wrong_value", "from 0 to 1000", id="a score below zero"),
        pytest.param({**DISCARD, "scores": [1, True]}, "wrong_type", "scores", id="a score that is no number"),
        pytest.param({**DISCARD, "scores": [1, 2, 3]}, "wrong_value", "2 scores", id="three scores of two"),
        pytest.param({**DISCARD, "dealt": ["3C"]}, "wrong_value", "a list of 4 to 7 cards", id="one card"),
        pytest.param({**DISCARD, "dealt": ["3C"] * 4}, "duplicate_card", "3C once", id="a card four times"),
        pytest.param({**DISCARD, "dealt": DISCARD["dealt"][:5]}, "wrong_number_of_cards", "6 cards", id="five cards"),
        pytest.param({**DISCARD, "dealt": ["1X", *DISCARD["dealt"][1:]]}, "not_a_card", "1X", id="no card"),
        pytest.param({**DISCARD, "variant": "whist"}, "unknown_variant", "whist", id="unknown variant"),
        pytest.param({**DISCARD, "options": {"flush": 1}}, "unknown_option", "flush", id="unknown option"),
        pytest.param({**PLAY, "starter": None}, "missing_field", "starter", id="no starter"),
        pytest.param({**PLAY, "hand": ["4S"]}, "wrong_number_of_cards", "2 cards still held", id="a card too few"),
        pytest.param({**PLAY, "starter": "4S"}, "duplicate_card", "4S", id="the starter in hand"),
        pytest.param({**PLAY, "played": [["you", "7H"]]}, "wrong_value", '["me", "7H"]', id="unknown player"),
        pytest.param({**PLAY, "hand": []}, "wrong_value", "a list of 1 to 5 cards", id="no cards in hand"),
        pytest.param({**PLAY, "played": [["them", "7H", "8H"]]}, "wrong_value", "played", id="two cards at once"),
        pytest.param({**PLAY, "played": [["me", "7H"], ["me", "8S"]]}, "wrong_value", "played, act 1", id="wrong turn"),
    ],
)
def test_a_bad_line_gets_an_error_and_the_rest_goes_on(question: object, kind: str, message: str) -> None:
    answers = ask(question, DISCARD, code=1)
    assert answers[0]["error"] == kind and message in answers[0]["message"]
    assert answers[1] == {"discard": ["4S", "9D"]}


@pytest.mark.parametrize("name", ["scores", "target", "variant", "options", "analysis"])
def test_a_null_is_an_absent_field(name: str) -> None:
    question = {key: value for key, value in DISCARD.items() if key != name}
    assert ask({**question, name: None}) == ask(question)


def test_unknown_levels_are_refused() -> None:
    result = CliRunner().invoke(main, ["engine", "--level", "master"])
    assert result.exit_code == 2 and "beginner" in result.output


def test_legal_positions_of_all_variants_get_legal_answers() -> None:
    """As questions in JSON: turns and seats follow from what was played."""
    random, questions, views = Random(5), list[dict[str, Any]](), list[PlayerView]()
    while len(questions) < 250:
        for view in positions(random):
            if "captain" in str(view.rules) and view.rules.captain:
                continue
            questions.append(question_of(view))
            views.append(view)
    for view, answer in zip(views, ask(*questions, level="club"), strict=True):
        if view.starter is None:
            assert len(answer["discard"]) == view.rules.cards_discarded(view.seat, view.dealer)
            assert set(answer["discard"]) <= set(map(str, view.hand))
        else:
            assert answer["play"] in {"go", *map(str, view.hand)}


def question_of(view: PlayerView) -> dict[str, Any]:
    """The question that a client would ask who knows what this player sees."""
    rules = view.rules
    sides = dict.fromkeys(rules.side_of(seat) for seat in rules.round_from(view.seat))
    general = {
        "crib": "own" if view.own_crib else "theirs",
        "scores": [view.scores[side] for side in sides],
        "variant": rules.variant,
        "options": options_of_json(view),
    }
    if view.starter is None:
        return {"ask": "discard", "dealt": texts(view.hand), **general}
    played = [["me" if seat == view.seat else "them", "go" if card is None else str(card)] for seat, card in view.acts]
    return {
        "ask": "play",
        "hand": texts(view.hand),
        "discarded": texts(view.discarded),
        "starter": str(view.starter),
        "played": played,
        **general,
    }


def options_of_json(view: PlayerView) -> dict[str, object]:
    from firmware_host.cribbage.variants import options_of

    return options_of(view.rules)


def texts(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]
