"""A host on a simulated board for tests: stepped by the test, with a clock that only the test advances."""

from __future__ import annotations

from msgspec import Struct

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.state import Table
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.storage.journal import Journal


class HostBench(Struct, dict=True):
    """A host, its simulated board, and the actions of the people in front of it.

    Two boards can be opened: classic-61, the default, and continuous-121-2. The clock starts at `now_s` = 0 seconds.
    """

    journal: Journal
    now_s: float = 0.0

    def __post_init__(self) -> None:
        games = (rules_for("six_card", {}), rules_for("five_card", {}))
        plans = (load_plan("classic-61"), load_plan("continuous-121-2"))
        names = ("Ann", "Ben", "Cora", "Dan", "Eve", "Fred")
        self.setup = HostSetup(plans, self.open_board, self.place_pegs, games, names)
        self.switch_on()

    def open_board(self, plan: BoardPlan) -> SimulatedBoard:
        """Called by the host. `board` is the board that is open."""
        self.board = SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: self.now_s)
        return self.board

    def place_pegs(self, board: Board, frame: SensorFrame) -> None:
        """Called by the host when a game begins or resumes."""
        assert board is self.board
        self.board.set_pegs(frame)

    def switch_on(self) -> None:
        """Starts a new host on the same journal, as after a power cut."""
        self.host = Host(self.setup, self.journal, clock=lambda: self.now_s)
        self.wait(0.1)

    def wait(self, seconds: float) -> None:
        """Steps the host at its scan interval."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s += self.setup.scan_s
            self.host.step()

    def keys(self, typed: str) -> None:
        """Taps keys by their legends, separated by blanks: `FN 2 ENTER`."""
        for legend in typed.split():
            self.board.tap(legend)
            self.wait(0.05)

    def hold_fn(self) -> None:
        """Opens the main menu."""
        self.board.press("FN")
        self.wait(1.1)
        self.board.release("FN")
        self.wait(0.05)

    def lift(self, track: int, hole: int) -> None:
        """Lifts a peg. Holes -1 and 0 are the start holes."""
        self.board.lift_peg(self.host.plan.at(track, Hole(hole)).sensor)
        self.wait(0.1)

    def place(self, track: int, hole: int) -> None:
        """Places a peg without waiting for the host to see it."""
        self.board.place_peg(self.host.plan.at(track, Hole(hole)).sensor)

    def leap(self, track: int, came_from: int, to: int) -> None:
        """Moves a peg, and waits until the move has settled."""
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
        """The first line of the display, which may be cut off or go on in the second."""
        return self.host.snapshot.oled_page[0][0]

    def begin(self) -> None:
        """Starts a game with the keypad: six cards, classic-61, to 121; Ann deals."""
        self.keys("ENTER ENTER ENTER ENTER ENTER A")
