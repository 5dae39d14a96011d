"""A week at one table, on a clock that moves only when told: people with cards and pegs, phones that come and go, and
everything that can go wrong, again and again.

The host is the real one, stepped; journal, trace and phones are on the disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from board_drivers.hands import EVERYDAY, UNTIDY, Gesture, Hands
from board_drivers.misbehaving import MisbehavingBoard
from firmware_host.board.course import START_HOLES
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import rules_for
from firmware_host.host import Host
from firmware_host.journal import Journal, JournalFault
from firmware_host.languages import LANGUAGES
from firmware_host.mischief import Mischief, parse_mischief
from firmware_host.phones import PhoneBook
from firmware_host.plans import load_plan
from firmware_host.table import orders as o
from firmware_host.table.door import CloseDoor, DoorWish, LetIn, OpenDoor, SendAway
from firmware_host.table.state import Mover, Phase
from firmware_host.trace_log import TraceLog
from firmware_host.watch import believed_frame
from tests.host.bench import Bench
from tests.table.random_player import RandomPlayer
from web_panel.news import News

STILL_S = 0.6
"""So long after the last touch nothing moves any more, and the host need not be stepped as often."""
CALM_STEP_S = 0.25
PATIENCE_S = 60.0
"""How long people wait for the board before they put the pegs where its lights want them."""
GUESTS = 4
AFTERMATH = 3
"""Looks in the night, a minute each, that a scanner needs to be found again, to start, and to say what it sees."""

TROUBLES = """
[[trouble]]
kind = "bouncing_holes"
from_s = 1000
for_s = 1000
every_s = 3000
[[trouble]]
kind = "dead_holes"
holes = ["red 17", "blue 42"]
from_s = 500
for_s = 25
every_s = 610
[[trouble]]
kind = "stuck_holes"
holes = ["blue 20"]
from_s = 700
for_s = 40
every_s = 1490
[[trouble]]
kind = "magnet_near"
hole = "red 15"
from_s = 900
for_s = 12
every_s = 3070
[[trouble]]
kind = "broken_chain"
strip = 12
from_s = 300
for_s = 5
every_s = 770
[[trouble]]
kind = "swapped_strips"
strips = [1, 14]
from_s = 400
for_s = 4
every_s = 7010
[[trouble]]
kind = "serial_noise"
from_s = 100
for_s = 60
every_s = 650
[[trouble]]
kind = "pulled_cable"
from_s = 450
for_s = 20
every_s = 1370
[[trouble]]
kind = "stuck_key"
key = "K"
from_s = 1300
for_s = 30
every_s = 5030
[[trouble]]
kind = "lost_oled"
from_s = 200
for_s = 10
every_s = 890
[[trouble]]
kind = "full_disk"
from_s = 800
for_s = 9
every_s = 2090
[[trouble]]
kind = "read_only_disk"
from_s = 1600
for_s = 6
every_s = 6010
[[trouble]]
kind = "slow_disk"
by_s = 2
from_s = 600
for_s = 30
every_s = 4010
[[trouble]]
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


