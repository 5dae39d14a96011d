"""The demonstration: two simulated players play a whole game with cards and pegs, with human errors and missed points.

Cards go to the host as commands, as from a phone. Pegs are moved on the simulated board, as by hand, and the host has
to read them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from random import Random
from typing import Protocol

from board_drivers.ports import Board
from board_drivers.simulated_hands import EVERYDAY, TIDY, Gesture, SimulatedHands
from firmware_host.board.course import START_HOLES
from firmware_host.board.peg_source import PegSource
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.game import commands as c
from firmware_host.game.state import Phase, Table
from firmware_host.host.loop import Host
from firmware_host.strategy.engine import Level, choose_card, choose_discard
from firmware_host.strategy.table_view import view_of

log = logging.getLogger(__name__)

NAMES = ("Rosa", "Bram")
LEVEL = Level.CLUB
"""How well both players play."""
OVERLOOKED_S = 2.0
"""How long nobody notices that points were missed: longer than the board lets a peg be corrected."""
MISSES = 0.12
"""Probability that a player pegs fewer points than are due."""
RETRY_S = 1.0
"""How often a fault is looked at again."""
PEG_TIMEOUT_S = 4.0
"""Limit for the host to read a peg move; it needs much less."""
STOP_S = 0.1
"""How often a wait for the host looks whether the demonstration is stopped."""
RESULT_S = 15.0
"""How long the result of a finished demonstration is shown."""


class MovablePegs(Board, Protocol):
    """A simulated board: its pegs are moved by calls. `sensor` is the index of the hole in a sensor frame."""

    def place_peg(self, sensor: int) -> None: ...
    def lift_peg(self, sensor: int) -> None: ...


class Demo:
    """Plays in a thread of its own between `start` and `stop`. The game of the players waits, and comes back unchanged.

    `wait` sleeps for a number of seconds and returns True to stop; tests pass one that advances a fake clock.
    """

    def __init__(self, host: Host, rules: RuleSet, random: Random, wait: Callable[[float], bool] | None = None) -> None:
        self._host = host
        self._rules = rules
        self._random = random
        self._is_demo = True
        self._misses = MISSES
        self._style = EVERYDAY
        self._stopping = threading.Event()
        self._wait = wait or self._stopping.wait
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """Whether the thread is alive."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Start the thread, unless it runs."""
        if self.is_running:
            return
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread, wait for it, and return to the game of the players."""
        self._stopping.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        try:
            self.play_game()
            self._pause(RESULT_S)
        except _Stopped:
            pass
        except (Refusal, LookupError) as error:  # a player used the board: leave it to them
            log.info("demonstration ended: %s", error)
        finally:
            self._leave()

    def _leave(self) -> None:
        """Return to the game of the players. Without effect if they started another one meanwhile."""
        try:
            self._host.leave_demo()
        except TimeoutError:  # the host is stopping
            log.info("the demonstration was not left")

    def play_game(self) -> None:
        """Play one game to its end, in the calling thread. Raises Refusal if a player interferes."""
        start = c.StartGame(self._rules, NAMES, self._host.plan.id, dealer=Seat(1), is_demo=True, pegs=PegSource.DRAWN)
        self._submit(start)
        self._hands = [self._hands_of(side) for side in range(2)]
        while self._table.winner is None:
            self._play_deal()

    def play_on(self) -> bool:
        """Play the game of the players that is on to its end, without errors. Returns whether that won it; False where
        there is no game, or where somebody else made a turn."""
        self._is_demo = False
        self._misses = 0.0
        self._style = TIDY
        try:
            self._rules = self._table.rules
            if self._table.dealer is None:
                self._submit(c.ChooseDealer(Seat(self._random.randrange(2))))
            self._hands = [self._hands_of(side) for side in range(2)]
            while self._table.winner is None:
                self._play_deal()
        except (_Stopped, Refusal, LookupError, TimeoutError) as error:
            log.info("the game was not played on: %s", error)
            return False
        return True

    def _play_deal(self) -> None:
        table = self._table
        assert table.dealer is not None
        pack = self._random.sample(PACK, len(PACK))
        for seat in self._rules.seats:
            dealt = tuple(pack.pop() for _ in range(self._rules.cards_dealt(seat, table.dealer)))
            self._submit(c.DealHand(seat, dealt))
            self._submit(c.DiscardCards(seat, choose_discard(view_of(self._table, seat), LEVEL, self._random)))
        self._submit_and_peg(c.CutStarter(pack.pop()), 1.5)
        while self._table.phase is Phase.PLAY and self._table.winner is None:
            self._play_card()
        while self._table.phase is Phase.SHOW and self._table.winner is None:
            self._submit_and_peg(c.CountHand(), 2.5)
        if self._table.winner is None:
            number = self._table.deal.number if self._table.deal else None
            self._submit_and_peg(c.NextDeal(number), 1.0)

    def _play_card(self) -> None:
        table = self._table
        assert table.deal and table.to_play is not None
        card = choose_card(view_of(table, table.to_play), LEVEL, self._random)
        assert card is not None, "the host says go by itself"
        self._submit_and_peg(c.PlayCard(card, table.to_play), 0.9)

    def _submit_and_peg(self, command: c.Command, pause_s: float) -> None:
        """Submit a command, pause so that it can be seen, and peg the points that are due."""
        self._submit(command)
        self._pause(pause_s)
        for side in range(2):
            if (owed := self._table.sides[side].owed) > 0 and self._table.winner is None:
                points = self._points_pegged(owed)
                self._move_pegs(side, points)
                self._pause(OVERLOOKED_S if points < owed else 0)

    def _submit(self, command: c.Command) -> None:
        """Wait until the board has no fault, then submit."""
        while self._host.snapshot.fault:
            self._pause(RETRY_S)
        self._host.submit(command)

    def _points_pegged(self, owed: int) -> int:
        """The points that are due, sometimes fewer, never none."""
        return owed - self._random.randint(1, owed - 1) if owed > 1 and self._random.random() < self._misses else owed

    def _move_pegs(self, side: int, points: int) -> None:
        hands = self._hands[side]
        self._perform(hands.turn(points))
        end = self._host.snapshot
        waited_s = 0.0
        while self._table.scores[side] != hands.score and waited_s < PEG_TIMEOUT_S:
            newer = self._host.wait_for_change(end.version, STOP_S)
            waited_s = waited_s + STOP_S if newer is end and not newer.fault else 0.0
            self._pause(0)
            end = newer

    def _perform(self, gestures: Iterable[Gesture]) -> None:
        board = self._board
        for after_s, sensor, is_down in gestures:
            self._pause(after_s)
            (board.place_peg if is_down else board.lift_peg)(sensor)

    def _pause(self, seconds: float) -> None:
        if self._wait(seconds):
            raise _Stopped

    @property
    def _table(self) -> Table:
        table = self._host.snapshot.table
        if table is None or table.is_demo is not self._is_demo:
            raise _Stopped
        return table

    @property
    def _board(self) -> MovablePegs:
        board = self._host.board
        assert hasattr(board, "place_peg"), "the demonstration needs a simulated board"
        return board  # type: ignore[return-value]

    def _hands_of(self, side: int) -> SimulatedHands:
        plan = self._host.plan
        target = self._rules.target
        course = plan.course(target)
        route = [plan.at(side, course.hole_of(score)).sensor for score in range(target + 1)]
        return SimulatedHands(self._random, self._style, route, plan.at(side, START_HOLES[0]).sensor, target)


class _Stopped(Exception):
    """`stop` was called, or another game than the one that is played is the current one."""
