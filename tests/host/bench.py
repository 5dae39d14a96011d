"""A host on a simulated board, stepped by hand, with a clock that only moves when told."""

from __future__ import annotations

from dataclasses import dataclass

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.variants import rules_for
from firmware_host.host import Host
from firmware_host.house import House
from firmware_host.journal import Journal
from firmware_host.plans import load_plan
from firmware_host.table.state import Table


@dataclass
class Bench:
    """A host, its board, and a clock that only moves when told."""

    journal: Journal
    now_s: float = 0.0

    def __post_init__(self) -> None:
        games = (rules_for("six_card", {}), rules_for("five_card", {}))
        plans = (load_plan("classic-61"), load_plan("continuous-121-2"))
        self.house = House(plans, self.open_board, self.set_out, games, ("Ann", "Ben", "Cora", "Dan", "Eve", "Fred"))
        self.switch_on()

    def open_board(self, plan: BoardPlan) -> SimulatedBoard:
        self.board = SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: self.now_s)
        return self.board

    def set_out(self, board: Board, standing: SensorFrame) -> None:
        assert board is self.board
        self.board.set_pegs(standing)

    def switch_on(self) -> None:
        self.host = Host(self.house, self.journal, clock=lambda: self.now_s)
        self.wait(0.1)

    def wait(self, seconds: float) -> None:
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s += self.house.scan_s
            self.host.step()

    def keys(self, typed: str) -> None:
        for legend in typed.split():
            self.board.tap(legend)
            self.wait(0.05)

    def hold_fn(self) -> None:
        self.board.press("FN")
        self.wait(1.1)
        self.board.release("FN")
        self.wait(0.05)

    def lift(self, track: int, hole: int) -> None:
        self.board.lift_peg(self.host.plan.at(track, Hole(hole)).sensor)
        self.wait(0.1)

    def place(self, track: int, hole: int) -> None:
        self.board.place_peg(self.host.plan.at(track, Hole(hole)).sensor)

    def leap(self, track: int, came_from: int, to: int) -> None:
        self.lift(track, came_from)
        self.wait(0.3)
        self.place(track, to)
        self.wait(0.6)

    @property
    def table(self) -> Table:
        assert self.host.snapshot.table
        return self.host.snapshot.table

    @property
    def first_line(self) -> str:
        return self.host.snapshot.page[0][0]

    def begin(self) -> None:
        self.keys("ENTER ENTER ENTER ENTER ENTER A")  # six cards, classic-61, to 121; Ann deals
