"""Keys, pegs and faults in random order: no step fails, a shown game is durable, and a fault clears with its cause."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec import field
from msgspec.structs import force_setattr

from board_drivers.fault_injection import FaultyBoard, FaultySensors
from board_drivers.fault_window import FaultWindow
from board_drivers.ports import KEY_ROWS
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.game.state import Phase
from firmware_host.simulation.fault_plan import FaultPlan, parse_fault_plan
from firmware_host.storage.active_game import resumed_history
from firmware_host.storage.journal import Journal
from tests.conftest import EXAMPLES
from tests.host.bench import HostBench

PLAN = load_plan("classic-61")
LEGENDS = [key.legend for row in KEY_ROWS for key in row]
HOLES = sorted(hole.sensor for hole in PLAN.holes if hole.hole < 14)
MAX_PEGS = 7
RECOVERY_S = 5.0
"""Seconds after which the host has recovered from every fault."""

FAULTS = """
[[fault]]
kind = "dead_holes"
holes = ["red 8", "blue 3", "blue start"]
[[fault]]
kind = "stuck_holes"
holes = ["red 5", "blue 30"]
[[fault]]
kind = "magnet_near"
hole = "red 15"
[[fault]]
kind = "bouncing_holes"
[[fault]]
kind = "swapped_strips"
strips = [1, 3]
[[fault]]
kind = "broken_chain"
strip = 4
[[fault]]
kind = "serial_noise"
[[fault]]
kind = "pulled_cable"
[[fault]]
kind = "stuck_key"
key = "ENTER"
[[fault]]
kind = "lost_oled"
[[fault]]
kind = "full_disk"
[[fault]]
kind = "read_only_disk"
[[fault]]
kind = "slow_disk"
[[fault]]
kind = "wrong_clock"
by_s = -9999
"""


class ManualWindow(FaultWindow, frozen=True):
    """A fault window that the test opens and closes. `on` has one item while it is open."""

    on: list[bool] = field(default_factory=list)

    def covers(self, at_s: float) -> bool:
        return bool(self.on)


class FaultyBench(HostBench):
    """A board and a disk with every kind of fault, each with its own `windows` entry."""

    def open_board(self, plan: BoardPlan) -> FaultyBoard:
        self.board = FaultyBoard(plan.bit_count, plan.led_count, self.fault_plan.on_board, lambda: self.now_s)
        return self.board

    def __post_init__(self) -> None:
        planned = parse_fault_plan(FAULTS, PLAN).faults
        self.windows = [ManualWindow() for _ in planned]
        for fault, window in zip(planned, self.windows, strict=True):
            force_setattr(fault, "span", window)  # a planned fault is frozen
        self.fault_plan = FaultPlan(planned, lambda: self.now_s, lambda seconds: None)
        self.journal.before_writing = self.fault_plan.apply_disk_faults
        super().__post_init__()


class HostMachine(RuleBasedStateMachine):
    """Each rule is something that people or faults do; the invariants hold after every rule."""

    @initialize(is_begun=st.booleans())
    def begin(self, is_begun: bool) -> None:
        self.bench = FaultyBench(Journal.in_memory())
        if is_begun:
            self.bench.begin()

    @rule(legend=st.sampled_from(LEGENDS))
    def tap(self, legend: str) -> None:
        self.bench.keys(legend)

    @rule()
    def hold_fn(self) -> None:
        self.bench.hold_fn()

    @rule(sensor=st.sampled_from(HOLES), seconds=st.sampled_from((0.02, 0.4)))
    def move_peg(self, sensor: int, seconds: float) -> None:
        """Lifts the peg of a hole, or places one where there is none."""
        sensors = self.bench.board.sensors
        assert isinstance(sensors, FaultySensors)
        if sensor in sensors.actual_frame:
            sensors.lift(sensor)
        elif len(sensors.actual_frame) < MAX_PEGS:
            sensors.place(sensor)
        self.bench.wait(seconds)

    @rule(number=st.integers(0, 11), seconds=st.sampled_from((0.02, 0.5)))
    def toggle_fault(self, number: int, seconds: float) -> None:
        on = self.bench.windows[number].on
        on.clear() if on else on.append(True)
        self.bench.wait(seconds)

    @rule()
    def switch_off_and_on(self) -> None:
        before = self.bench.host.snapshot.table
        self.bench.host.board.close()
        self.bench.switch_on()
        after = self.bench.host.snapshot.table
        assert after == before or (before and after and after.phase is not Phase.OVER)

    @rule()
    def clear_every_fault(self) -> None:
        for window in self.bench.windows:
            window.on.clear()
        self.bench.wait(RECOVERY_S)
        assert self.bench.host.snapshot.fault == ""

    @invariant()
    def shown_game_is_durable(self) -> None:
        boards = {plan.id for plan in self.bench.setup.plans}
        assert resumed_history(self.bench.journal, boards).table == self.bench.host.snapshot.table

    @invariant()
    def first_line_is_never_empty(self) -> None:
        shown = self.bench.host.snapshot
        assert shown.prompt and shown.oled_page[0][0].strip()

    def teardown(self) -> None:
        if hasattr(self, "bench"):
            self.clear_every_fault()
            self.bench.host.stop()


TestHostMachine = HostMachine.TestCase
TestHostMachine.settings = settings(
    max_examples=EXAMPLES // 2, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
