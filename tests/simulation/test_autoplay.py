"""The demonstration plays whole games on a simulated board, with a fake clock."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.simulation.autoplay import Demo
from tests.simulation.stepped_host import RULES, SteppedHost


def play(plan_id: str, seed: int) -> SteppedHost:
    """A whole game of the demonstration."""
    host = SteppedHost(load_plan(plan_id))
    Demo(host, RULES, Random(seed), wait=host.pass_time).play_game()
    return host


@pytest.fixture(scope="module")
def played() -> SteppedHost:
    return play("classic-61", 1)


def test_demonstration_plays_a_whole_game(played: SteppedHost) -> None:
    assert is_won(played)


def is_won(host: SteppedHost) -> bool:
    table = host.snapshot.table
    assert table and table.winner is not None
    return table.scores[table.winner] == 121 and not host.snapshot.peg_faults


@pytest.mark.slow
@pytest.mark.parametrize("plan_id", ["classic-61", "continuous-121-3"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_demonstration_plays_whole_games_on_two_boards(plan_id: str, seed: int) -> None:
    assert is_won(play(plan_id, seed))


SHORT = rules_for("six_card", {"muggins_mode": "automatic", "target": 61})

FAULTS = """
[[fault]]
kind = "pulled_cable"
from_s = 20
for_s = 20
every_s = 100
[[fault]]
kind = "broken_chain"
strip = 12
from_s = 60
for_s = 10
every_s = 100
"""


def test_demonstration_waits_for_faults_to_end() -> None:
    host = SteppedHost(load_plan("classic-61"), FAULTS)
    Demo(host, SHORT, Random(1), wait=host.pass_time).play_game()
    table = host.snapshot.table
    assert table and table.winner is not None and "sensors" in host.health.failures


def test_missed_points_are_taken_by_muggins(played: SteppedHost) -> None:
    events = [event for turn in played.snapshot.history.turns_back() for event in turn.events]
    assert any(isinstance(event, e.MugginsTaken) for event in events)


def test_demonstration_leaves_the_game_of_the_players_as_it_was() -> None:
    host = SteppedHost(load_plan("classic-61"))
    host.submit(c.StartGame(RULES, ("Ann", "Ben"), dealer=Seat(0), scores=(12, 30)))
    own, frame, written = host.snapshot.table, host.board.sensors.scan(), host.journal.current_game()
    Demo(host, SHORT, Random(1), wait=host.pass_time).play_game()
    assert host.snapshot.table != own and host.journal.current_game() == written
    host.leave_demo()
    assert host.snapshot.table == own and host.board.sensors.scan() == frame
    host.submit(c.CutStarter(parse_card("5H")))
    assert len(host.journal.current_game()) == len(written) + 1


def test_leaving_without_a_demonstration_changes_nothing() -> None:
    host = SteppedHost(load_plan("classic-61"))
    host.submit(c.StartGame(RULES, ("Ann", "Ben"), dealer=Seat(0)))
    before = host.snapshot.table
    host.leave_demo()
    assert host.snapshot.table is before


def test_a_game_started_during_the_demonstration_is_kept() -> None:
    host = SteppedHost(load_plan("classic-61"))
    host.submit(c.StartGame(RULES, ("Rosa", "Bram"), dealer=Seat(0), is_demo=True))
    host.submit(c.StartGame(RULES, ("Ann", "Ben"), dealer=Seat(0)))
    host.leave_demo()
    assert host.snapshot.table and host.snapshot.table.names == ("Ann", "Ben")
    assert len(host.journal.current_game()) == 1
