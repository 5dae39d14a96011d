"""What the lines of a record may say, what the answers say, and how a line that is wrong is explained."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from firmware_host.game.record import Referee
from firmware_host.game.record_lines import EXAMPLES, line_kind
from tests.referee.notation import EIGHT_TWELVE_FOUR, THEIR_PLAY, Answer, Line, header, read_line, referee_of, run

ANN_AND_BEN = {"record": 1, "variant": "six_card", "seats": ["Ann", "Ben"], "dealer": "Ben"}
KEPT_HANDS = {"deal": [["7D", "QC", "7S", "QH"], ["5D", "6C", "4H", "5C"]]}
"""The hands of EIGHT_TWELVE_FOUR without their discards."""
FIVE_CARD = header("five_card", options={"three_for_last": "off"})
FIRST_31 = "cut 9C 0:TH 1:9S 0:6D 1:6C"
"""A play of five cards that ends at 31, with a card left in each hand; seat 1 has 4."""


def answers_to(*lines: Line) -> list[Answer]:
    referee = Referee()
    return [read_line(referee, line) for line in lines]


def refusal(referee: Referee, line: Line) -> str:
    message: str = read_line(referee, line)["refused"]["message"]
    return message


# Names


def test_seats_and_dealer_are_named() -> None:
    answers = answers_to(
        ANN_AND_BEN,
        {"deal": [["7D", "QC", "7S", "QH", "TS", "5S"], []]},
        {"lay_away": ["Ann", ["TS", "5S"]]},
        {"starter": "8D"},
        {"play": [" ann", "7S"]},
        {"play": ["BEN", "7C"]},
    )
    assert [answer["refused"] for answer in answers] == [None] * 6
    assert answers[-1]["due"][0]["seat"] == 1
    assert (answers[-1]["next"], answers[-1]["next_name"]) == (0, "Ann")


def test_all_lines_take_names() -> None:
    referee = referee_of({**ANN_AND_BEN, "pegging": "manual", "options": {"muggins_mode": "claim"}}, KEPT_HANDS)
    run("cut 8D 0:7S 1:6C 0:QH 1:5D 1+1", referee)
    for line in ({"go": "Ann"}, {"peg": ["Ben", 0]}):
        assert read_line(referee, line)["refused"] is None
    run("0:7D 1:5C 0:QC 1:4H 1+1 0#hand", referee)
    assert read_line(referee, {"peg": ["Ann", 6]})["missed"][0]["points"] == 2
    assert read_line(referee, {"count": ["Ben", "hand"]})["due"][0]["points"] == 12
    assert read_line(referee, {"claim": ["Ben", 2]})["due"][0]["why"] == ["muggins"]
    assert read_line(referee, {"skip": ["Ben", "crib"]})["phase"] == "gather"


def test_sides_are_named() -> None:
    line = {"record": 1, "variant": "four_partners", "seats": ["Ann", "Ben", "Cat", "Dan"], "dealer": "dan"}
    referee = referee_of({**line, "sides": [["Ann", "Ben"], ["Cat", "Dan"]]})
    run("cut KS 0:2 1:2 -> due 1:2, scores 2 0", referee)


@pytest.mark.parametrize(
    ("seats", "line"),
    [
        (["Ann", "Ben"], {"go": "Cat"}),
        (["Ann", "ann "], {"go": "ANN"}),
        (["Ann", "Ann"], {"go": "Ann"}),
    ],
)
def test_name_of_nobody_or_of_two_is_refused(seats: list[str], line: Line) -> None:
    referee = referee_of(header() | {"seats": seats}, {"starter": "5C"})
    assert read_line(referee, line)["refused"]["kind"] == "not_a_record"


def test_exact_name_is_preferred() -> None:
    referee = referee_of(header() | {"seats": ["Ann", "ann"]}, {"starter": "5C"})
    assert read_line(referee, {"play": ["Ann", "5H"]})["played"][0]["seat"] == 0


@pytest.mark.parametrize("dealer", ["Cat", None, 1.0, True, 2, -1])
def test_dealer_who_does_not_play_is_refused(dealer: object) -> None:
    (answer,) = answers_to({**ANN_AND_BEN, "dealer": dealer})
    assert answer["refused"]["kind"] in ("not_a_record", "not_a_seat")


# Comments


def test_comment_beside_a_line_or_alone_changes_nothing() -> None:
    alone = {"comment": "a long evening"}
    answers = answers_to(
        alone, {**ANN_AND_BEN, "comment": ["any", 1]}, alone, {"starter": "5C", "comment": "cut by Ann"}
    )
    assert [answer["refused"] for answer in answers] == [None] * 4
    assert [answer["phase"] for answer in answers] == [None, "deal", "deal", "play"]


# Hands of the show that are not known


def test_crib_is_counted_from_its_cards() -> None:
    referee = referee_of({**header(), "pegging": "automatic"}, KEPT_HANDS)
    run("cut 8D 0:7S 1:6C 0:QH 1:5D 0:7D 1:5C 0:QC 1:4H -> due 1:1 0:8 1:12, phase show, next 1", referee)
    answer = read_line(referee, {"count": [1, "crib", ["TS", "5S", "AS", "KD"]]})
    assert (answer["scores"], answer["phase"]) == ([8, 18], "gather")
    assert [due["source"] for due in answer["due"]] == ["crib"]


def test_crib_is_skipped() -> None:
    referee = referee_of(header(), KEPT_HANDS)
    run("cut 8D 0:7S 1:6C 0:QH 1:5D 0:7D 1:5C 0:QC 1:4H", referee)
    answer = read_line(referee, {"skip": [1, "crib"]})
    assert (answer["scores"], answer["phase"]) == ([8, 14], "gather")
    (skipped,) = answer["counted"]
    assert (skipped["seat"], skipped["source"], skipped["cards"]) == (1, "crib", [])
    assert skipped["points"] is skipped["parts"] is skipped["at_least"] is None


def test_cards_left_unplayed_are_entered_in_the_show() -> None:
    referee = referee_of(FIVE_CARD)
    run(f"{FIRST_31} -> due 1:4, phase show, next 0", referee)
    assert read_line(referee, {"count": [0, "hand", ["TH", "6D", "3C"]]})["counted"][0]["points"] == 2
    assert read_line(referee, {"count": [1, "hand", ["9S", "6C", "KD"]]})["scores"] == [2, 10]
    assert read_line(referee, {"skip": [1, "crib"]})["phase"] == "gather"


def test_cards_in_the_show_must_have_those_that_were_played() -> None:
    referee = referee_of(FIVE_CARD)
    run(FIRST_31, referee)
    assert read_line(referee, {"count": [0, "hand", ["TH", "7D", "3C"]]})["refused"]["kind"] == "card_not_held"
    assert read_line(referee, {"count": [0, "hand", ["TH", "6D", "9S"]]})["refused"]["kind"] == "card_seen_elsewhere"
    assert read_line(referee, {"count": [0, "hand", ["TH", "6D"]]})["refused"]["kind"] == "wrong_number_of_cards"
    assert read_line(referee, {"count": [0, "hand", ["T", "6", "3"]]})["refused"]["kind"] == "not_a_card"


def test_refused_count_of_unknown_cards_names_lines_that_are_accepted() -> None:
    for variant, named in (("six_card", "crib"), ("five_card", "hand"), ("seven_card", "hand")):
        referee = referee_of(header(variant), {"starter": "AC"}, {"end_play": True})
        if named == "crib":
            for seat in (0, 1):
                assert read_line(referee, {"skip": [seat, "hand"]})["refused"] is None
        seat = read_line(referee, {"comment": ""})["next"]
        message = refusal(referee, {"count": [seat, named]})
        lines = [json.loads(line) for line in re.findall(r"\{[^}]*\}", message)]
        assert [line_kind(line) for line in lines] == ["count", "skip"]
        for line in lines:
            assert read_line(referee, line)["refused"] is None, (message, line)
            read_line(referee, {"undo": True})


def test_only_the_next_hand_is_skipped() -> None:
    referee = referee_of(header(), {"starter": "5C"}, {"end_play": True})
    for named in ([1, "hand"], [0, "crib"]):
        assert read_line(referee, {"skip": named})["refused"]["kind"] == "wrong_show_order"
    for wrong in ([0], [0, "box"], "hand", [2, "hand"]):
        assert read_line(referee, {"skip": wrong})["refused"]["kind"] == "not_a_record"
    assert read_line(referee, {"skip": [0, "hand"]})["next"] == 1


def test_hand_is_not_skipped_before_the_show() -> None:
    referee = referee_of(header(), {"starter": "5C"})
    assert read_line(referee, {"skip": [0, "hand"]})["refused"]["kind"] == "wrong_phase"


def test_play_is_ended_where_cards_stay_unplayed() -> None:
    referee = referee_of(FIVE_CARD)
    run("cut 9C 0:TH 1:9S", referee)
    answer = read_line(referee, {"end_play": True})
    assert (answer["phase"], answer["next"], answer["next_move"]) == ("show", 0, "hand")
    run(FIRST_31, referee_of(FIVE_CARD))


def test_play_that_has_ended_by_itself_may_be_ended() -> None:
    referee = referee_of(FIVE_CARD)
    run(FIRST_31, referee)
    answer = read_line(referee, {"end_play": True})
    assert answer["refused"] is None and answer["phase"] == "show"
    run("undo -> phase play", referee)


def test_play_is_not_ended_before_it_begins() -> None:
    referee = referee_of(header())
    assert read_line(referee, {"end_play": True})["refused"]["kind"] == "wrong_phase"
    assert read_line(referee, {"end_play": 1})["refused"]["kind"] == "not_a_record"


# What the answers say


def test_answers_have_dealer_count_and_playable_cards() -> None:
    referee = referee_of(header(dealer=1), KEPT_HANDS)
    answer = read_line(referee, {"starter": "8D"})
    assert (answer["dealer"], answer["count"], answer["next_move"]) == (1, 0, "card")
    assert answer["playable"] == ["7D", "QC", "7S", "QH"]
    run("0:QC 1:6C 0:QH", referee)
    answer = read_line(referee, {"play": [1, "4H"]})
    assert (answer["count"], answer["playable"]) == (0, ["7D", "7S"])
    assert answer["played"][0] == {"seat": 1, "card": "4H", "count": 30}
    assert [entry["card"] for entry in answer["played"][1:]] == [None, None]
    assert read_line(referee, {"undo": True})["count"] == 26


def test_cards_of_an_unknown_hand_are_not_playable() -> None:
    referee = referee_of(header(), {"deal": [["7D", "QC", "7S", "QH"], []]}, {"starter": "8D"})
    assert read_line(referee, {"play": [0, "QH"]})["playable"] is None
    assert read_line(referee, {"play": [1, "KH"]})["playable"] == ["7D", "QC", "7S"]


def test_due_names_hand_and_crib_with_their_parts() -> None:
    referee = referee_of(header(), *EIGHT_TWELVE_FOUR)
    run("cut 8D 0:7S 1:6C 0:QH 1:5D 0:7D 1:5C 0:QC", referee)
    answer = read_line(referee, {"play": [1, "4H"]})
    assert [(due["source"], due["points"]) for due in answer["due"]] == [
        ("play", 1),
        ("hand", 8),
        ("hand", 12),
        ("crib", 4),
    ]
    for due in answer["due"]:
        assert [part["kind"] for part in due["parts"]] == due["why"]
        assert sum(part["points"] for part in due["parts"]) == due["points"]
    assert answer["due"][3]["parts"][0] == {"kind": "fifteen", "points": 2, "cards": ["5S", "TS"]}
    assert [(hand["seat"], hand["source"], hand["points"]) for hand in answer["counted"]] == [
        (0, "hand", 8),
        (1, "hand", 12),
        (1, "crib", 4),
    ]


def test_hand_worth_nothing_is_among_the_counted() -> None:
    deal = {"deal": [["2S", "4H", "6D", "8C"], ["KD", "QD", "9S", "7S"]]}
    referee = referee_of(header(), deal, {"starter": "KH"})
    run("0:8C 1:9S 0:6D 1:7S 0:4H 1:QD 0:2S", referee)
    answer = read_line(referee, {"play": [1, "KD"]})
    first = answer["counted"][0]
    assert (first["seat"], first["points"], first["cards"]) == (0, 0, ["2S", "4H", "6D", "8C"])
    assert set(first["parts"].values()) == {0}
    assert all(due["source"] != "hand" or due["seat"] == 1 for due in answer["due"])


def test_missed_points_name_their_hand() -> None:
    referee = referee_of(header(pegging="manual", options={"muggins_mode": "claim"}), *EIGHT_TWELVE_FOUR)
    run(THEIR_PLAY, referee)
    run("0#hand 0+8 1#hand", referee)
    (missed,) = read_line(referee, {"peg": [1, 10]})["missed"]
    assert (missed["source"], missed["points"]) == ("hand", 2)
    run("1#crib", referee)
    (missed,) = read_line(referee, {"peg": [1, 0]})["missed"]
    assert (missed["source"], missed["points"]) == ("crib", 4)


@pytest.mark.parametrize(
    ("scores", "margin", "match_points", "spread"),
    [
        ([119, 119], "win", [0, 2], [-2, 2]),
        ([89, 119], "skunk", [0, 3], [-32, 32]),
        ([59, 119], "double_skunk", [0, 3], [-62, 62]),
    ],
)
def test_end_of_the_game_has_its_margin(
    scores: list[int], margin: str, match_points: list[int], spread: list[int]
) -> None:
    answers = answers_to(header(scores=scores), {"starter": "JS"})
    assert [answers[0][name] for name in ("margin", "match_points", "spread")] == [None] * 3
    assert [answers[1][name] for name in ("margin", "match_points", "spread")] == [margin, match_points, spread]


def test_bid_is_the_next_move_in_the_auction() -> None:
    (answer,) = answers_to(header("auction"))
    assert answer["next_move"] is None
    referee = referee_of(header("auction"), *EIGHT_TWELVE_FOUR[:2])
    answer = read_line(referee, EIGHT_TWELVE_FOUR[2])
    assert (answer["phase"], answer["next_move"], answer["next_name"]) == ("bid", "bid", "A")


@pytest.mark.parametrize(
    ("ranks", "starter", "at_least"),
    [
        ("5 5 5 J", "9C", True),
        ("2 4 6 8", "KH", True),
        ("5 5 6 7", "9C", False),
        ("5 6 7 8", "9C", True),
        ("2H 4S 6 8", "KH", False),
        ("2H 4S 6 J", "KH", True),
        ("2H 4S JH J", "KH", False),
        ("2H 4H 6H 8H", "KH", False),
    ],
)
def test_count_without_all_suits_is_at_least(ranks: str, starter: str, at_least: bool) -> None:
    referee = referee_of(header())
    cards = ranks.split()
    theirs = ["TS", "QD", "TD", "QS"]
    run(f"cut {starter}", referee)
    counted: list[Any] = []
    for card, other in zip(cards, theirs, strict=True):
        for seat, played in ((0, card), (1, other)):
            while (answer := read_line(referee, {"play": [seat, played]}))["refused"]:
                assert read_line(referee, {"go": answer_next(referee)})["refused"] is None
            counted += answer["counted"]
    assert counted[0]["at_least"] is at_least


def answer_next(referee: Referee) -> int:
    seat: int = read_line(referee, {"comment": "who is next?"})["next"]
    return seat


# A record that begins in the middle of a game


@pytest.mark.parametrize(
    ("scores", "option", "expected"),
    [
        (None, "once", [3, 0]),
        ([0, 0], "once", [3, 0]),
        ([10, 5], "once", [10, 5]),
        ([0, 5], "once", [0, 5]),
        ([10, 5], "every_deal", [13, 5]),
    ],
)
def test_three_for_the_pone_only_at_the_start(scores: list[int] | None, option: str, expected: list[int]) -> None:
    (answer,) = answers_to(header("five_card", scores=scores, options={"three_for_last": option}))
    assert answer["scores"] == expected


# Lines that are wrong


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ({"plya": [0, "5H"]}, "play"),
        ({"Starter": "5H"}, "starter"),
        ({"lay away": [0, ["5H"]]}, "lay_away"),
        ({"layaway": [0, ["5H"]]}, "lay_away"),
    ],
)
def test_mistyped_line_gets_a_suggestion(line: Line, meant: str) -> None:
    assert f"did you mean {meant}?" in refusal(referee_of(header()), line)


@pytest.mark.parametrize(
    ("change", "meant"),
    [
        ({"variant": "six card"}, "six_card"),
        ({"variant": "five-hand"}, "five_hand"),
        ({"options": {"crib_flsh": "four_ok"}}, "crib_flush"),
        ({"options": {"crib_flush": "four"}}, "four_ok"),
    ],
)
def test_mistyped_variant_option_or_choice_gets_a_suggestion(change: Line, meant: str) -> None:
    assert f"did you mean {meant}?" in refusal(Referee(), {**ANN_AND_BEN, **change})


def test_nothing_is_suggested_for_a_word_that_is_not_near() -> None:
    assert "did you mean" not in refusal(referee_of(header()), {"tea": True})
    assert "did you mean" not in refusal(Referee(), {**ANN_AND_BEN, "variant": 5})


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "record"])
def test_wrong_value_is_answered_with_an_example(name: str) -> None:
    message = refusal(referee_of(header()), {name: {}})
    if name == "starter":
        assert "5H" in message
    else:
        assert message.endswith(f"write {EXAMPLES[name]}")
        assert line_kind(json.loads(EXAMPLES[name])) == name
