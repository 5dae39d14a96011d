"""The same careless pegs under each manner of muggins: who overlooks points has the same score, whoever takes them."""

from __future__ import annotations

from collections import Counter

import pytest

from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import rules_for
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.decide import unfold
from firmware_host.table.state import Mover, Table
from tests.table.random_player import RandomPlayer

DEALS = 4


def rules(variant: str, mode: str, policy: str = "correct") -> RuleSet:
    return rules_for(variant, {"target": 181, "muggins_mode": mode, "pegging_policy": policy})


def careless_game(variant: str, seed: int) -> list[o.Order]:
    """A few deals in which some points are overlooked, and muggins takes them at once."""
    player, table, orders = RandomPlayer(seed, care=0.7), None, list[o.Order]()
    order: o.Order = player.begin(rules(variant, "automatic"), Mover.WORD)
    while not (isinstance(order, o.GatherCards) and table and table.deal and table.deal.number == DEALS):
        orders.append(order)
        table = unfold(table, order).table
        order = player.next_order(table)
    return orders


def replayed(orders: list[o.Order], agreed: RuleSet) -> tuple[Table, tuple[e.Event, ...]]:
    table, events = None, tuple[e.Event, ...]()
    for order in orders:
        if isinstance(order, o.StartGame):
            order = o.StartGame(agreed, order.names, is_told=True, dealer=order.dealer)
        unfolding = unfold(table, order)
        table, events = unfolding.table, events + tuple(unfolding.events)
    assert table is not None
    return table, events


@pytest.mark.parametrize("variant", ["six_card", "three_hand", "four_partners"])
@pytest.mark.parametrize("seed", range(5))
def test_modes_differ_by_what_is_taken_alone(variant: str, seed: int) -> None:
    orders = careless_game(variant, seed)
    automatic, events = replayed(orders, rules(variant, "automatic"))
    taken, missed = Counter[int](), Counter[int]()
    for event in events:
        if isinstance(event, e.MugginsTaken):
            taken[event.side] += event.points
        elif isinstance(event, e.PointsMissed) and event.source in (e.Source.PLAY, e.Source.SHOW):
            missed[event.side] += event.points
    assert 0 < taken.total() == missed.total()
    kept = tuple(score - taken[side] for side, score in enumerate(automatic.scores))
    for mode, policy in (
        ("off", "correct"),
        ("coach", "correct"),
        ("claim", "correct"),
        ("off", "acc"),
        ("claim", "acc"),
    ):
        other, told = replayed(orders, rules(variant, mode, policy))
        assert other.scores == kept
        assert not any(isinstance(event, e.MugginsTaken | e.PenaltyGiven) for event in told)


@pytest.mark.parametrize("seed", range(5))
def test_no_more_is_missed_than_was_due(seed: int) -> None:
    _, events = replayed(careless_game("six_card", seed), rules("six_card", "automatic"))
    due, missed = Counter[int](), Counter[int]()
    for event in events:
        if isinstance(event, e.PointsDue):
            due[event.side] += event.points
        elif isinstance(event, e.PointsMissed):
            missed[event.side] += event.points
            assert missed[event.side] <= due[event.side]
