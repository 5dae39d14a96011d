"""Worked examples of play, muggins, game ends and auction, refereed as records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from firmware_host.cribbage.cards import JACK, PACK, parse_cards
from firmware_host.game.record import Referee
from tests.referee.notation import (
    EIGHT_TWELVE_FOUR,
    Answer,
    Line,
    by_seat,
    header,
    lines_of,
    read_line,
    referee_of,
    run,
)

THREE_HANDS = ["KS 9H 4D 2C", "QD 8C 7S 3H", "JH TD 6S AC"]
FOUR_HANDS = ["KS 9H 6C 2D", "QD 8C 7H 3S", "JH TD 5S 4C", "TC 9D 8H AH"]
KINGS_FIRST = ["KS 4D 3C 2C", "KH 9D 9C 8H"]

SEQUENCES = [
    pytest.param(
        header("five_card", options={"three_for_last": "off"}),
        ["TS 4D 7C", "TH 9C QD"],
        "0:TS 1:TH 0:4D 1:go 0:7C",
        "1:2 0:2",
        "2 2",
        id="R34",
    ),
    pytest.param(
        header("five_card", options={"three_for_last": "off"}),
        ["TS 4D 6C", "TH 9C QD"],
        "0:TS 1:TH 0:4D 1:go 0:6C",
        "1:2 0:1",
        "1 2",
        id="R34 with a six",
    ),
    pytest.param(
        header(),
        ["KH KD 4C 4S", "QH JD TC 9S"],
        "0:KH 1:QH 0:4C 1:go 0:4S 0:go",
        "0:2 0:1",
        "3 0",
        id="R35",
    ),
    pytest.param(
        header("five_card", options={"three_for_last": "off"}),
        ["TH 6D 3C", "9S 6C KD"],
        "0:TH 1:9S 0:6D 1:6C",
        "1:4",
        "0 4",
        id="R36",
    ),
    pytest.param(
        header(),
        ["7H 8D 9S 2C", "8S 6C KD 4H"],
        "0:7H 1:8S 0:9S 1:6C 0:go 1:go 0:8D 1:4H 0:2C 1:KD",
        "1:2 0:3 1:4 1:1 1:1",
        "3 8",
        id="R37",
    ),
    pytest.param(
        header("three_hand", dealer=0, seats=3),
        THREE_HANDS,
        "1:QD 2:JH 0:KS 1:go 2:AC 0:9H 1:8C 2:TD 0:4D 1:7S 2:6S 0:2C 1:3H",
        "0:3 2:2 2:3 0:2 0:2 1:1",
        "7 1 5",
        id="R39",
    ),
    pytest.param(
        header("four_partners", dealer=3, seats=4, sides=[[0, 2], [1, 3]]),
        FOUR_HANDS,
        "0:KS 1:QD 2:JH 3:AH 0:9H 1:8C 2:TD 3:go 0:2D 1:go 2:go 0:go 1:7H 2:5S 3:TC 0:6C 1:3S 2:4C 3:9D 3:8H",
        "2:3 3:2 2:3 0:1 1:2 3:1",
        "7 5",
        id="R40",
    ),
    pytest.param(
        header(),
        ["7H 7D 4H 4D", "7S 7C 4S 4C"],
        "0:7H 1:7S 0:7D 1:7C 0:go 1:go 0:4H 1:4S 0:4D 1:4C",
        "1:2 0:6 1:12 1:1 1:2 0:6 1:12 1:1",
        "12 30",
        id="R41",
    ),
    pytest.param(
        header(),
        ["KH 8D TC 9S", "QH 3D JC 2S"],
        "0:KH 1:QH 0:8D 1:3D 0:TC 1:JC 0:9S 1:2S",
        "1:2 0:3 1:2",
        "3 4",
        id="R42",
    ),
    pytest.param(
        header("three_hand", dealer=0, seats=3),
        ["KS 9H 9S 4D", "QD JD 8C 7S", "6C 3D 3C 2H"],
        "1:QD 2:6C 0:KS 1:go 2:3D 0:go 2:2H",
        "2:2",
        "0 0 2",
        id="R45",
    ),
    pytest.param(header(), KINGS_FIRST, "0:KS 1:KH 0:4D 1:go 0:3C 0:2C", "1:2 0:3 0:1", "4 2", id="R70"),
    pytest.param(
        header(options={"go_points": "per_card_after_go"}),
        KINGS_FIRST,
        "0:KS 1:KH 0:4D 1:go 0:3C 0:2C",
        "1:2 0:1 0:4",
        "5 2",
        id="R70 per card after a go",
    ),
]


def plain_starter(hands: list[str]) -> str:
    """A card that nobody holds and that is no jack."""
    held = {card for hand in hands for card in parse_cards(hand)}
    return str(next(card for card in PACK if card not in held and card.rank != JACK))


def played(game: Line, hands: list[str], moves: str, *, hands_are_known: bool) -> tuple[list[Answer], list[Answer]]:
    """The dues of the play, and the answers to its lines. With manual pegging each side pegs at once what is due."""
    referee, dues, answers = Referee(), list[Answer](), list[Answer]()
    beginning = [game, {"starter": plain_starter(hands)}]
    if hands_are_known:
        beginning.insert(1, {"deal": [hand.split() for hand in hands]})
    for line in (*beginning, *lines_of(moves)):
        answers.append(read_line(referee, line))
        assert answers[-1]["refused"] is None, line
        for due in answers[-1]["due"]:
            dues.append(due)
            if game["pegging"] == "manual":
                answers.append(read_line(referee, {"peg": [due["seat"], due["points"]]}))
                assert not answers[-1]["refused"] and not answers[-1]["missed"]
    return dues, answers


@pytest.mark.parametrize("hands_are_known", [True, False], ids=["hands known", "hands unknown"])
@pytest.mark.parametrize(("game", "hands", "moves", "log", "scores"), SEQUENCES)
def test_sequences_pay_as_worked_out(
    game: Line, hands: list[str], moves: str, log: str, scores: str, hands_are_known: bool
) -> None:
    dues, answers = played({**game, "pegging": "manual"}, hands, moves, hands_are_known=hands_are_known)
    assert by_seat(dues) == log
    assert " ".join(map(str, answers[-1]["scores"])) == scores
    automatic, _ = played({**game, "pegging": "automatic"}, hands, moves, hands_are_known=hands_are_known)
    assert automatic[: len(dues)] == dues


R44_HANDS = {"deal": [["KH", "5D", "5C", "2S"], ["QH", "JD", "9C", "9D"]]}
S0_HANDS = {"deal": [["JH", "9S", "7D", "5S", "5C"], ["KS", "KC", "JD", "8H", "6H"]]}
S0_AWAY = [{"lay_away": [0, ["9S", "7D"]]}, {"lay_away": [1, ["8H", "6H"]]}]
R63_DEAL = [
    {"deal": [["7C", "QS", "8C", "9C", "7H"], ["6S", "7S", "5H", "4H", "7D"]]},
    {"lay_away": [0, ["9C", "7H"]]},
    {"lay_away": [1, ["4H", "7D"]]},
]
TWELVE = "cut KS  0:A 1:4 0:4 0+2 1:4 1+6 0:4"
"""12 points are due to seat 0, which has pegged 2; seat 1 has pegged 6."""
EIGHT = "cut KS  0:5 1:5 1+2 0:5"
"""8 points are due to seat 0, a pair royal and fifteen; seat 1 has pegged 2."""
SIX = "cut KS  0:2 1:2 1+2 0:2"
FIVE = "cut KS  0:4 1:6 0:5"


def manual(scores: list[int], **more: Any) -> dict[str, Any]:
    options = {"muggins_mode": more.pop("muggins_mode", "off"), **more.pop("options", {})}
    return header(**more, pegging="manual", scores=scores, options=options)


SCRIPTS = [
    pytest.param(
        [S0_HANDS, *S0_AWAY],
        header("five_card"),
        """
        cut 5H              -> scores 3 0, next 0
        0:JH
        1:JD                -> due 1:2, scores 3 2, next 0
        0:5S                -> scores 3 2, next 0
        1:go                -> accepted, next 0
        0:go                -> refused false_go
        0:5C                -> due 0:2 0:1 0:15 1:8 1:9, scores 21 19, phase gather
        """,
        id="R38 (a)",
    ),
    pytest.param(
        [S0_HANDS, *S0_AWAY],
        header("five_card", pegging="manual", options={"must_play": "after_go_optional"}),
        """
        0+3  cut 5H  0:JH
        1:JD                -> due 1:2
        1+2  0:5S
        0:go                -> due 0:1, phase show
        0#hand              -> due 0:15, missed 0:1
        0+15                -> scores 18 2
        1#hand              -> due 1:8
        1+8  1#crib         -> due 1:9
        1+9                 -> scores 18 19
        0+1                 -> scores 19 19
        """,
        id="R38 (b)",
    ),
    pytest.param(
        [S0_HANDS, *S0_AWAY],
        header(
            "five_card",
            pegging="manual",
            options={"must_play": "after_go_optional", "muggins_mode": "automatic"},
        ),
        """
        0+3  cut 5H  0:JH  1:JD  1+2  0:5S  1:go
        0:go                -> due 0:1, phase show
        0#hand              -> missed 0:1, due 1:1 0:15, scores 3 3
        0+15  1#hand  1+8  1#crib
        1+9                 -> scores 18 20
        """,
        id="R38 (c)",
    ),
    pytest.param(
        [S0_HANDS, *S0_AWAY],
        header("five_card", options={"renege": "acc"}),
        """
        cut 5H  0:JH  1:JD  0:5S
        0:go                -> due 1:2, scores 3 4, next 0
        0:5C                -> due 0:2 0:1 0:15 1:8 1:9, scores 21 21
        """,
        id="R38 renege",
    ),
    pytest.param([], header(), "cut 2S 0:KH 1:QH 0:9D \n 1:JD -> refused over_31, next 1", id="R43"),
    pytest.param(
        [R44_HANDS],
        header(),
        "cut 2D 0:KH 1:QH 0:5D 1:go \n 0:go -> refused false_go, scores 0 0, next 0",
        id="R44",
    ),
    pytest.param(
        [R44_HANDS],
        header(options={"renege": "acc"}),
        "cut 2D 0:KH 1:QH 0:5D 1:go \n 0:go -> due 1:4, scores 0 4, next 0",
        id="R44 ACC",
    ),
    pytest.param(
        [R44_HANDS],
        header(options={"renege": "two_flat"}),
        "cut 2D 0:KH 1:QH 0:5D \n 0:go -> due 1:2, scores 0 2, next 0",
        id="R44 two flat",
    ),
    pytest.param([], manual([30, 38]), f"{SIX} \n 0+6 -> scores 36 40", id="R51"),
    pytest.param([], manual([30, 38]), f"{SIX} \n 0+4 -> missed 0:2, scores 34 40 \n 0+2 -> scores 36 40", id="R52"),
    pytest.param(
        [],
        manual([30, 38], options={"pegging_policy": "acc"}),
        f"{SIX} \n 0+4 -> missed 0:2, scores 34 40 \n 0+2 -> due 1:2, scores 34 42",
        id="R52 ACC",
    ),
    pytest.param([], manual([30, 38]), f"{SIX} \n 0+9 -> scores 36 40", id="R53"),
    pytest.param(
        [],
        manual([30, 38], options={"pegging_policy": "acc"}),
        f"{SIX} \n 0+9 -> due 1:3, scores 36 43",
        id="R53 ACC",
    ),
    pytest.param(
        [],
        manual([112, 113], options={"pegging_policy": "acc"}),
        f"{SIX} \n 0+9 -> due 1:3, scores 103 118",
        id="R54",
    ),
    pytest.param([], manual([30, 38]), f"{SIX} \n 1:K -> missed 0:6, scores 30 40", id="R55"),
    pytest.param([], manual([38, 34]), f"{TWELVE} \n 0+8 -> missed 0:4, scores 48 40", id="R56 off"),
    pytest.param(
        [],
        manual([38, 34], muggins_mode="automatic"),
        f"{TWELVE} \n 0+8 -> missed 0:4, due 1:4, scores 48 44",
        id="R56 automatic",
    ),
    pytest.param(
        [],
        manual([38, 34], muggins_mode="claim"),
        f"{TWELVE} \n 0+8 -> missed 0:4, scores 48 40 \n 1!3 -> due 1:3, scores 48 43",
        id="R57 three",
    ),
    pytest.param(
        [], manual([38, 34], muggins_mode="claim"), f"{TWELVE} 0+8 \n 1!6 -> due 1:4, scores 48 44", id="R57 six"
    ),
    pytest.param([], manual([40, 38], muggins_mode="claim"), f"{EIGHT} 0+8 \n 1!2 -> due 0:2, scores 50 40", id="R58"),
    pytest.param(
        [],
        manual([119, 98], muggins_mode="automatic"),
        f"{EIGHT} \n 0+0 -> missed 0:2, due 1:2, scores 119 102",
        id="R59",
    ),
    pytest.param(
        [],
        manual([119, 98], muggins_mode="automatic"),
        f"{EIGHT} \n 1:9 -> missed 0:2, due 1:2, scores 119 102",
        id="R59 with the next card",
    ),
    pytest.param(
        [],
        manual([118, 120], muggins_mode="automatic"),
        f"{FIVE} \n 0+2 -> missed 0:1, due 1:1, scores 120 121, winner 1, phase over",
        id="R60",
    ),
    pytest.param(
        EIGHT_TWELVE_FOUR,
        header(scores=[113, 108]),
        """
        cut 8D 0:7S 1:6C 0:QH 1:5D 0:go 1:go 0:7D 1:5C 0:QC
        1:4H                -> due 1:1 0:8, scores 121 110, winner 0, phase over
        """,
        id="R61",
    ),
    pytest.param(
        EIGHT_TWELVE_FOUR,
        header(scores=[119, 119]),
        "cut JS -> due 1:2, scores 119 121, winner 1 \n 0:7S -> refused game_over",
        id="R62",
    ),
    pytest.param(
        R63_DEAL,
        header("five_card", scores=[55, 51]),
        """
        cut 6D              -> scores 55 51
        0:7C 1:5H 0:8C
        1:7S                -> due 1:1 0:5 1:8 1:4, scores 60 61, winner 1
        """,
        id="R63",
    ),
    pytest.param(
        EIGHT_TWELVE_FOUR,
        header("auction", scores=[30, 25]),
        """
        0$3  1$5  0$6
        1$pass              -> scores 24 25
        cut 8D              -> scores 24 25, next 0
        0:7S 1:6C 0:QH 1:5D 0:7D 1:5C 0:QC
        1:4H                -> due 1:1 0:8 0:4 1:12, scores 36 39
        """,
        id="R64",
    ),
    pytest.param(
        EIGHT_TWELVE_FOUR,
        header("auction"),
        """
        0$pass  1$pass
        cut 8D              -> scores 0 0, next 0
        0:7S 1:6C 0:QH 1:5D 0:7D 1:5C 0:QC
        1:4H                -> due 1:1 0:8 1:12 1:4, scores 8 18
        """,
        id="R65",
    ),
    pytest.param([], header("auction", scores=[3, 9]), "0$4 -> refused exceeds_score, next nobody", id="R66 too much"),
    pytest.param([], header("auction", scores=[9, 9]), "0$4 \n 1$4 -> refused bid_too_low, next 1", id="R66 too low"),
    pytest.param(
        [],
        header("auction", dealer=0, scores=[9, 9]),
        "1$pass \n 0$4 -> scores 5 9 \n cut 8D -> scores 5 9, next 0",
        id="R66 the dealer buys",
    ),
    pytest.param(
        [
            {"deal": [hand.split() for hand in ("KS 9H 4D 2C 6D", "QD 8C 7S 3H 6H", "JH TD 6S AC 6C")]},
            *({"lay_away": [seat, [card]]} for seat, card in enumerate(("6D", "6H", "6C"))),
            {"from_stock": ["TS"]},
        ],
        header("three_hand", dealer=2, seats=3, pegging="manual"),
        """
        cut TC              -> next 0
        0:KS 1:QD 2:JH 2:AC 2+2 0:9H 1:8C 2:TD 0:4D 0+2 1:7S 2:6S 0:2C 0+2
        1:3H                -> due 1:1, phase show, next 0
        2#hand              -> refused wrong_show_order
        0#hand              -> accepted, next 1
        1#hand              -> accepted, next 2
        2#hand              -> accepted, next 2
        2#crib              -> accepted, phase gather
        """,
        id="R67",
    ),
]


@pytest.mark.parametrize(("deal", "game", "script"), SCRIPTS)
def test_records_are_answered_as_worked_out(deal: Sequence[dict[str, Any]], game: dict[str, Any], script: str) -> None:
    run(script, referee_of(game, *deal))


@pytest.mark.parametrize(
    ("variant", "dealer", "sizes"),
    [
        pytest.param("three_hand", 2, (5, 5, 5), id="R67"),
        pytest.param("six_hand", 0, (4, 5, 5, 5, 5, 4), id="R68 of six"),
        pytest.param("five_hand", 4, (5, 5, 5, 5, 4), id="R68 of five"),
    ],
)
def test_hands_are_dealt_in_the_right_number(variant: str, dealer: int, sizes: tuple[int, ...]) -> None:
    pack = list(map(str, PACK))
    hands = [[pack.pop() for _ in range(size)] for size in sizes]
    referee = Referee()
    read_line(referee, header(variant, dealer=dealer, seats=len(sizes)))
    one_more = [*hands[:-1], [*hands[-1], *(pack[:6])]]
    assert read_line(referee, {"deal": one_more})["refused"]["kind"] == "wrong_number_of_cards"
    assert read_line(referee, {"deal": hands})["refused"] is None
    answer = read_line(referee, {"starter": pack[-1]})
    assert (answer["refused"], answer["next"]) == (None, 0 if dealer else 1)
