"""Kitchen rules near the game hole: the engine expects no points from a go or a card that does not score."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.options import GoLimit, Stinkhole
from firmware_host.cribbage.rule_errors import OptionsClash
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import PRESETS, VARIANTS, rules_for
from firmware_host.strategy.discard_judge import judge_discards
from firmware_host.strategy.play_judge import JudgedCard, judge_cards
from firmware_host.strategy.view import PlayerView
from firmware_host.strategy.win_chance import WinChances, chances_for

ME = Seat(0)
KITCHEN = PRESETS["kitchen"].rules()
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


def chances_with(options: dict[str, object]) -> WinChances:
    chances = chances_for(rules_for("six_card", options))
    assert chances is not None
    return chances


@pytest.mark.parametrize("variant", [name for name, rules in VARIANTS.items() if len(rules.sides) == 2])
def test_every_house_rule_for_the_last_holes_has_its_chances(variant: str) -> None:
    for stinkhole in Stinkhole:
        for limit in GoLimit:
            try:
                rules = rules_for(variant, {"stinkhole": stinkhole.value, "go_limit": limit.value})
            except OptionsClash:
                assert limit is GoLimit.TO_115 and VARIANTS[variant].target != 121
                continue
            assert chances_for(rules) is not None


def test_a_dealer_in_the_stinkhole_waits_for_the_show() -> None:
    """By the usual rules a go wins; where only the show counts the pone counts first."""
    usual, only_show = chances_with({}), chances_with(ONLY_SHOW)
    assert usual.of_dealer(1, 5) > 0.9
    assert only_show.of_dealer(1, 1) == pytest.approx(usual.spreads["pone hand"][0], abs=0.01)
    assert only_show.of_dealer(1, 5) < 0.1


def test_kitchen_rules_change_the_chances_near_the_end_only() -> None:
    usual, kitchen = chances_with({}), chances_for(KITCHEN)
    assert kitchen is not None
    assert kitchen.of_dealer(121, 121) == pytest.approx(usual.of_dealer(121, 121), abs=0.005)
    assert kitchen.of_dealer(1, 4) < usual.of_dealer(1, 4) - 0.2


@pytest.mark.parametrize(
    ("own_crib", "options", "low", "high"),
    [
        pytest.param(False, ONLY_SHOW, 1, 1, id="a pone with points in hand cannot lose"),
        pytest.param(True, ONLY_SHOW, 0, 0.1, id="a dealer can only hope for a pone without points"),
        pytest.param(True, {}, 0.6, 1, id="by the usual rules a dealer hopes for the play"),
    ],
)
def test_the_chance_of_a_discard_follows_the_house_rules(
    own_crib: bool, options: dict[str, object], low: float, high: float
) -> None:
    rules = rules_for("six_card", options)
    dealt = parse_cards("5H 5S JD QC KC 2D")
    best, *_ = judge_discards(dealt, rules, own_crib=own_crib, scores=(120, 120))
    assert best.win is not None and low <= best.win <= high
