"""Rulings of ACC rules 8.4 and 10.4, and the rules they rest on, refereed as records with manual pegging."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.notation import EIGHT_TWELVE_FOUR, THEIR_PLAY, header, referee_of, run

ACC: dict[str, Any] = {"pegging_policy": "acc"}
CLAIM: dict[str, Any] = {"muggins_mode": "claim"}


def game(*scores: int, variant: str = "six_card", dealer: int = 1, seats: int = 2, **options: Any) -> dict[str, Any]:
    return header(variant, dealer, seats, pegging="manual", scores=list(scores), options=options)


@pytest.mark.parametrize(
    ("options", "scores", "script"),
    [
        pytest.param(ACC, (100, 118), "cut KC 0:7 1:7 \n 0+3 -> due 1:3, scores 100 121, winner 1", id="win"),
        pytest.param(ACC, (100, 116), "cut KC 0:7 1:7 \n 0+3 -> due 1:3, scores 100 119 \n 1+2 -> winner 1", id="both"),
        pytest.param(
            ACC,
            (40, 46),
            "cut KC 0:7 1:7 0+3 \n 0:K -> missed 1:2, scores 40 49 \n 1+2 -> due 0:2, scores 42 49",
            id="an award that moved does not pay the score that was due before",
        ),
        pytest.param(ACC, (120, 120), "cut KC 0:7 \n 0+1 -> due 1:1, scores 105 121, winner 1", id="fifteen back"),
        pytest.param(
            {**ACC, "lowball": True},
            (120, 120),
            "cut KC 0:7 \n 0+1 -> due 1:1, scores 105 121, winner 0",
            id="fifteen back in lowball",
        ),
        pytest.param(
            {**ACC, "target": 61}, (60, 60), "cut KC 0:7 \n 0+1 -> due 1:1, scores 45 61, winner 1", id="to 61"
        ),
        pytest.param(
            {**ACC, "target": 181}, (180, 180), "cut KC 0:7 \n 0+1 -> due 1:1, scores 165 181, winner 1", id="to 181"
        ),
        pytest.param(ACC, (10, 120), "cut KC 0:7 1:9 \n 1+9 -> due 0:1, scores 11 105", id="up to the game hole"),
        pytest.param(ACC, (10, 5), "cut KC 0:7 \n 0+130 -> due 1:111, scores 0 116", id="never below the start"),
    ],
)
def test_moves_too_far_are_ruled_on(options: dict[str, Any], scores: tuple[int, int], script: str) -> None:
    run(script, referee_of(game(*scores, **options)))


@pytest.mark.parametrize(
    ("variant", "seats", "options", "scores", "script"),
    [
        pytest.param(
            "three_hand",
            3,
            {},
            (90, 120, 118),
            "cut KC 0:7 \n 1+1 -> due 2:1, scores 90 105 119",
            id="the next on the left",
        ),
        pytest.param(
            "three_hand",
            3,
            {"captain": True},
            (60, 119),
            "cut KC 1:7 2:9 0:K \n 0+1 -> due 1:1, scores 45 120",
            id="the captain, who plays to 61",
        ),
        pytest.param(
            "four_partners", 4, {}, (120, 120), "cut KC 0:7 \n 2+1 -> due 1:1, scores 105 121, winner 1", id="partners"
        ),
        pytest.param(
            "auction",
            2,
            {},
            (120, 120),
            "0$pass 1$pass cut KC 0:7 \n 0+1 -> due 1:1, scores 105 121, winner 1",
            id="auction",
        ),
    ],
)
def test_excess_in_other_games(
    variant: str, seats: int, options: dict[str, Any], scores: tuple[int, ...], script: str
) -> None:
    dealer = 0 if options.get("captain") else seats - 1
    run(script, referee_of(game(*scores, variant=variant, dealer=dealer, seats=seats, **ACC, **options)))


@pytest.mark.parametrize("players", [5, 6])
def test_excess_among_five_or_six(players: int) -> None:
    variant = {5: "five_hand", 6: "six_hand"}[players]
    rest = " ".join(["0"] * (players - 2))
    script = f"cut KC 0:7 \n 0+1 -> due 1:1, scores 105 121 {rest}, winner 1"
    scores = (120, 120, *[0] * (players - 2))
    run(script, referee_of(game(*scores, variant=variant, dealer=players - 1, seats=players, **ACC)))


CLAIMS = [
    pytest.param("0#hand 0+8 1#hand 1+10 1#crib 1+3 \n 0!2 -> due 0:2 \n 0!1 -> due 0:1", id="hand, then crib"),
    pytest.param("0#hand 0+8 1#hand 1+10 1#crib 1+3 \n 0!1 -> due 0:1 \n 0!2 -> due 0:2", id="crib, then hand"),
    pytest.param("0#hand 0+8 1#hand 1+10 1#crib 1+3 \n 0!3 -> due 0:3 \n 0!1 -> due 1:1", id="both, then too many"),
    pytest.param("0#hand 0+8 1#hand 1+10 1#crib 1+3 \n 0!9 -> due 0:3 \n 0!1 -> due 1:1", id="the lesser"),
    pytest.param(
        "0#hand 0+8 1#hand 1+10 \n 0!2 -> due 0:2 \n 1#crib -> due 1:4 \n 0!1 -> refused no_muggins", id="yet"
    ),
]


@pytest.mark.parametrize("script", CLAIMS)
def test_each_honest_claim_is_paid(script: str) -> None:
    referee = referee_of(game(0, 0, **CLAIM), *EIGHT_TWELVE_FOUR)
    run(THEIR_PLAY, referee)
    run(script, referee)


@pytest.mark.parametrize(
    "options", [{}, {"muggins_mode": "claim"}, {"muggins_mode": "automatic"}, {"muggins_mode": "coach"}, ACC]
)
def test_a_go_that_was_only_said_forfeits_nothing(options: dict[str, Any]) -> None:
    script = "cut KC 0:K 1:J 0:J \n 1:go -> accepted, scores 40 40 \n 0+2 -> scores 42 40"
    run(script, referee_of(game(40, 40, **options)))


@pytest.mark.parametrize(("renege", "points"), [("acc", 4), ("two_flat", 2)])
def test_a_false_go_is_fined_once(renege: str, points: int) -> None:
    hands = {"deal": [["KH", "5D", "5C", "2S"], ["QH", "JD", "9C", "9D"]]}
    script = f"""
    cut 2D 0:KH 1:QH 1+2 0:5D 1:go
    0:go   -> due 1:{points}, next 0
    0:go   -> refused false_go, next 0
    0:5C   -> due 0:2 0:1
    """
    run(script, referee_of(game(40, 40, renege=renege), hands))


def test_a_false_go_after_another_card_is_fined_again() -> None:
    hands = {"deal": [["KH", "AD", "AC", "2S"], ["QH", "JD", "9C", "9D"]]}
    script = """
    cut 3D 0:KH 1:QH 1+2 0:AD 1:9C
    0:go   -> due 1:2, next 0
    """
    run(script, referee_of(game(40, 40, renege="acc"), hands))


@pytest.mark.parametrize("mode", ["claim", "automatic"])
def test_who_goes_on_without_pegging_out_can_be_mugged(mode: str) -> None:
    """ACC 10.1: with muggins pegging out is mandatory. The dealer's hand wins, and the dealer goes on to the crib."""
    referee = referee_of(game(0, 110, muggins_mode=mode), *EIGHT_TWELVE_FOUR)
    run(THEIR_PLAY.replace("1+1", "1+1", 2), referee)
    expected = "missed 1:9, due 0:9 1:4" if mode == "automatic" else "missed 1:9, due 1:4"
    run(f"0#hand 0+8 \n 1#hand -> due 1:12 \n 1#crib -> {expected}, winner None", referee)
