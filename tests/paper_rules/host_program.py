"""The whole host on a simulated board, driven by the lines of a script. Pegs are lifted and put into holes."""

from __future__ import annotations

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.course import Hole, TrackPegs
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.game.state import Phase, Table
from firmware_host.host.loop import Host
from firmware_host.host.parts.offered_rulings import offered_rulings
from firmware_host.host.setup import HostSetup
from firmware_host.storage.journal import Journal
from tests.paper_rules.program import COMMANDS, start_of
from tests.paper_rules.script import Line, Setting

STEP_S = 0.1
TRAVEL_S, SETTLE_S = 0.3, 2.2
"""Seconds for which a peg is in a hand, and for which nobody touches the pegs after a move."""
REST_S = 5.0
"""A leap that was taken back may go on for as long as this; then nobody's points are missed."""
LONGEST_SETTLE_S = 5.0
"""A move whose correction would be misread is believed after a longer wait."""


class DoesNotFit(Exception):
    """There is no board for so many sides, or for this target."""


def plan_for(setting: Setting) -> BoardPlan:
    """A board with a track for each side: a lapped or a continuous one, by the dealer’s seat."""
    rules = start_of(setting).rules
    sides, is_lapped = len(rules.sides), rules.target == 181 or setting.dealer == 0
    if rules.captain or sides > 4 or (rules.target == 181 and sides > 2):
        raise DoesNotFit
    lapped = "corners-61" if any(setting.scores) else "classic-61"
    return load_plan(lapped if sides == 2 and is_lapped else f"continuous-121-{sides}")


class HostProgram:
    """A host that the script steps, with a clock that only the script advances."""

    has_sensors = True

    def __init__(self, setting: Setting) -> None:
        self._plan, self._now_s = plan_for(setting), 0.0
        setup = HostSetup((self._plan,), self._open_board, self._place_pegs)
        self._host = Host(setup, Journal.in_memory(), clock=lambda: self._now_s)
        start = start_of(setting, self._plan.id)
        self._course = self._plan.course(start.rules.target)
        self._host.execute(start)
        self._wait(SETTLE_S)
        self._standing = [self._course.holes_of(pegs) for pegs in self.table.pegs]
        """The holes of each side's rear and front peg."""

    def _open_board(self, plan: BoardPlan) -> SimulatedBoard:
        self._board = SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: self._now_s)
        return self._board

    def _place_pegs(self, board: Board, frame: SensorFrame) -> None:
        assert board is self._board
        self._board.set_pegs(frame)

    @property
    def table(self) -> Table:
        """The state of the game in the host's latest snapshot."""
        assert self._host.snapshot.table
        return self._host.snapshot.table

    def do(self, line: Line) -> str:
        """Does what the line says. Returns the kind of the refusal, or nothing."""
        if line[0] in ("leap", "slide", "pegs"):
            self._move(line[0], int(line[1]), [int(word) for word in line[2:]])
            self._give_penalties()
            return ""
        try:
            self._host.execute(COMMANDS[line[0]](*line[1:]))
        except Refusal as refusal:
            return refusal.kind
        finally:
            self._wait(STEP_S)
        if line[0] in ("undo", "redo"):
            while offered_rulings(self.table, ()):  # a penalty belongs to the line for which it was given
                self._host.execute(COMMANDS[line[0]]())
        if line[0] in ("undo", "redo", "correct"):
            self._put_pegs_where_the_game_has_them()
        else:
            self._give_penalties()
        return ""

    def _give_penalties(self) -> None:
        """The players give each penalty that the board offers for a move too far: sensors alone cost nobody a point."""
        for ruling in offered_rulings(self.table, ()):
            self._host.execute(ruling)
            self._wait(STEP_S)

    def _move(self, kind: str, side: int, numbers: list[int]) -> None:
        if self.table.phase is Phase.OVER:
            return
        pegs = self.table.sides[side].pegs
        rear, front = self._standing[side]
        if kind == "pegs":
            self._go_to(side, TrackPegs(numbers[1], numbers[0]))
            self._wait(REST_S)
        elif kind == "leap":
            goal = self._course.hole_of(pegs.front + numbers[0])
            self._carry(side, rear, goal)
            self._standing[side] = (front, goal)
        else:
            self._go_to(side, pegs.slid_to(min(pegs.front + numbers[0], self.table.sides[side].target)))
        self._wait_for_move()

    def _go_to(self, side: int, after: TrackPegs) -> None:
        """The pegs that stand wrong are moved, the front one first."""
        goals = list(self._course.holes_of(after))
        wrong = [hole for hole in reversed(self._standing[side]) if hole not in goals]
        free = [hole for hole in reversed(goals) if hole not in self._standing[side]]
        for hole, goal in zip(wrong, free, strict=True):
            self._carry(side, hole, goal)
            self._wait(SETTLE_S)
        self._standing[side] = (goals[0], goals[1])

    def _put_pegs_where_the_game_has_them(self) -> None:
        for side, pegs in enumerate(self.table.pegs):
            if set(self._standing[side]) != set(self._course.holes_of(pegs)):
                self._go_to(side, pegs)
        self._wait(SETTLE_S)

    def _carry(self, side: int, hole: Hole, goal: Hole) -> None:
        self._board.lift_peg(self._plan.at(side, hole).sensor)
        self._wait(TRAVEL_S)
        self._board.place_peg(self._plan.at(side, goal).sensor)

    def _wait_for_move(self) -> None:
        self._wait(SETTLE_S)
        waited_s = SETTLE_S
        while self._host.snapshot.pending and waited_s < LONGEST_SETTLE_S:
            self._wait(STEP_S)
            waited_s += STEP_S

    def _wait(self, seconds: float) -> None:
        end_s = self._now_s + seconds
        while self._now_s < end_s - 1e-9:
            self._now_s = min(self._now_s + STEP_S, end_s)
            self._host.step()