@dataclass
class Week(Bench):
    """Everything at the table. `counted` tells what befell the people; `seen` how each game ended on the display."""

    folder: Path = field(default_factory=Path)
    seed: int = 1
    counted: Counter[str] = field(default_factory=Counter)
    seen: list[tuple[int, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random, self.touched_s, self.opened = Random(self.seed), 0.0, 0
        self.player = RandomPlayer(self.seed)
        troubles = parse_mischief(TROUBLES, load_plan("classic-61")).troubles
        self.mischief = Mischief(troubles, lambda: self.now_s, self.let_pass)
        self.journal.close()
        self.journal = self.open_journal()
        super().__post_init__()

    def open_journal(self) -> Journal:
        journal = Journal.open(self.folder / "journal.sqlite3", self.mischief.time_of_day)
        journal.before_writing = self.mischief.trouble_disk
        return journal

    def open_board(self, plan: BoardPlan) -> MisbehavingBoard:
        """Every other one behind a scanner, on a cable that goes wrong too."""
        self.opened += 1
        left_out = () if self.opened % 2 else self.mischief.on_cable
        troubles = [trouble for trouble in self.mischief.on_board if trouble not in left_out]
        self.board = MisbehavingBoard(plan.bit_count, plan.led_count, troubles, lambda: self.now_s)
        return self.board

    def switch_on(self) -> None:
        phones, trace = PhoneBook(self.folder / "phones.json"), TraceLog(self.folder)
        self.host = Host(self.house, self.journal, lambda: self.now_s, phones, trace)
        self.found = self.host.snapshot.table  # before a key that is stuck can be pressed
        self.news = News(self.host, None, None)
        self.wait(0.1)

    def power_cycle(self) -> None:
        """Off and on again in the middle of whatever it is: everything is as it was."""
        before = self.host.snapshot.table
        self.host.stop()
        self.journal = self.open_journal()
        self.switch_on()
        assert self.found == before
        self.counted["power cycles"] += 1

    # Time.

    def let_pass(self, seconds: float) -> None:
        """Time in which the host is busy with something else: a disk that is slow."""
        self.now_s += seconds

    def wait(self, seconds: float) -> None:
        """Look as often as a real board while something moves, and more seldom while nothing does."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            is_still = self.now_s - self.touched_s > STILL_S
            self.now_s = min(end_s, self.now_s + (CALM_STEP_S if is_still else self.house.scan_s))
            self.host.step()

    def sleep(self, hours: float) -> Iterator[bool]:
        """The night, a look a minute: whether nothing was amiss at this one and at those before."""
        calm = 0
        for _ in range(round(hours * 60)):
            self.now_s += 60.0
            self.host.step()
            is_well = not any(trouble.span.covers(self.now_s) for trouble in self.mischief.troubles)
            yield is_well and calm >= AFTERMATH
            calm = calm + 1 if is_well else 0

    # The people.

    def ask(self, wish: o.Order | DoorWish) -> None:
        """Again and again while the disk does not take it: so the board says, and so people do."""
        while True:
            try:
                self.host.do(wish)
                return
            except JournalFault:
                self.counted["orders that waited for the disk"] += 1
                self.wait(2.0)

    def begin_game(self) -> None:
        board, rules = self.random.choice(GAMES)
        begun = self.player.begin(rules, Mover.HAND)
        self.ask(o.StartGame(rules, begun.names, board, dealer=begun.dealer))
        self.wait(1.0)
        style = self.random.choice((EVERYDAY, EVERYDAY, UNTIDY))
        self.hands = [self.hands_of(side, rules) for side in range(2)]
        for hands in self.hands:
            hands.style = style

    def hands_of(self, side: int, rules: RuleSet) -> Hands:
        plan, course = self.host.plan, self.host.plan.course(rules.target)
        route = [plan.at(side, course.hole_of(score)).sensor for score in range(rules.target + 1)]
        return Hands(self.random, EVERYDAY, route, plan.at(side, START_HOLES[0]).sensor, rules.target)

    def play_on(self) -> None:
        """One card, one count, or whatever is next; and the pegs that follow from it."""
        for side in range(2):
            if self.table.phase is not Phase.OVER and self.table.owed[side] > 0:
                self.move(side, self.remembered(self.table.owed[side]))
        if self.table.phase is Phase.OVER or self.table.going_out is not None:
            return
        self.ask(self.player.next_order(self.table))
        if self.random.random() < 0.01:
            self.ask(o.Undo())
            self.ask(o.Redo())
            self.counted["turns taken back and brought again"] += 1
        self.counted["orders"] += 1
        self.wait(self.random.uniform(0.5, 4.0))

    def remembered(self, owed: int) -> int:
        """People forget a point now and then, but not the last ones."""
        is_all = self.table.going_out is not None or self.random.random() > 0.1
        return owed if is_all else self.random.randint(1, owed)

    def move(self, side: int, points: int) -> None:
        hands = self.hands[side]
        if self.table.scores[side] != hands.score:
            self.put_right()
        self.gesture(hands.turn(points))
        self.counted["pegs moved"] += 1
        patience_s = self.now_s + PATIENCE_S
        while self.table.scores[side] != hands.score and self.now_s < patience_s:
            self.wait(0.3)
        if self.table.scores[side] != hands.score:
            self.put_right()
        elif self.table.phase is not Phase.OVER:
            self.gesture(hands.fidget())

    def put_right(self) -> None:
        """The pegs go where the lights want them, and the hands go on from there."""
        table, plan = self.table, self.host.plan
        self.board.set_pegs(believed_frame(plan, table))
        self.touched_s = self.now_s
        course = plan.course(table.rules.target)
        for side, pegs in enumerate(table.pegs):
            back, front = (plan.at(side, hole).sensor for hole in course.holes_of(pegs))
            self.hands[side].stand(pegs.front, back, front)
        self.wait(2.0)
        self.counted["times pegs were put where the lights want them"] += 1

    def gesture(self, gestures: Iterable[Gesture]) -> None:
        for after_s, sensor, is_down in gestures:
            self.wait(after_s)
            self.touched_s = self.now_s
            (self.board.place_peg if is_down else self.board.lift_peg)(sensor)
        self.wait(0.4)

    # The phones.

    def phone_comes(self) -> None:
        """Knocks, is let in at the board, and proves itself; the one that was here longest goes, if there are many."""
        porch = self.host.porch
        if len(porch.book.phones) >= GUESTS:
            self.ask(SendAway(porch.book.phones[1].id))
        self.ask(OpenDoor())
        secret = porch.knock(f"Phone {self.counted['phones let in']}", porch.door().code)
        self.wait(2.0)
        self.ask(LetIn())
        picked = porch.pick_up(secret)
        assert picked and porch.book.holder_of(picked[1]) == picked[0]
        self.ask(CloseDoor())
        self.counted["phones let in"] += 1

    def phones_look(self) -> None:
        for language in LANGUAGES:
            assert self.news.now(language).text
            self.counted["pages read by phones"] += 1
