"""The same careless moves with each muggins mode: a side that misses points has the same score, whoever gets them."""

from __future__ import annotations

from collections import Counter

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decide import decide
from firmware_host.game.rule_errors import GameHoleFirst
from firmware_host.game.side import Mover
from firmware_host.game.state import Phase, Table
from tests.game.random_player import RandomPlayer

DEALS = 4


def rules(variant: str, mode: str, policy: str = "correct") -> RuleSet:
    return rules_for(variant, {"target": 181, "muggins_mode": mode, "pegging_policy": policy})


def careless_game(variant: str, seed: int) -> list[c.Command]:
    """The commands of a few deals in which some points are missed."""
    player, table, commands = RandomPlayer(seed, care=0.7), None, list[c.Command]()
    command: c.Command = player.begin(rules(variant, "automatic"), Mover.ENTRY)
    while not (isinstance(command, c.NextDeal) and table and table.deal and table.deal.number == DEALS):
        commands.append(command)
        table = decide(table, command).table
        command = player.next_command(table)
    return commands


def replayed(commands: list[c.Command], rules: RuleSet) -> tuple[Table, tuple[e.Event, ...]]:
    """The final table and all events of the same commands with other rules."""
    table, events = None, tuple[e.Event, ...]()
    for command in commands:
        if isinstance(command, c.StartGame):
            command = c.StartGame(rules, command.names, points_are_entered=True, dealer=command.dealer)
        decided = decide(table, command)
        table, events = decided.table, events + decided.events
    assert table is not None
    return table, events


@pytest.mark.parametrize("variant", ["six_card", "three_hand", "four_partners"])
@pytest.mark.parametrize("seed", range(5))
def test_modes_differ_only_by_the_points_taken(variant: str, seed: int) -> None:
    commands = careless_game(variant, seed)
    automatic, events = replayed(commands, rules(variant, "automatic"))
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
        other, events = replayed(commands, rules(variant, mode, policy))
        assert other.scores == kept
        assert not any(isinstance(event, e.MugginsTaken | e.PenaltyGiven) for event in events)


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


def test_muggins_that_win_the_game_wait_for_the_peg() -> None:
    """The next deal does not begin; but the points were missed, and muggins took them."""
    start = c.StartGame(rules_for("six_card", {"muggins_mode": "automatic"}), ("Ann", "Ben"), "", 2, scores=(0, 119))
    table = None
    for command in (
        start,
        c.ChooseDealer(Seat(0)),
        c.CutStarter(parse_card("KD")),
        c.EndPlay(),
        c.SkipHand(),
        c.CountHand(tuple(map(parse_card, ("2C", "2H", "7S", "9D")))),  # a pair that Ann does not peg
        c.SkipHand(),
        c.NextDeal(),
    ):
        decided = decide(table, command)
        table = decided.table
    assert [type(event) for event in decided.events] == [e.PointsMissed, e.MugginsTaken]
    assert table and (table.phase, table.owed, table.going_out) == (Phase.GATHER, (0, 2), 1)
    with pytest.raises(GameHoleFirst):
        decide(table, c.NextDeal())
    assert decide(table, c.PegsMoved(1, TrackPegs(119, 121), is_leap=True)).table.winner == 1
