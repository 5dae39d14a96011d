"""A demonstration: two simulated people play a whole game with cards and pegs, untidily, and miss a point now and then.

They use the board as anybody would: cards are told to the host, pegs are moved by hands on the simulated board.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random
from typing import Protocol

from board_drivers.hands import EVERYDAY, Gesture, Hands
from board_drivers.ports import Board
from firmware_host.board.course import START_HOLES
from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.series import layable, points_for
from firmware_host.cribbage.totals import show_total
from firmware_host.faults import HostFault
from firmware_host.host import Host
from firmware_host.table import orders as o
from firmware_host.table.state import Phase, Table

log = logging.getLogger(__name__)

NAMES = ("Rosa", "Bram")
MISSES = 0.12
"""The share of leaps that fall short."""
AGAIN_S = 1.0
PEGS_S = 4.0
"""How long the board may take to follow a leap; far more than it needs."""


class GameUnderWay(Refusal):
    """A demonstration would push the people's own game aside."""

    kind = "game_under_way"
    sentence = "Finish your own game first"


class Pegs(Board, Protocol):
    """A board whose pegs can be moved by a call."""

    def place_peg(self, sensor: int) -> None: ...
    def lift_peg(self, sensor: int) -> None: ...


class Demo:
    """Plays by itself between `start` and `stop`. `wait` lets seconds pass, and says whether to stop meanwhile."""

    def __init__(self, host: Host, rules: RuleSet, random: Random, wait: Callable[[float], bool] | None = None) -> None:
        self._host, self._rules, self._random = host, rules, random
        self._stopping = threading.Event()
        self._wait = wait or self._stopping.wait
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Raises GameUnderWay while people have a game of their own on the board."""
        if self.is_running:
            return
        table = self._host.snapshot.table
        if table and not table.is_demo and table.phase is not Phase.OVER:
            raise GameUnderWay("no game under way", "a game of your own", mend="finish it first")
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        try:
            self.play_game()
        except _Stopped:
            pass
        except (Refusal, KeyError) as odd:  # somebody joined in; it is their board now
            log.info("the demonstration ends: %s", odd)

    def play_game(self) -> None:
        start = o.StartGame(self._rules, NAMES, self._host.plan.id, dealer=Seat(1), is_demo=True)
        self._order(start)
        self._hands = [self._hands_of(side) for side in range(2)]
        while self._table.winner is None:
            self._play_deal()

    def _play_deal(self) -> None:
        table = self._table
        assert table.dealer is not None
        pack = self._random.sample(PACK, len(PACK))
        for seat in self._rules.seats:
            dealt = tuple(pack.pop() for _ in range(self._rules.cards_dealt(seat, table.dealer)))
            self._order(o.DealHand(seat, dealt))
            self._order(o.LayAway(seat, self._worst_of(dealt)))
        self._then(o.CutStarter(pack.pop()), 1.5)
        while self._table.phase is Phase.PLAY and self._table.winner is None:
            self._play_card()
        while self._table.phase is Phase.SHOW and self._table.winner is None:
            self._then(o.CountNext(), 2.5)
        if self._table.winner is None:
            self._then(o.GatherCards(), 1.0)

    def _play_card(self) -> None:
        table = self._table
        assert table.deal and table.deal.play and table.to_play is not None
        play = table.deal.play
        cards = layable(table.deal.in_hand(table.to_play), play.count)
        best = max(cards, key=lambda card: (points_for((*play.cards, card)), play.count + card.pips != 21, card.pips))
        self._then(o.PlayCard(best, table.to_play), 0.9)

    def _worst_of(self, dealt: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards to lay away: those whose loss leaves the best hand over all starters."""
        rest = [card for card in PACK if card not in dealt]

        def kept_worth(away: tuple[Card, ...]) -> int:
            kept = [card for card in dealt if card not in away]
            return sum(show_total(kept, starter) for starter in rest)

        return max(combinations(dealt, len(dealt) - self._rules.hand_size), key=kept_worth)

    def _then(self, order: o.Order, pause_s: float) -> None:
        """Give the order, let everybody see it, and move the pegs that are due."""
        self._order(order)
        self._rest(pause_s)
        for side in range(2):
            if (owed := self._table.owed[side]) > 0 and self._table.winner is None:
                self._move(side, self._remembered(owed))

    def _order(self, order: o.Order) -> None:
        """Once the board can follow; and again while it cannot be saved, as people do."""
        while True:
            while self._host.snapshot.trouble:
                self._rest(AGAIN_S)
            try:
                self._host.submit(order)
                return
            except HostFault:
                self._rest(AGAIN_S)

    def _remembered(self, owed: int) -> int:
        """People forget a point now and then, never all of them."""
        return owed - self._random.randint(1, owed - 1) if owed > 1 and self._random.random() < MISSES else owed

    def _move(self, side: int, points: int) -> None:
        hands = self._hands[side]
        self._gesture(hands.turn(points))
        wanted = hands.score
        end = self._host.snapshot
        while end.table and end.table.scores[side] != wanted and not self._stopping.is_set():
            newer = self._host.wait_for_news(end.version, PEGS_S)
            if newer is end and not newer.trouble:
                break
            end = newer

    def _gesture(self, gestures: Iterable[Gesture]) -> None:
        board = self._board
        for after_s, sensor, is_down in gestures:
            self._rest(after_s)
            (board.place_peg if is_down else board.lift_peg)(sensor)

    def _rest(self, seconds: float) -> None:
        if self._wait(seconds):
            raise _Stopped

    @property
    def _table(self) -> Table:
        table = self._host.snapshot.table
        if table is None or not table.is_demo:
            raise _Stopped
        return table

    @property
    def _board(self) -> Pegs:
        board = self._host.board
        assert hasattr(board, "place_peg"), "a demonstration needs a simulated board"
        return board  # type: ignore[return-value]

    def _hands_of(self, side: int) -> Hands:
        plan, target = self._host.plan, self._rules.target
        course = plan.course(target)
        route = [plan.at(side, course.hole_of(score)).sensor for score in range(target + 1)]
        return Hands(self._random, EVERYDAY, route, plan.at(side, START_HOLES[0]).sensor, target)


class _Stopped(Exception):
    """Somebody has seen enough."""
