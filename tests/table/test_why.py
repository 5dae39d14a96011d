""" "Why 73?": every point of a side is accounted for."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.variants import rules_for
from firmware_host.table.why import why
from tests.table.random_player import play_game


@pytest.mark.parametrize("variant", ["six_card", "five_card", "seven_card"])
@pytest.mark.parametrize("side", [0, 1])
def test_the_steps_lead_from_nothing_to_the_score_and_each_has_its_reason(variant: str, side: int) -> None:
    *_, last = play_game(rules_for(variant, {}), 13)
    assert last.table is not None
    steps, score = why(last, side), 0
    for step in steps:
        assert step.score_before == score and step.score != score and step.reasons
        score = step.score
    assert score == last.table.scores[side]


def test_a_hand_is_explained_as_it_was_counted() -> None:
    *_, last = play_game(rules_for("six_card", {}), 13)
    said = [reason for step in why(last, 0) for reason in step.reasons]
    assert any("hand:" in reason and "is " in reason for reason in said)
    assert any("for two" in reason for reason in said)
