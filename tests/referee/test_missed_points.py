"""Points that were not pegged: when they are reported, when they are lost, who may claim them, and for how long."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.notation import EIGHT_TWELVE_FOUR, THEIR_PLAY, header, read_line, referee_of, run

PAIR_OF_TWOS = "cut KS  0:2 1:2"
"""2 points are due to seat 1, for the pair."""
SHORT_BY_FOUR = "cut KS  0:2 1:2 1+2 0:2 0+2"
"""6 points were due to seat 0, which moved 2; seat 1 has 2."""
PAIR_THEN_LAST = "cut KS  0:K 1:K 1+2 0:5 1:go 0:5"
"""2 points are due to seat 0 for the pair, and 1 for last when it says go; seat 1 has 2."""

CLAIM: dict[str, Any] = {"muggins_mode": "claim"}
AUTOMATIC: dict[str, Any] = {"muggins_mode": "automatic"}
ACC: dict[str, Any] = {"pegging_policy": "acc"}


def game(*scores: int, variant: str = "six_card", dealer: int = 1, **options: str) -> dict[str, Any]:
    seats = {"three_hand": 3, "four_partners": 4}.get(variant, 2)
    return header(variant, dealer, seats, pegging="manual", scores=list(scores) or None, options=options)


@pytest.mark.parametrize(
    ("options", "script"),
    [
        pytest.param({}, f"{PAIR_OF_TWOS} \n 0:K -> missed 1:2 \n 1+2 -> scores 40 42", id="at the opponent's card"),
        pytest.param(
            {},
            "cut KS 0:K 1:J 0:J \n 1:go -> accepted \n 0:go -> due 0:1",
            id="a go that was only said forfeits nothing",
        ),
        pytest.param(
            AUTOMATIC,
            "cut KS 0:5 1:K 0:K 1:go 0:2 0:3 \n 1:9 -> missed 0:2 0:1, due 1:2 1:1",
            id="after a go at the next card of the opponent",
        ),
        pytest.param({}, f"{PAIR_OF_TWOS} \n 1+0 -> missed 1:2 \n 0:K -> scores 40 40", id="reported once"),
        pytest.param({}, f"{PAIR_OF_TWOS} \n 1+1 -> missed 1:1 \n 1+1 -> scores 40 42", id="half moved, then the rest"),
        pytest.param(
            AUTOMATIC,
            f"{PAIR_THEN_LAST} \n 0:go -> due 0:1 \n 0+2 -> scores 42 42 \n 0+1 -> scores 43 42",
            id="two scores may be pegged one by one",
        ),
        pytest.param(
            AUTOMATIC, f"{PAIR_THEN_LAST} 0:go \n 0+3 -> scores 43 42", id="two scores may be pegged together"
        ),
        pytest.param(
            AUTOMATIC,
            f"{PAIR_THEN_LAST} 0:go \n 0+1 -> missed 0:1, due 1:1, scores 41 43 \n 0+1 -> scores 42 43",
            id="a peg inside the first score is short of that one alone",
        ),
        pytest.param(
            AUTOMATIC,
            f"{PAIR_THEN_LAST} 0:go \n 1:K -> missed 0:2 0:1, due 1:2 1:1, scores 40 45",
            id="what is not pegged at all is lost together",
        ),
        pytest.param(
            {"muggins_mode": "coach", **ACC},
            f"{SHORT_BY_FOUR} \n 1:K -> scores 42 42 \n 0+4 -> scores 46 42",
            id="with a coach nothing is lost",
        ),
        pytest.param(
            ACC,
            f"{PAIR_OF_TWOS} \n 0:K -> missed 1:2 \n 1+2 -> due 0:2, scores 42 40",
            id="lost points are gone",
        ),
        pytest.param(ACC, "cut KS \n 0:K -> scores 40 40 \n 0+2 -> due 1:2, scores 40 42", id="nothing was due"),
        pytest.param({}, "cut KS \n 0:K -> scores 40 40 \n 0+2 -> scores 40 40", id="nothing was due, no penalty"),
        pytest.param(
            {},
            "cut JS \n 0:K -> accepted \n 1:9 -> scores 40 40 \n 1+2 -> scores 40 42",
            id="heels may wait",
        ),
        pytest.param(
            {"heels": "forfeit", **AUTOMATIC},
            "cut JS \n 0:K -> scores 40 40 \n 1:9 -> missed 1:2, scores 40 40 \n 1+0 -> scores 40 40",
            id="heels are lost with the dealer's first card, and nobody gets them",
        ),
        pytest.param(
            {**AUTOMATIC},
            "cut JS 0:K \n 1:K -> due 1:2 \n 1+2 -> scores 40 42 \n 0:9 -> scores 40 42 \n 1+2 -> scores 40 44",
            id="a peg settles first what can be lost",
        ),
    ],
)
def test_points_in_the_play_are_missed(options: dict[str, Any], script: str) -> None:
    run(script, referee_of(game(40, 40, **options)))


@pytest.mark.parametrize(
    ("options", "script"),
    [
        pytest.param(CLAIM, f"{PAIR_OF_TWOS} \n 0!2 -> refused no_muggins", id="too early"),
        pytest.param(CLAIM, f"{PAIR_OF_TWOS} 0:K \n 0!2 -> due 0:2, scores 42 40", id="after the claimer's card"),
        pytest.param(CLAIM, f"{PAIR_OF_TWOS} 0:K 0!2 \n 0!2 -> refused claimed_already", id="only once"),
        pytest.param(CLAIM, f"{PAIR_OF_TWOS} \n 1!2 -> due 0:2", id="nobody else missed anything"),
        pytest.param(CLAIM, f"{SHORT_BY_FOUR} 1:9 1+2 0:9 \n 1!4 -> due 1:4", id="until the side scores again"),
        pytest.param(CLAIM, f"{SHORT_BY_FOUR} 1:9 1+2 0:9 0+2 \n 1!4 -> due 0:4", id="not after it"),
        pytest.param(
            {**CLAIM, "false_claim": "none"},
            f"{PAIR_OF_TWOS} 1+2 \n 0!2 -> scores 40 42",
            id="a wrong claim without penalty",
        ),
        pytest.param(
            {**CLAIM, "muggins_window": "next_card"}, f"{SHORT_BY_FOUR} \n 1!4 -> due 1:4", id="until the next card"
        ),
        pytest.param(
            {**CLAIM, "muggins_window": "next_card"}, f"{SHORT_BY_FOUR} 1:9 \n 1!4 -> due 0:4", id="not after the card"
        ),
        pytest.param(
            {**CLAIM, "muggins_window": "next_card"},
            f"{PAIR_OF_TWOS} 0:K \n 0!2 -> due 0:2",
            id="the forfeiting card is not the next card",
        ),
        pytest.param(
            {**CLAIM, "muggins_window": "next_card"},
            f"{PAIR_OF_TWOS} 0:K 1:9 0:A \n 0!2 -> due 1:2",
            id="the one after it is",
        ),
        pytest.param(
            {**CLAIM, "muggins_scope": "show"},
            f"{SHORT_BY_FOUR} \n 1!4 -> refused no_muggins \n 0+4 -> scores 46 42",
            id="muggins in the show only",
        ),
        pytest.param(
            {**AUTOMATIC, **ACC, "muggins_scope": "show"},
            f"{PAIR_OF_TWOS} \n 0:K -> missed 1:2, scores 40 40",
            id="lost without muggins in the play",
        ),
        pytest.param({}, f"{SHORT_BY_FOUR} \n 1!4 -> refused no_muggins", id="muggins is off"),
        pytest.param(AUTOMATIC, f"{SHORT_BY_FOUR} \n 1!4 -> refused no_muggins", id="automatic muggins needs no claim"),
        pytest.param(CLAIM, f"{SHORT_BY_FOUR} \n 1!0 -> refused no_muggins", id="a claim of 0"),
        pytest.param(CLAIM, "0!4 -> refused no_muggins", id="before the play"),
    ],
)
def test_points_in_the_play_are_claimed(options: dict[str, Any], script: str) -> None:
    run(script, referee_of(game(40, 40, **options)))


@pytest.mark.parametrize(
    ("options", "script"),
    [
        pytest.param({}, "0#hand 0+6 \n 0+2 -> scores 8 2", id="the rest may be pegged"),
        pytest.param({}, "0#hand \n 1#hand -> missed 0:8, due 1:12", id="at the opponent's count"),
        pytest.param({}, "0#hand 0+8 1#hand 1#crib \n 1+12 -> scores 8 14 \n 1+4 -> scores 8 18", id="not at its own"),
        pytest.param(AUTOMATIC, "0#hand \n 0+6 -> missed 0:2, due 1:2, scores 6 4", id="the rest goes to the opponent"),
        pytest.param(CLAIM, "0#hand 0+6 1#hand \n 1!2 -> due 1:2", id="until the claimer scores"),
        pytest.param(CLAIM, "0#hand 0+6 1#hand 1+12 \n 1!2 -> due 0:2", id="not after it"),
        pytest.param(
            CLAIM,
            "0#hand 0+8 1#hand 1+10 1#crib 1+4 \n 0!2 -> due 0:2",
            id="going on to the crib ends no claim",
        ),
        pytest.param({**CLAIM, "muggins_scope": "show"}, "0#hand 0+6 \n 1!2 -> due 1:2", id="muggins in the show only"),
        pytest.param(CLAIM, "0#hand 0+6 1!1 \n 1!1 -> refused claimed_already", id="one claim only"),
        pytest.param(CLAIM, "0#hand \n 0+0 -> missed 0:8 \n 1!9 -> due 1:8", id="a peg line with 0"),
    ],
)
def test_points_in_the_show_are_missed(options: dict[str, Any], script: str) -> None:
    referee = referee_of(game(**options), *EIGHT_TWELVE_FOUR)
    run(THEIR_PLAY, referee)
    run(script, referee)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("0#hand -> missed 1:1, due 0:8 \n 0!1 -> due 0:1", id="until the pone's hand is pegged"),
        pytest.param("0#hand -> missed 1:1, due 0:8 \n 0+8 -> accepted \n 0!1 -> due 1:1", id="not after it"),
    ],
)
def test_a_last_card_is_claimed_in_the_show(script: str) -> None:
    referee = referee_of(game(**CLAIM), *EIGHT_TWELVE_FOUR)
    run(THEIR_PLAY.removesuffix(" 1+1"), referee)
    run(script, referee)


def test_points_that_nobody_pegged_are_lost_when_the_cards_are_gathered() -> None:
    referee = referee_of(game(), *EIGHT_TWELVE_FOUR)
    run(THEIR_PLAY, referee)
    run("0#hand 0+6 1#hand 1+12 \n 1#crib -> due 1:4", referee)
    run("0+0 -> scores 6 14", referee)
    deal = [["7D", "QC", "7S", "QH", "TS", "5S"], ["5D", "6C", "4H", "5C", "AS", "KD"]]
    answer = read_line(referee, {"deal": deal})
    (missed,) = answer["missed"]
    assert (missed["seat"], missed["points"], missed["why"]) == (1, 4, ["fifteen", "fifteen"])
    assert missed["source"] == "crib"
    run("0+2 -> scores 6 14", referee)


@pytest.mark.parametrize(
    ("variant", "script"),
    [
        pytest.param("three_hand", "cut KS 0:2 1:2 \n 2:K -> missed 1:2, due 2:2", id="the next on the left"),
        pytest.param("four_partners", "cut KS 0:2 1:2 \n 2:K -> missed 1:2, due 0:2, scores 2 0", id="the other side"),
        pytest.param("four_partners", "cut KS 0:2 1:2 2:2 \n 0+6 -> scores 8 0", id="a partner may move the pegs"),
    ],
)
def test_muggins_with_more_than_two_players(variant: str, script: str) -> None:
    dealer = {"three_hand": 2, "four_partners": 3}[variant]
    run(script, referee_of(game(variant=variant, dealer=dealer, muggins_mode="automatic")))


def test_the_first_of_three_to_claim_gets_the_points() -> None:
    referee = referee_of(game(variant="three_hand", dealer=2, **CLAIM))
    run("cut KS 0:2 1:2 2:K \n 0!2 -> due 0:2, scores 2 0 0 \n 2!2 -> refused claimed_already", referee)


def test_a_claimers_card_ends_the_time_to_claim_for_that_claimer_only() -> None:
    referee = referee_of(game(variant="three_hand", dealer=2, **CLAIM, muggins_window="next_card"))
    run("cut KS 0:2 1:2 2:K 0:9 \n 0!2 -> due 1:2 \n 2!2 -> due 2:2", referee)
