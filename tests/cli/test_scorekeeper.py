"""What `cribboard referee` says of each line, in the words of somebody who keeps the score."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware_host.cli.scorekeeper import in_words
from firmware_host.game.record import Referee
from tests.referee.notation import EIGHT_TWELVE_FOUR, Line, header, lines_of


def whole_lines(steps: str, *before: Line) -> list[str]:
    """What is said of the steps; `before` are the lines before them, all accepted."""
    referee = Referee()
    for line in before:
        assert referee.read_line(line).refused is None, line
    return [in_words(1, referee.read_line(line)).removeprefix("1: ") for line in lines_of(steps)]


def said(steps: str, *before: Line) -> list[str]:
    """The same without scores and who is next."""
    return [line.partition(" [")[0] for line in whole_lines(steps, *before)]


def game(variant: str = "six_card", **more: Any) -> Line:
    return header(variant, seats=2, pegging="manual", **more) | {"seats": ["Ann", "Ben"]}


KNOWN = (game(), *EIGHT_TWELVE_FOUR)
PLAYED = (*KNOWN, *lines_of("cut 8D 0:7S 1:6C 0:QH 1:5D 0:7D 1:5C 0:QC 1:4H 1+2"))
"""A deal after the play: the pone's hand is worth 8, the dealer's 12, the crib 4."""


def test_a_card_is_said_with_its_count() -> None:
    assert said("cut 5C 0:JH 1:5H 1+2 0:5S", game()) == [
        "The starter is 5♣.",
        "Ann plays J♥: 10.",
        "Ben plays 5♥: 15. Ben: fifteen for two.",
        "Ben pegs 2: fifteen for two.",
        "Ann plays 5♠: 20. Ann: a pair for two.",
    ]


def test_scores_and_who_is_next_are_said() -> None:
    assert whole_lines("cut 5C 0:JH 1:5H 1+2", game()) == [
        "The starter is 5♣. [Ann 0, Ben 0; Ann to lead]",
        "Ann plays J♥: 10. [Ann 0, Ben 0; Ben to play on 10]",
        "Ben plays 5♥: 15. Ben: fifteen for two. [Ann 0, Ben 0; Ben has 2 to peg; Ann to play on 15]",
        "Ben pegs 2: fifteen for two. [Ann 0, Ben 2; Ann to play on 15]",
    ]
    assert whole_lines("0#hand", *PLAYED)[0].endswith("[Ann 0, Ben 2; Ann has 8 to peg; Ben’s hand next]")


def test_hands_and_discards_are_said_as_they_are_entered() -> None:
    referee = Referee()
    texts = [in_words(1, referee.read_line(line)) for line in (game("auction"), *EIGHT_TWELVE_FOUR)]
    assert texts[1] == "1: Ann: 7♦ Q♣ 7♠ Q♥ 10♠ 5♠. Ben: 5♦ 6♣ 4♥ 5♣ A♠ K♦. [Ann 0, Ben 0]"
    assert texts[2] == "1: Ann lays away 10♠ 5♠. [Ann 0, Ben 0]"
    assert texts[3] == "1: Ben lays away A♠ K♦. [Ann 0, Ben 0; Ann to bid]"


def test_a_right_peg_is_confirmed_with_what_it_was() -> None:
    assert said("cut JS 1+2", game())[1] == "Ben pegs 2: two for his heels."
    assert said("cut 5C 0:JH 1:5H 1+2", game())[-1] == "Ben pegs 2: fifteen for two."


def test_scores_pegged_together_are_all_named() -> None:
    before = (game(), *lines_of("cut KS 0:K 1:K 1+2 0:5 1:go"))
    assert said("0:5 0:go 0+3", *before)[-1] == "Ann pegs 3: a pair for two; one for last."
    assert said("0:5 0:go 0+2 0+1", *before)[2:] == ["Ann pegs 2: a pair for two.", "Ann pegs 1: one for last."]


def test_hand_and_crib_are_counted_and_their_pegs_confirmed() -> None:
    assert said("0#hand 0+8 1#hand 1+12 1#crib 1+4", *PLAYED) == [
        "Ann’s hand, 7♦ Q♣ 7♠ Q♥: fifteen two, fifteen four, a pair is six, and a pair is eight (8).",
        "Ann pegs 8: the hand.",
        "Ben’s hand, 5♦ 6♣ 4♥ 5♣: fifteen two, fifteen four, and a double run of three is twelve (12).",
        "Ben pegs 12: the hand.",
        "Ben’s crib, 10♠ 5♠ A♠ K♦: fifteen two, and fifteen four (4).",
        "Ben pegs 4: the crib.",
    ]


def test_a_short_peg_says_what_was_missed() -> None:
    before = (*PLAYED, *lines_of("0#hand 0+8 1#hand"))
    assert said("1+10 1#crib 1+6", *before) == [
        "Ben pegs 10: the hand (10 of 12). Ben missed 2 points: the hand.",
        "Ben’s crib, 10♠ 5♠ A♠ K♦: fifteen two, and fifteen four (4).",
        "Ben pegs 6: the crib; the hand (2 of 12).",
    ]


def test_pegging_nothing_is_right_only_where_nothing_was_due() -> None:
    assert said("0:2 0+0", game(), *lines_of("cut KS"))[1] == "Ann pegs nothing: right, nothing was due."
    assert said("1+0", game(), *lines_of("cut JS")) == ["Ben pegs nothing yet: 2 can still be pegged."]
    assert said("1+0", game(), *lines_of("cut KS 0:2 1:2")) == ["Ben missed 2 points: a pair for two."]


def test_a_hand_worth_nothing_is_said() -> None:
    deal = {"deal": [["2S", "4H", "6D", "8C"], ["KD", "QD", "9S", "7S"]]}
    play = "0:8C 1:9S 0:6D 1:7S 0:4H 1:QD 0:2S 1:KD 1+1"
    assert said("0#hand", game(), deal, *lines_of(f"cut KH {play}")) == ["Ann’s hand, 2♠ 4♥ 6♦ 8♣: no points (0)."]


def test_goes_that_follow_by_themselves_are_said() -> None:
    before = (*KNOWN, *lines_of("cut 8D 0:7S 1:6C 0:QH"))
    assert said("1:5D 1:go", *before) == [
        "Ben plays 5♦: 28. Ann says go at 28. Ben says go at 28. Ben: one for last.",
        "Ben says go: right, it was passed over already.",
    ]


def test_points_of_unknown_cards_are_said_to_be_unchecked() -> None:
    assert said("0+4", game()) == ["Ann pegs 4, not checked."]


def test_muggins_and_penalties_are_said_once() -> None:
    before = (game(options={"muggins_mode": "claim"}), *lines_of("cut KS 0:2 1:2 0:3"))
    assert said("0!2 0!1", *before) == ["Muggins: 2 points to Ann.", "Wrong claim: 1 to Ben."]


def test_the_price_of_the_crib_is_said() -> None:
    (text,) = said("0$pass", game("auction", scores=[30, 25]), *EIGHT_TWELVE_FOUR, *lines_of("0$5 1$6"))
    assert text == "Ann passes. Ben buys the crib for 6. Ben goes back 6, to 19."


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ([118, 119], "Ben wins, 121 to 118, by 3."),
        ([70, 119], "Ben wins, 121 to 70, by 51, a skunk."),
        ([60, 119], "Ben wins, 121 to 60, by 61, a double skunk."),
    ],
)
def test_the_end_is_said_with_its_margin(scores: list[int], text: str) -> None:
    assert said("cut JS 1+2", game(scores=scores))[1].endswith(text)


def test_a_skip_and_an_ended_play_are_said() -> None:
    referee = Referee()
    lines: list[Line] = [game(), {"starter": "5C"}, {"end_play": True}, {"end_play": True}, {"skip": [0, "hand"]}]
    texts = [in_words(1, referee.read_line(line)) for line in lines]
    assert texts[2:] == [
        "1: The play is ended; the other cards are not entered. [Ann 0, Ben 0; Ann’s hand next]",
        "1: Nothing changes. [Ann 0, Ben 0; Ann’s hand next]",
        "1: Ann’s hand is not counted. [Ann 0, Ben 0; Ben’s hand next]",
    ]


def test_undo_redo_and_comments_are_said() -> None:
    assert said("cut KS undo redo", game())[1:] == ["Undone.", "Redone."]
    assert in_words(7, Referee().read_line({"comment": "hello"})) == "7: a comment."


def test_a_refusal_names_the_cards_that_can_be_played() -> None:
    (text,) = whole_lines("0:go", *KNOWN, *lines_of("cut 8D"))
    assert text.startswith("refused (false_go): ") and text.endswith("(7D, QC, 7S, QH)")


@pytest.mark.parametrize("name", ["hand", "crib"])
def test_a_count_of_unknown_cards_says_which_lines_can_follow(name: str) -> None:
    referee = Referee()
    lines: list[Line] = [game(), {"starter": "5C"}, {"end_play": True}]
    lines += [{"skip": [0, "hand"]}, {"skip": [1, "hand"]}] if name == "crib" else []
    for line in lines:
        referee.read_line(line)
    seat = 1 if name == "crib" else 0
    text = in_words(1, referee.read_line({"count": [seat, name]}))
    assert json.dumps({"skip": [seat, name]}) in text
