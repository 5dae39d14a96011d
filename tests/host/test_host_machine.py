"""Keys, pegs and troubles in any order: nothing stumbles, what is shown is durable, and trouble ends with its cause."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from board_drivers.misbehaving import MisbehavingBoard, MisbehavingSensors
from board_drivers.ports import KEY_ROWS
from board_drivers.span import Span
from firmware_host.board.plan import BoardPlan
from firmware_host.journal import Journal
from firmware_host.mischief import Mischief, parse_mischief
from firmware_host.plans import load_plan
from firmware_host.scorebook import resumed
from firmware_host.table.state import Phase
from tests.host.bench import Bench

PLAN = load_plan("classic-61")
LEGENDS = [key.legend for row in KEY_ROWS for key in row]
HOLES = sorted(hole.sensor for hole in PLAN.holes if hole.hole < 14)
MOST_PEGS = 7
LONGEST_MEND_S = 5.0

TROUBLES = """
[[trouble]]
kind = "dead_holes"
holes = ["red 8", "blue 3", "blue start"]
[[trouble]]
kind = "stuck_holes"
holes = ["red 5", "blue 30"]
[[trouble]]
kind = "magnet_near"
hole = "red 15"
[[trouble]]
kind = "bouncing_holes"
[[trouble]]
kind = "swapped_strips"
strips = [1, 3]
[[trouble]]
kind = "broken_chain"
strip = 4
[[trouble]]
kind = "serial_noise"
[[trouble]]
kind = "pulled_cable"
[[trouble]]
kind = "stuck_key"
key = "ENTER"
[[trouble]]
kind = "lost_oled"
[[trouble]]
kind = "full_disk"
[[trouble]]
kind = "read_only_disk"
[[trouble]]
kind = "slow_disk"
[[trouble]]
kind = "wrong_clock"
by_s = -9999
"""


@dataclass(frozen=True, slots=True)
class Switch(Span):
    """On and off by hand. `on` holds one thing while it is on, and nothing while it is off."""

    on: list[bool] = field(default_factory=list)

    def covers(self, at_s: float) -> bool:
        return bool(self.on)


class OddBench(Bench):
    """A bench whose troubles are switched."""

    def open_board(self, plan: BoardPlan) -> MisbehavingBoard:
        self.board = MisbehavingBoard(plan.bit_count, plan.led_count, self.mischief.on_board, lambda: self.now_s)
        return self.board

    def __post_init__(self) -> None:
        planned = parse_mischief(TROUBLES, PLAN).troubles
        self.switches = [Switch() for _ in planned]
        for trouble, switch in zip(planned, self.switches, strict=True):
            object.__setattr__(trouble, "span", switch)
        self.mischief = Mischief(planned, lambda: self.now_s, lambda seconds: None)
        self.journal.before_writing = self.mischief.trouble_disk
        super().__post_init__()


class AnyEvening(RuleBasedStateMachine):
    @initialize(is_begun=st.booleans())
    def begin(self, is_begun: bool) -> None:
        self.bench = OddBench(Journal.in_memory())
        if is_begun:
            self.bench.begin()

    @rule(legend=st.sampled_from(LEGENDS))
    def tap(self, legend: str) -> None:
        self.bench.keys(legend)

    @rule()
    def hold_fn(self) -> None:
        self.bench.hold_fn()

    @rule(sensor=st.sampled_from(HOLES), seconds=st.sampled_from((0.02, 0.4)))
    def move_a_peg(self, sensor: int, seconds: float) -> None:
        """Out if there is one, else in: pegs are lost, and found again."""
        sensors = self.bench.board.sensors
        assert isinstance(sensors, MisbehavingSensors)
        if sensor in sensors.standing:
            sensors.lift(sensor)
        elif len(sensors.standing) < MOST_PEGS:
            sensors.place(sensor)
        self.bench.wait(seconds)

    @rule(number=st.integers(0, 11), seconds=st.sampled_from((0.02, 0.5)))
    def break_or_mend(self, number: int, seconds: float) -> None:
        on = self.bench.switches[number].on
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
    def mend_everything(self) -> None:
        for switch in self.bench.switches:
            switch.on.clear()
        self.bench.wait(LONGEST_MEND_S)
        assert self.bench.host.snapshot.trouble == ""

    @invariant()
    def what_is_shown_is_durable(self) -> None:
        boards = {plan.id for plan in self.bench.house.plans}
        assert resumed(self.bench.journal, boards).table == self.bench.host.snapshot.table

    @invariant()
    def it_says_what_it_waits_for(self) -> None:
        shown = self.bench.host.snapshot
        assert shown.prompt and shown.page[0][0].strip()

    def teardown(self) -> None:
        if hasattr(self, "bench"):
            self.mend_everything()
            self.bench.host.stop()


TestAnyEvening = AnyEvening.TestCase
TestAnyEvening.settings = settings(
    max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
