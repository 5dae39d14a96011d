"""Kitchen rules near the game hole: the engine expects no points from a go or a card that does not score."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.strategy.play_judge import JudgedCard, judge_cards
from firmware_host.strategy.view import PlayerView

ME = Seat(0)
NO_GO: dict[str, object] = {"stinkhole": "heels_and_go"}
ONLY_SHOW: dict[str, object] = {"stinkhole": "show_only"}
LIMIT: dict[str, object] = {"go_limit": "115"}

OF_TWO = "1 KS; 0 QH; 1 JS; 0 AH; 1 7S; 0 6H; 1 5S"
"""Before the dealer's last card, the last of the deal: a five makes a pair, and any card one for last."""
OF_THREE = "1 KS; 2 QH; 0 AS; 1 TS; 2 9H; 0 8D; 1 7C; 2 7D; 0 3H; 1 4D; 2 JC"


def last_card(acts: str, card: str, scores: tuple[int, ...], options: dict[str, object]) -> JudgedCard:
    """What the engine expects of the dealer's last card."""
    played = [act.split() for act in acts.split(";")]
    (judged,) = judge_cards(
        PlayerView(
            rules=rules_for({2: "six_card", 3: "three_hand"}[len(scores)], options),
            seat=ME,
            dealer=ME,
            owner=ME,
            scores=scores,
            hand=parse_cards(card),
            discarded=parse_cards("8S TC") if len(scores) == 2 else parse_cards("8S"),
            starter=parse_card("QD"),
            acts=tuple((Seat(int(seat)), parse_card(text)) for seat, text in played),
        ),
        Random(1),
    )
    return judged


@pytest.mark.parametrize(
    ("score", "card", "options", "points", "wins"),
    [
        pytest.param(115, "2C", LIMIT, 1, False, id="a go at 115"),
        pytest.param(116, "2C", {}, 1, False, id="a go at 116 by the usual rules"),
        pytest.param(116, "2C", LIMIT, 0, False, id="a go at 116"),
        pytest.param(114, "5C", LIMIT, 2, False, id="the pair leads past 115, before the go"),
        pytest.param(120, "2C", {}, 1, True, id="a go from 120 by the usual rules"),
        pytest.param(120, "2C", NO_GO, 0, False, id="a go from 120"),
        pytest.param(119, "2C", NO_GO, 1, False, id="a go to 120"),
        pytest.param(120, "5C", NO_GO, 2, True, id="a pair from 120"),
        pytest.param(120, "5C", ONLY_SHOW, 0, False, id="a pair from 120 where only the show counts"),
    ],
)
def test_the_engine_expects_what_scores(
    score: int, card: str, options: dict[str, object], points: int, wins: bool
) -> None:
    judged = last_card(OF_TWO, card, (score, 119), options)
    assert judged.points == points
    assert judged.win is not None
    assert (judged.win == 1) is wins


@pytest.mark.parametrize(("score", "points"), [(115, 1), (116, 0)])
def test_the_engine_expects_what_scores_among_three(score: int, points: int) -> None:
    assert last_card(OF_THREE, "2C", (score, 30, 40), LIMIT).points == points
