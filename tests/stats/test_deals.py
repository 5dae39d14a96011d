"""A game deal by deal adds up to its scores."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.variants import rules_for
from firmware_host.game import events as e
from firmware_host.stats.deals import deal_figures_of
from tests.game.random_player import play_game


@pytest.mark.parametrize("variant", ["six_card", "five_card", "three_hand"])
def test_the_points_of_all_deals_are_the_scores(variant: str) -> None:
    *_, last = play_game(rules_for(variant, {"muggins_mode": "off"}), 13)
    assert last.table is not None
    deals = deal_figures_of([turn.events for turn in last.turns_back()][::-1])
    assert list(last.table.scores) == deals[-1].scores
    for side, score in enumerate(last.table.scores):
        shown = sum(hand.points for deal in deals for hand in deal.hands if last.table.rules.side_of(hand.seat) == side)
        earned = shown + sum(deal.played[side] + deal.other[side] - deal.missed[side] for deal in deals)
        assert score <= earned  # the winner may have earned more than the last hole takes


def test_a_misdeal_is_no_deal() -> None:
    *_, last = play_game(rules_for("six_card", {}), 13)
    turns = [turn.events for turn in last.turns_back()][::-1]
    first = next(event for turn in turns for event in turn if isinstance(event, e.DealBegan))
    place = next(place for place, turn in enumerate(turns) if first in turn)
    again = [*turns[: place + 1], (first,), *turns[place + 1 :]]
    assert len(deal_figures_of(again)) == len(deal_figures_of(turns))
