"""The demonstration, played whole in no time: hands on a simulated board, a clock that only moves when told."""

from __future__ import annotations

from random import Random

import pytest

from board_drivers.misbehaving import MisbehavingBoard
from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.demo import Demo
from firmware_host.host import Host
from firmware_host.house import House
from firmware_host.journal import Journal
from firmware_host.mischief import Mischief, parse_mischief
from firmware_host.plans import load_plan
from firmware_host.snapshot import Snapshot
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.entries import Wish

RULES = rules_for("six_card", {"muggins_mode": "automatic"})


class SteppedHost(Host):
    """A host without a thread: whoever waits makes time pass."""

    def __init__(self, plan: BoardPlan, troubles: str = "") -> None:
        self.now_s, journal = 0.0, Journal.in_memory()
        planned = parse_mischief(troubles, plan).troubles if troubles else ()
        self.mischief = Mischief(planned, lambda: self.now_s)
        journal.before_writing = self.mischief.trouble_disk
        house = House((plan,), self.open_board, self.set_out, (RULES,), ("Ann", "Ben"))
        super().__init__(house, journal, lambda: self.now_s)

    def open_board(self, plan: BoardPlan) -> Board:
        return MisbehavingBoard(plan.bit_count, plan.led_count, self.mischief.on_board, lambda: self.now_s)

    def set_out(self, board: Board, standing: SensorFrame) -> None:
        assert isinstance(board, SimulatedBoard)
        board.set_pegs(standing)

    def submit(self, wish: Wish) -> Snapshot:
        self.do(wish)
        self.step()
        return self.snapshot

    def wait_for_news(self, version: int, timeout_s: float) -> Snapshot:
        end_s = self.now_s + timeout_s
        while self.snapshot.version <= version and self.now_s < end_s:
            self.pass_time(self.house.scan_s)
        return self.snapshot

    def pass_time(self, seconds: float) -> bool:
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s = min(end_s, self.now_s + self.house.scan_s)
            self.step()
        return False


@pytest.mark.parametrize("plan_id", ["classic-61", "continuous-121-3"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_game_is_played_with_cards_and_pegs(plan_id: str, seed: int) -> None:
    host = SteppedHost(load_plan(plan_id))
    Demo(host, RULES, Random(seed), wait=host.pass_time).play_game()
    table = host.snapshot.table
    assert table and table.winner is not None and table.scores[table.winner] == 121
    assert not host.snapshot.astray


TROUBLES = """
[[trouble]]
kind = "pulled_cable"
from_s = 20
for_s = 20
every_s = 100
[[trouble]]
kind = "broken_chain"
strip = 12
from_s = 60
for_s = 10
every_s = 100
[[trouble]]
kind = "full_disk"
from_s = 80
for_s = 10
every_s = 100
"""


def test_people_wait_until_trouble_is_over_and_play_on() -> None:
    host = SteppedHost(load_plan("classic-61"), TROUBLES)
    Demo(host, RULES, Random(1), wait=host.pass_time).play_game()
    table = host.snapshot.table
    assert table and table.winner is not None and host.health.failures.keys() >= {"sensors", "disk"}


def test_points_are_missed_now_and_then_and_taken() -> None:
    host = SteppedHost(load_plan("classic-61"))
    Demo(host, RULES, Random(1), wait=host.pass_time).play_game()
    events = [event for turn in host.snapshot.chronicle.turns_back() for event in turn.events]
    assert any(isinstance(event, e.MugginsTaken) for event in events)


def test_a_game_of_their_own_is_not_pushed_aside() -> None:
    host = SteppedHost(load_plan("classic-61"))
    host.do(o.StartGame(RULES, ("Ann", "Ben"), dealer=Seat(0)))
    host.step()
    with pytest.raises(Refusal) as refused:
        Demo(host, RULES, Random(1)).start()
    assert refused.value.kind == "game_under_way"
