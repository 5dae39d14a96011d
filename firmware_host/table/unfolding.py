"""What follows from one order, step by step: each event is seen by the next decision.

The game ends at once, in any phase: after every step that scores, the target is tested, and nothing later counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score
from firmware_host.table import events as e
from firmware_host.table.evolve import begin, evolve
from firmware_host.table.state import Table


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
            self.happen(e.PointsDue(self.table.rules.side_of(seat), seat, source, scores))
            self.move_own_pegs()

    def move_own_pegs(self) -> None:
        """The table moves the pegs that are not on the board, and looks for a winner."""
        for side, owed in enumerate(self.table.owed):
            if owed > 0 and not self.table.is_moved_by_hand(side):
                pegs = self.table.pegs[side].leapt_to(self.table.rightful[side])
                self.happen(e.PegLeapt(side, pegs, stands=False))
        self.find_winner()

    def find_winner(self) -> None:
        side = self.table.going_out
        if side is not None and self.table.winner is None and self.table.owed[side] == 0:
            self.happen(e.GameWon(side))
