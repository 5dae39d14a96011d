"""Plays the seats of the program, on a thread of its own: it thinks without keeping the host waiting.

It follows snapshots, and commands as a phone does. It is never quicker than the pace of the settings, and looks at the
table again before it acts: people may have undone a turn meanwhile. Where pegs are drawn it moves its own; where they
are real, people move them for it, and it waits for that.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from random import Random
from time import monotonic
from typing import Protocol

from board_drivers.ports import Board
from firmware_host.board.course import Hole, TrackPegs
from firmware_host.cribbage.options import MugginsMode
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.game import commands as c
from firmware_host.game.history import Turn
from firmware_host.game.side import Mover
from firmware_host.game.state import Table
from firmware_host.host.loop import Host
from firmware_host.host.snapshot import Snapshot
from firmware_host.opponent.next_act import Act, Pace, next_act, people_owe, points_taken, side_to_peg
from firmware_host.strategy.engine import Depth
from firmware_host.ui.keys.input_state import ForOpponent

log = logging.getLogger(__name__)

LOOK_S = 0.5
"""How often it looks again while nothing changes."""
PEG_TIMEOUT_S = 3.0
"""Limit for the host to read a peg move; it needs much less."""
PATIENCE = 5.0
"""How long it waits for people to peg points that they may miss, as a multiple of the pace."""


class DrawnPegs(Board, Protocol):
    """A board whose pegs are drawn: they are moved by calls. `sensor` is the index of the hole in a sensor frame."""

    def place_peg(self, sensor: int) -> None: ...
    def lift_peg(self, sensor: int) -> None: ...


class Opponent:
    """The seats of the program in the game that is on. `wait` sleeps for a number of seconds and returns True to stop;
    tests pass one that advances a fake clock, and the `clock` with it."""

    def __init__(
        self,
        host: Host,
        random: Random,
        wait: Callable[[float], bool] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._host = host
        self._random = random
        self._stopping = threading.Event()
        self._wait = wait or self._stopping.wait
        self._clock = clock
        self._depth = Depth()
        self._waits_since: tuple[Turn | None, float] = (None, 0.0)
        """The turn after which people have points to peg, and when it was seen."""
        self._moved_s = -PEG_TIMEOUT_S
        """When it moved pegs last; they are not read at once."""
        self._done: Turn | None = None
        """The turn after which the program tried all that it could."""

    def stop(self) -> None:
        """End `run` soon."""
        self._stopping.set()

    def run(self) -> None:
        """Play until the game has no seat of the program any more, or `stop` is called."""
        version = -1
        while not self._stopping.is_set():
            snapshot = self._host.wait_for_change(version, LOOK_S)
            if snapshot.table is None or not snapshot.table.opponents:
                return
            version = snapshot.version
            try:
                self.act(snapshot)
            except (Refusal, HostError, TimeoutError, LookupError) as error:
                self._done = snapshot.history.last
                log.info("the program's player waits: %s", error)

    def act(self, snapshot: Snapshot) -> None:
        """One act, if the program has one. Raises Refusal, HostError, TimeoutError, or LookupError for a peg that is
        not where it should be."""
        table = snapshot.table
        if table is None or snapshot.fault or snapshot.pending or snapshot.wizard or table.winner is not None:
            return
        if snapshot.history.last is self._done or table.is_demo:
            return
        if self._puts_back(snapshot, table):
            return
        if (side := side_to_peg(table)) is not None:
            self._peg(snapshot, table, side)
            return
        if people_owe(table) and self._is_patient(snapshot, table):
            return
        began_s = self._clock()
        act = next_act(table, self._random, self._depth.hands)
        if act is not None and isinstance(act.command, c.PlayCard):
            self._depth.took(self._clock() - began_s)
        if act is not None and self._pause(snapshot, act.pace, began_s):
            self._submit(act, snapshot)

    def _puts_back(self, snapshot: Snapshot, table: Table) -> bool:
        """Puts drawn pegs of its side back where the table has them, after a turn was undone. Whether it did."""
        board = self._host.board
        if not hasattr(board, "place_peg") or self._clock() - self._moved_s < PEG_TIMEOUT_S:
            return False
        course = self._host.plan.course(table.rules.target)
        for side in range(min(table.sides_on_board, len(snapshot.occupied))):
            right = set(course.holes_of(table.sides[side].pegs))
            if table.is_programs(side) and snapshot.occupied[side] != right:
                self._exchange(board, side, snapshot.occupied[side], right)  # type: ignore[arg-type]
                return True
        return False

    def _is_patient(self, snapshot: Snapshot, table: Table) -> bool:
        """Whether it still waits for people to peg. Where nobody can claim their points it always does."""
        if table.rules.muggins_mode not in (MugginsMode.CLAIM, MugginsMode.AUTOMATIC):
            return True
        turn, since_s = self._waits_since
        if turn is not snapshot.history.last:
            self._waits_since = (snapshot.history.last, self._clock())
            return True
        return self._clock() - since_s < PATIENCE * self._pace_s

    def _peg(self, snapshot: Snapshot, table: Table, side: int) -> None:
        """Moves the points of its side, or waits until people have moved them."""
        if table.mover(side) is Mover.ENTRY:
            if self._pause(snapshot, Pace.PEG, self._clock()):
                self._submit(Act(c.EnterPoints(side, points_taken(table, side, self._random))), snapshot)
            return
        board = self._host.board
        if not hasattr(board, "place_peg") or not self._pause(snapshot, Pace.PEG, self._clock()):
            return
        state = table.sides[side]
        goal = state.goal
        if (points := points_taken(table, side, self._random)) < state.owed:
            goal = state.pegs.leapt_to(state.pegs.front + points)
        self._move_pegs(board, side, state.pegs, goal)  # type: ignore[arg-type]
        self._wait_for_pegs(snapshot, side)

    def _wait_for_pegs(self, before: Snapshot, side: int) -> None:
        """Until the host has read the pegs of the side, or PEG_TIMEOUT_S have passed."""
        assert before.table is not None
        pegs = before.table.sides[side].pegs
        end_s = self._clock() + PEG_TIMEOUT_S
        now = before
        while self._clock() < end_s and not self._stopping.is_set():
            now = self._host.wait_for_change(now.version, LOOK_S)
            if now.table is None or len(now.table.sides) <= side or now.table.sides[side].pegs != pegs:
                return

    def _move_pegs(self, board: DrawnPegs, side: int, before: TrackPegs, after: TrackPegs) -> None:
        course = self._host.plan.course(self._target)
        self._exchange(board, side, set(course.holes_of(before)), set(course.holes_of(after)))

    def _exchange(self, board: DrawnPegs, side: int, origin: AbstractSet[Hole], goal: AbstractSet[Hole]) -> None:
        """Lifts the pegs from holes that they leave, and puts them into the others."""
        self._moved_s = self._clock()
        for hole in origin - goal:
            board.lift_peg(self._host.plan.at(side, hole).sensor)
        self._wait(Pace.PEG.value * self._pace_s)
        for hole in goal - origin:
            board.place_peg(self._host.plan.at(side, hole).sensor)

    def _pause(self, snapshot: Snapshot, pace: Pace, began_s: float) -> bool:
        """Waits for what is left of the pace since `began_s`. Whether the table is still the same."""
        left_s = pace.value * self._pace_s - (self._clock() - began_s)
        if left_s > 0 and self._wait(left_s):
            return False
        return self._host.snapshot.history.last is snapshot.history.last and not self._stopping.is_set()

    def _submit(self, act: Act, snapshot: Snapshot) -> None:
        self._host.submit(ForOpponent(act.command), snapshot.history.count)

    @property
    def _pace_s(self) -> float:
        return self._host.setup.opponent_pace_s

    @property
    def _target(self) -> int:
        table = self._host.snapshot.table
        assert table is not None
        return table.rules.target
