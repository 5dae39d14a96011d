"""A game with its past: turn by turn, so that any turn can be taken back and brought again.

A turn is what followed from one order or observation. The chronicle is a fold over turns; the journal only has to keep
their events.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from firmware_host.table import orders as o
from firmware_host.table.decide import decide
from firmware_host.table.events import Event, GameStarted, PegLeapt, TurnRedone, TurnUndone
from firmware_host.table.refusals import NothingToRedo, NothingToUndo
from firmware_host.table.state import Table
from firmware_host.table.unfolding import Unfolding


@dataclass(frozen=True, slots=True)
class Turn:
    """The events of one turn, the table they led to, and the turn before."""

    events: tuple[Event, ...]
    table: Table
    before: Turn | None


@dataclass(frozen=True, slots=True)
class Chronicle:
    """`last` is the turn the game stands at; `undone` are the turns taken back, the latest first to be redone."""

    last: Turn | None = None
    undone: tuple[Turn, ...] = ()

    @property
    def table(self) -> Table | None:
        return self.last.table if self.last else None

    @property
    def can_undo(self) -> bool:
        return self.last is not None and self.last.before is not None

    def turns_back(self) -> Iterator[Turn]:
        """The turns that stand, latest first."""
        turn = self.last
        while turn:
            yield turn
            turn = turn.before

    def decide(self, order: o.Order | o.Observation) -> tuple[Event, ...]:
        """As `decide` on the table; undoing and redoing are decided here. Raises Refusal."""
        if isinstance(order, o.Undo) or self._is_last_leap_taken_back(order):
            if not self.can_undo:
                raise NothingToUndo("a turn to take back", "none", mend="the game stands at its beginning")
            return (TurnUndone(),)
        if isinstance(order, o.Redo):
            if not self.undone:
                raise NothingToRedo("a turn to bring back", "none", mend="nothing was undone")
            return (TurnRedone(),)
        return decide(self.table, order)

    def after(self, events: tuple[Event, ...]) -> Chronicle:
        """The chronicle once these events of one turn happened."""
        match events:
            case ():
                return self
            case (TurnUndone(),) if self.last is not None:
                return Chronicle(self.last.before, (*self.undone, self.last))
            case (TurnRedone(),):
                return Chronicle(replace(self.undone[-1], before=self.last), self.undone[:-1])
            case _:
                return Chronicle(Turn(events, fold(self.table, events), None if starts(events) else self.last))

    def _is_last_leap_taken_back(self, order: o.Order | o.Observation) -> bool:
        """The peg that made the last turn went back to where it came from: the plainest of all undos."""
        return (
            isinstance(order, o.PegsSeen)
            and order.is_taken_back
            and self.last is not None
            and any(isinstance(event, PegLeapt) and event.side == order.side for event in self.last.events)
        )


def starts(events: tuple[Event, ...]) -> bool:
    return isinstance(events[0], GameStarted)


def fold(table: Table | None, events: tuple[Event, ...]) -> Table:
    """The table after the events. The first of a game makes it."""
    unfolding = Unfolding(table)
    for event in events:
        unfolding.happen(event)
    return unfolding.table
