"""What follows from one order, step by step: each event is seen by the next decision.

The game ends at once, in any phase: after every step that scores, the target is tested, and nothing later counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score
from firmware_host.table import events as e
from firmware_host.table.evolve import begin, evolve
from firmware_host.table.state import Mover, Table


class Unfolding:
    """A table and the events that brought it there. Lives for the length of one decision."""

    def __init__(self, table: Table | None) -> None:
        self._table = table
        self.events: list[e.Event] = []

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    def happen(self, event: e.Event) -> None:
        self._table = begin(event) if isinstance(event, e.GameStarted) else evolve(event, self.table)
        self.events.append(event)

    @property
    def is_decided(self) -> bool:
        """A side has the points for the game hole: nothing later counts."""
        return self.table.going_out is not None

    def score(self, seat: Seat, source: e.Source, scores: Iterable[Score]) -> None:
        """One step of scoring; a step without points, or after the game, is no step."""
        scores = tuple(scores)
        if scores and not self.is_decided:
            side = self.table.rules.side_of(seat)
            self.happen(e.PointsDue(side, seat, source, scores))
            if self.table.mover(side) is Mover.TABLE:
                self.leap_to_rightful(side)
            self.find_winner()

    def award(self, event: e.MugginsTaken | e.PenaltyGiven | e.PegsSetBack | e.CribSold, side: int) -> None:
        """Points that are given or taken by decision: where no hand moves the pegs, they move at once."""
        before = self.table.rightful[side]
        self.happen(event)
        change = self.table.rightful[side] - before
        if self.table.mover(side) is not Mover.HAND:
            pegs = self.table.pegs[side]
            if change > 0:
                self.happen(e.PegLeapt(side, pegs.leapt_to(pegs.front + change), stands=False))
            elif change < 0:
                self.happen(e.PegAdjusted(side, pegs.slid_to(pegs.front + change), stands=False))
        self.find_winner()

    def leap_to_rightful(self, side: int) -> None:
        if self.table.owed[side] > 0:
            pegs = self.table.pegs[side].leapt_to(self.table.rightful[side])
            self.happen(e.PegLeapt(side, pegs, stands=False))

    def find_winner(self) -> None:
        """Whoever stands in the game hole has won; in lowball that side has lost, and the last one has won."""
        table = self.table
        side = table.going_out
        if side is None or table.winner is not None or table.owed[side] != 0:
            return
        if table.rules.lowball:
            others = [other for other in range(len(table.pegs)) if other != side]
            side = min(others, key=lambda other: table.scores[other])
        self.happen(e.GameWon(side))
