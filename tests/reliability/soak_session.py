"""A week of play on a simulated clock: simulated players with cards and pegs, phones that come and go, and every fault.

The host is the real one, stepped by the test; journal, trace and phones are on the disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from msgspec import field

from board_drivers.fault_injection import FaultyBoard
from board_drivers.simulated_hands import EVERYDAY, UNTIDY, Gesture, SimulatedHands
from firmware_host.board.course import START_HOLES
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.languages import LANGUAGES
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.side import Mover
from firmware_host.game.state import Phase
from firmware_host.host.loop import Host
from firmware_host.host.parts.peg_watcher import expected_frame
from firmware_host.host.trace_log import TraceLog
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.simulation.fault_plan import FaultPlan, parse_fault_plan
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.ui.pairing_prompt import AcceptPhone, ClosePairing, OpenPairing, PairingCommand, RemovePhone
from tests.game.random_player import RandomPlayer
from tests.host.bench import HostBench
from web_panel.views.cache import StateCache

STILL_S = 0.6
"""This long after the last peg move the board is still, and the host is stepped less often."""
STILL_STEP_S = 0.25
MOVE_TIMEOUT_S = 60.0
"""How long the players wait for a move to be read before they set the pegs as the lights show."""
MAX_PHONES = 4
SETTLING_MINUTES = 3
"""Minutes after a fault in which writes are allowed: a scanner is found again, starts and reports."""

FAULTS = """
[[fault]]
kind = "bouncing_holes"
from_s = 1000
for_s = 1000
every_s = 3000
[[fault]]
kind = "dead_holes"
holes = ["red 17", "blue 42"]
from_s = 500
for_s = 25
every_s = 610
[[fault]]
kind = "stuck_holes"
holes = ["blue 20"]
from_s = 700
for_s = 40
every_s = 1490
[[fault]]
kind = "magnet_near"
hole = "red 15"
from_s = 900
for_s = 12
every_s = 3070
[[fault]]
kind = "broken_chain"
strip = 12
from_s = 300
for_s = 5
every_s = 770
[[fault]]
kind = "swapped_strips"
strips = [1, 14]
from_s = 400
for_s = 4
every_s = 7010
[[fault]]
kind = "serial_noise"
from_s = 100
for_s = 60
every_s = 650
[[fault]]
kind = "pulled_cable"
from_s = 450
for_s = 20
every_s = 1370
[[fault]]
kind = "stuck_key"
key = "K"
from_s = 1300
for_s = 30
every_s = 5030
[[fault]]
kind = "lost_oled"
from_s = 200
for_s = 10
every_s = 890
[[fault]]
kind = "full_disk"
from_s = 800
for_s = 9
every_s = 2090
[[fault]]
kind = "read_only_disk"
from_s = 1600
for_s = 6
every_s = 6010
[[fault]]
kind = "slow_disk"
by_s = 2
from_s = 600
for_s = 30
every_s = 4010
[[fault]]
kind = "wrong_clock"
by_s = -86400
from_s = 2000
for_s = 3000
every_s = 50000
"""

GAMES = (
    ("classic-61", rules_for("six_card", {})),
    ("classic-61", rules_for("six_card", {"muggins_mode": "automatic"})),
    ("classic-61", rules_for("five_card", {})),
    ("continuous-121-2", rules_for("six_card", {})),
)


class SoakSession(HostBench):
    """`counted`: how often each thing happened. `seen`: the last scores of each game, as displayed."""

    folder: Path = field(default_factory=Path)
    seed: int = 1
    counted: Counter[str] = field(default_factory=Counter)
    seen: list[tuple[int, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random, self.touched_s, self.opened = Random(self.seed), 0.0, 0
        self.player = RandomPlayer(self.seed)
        faults = parse_fault_plan(FAULTS, load_plan("classic-61")).faults
        self.fault_plan = FaultPlan(faults, lambda: self.now_s, self.pass_time)
        self.journal.close()
        self.journal = self.open_or_recover()
        super().__post_init__()

    def open_or_recover(self) -> Journal:
        journal = Journal.open(self.folder / "journal.sqlite3", self.fault_plan.time_of_day)
        journal.before_writing = self.fault_plan.apply_disk_faults
        return journal

    def open_board(self, plan: BoardPlan) -> FaultyBoard:
        """Every other board is on a scanner, whose cable has faults too."""
        self.opened += 1
        left_out = () if self.opened % 2 else self.fault_plan.on_cable
        faults = [fault for fault in self.fault_plan.on_board if fault not in left_out]
        self.board = FaultyBoard(plan.bit_count, plan.led_count, faults, lambda: self.now_s)
        return self.board

    def switch_on(self) -> None:
        phones, trace = PhoneRegistry(self.folder / "phones.json"), TraceLog(self.folder)
        self.host = Host(self.setup, self.journal, lambda: self.now_s, phones, trace)
        self.found = self.host.snapshot.table  # before a stuck key can change it
        self.cache = StateCache(self.host, None)
        self.wait(0.1)

    def power_cycle(self) -> None:
        """Switch off and on: the game must be as before."""
        before = self.host.snapshot.table
        self.host.stop()
        self.journal = self.open_or_recover()
        self.switch_on()
        assert self.found == before
        self.counted["power cycles"] += 1

    # Time

    def pass_time(self, seconds: float) -> None:
        """Advance the clock without steps: the host waits for a slow disk."""
        self.now_s += seconds

    def wait(self, seconds: float) -> None:
        """Run the host at its scan rate while pegs move, and less often while the board is still."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            is_still = self.now_s - self.touched_s > STILL_S
            self.now_s = min(end_s, self.now_s + (STILL_STEP_S if is_still else self.setup.scan_s))
            self.host.step()

    def sleep(self, hours: float) -> Iterator[bool]:
        """A night, one step per minute: yields whether no fault was active now and in the SETTLING_MINUTES before."""
        quiet = 0
        for _ in range(round(hours * 60)):
            self.now_s += 60.0
            self.host.step()
            is_quiet = not any(fault.span.covers(self.now_s) for fault in self.fault_plan.faults)
            yield is_quiet and quiet >= SETTLING_MINUTES
            quiet = quiet + 1 if is_quiet else 0

    # The players

    def submit(self, command: c.Command | PairingCommand) -> None:
        """Submit a command, again and again while the disk cannot be written."""
        while True:
            try:
                self.host.execute(command)
                return
            except JournalError:
                self.counted["commands delayed by the disk"] += 1
                self.wait(2.0)

    def begin_game(self) -> None:
        board, rules = self.random.choice(GAMES)
        begun = self.player.begin(rules, Mover.HAND)
        self.submit(c.StartGame(rules, begun.names, board, dealer=begun.dealer))
        self.wait(1.0)
        style = self.random.choice((EVERYDAY, EVERYDAY, UNTIDY))
        self.hands = [self.hands_of(side, rules) for side in range(2)]
        for hands in self.hands:
            hands.style = style

    def hands_of(self, side: int, rules: RuleSet) -> SimulatedHands:
        plan, course = self.host.plan, self.host.plan.course(rules.target)
        route = [plan.at(side, course.hole_of(score)).sensor for score in range(rules.target + 1)]
        return SimulatedHands(self.random, EVERYDAY, route, plan.at(side, START_HOLES[0]).sensor, rules.target)

    def play_on(self) -> None:
        """One card, one count or whatever is next, and the pegs that follow from it."""
        for side in range(2):
            if self.table.phase is not Phase.OVER and self.table.sides[side].owed > 0:
                self.move(side, self.points_pegged(self.table.sides[side].owed))
        if self.table.phase is Phase.OVER or self.table.going_out is not None:
            return
        self.submit(self.player.next_command(self.table))
        if self.random.random() < 0.01:
            self.submit(c.Undo())
            self.submit(c.Redo())
            self.counted["turns undone and redone"] += 1
        self.counted["commands"] += 1
        self.wait(self.random.uniform(0.5, 4.0))

    def points_pegged(self, owed: int) -> int:
        """The points that are due, sometimes fewer; all of them at the end of a game."""
        is_all = self.table.going_out is not None or self.random.random() > 0.1
        return owed if is_all else self.random.randint(1, owed)

    def move(self, side: int, points: int) -> None:
        hands = self.hands[side]
        if self.table.scores[side] != hands.score:
            self.set_pegs_as_lit()
        self.gesture(hands.turn(points))
        self.counted["pegs moved"] += 1
        timeout_s = self.now_s + MOVE_TIMEOUT_S
        while self.table.scores[side] != hands.score and self.now_s < timeout_s:
            self.wait(0.3)
        if self.table.scores[side] != hands.score:
            self.set_pegs_as_lit()
        elif self.table.phase is not Phase.OVER:
            self.gesture(hands.touch_seated_pegs())

    def set_pegs_as_lit(self) -> None:
        """Set the pegs as the lights show, and continue from there."""
        table, plan = self.table, self.host.plan
        self.board.set_pegs(expected_frame(plan, table))
        self.touched_s = self.now_s
        course = plan.course(table.rules.target)
        for side, pegs in enumerate(table.pegs):
            back, front = (plan.at(side, hole).sensor for hole in course.holes_of(pegs))
            self.hands[side].set_pegs(pegs.front, back, front)
        self.wait(2.0)
        self.counted["times pegs were set as lit"] += 1

    def gesture(self, gestures: Iterable[Gesture]) -> None:
        for after_s, sensor, is_down in gestures:
            self.wait(after_s)
            self.touched_s = self.now_s
            (self.board.place_peg if is_down else self.board.lift_peg)(sensor)
        self.wait(0.4)

    # The phones

    def pair_phone(self) -> None:
        """Pair one more phone and use its token; remove the oldest paired phone first if there are MAX_PHONES."""
        pairing = self.host.pairing
        if len(pairing.registry.phones) >= MAX_PHONES:
            self.submit(RemovePhone(pairing.registry.phones[1].id))
        self.submit(OpenPairing())
        secret = pairing.request_pairing(f"Phone {self.counted['phones paired']}", pairing.pairing_state().code)
        self.wait(2.0)
        self.submit(AcceptPhone())
        picked = pairing.collect_token(secret)
        assert picked and pairing.registry.phone_with_token(picked[1]) == picked[0]
        self.submit(ClosePairing())
        self.counted["phones paired"] += 1

    def read_pages(self) -> None:
        for language in LANGUAGES:
            assert self.cache.now(language).text
            self.counted["pages read by phones"] += 1
