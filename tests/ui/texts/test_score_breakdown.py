"""The score breakdown: every point of a side has its reason."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.variants import rules_for
from firmware_host.ui.texts.score_breakdown import score_steps
from tests.game.random_player import play_game


@pytest.mark.parametrize("variant", ["six_card", "five_card", "seven_card"])
@pytest.mark.parametrize("side", [0, 1])
def test_the_steps_lead_from_zero_to_the_score_each_with_a_reason(variant: str, side: int) -> None:
    *_, last = play_game(rules_for(variant, {}), 13)
    assert last.table is not None
    steps, score = score_steps(last, side), 0
    for step in steps:
        assert step.score_before == score and step.score != score and step.reasons
        score = step.score
    assert score == last.table.scores[side]


def test_a_counted_hand_and_a_played_card_are_explained_with_their_cards() -> None:
    *_, last = play_game(rules_for("six_card", {}), 13)
    reasons = [reason for step in score_steps(last, 0) for reason in step.reasons]
    hand = next(reason for reason in reasons if reason.title.endswith("’s hand"))
    assert "is " in hand.text and len(hand.cards) == 4 and hand.starter is not None
    pair = next(reason for reason in reasons if "a pair for two" in reason.text)
    assert len(pair.cards) == 2 and not pair.title
