"""A host on a simulated board with a fake clock: whoever waits for it makes its steps."""

from __future__ import annotations

from board_drivers.fault_injection import FaultyBoard
from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.variants import rules_for
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.host.snapshot import Snapshot
from firmware_host.simulation.fault_plan import FaultPlan, parse_fault_plan
from firmware_host.storage.journal import Journal
from firmware_host.ui.keys.input_state import UserCommand

RULES = rules_for("six_card", {"muggins_mode": "automatic"})


class SteppedHost(Host):
    """A host without a thread: waiting advances the fake clock and runs its steps."""

    def __init__(self, plan: BoardPlan, faults: str = "") -> None:
        self.now_s = 0.0
        self.journal = journal = Journal.in_memory()
        planned = parse_fault_plan(faults, plan).faults if faults else ()
        self.fault_plan = FaultPlan(planned, lambda: self.now_s)
        journal.before_writing = self.fault_plan.apply_disk_faults
        setup = HostSetup((plan,), self.open_board, self.place_pegs, (RULES,), ("Ann", "Ben"))
        super().__init__(setup, journal, lambda: self.now_s)

    def open_board(self, plan: BoardPlan) -> Board:
        return FaultyBoard(plan.bit_count, plan.led_count, self.fault_plan.on_board, lambda: self.now_s)

    def place_pegs(self, board: Board, standing: SensorFrame) -> None:
        assert isinstance(board, SimulatedBoard)
        board.set_pegs(standing)

    def submit(self, command: UserCommand, moment: int | None = None) -> Snapshot:
        self.execute(command, moment)
        self.step()
        return self.snapshot

    def leave_demo(self) -> Snapshot:
        self._parts.game.leave_demo()
        self.step()
        return self.snapshot

    def wait_for_change(self, version: int, timeout_s: float) -> Snapshot:
        end_s = self.now_s + timeout_s
        while self.snapshot.version <= version and self.now_s < end_s:
            self.pass_time(self.setup.scan_s)
        return self.snapshot

    def pass_time(self, seconds: float) -> bool:
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s = min(end_s, self.now_s + self.setup.scan_s)
            self.step()
        return False
