"""The same careless pegs under each manner of muggins: who overlooks points has the same score, whoever takes them."""

from __future__ import annotations

from collections import Counter

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.decide import unfold
from firmware_host.table.refusals import GameHoleFirst
from firmware_host.table.state import Mover, Phase, Table
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


def test_muggins_that_win_wait_for_the_peg_and_are_said() -> None:
    """The cards are not gathered any more; but what was overlooked, and who takes it, has happened."""
    start = o.StartGame(rules_for("six_card", {"muggins_mode": "automatic"}), ("Ann", "Ben"), "", 2, scores=(0, 119))
    table = None
    for order in (
        start,
        o.ChooseDealer(Seat(0)),
        o.CutStarter(parse_card("KD")),
        o.EndPlay(),
        o.SkipCount(),
        o.CountNext(tuple(map(parse_card, ("2C", "2H", "7S", "9D")))),  # a pair that Ann does not peg
        o.SkipCount(),
        o.GatherCards(),
    ):
        unfolding = unfold(table, order)
        table = unfolding.table
    assert [type(event) for event in unfolding.events] == [e.PointsMissed, e.MugginsTaken]
    assert table and (table.phase, table.owed, table.going_out) == (Phase.GATHER, (0, 2), 1)
    with pytest.raises(GameHoleFirst):
        unfold(table, o.GatherCards())
    assert unfold(table, o.PegsSeen(1, TrackPegs(119, 121), is_leap=True)).table.winner == 1
