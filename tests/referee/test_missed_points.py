"""Points that were not taken: when they are named, when they are lost, and who may claim them how long."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.notation import EIGHT_TWELVE_FOUR, THEIR_PLAY, header, referee_of, run

PAIR_OF_TWOS = "cut KS  0:2 1:2"
"""Seat 1 is due 2 for the pair."""
SHORT_BY_FOUR = "cut KS  0:2 1:2 1+2 0:2 0+2"
"""Seat 0 was due 6 and moved 2; seat 1 has 2."""
PAIR_THEN_LAST = "cut KS  0:K 1:K 1+2 0:5 1:go 0:5"
"""Seat 0 is due 2 for the pair, and 1 for last when it goes; seat 1 has 2."""

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
        pytest.param({}, "cut KS 0:K 1:J 0:J \n 1:go -> missed 0:2, next 0", id="at the opponent's go"),
        pytest.param({}, f"{PAIR_OF_TWOS} \n 1+0 -> missed 1:2 \n 0:K -> scores 40 40", id="named once"),
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
            id="a coach takes nothing away",
        ),
        pytest.param(
            ACC, f"{PAIR_OF_TWOS} \n 0:K -> missed 1:2 \n 1+2 -> due 0:2, scores 42 40", id="what is lost is over"
        ),
        pytest.param(ACC, "cut KS \n 0:K -> scores 40 40 \n 0+2 -> due 1:2, scores 40 42", id="nothing was due"),
        pytest.param({}, "cut KS \n 0:K -> scores 40 40 \n 0+2 -> scores 40 40", id="nothing was due, set right"),
        pytest.param(
            {}, "cut JS \n 0:K -> accepted \n 1:9 -> scores 40 40 \n 1+2 -> scores 40 42", id="heels can wait"
        ),
        pytest.param(
            {"heels": "forfeit", **AUTOMATIC},
            "cut JS \n 0:K -> scores 40 40 \n 1:9 -> missed 1:2, scores 40 40 \n 1+0 -> scores 40 40",
            id="heels are lost with the dealer's first card, to nobody",
        ),
        pytest.param(
            {**AUTOMATIC},
            "cut JS 0:K \n 1:K -> due 1:2 \n 1+2 -> scores 40 42 \n 0:9 -> scores 40 42 \n 1+2 -> scores 40 44",
            id="a peg pays first what can be lost",
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
        pytest.param(CLAIM, f"{PAIR_OF_TWOS} 0:K 0!2 \n 0!2 -> due 1:2, scores 42 42", id="only once"),
        pytest.param(CLAIM, f"{PAIR_OF_TWOS} \n 1!2 -> due 0:2", id="nobody else missed anything"),
        pytest.param(CLAIM, f"{SHORT_BY_FOUR} 1:9 1+2 0:9 \n 1!4 -> due 1:4", id="till the misser scores again"),
        pytest.param(CLAIM, f"{SHORT_BY_FOUR} 1:9 1+2 0:9 0+2 \n 1!4 -> due 0:4", id="not after it"),
        pytest.param(
            {**CLAIM, "false_claim": "none"},
            f"{PAIR_OF_TWOS} 1+2 \n 0!2 -> scores 40 42",
            id="a wrong claim may be free",
        ),
        pytest.param(
            {**CLAIM, "muggins_window": "next_card"}, f"{SHORT_BY_FOUR} \n 1!4 -> due 1:4", id="till the next card"
        ),
        pytest.param(
            {**CLAIM, "muggins_window": "next_card"}, f"{SHORT_BY_FOUR} 1:9 \n 1!4 -> due 0:4", id="not after the card"
        ),
        pytest.param(
            {**CLAIM, "muggins_window": "next_card"},
            f"{PAIR_OF_TWOS} 0:K \n 0!2 -> due 0:2",
            id="the card that forfeits is not yet the next",
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
            id="lost to nobody where muggins is for the show",
        ),
        pytest.param({}, f"{SHORT_BY_FOUR} \n 1!4 -> refused no_muggins", id="muggins is off"),
        pytest.param(AUTOMATIC, f"{SHORT_BY_FOUR} \n 1!4 -> refused no_muggins", id="muggins needs no claim"),
        pytest.param(CLAIM, f"{SHORT_BY_FOUR} \n 1!0 -> refused no_muggins", id="a claim of nothing"),
        pytest.param(CLAIM, "0!4 -> refused no_muggins", id="before the play"),
    ],
)
def test_points_in_the_play_are_claimed(options: dict[str, Any], script: str) -> None:
    run(script, referee_of(game(40, 40, **options)))


@pytest.mark.parametrize(
    ("options", "script"),
    [
        pytest.param({}, "0#hand 0+6 \n 0+2 -> scores 8 2", id="the rest may follow"),
        pytest.param({}, "0#hand \n 1#hand -> missed 0:8, due 1:12", id="at the opponent's count"),
        pytest.param({}, "0#hand 0+8 1#hand 1#crib \n 1+12 -> scores 8 14 \n 1+4 -> scores 8 18", id="not at the own"),
        pytest.param(AUTOMATIC, "0#hand \n 0+6 -> missed 0:2, due 1:2, scores 6 4", id="what is short goes over"),
        pytest.param(CLAIM, "0#hand 0+6 1#hand \n 1!2 -> due 1:2", id="till the claimer scores"),
        pytest.param(CLAIM, "0#hand 0+6 1#hand 1+12 \n 1!2 -> due 0:2", id="not after it"),
        pytest.param(
            CLAIM, "0#hand 0+8 1#hand 1+10 1#crib 1+4 \n 0!2 -> due 0:2", id="a dealer who hurries on closes nothing"
        ),
        pytest.param({**CLAIM, "muggins_scope": "show"}, "0#hand 0+6 \n 1!2 -> due 1:2", id="muggins in the show only"),
        pytest.param(CLAIM, "0#hand 0+6 1!1 \n 1!1 -> due 0:1", id="a claim is one try"),
        pytest.param(CLAIM, "0#hand \n 0+0 -> missed 0:8 \n 1!9 -> due 1:8", id="a hand declared empty"),
    ],
)
def test_points_in_the_show_are_missed(options: dict[str, Any], script: str) -> None:
    referee = referee_of(game(**options), *EIGHT_TWELVE_FOUR)
    run(THEIR_PLAY, referee)
    run(script, referee)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("0#hand -> missed 1:1, due 0:8 \n 0!1 -> due 0:1", id="till the pone's hand is pegged"),
        pytest.param("0#hand -> missed 1:1, due 0:8 \n 0+8 -> accepted \n 0!1 -> due 1:1", id="not after it"),
    ],
)
def test_a_last_card_is_claimed_in_the_show(script: str) -> None:
    referee = referee_of(game(**CLAIM), *EIGHT_TWELVE_FOUR)
    run(THEIR_PLAY.removesuffix(" 1+1"), referee)
    run(script, referee)


def test_what_nobody_pegged_is_lost_when_the_cards_are_gathered() -> None:
    referee = referee_of(game(), *EIGHT_TWELVE_FOUR)
    run(THEIR_PLAY, referee)
    run("0#hand 0+6 1#hand 1+12 \n 1#crib -> due 1:4", referee)
    run("0+0 -> scores 6 14", referee)
    deal = [["7D", "QC", "7S", "QH", "TS", "5S"], ["5D", "6C", "4H", "5C", "AS", "KD"]]
    answer = referee.hear({"deal": deal}).as_json(1)
    assert answer["missed"] == [{"seat": 1, "points": 4, "why": ["fifteen", "fifteen"]}]
    run("0+2 -> scores 6 14", referee)


@pytest.mark.parametrize(
    ("variant", "script"),
    [
        pytest.param("three_hand", "cut KS 0:2 1:2 \n 2:K -> missed 1:2, due 2:2", id="the next on the left"),
        pytest.param("four_partners", "cut KS 0:2 1:2 \n 2:K -> missed 1:2, due 0:2, scores 2 0", id="the other side"),
        pytest.param("four_partners", "cut KS 0:2 1:2 2:2 \n 0+6 -> scores 8 0", id="a partner may move the pegs"),
    ],
)
def test_muggins_among_more_than_two(variant: str, script: str) -> None:
    dealer = {"three_hand": 2, "four_partners": 3}[variant]
    run(script, referee_of(game(variant=variant, dealer=dealer, muggins_mode="automatic")))


def test_whoever_claims_first_of_three_has_it() -> None:
    referee = referee_of(game(variant="three_hand", dealer=2, **CLAIM))
    run("cut KS 0:2 1:2 2:K \n 0!2 -> due 0:2, scores 2 0 0 \n 2!2 -> due 0:2, scores 4 0 0", referee)


def test_a_claimers_card_closes_the_window_for_that_claimer_alone() -> None:
    referee = referee_of(game(variant="three_hand", dealer=2, **CLAIM, muggins_window="next_card"))
    run("cut KS 0:2 1:2 2:K 0:9 \n 0!2 -> due 1:2 \n 2!2 -> due 2:2", referee)
