"""A game with its past, turn by turn, so that any turn can be undone and redone.

A turn is the events of one command or observation. A history is a fold over turns; the journal keeps only their events.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.game import commands as c
from firmware_host.game.decide import decide
from firmware_host.game.decision import Decided, Decision
from firmware_host.game.events import (
    DealBegan,
    Event,
    GameStarted,
    PackDealt,
    PackShuffled,
    PegLeapt,
    StarterCut,
    TurnRedone,
    TurnUndone,
)
from firmware_host.game.evidence import ENTERED, Evidence
from firmware_host.game.rule_errors import CardsWereSeen, MomentIsOver, NothingToRedo, NothingToUndo
from firmware_host.game.state import Table


class Turn(Struct, frozen=True):
    """The events of one turn, the table after them, and the turn before."""

    events: tuple[Event, ...]
    table: Table
    before: Turn | None
    number: int = 0
    """Counts all turns up to this one, from 1, those that undo or redo included: no two turns ever share a number."""

    @property
    def begins_deal(self) -> bool:
        """Whether a deal begins in this turn."""
        return any(isinstance(event, DealBegan) for event in self.events)

    @property
    def shows_cards(self) -> bool:
        """Whether the program shuffled, dealt or turned up cards: undone, they could be seen and drawn again."""
        return any(
            isinstance(event, PackShuffled | PackDealt) or (isinstance(event, StarterCut) and self.table.is_dealt)
            for event in self.events
        )


class History(Struct, frozen=True):
    """`last` is the latest turn that is not undone; `undone` are the turns that can be redone, the last one first."""

    last: Turn | None = None
    undone: tuple[Turn, ...] = ()
    count: int = 0
    """How many turns there were, those that undo or redo included. It never falls."""
    before: Table | None = None
    """The state before the latest turn, undo or redo; None before the first turn of a game."""

    @property
    def table(self) -> Table | None:
        """The state after `last`; None before the first game."""
        return self.last.table if self.last else None

    @property
    def latest_is_undo_or_redo(self) -> bool:
        """Whether the latest change was an undo or a redo, not a new turn."""
        return self.last is not None and self.last.number != self.count

    @property
    def latest_is_undo(self) -> bool:
        """Whether the latest change was an undo."""
        return self.latest_is_undo_or_redo and bool(self.undone) and self.before is self.undone[-1].table

    @property
    def can_undo(self) -> bool:
        """The first turn, which starts the game, cannot be undone, nor one that showed cards of a dealt pack."""
        return self.last is not None and self.last.before is not None and not self.last.shows_cards

    def turns_back(self) -> Iterator[Turn]:
        """The turns that are not undone, latest first."""
        turn = self.last
        while turn:
            yield turn
            turn = turn.before

    def turns_of_deal(self) -> Iterator[Turn]:
        """The turns of the current deal, latest first and the one in which it began last; all turns without a deal."""
        for turn in self.turns_back():
            yield turn
            if turn.begins_deal:
                return

    @property
    def turn_of_deal(self) -> int:
        """The number of the turn in which the current deal began; 0 without one."""
        return next((turn.number for turn in self.turns_back() if turn.begins_deal), 0)

    def decide(self, command: c.Command | c.Observation, evidence: Evidence = ENTERED) -> Decided:
        """As `decide` of the current table; Undo and Redo are decided here. Raises Refusal."""
        # Before `decide`, which takes no peg move after the game: a leap that won is taken back as well.
        if isinstance(command, c.Undo) or self._is_last_leap_taken_back(command):
            if self.last is None or self.last.before is None:
                raise NothingToUndo("a turn to undo", "none", fix="the game is at its beginning")
            if self.last.shows_cards:
                raise CardsWereSeen("a turn that showed no cards", "one that dealt some, or turned up the starter")
            return Decided((TurnUndone(),), self.last.before.table)
        if isinstance(command, c.Redo):
            if not self.undone:
                raise NothingToRedo("a turn to redo", "none", fix="nothing was undone")
            return Decided((TurnRedone(),), self.undone[-1].table)
        return decide(self.table, command, evidence)

    def check_moment(self, moment: int) -> None:
        """Raises MomentIsOver unless there were `moment` turns so far: a command that carries the number of the turns
        that its sender saw is carried out once, however often it arrives."""
        if moment != self.count:
            raise MomentIsOver(f"a command after turn {self.count}", f"one after turn {moment}", fix="look again")

    def after(self, decided: Decided) -> History:
        """The history with one more turn. `decided` comes from `decide` of this same history."""
        match decided.events:
            case () | (TurnUndone() | TurnRedone(),):
                return self.replay(decided.events)
            case events:
                before = None if starts(events) else self.last  # no undo leads back into the game before
                number = self.count + 1
                # Nothing is left to redo: what was undone does not follow from this turn.
                turn = Turn(events, decided.table, before, number)
                return History(turn, count=number, before=before.table if before else None)

    def replay(self, events: tuple[Event, ...]) -> History:
        """The history with one more turn that a journal kept: the table comes from applying its events again."""
        match events:
            case ():
                return self
            case (TurnUndone(),) if self.last is not None:
                return History(self.last.before, (*self.undone, self.last), self.count + 1, self.table)
            case (TurnRedone(),):
                redone = replace(self.undone[-1], before=self.last)
                return History(redone, self.undone[:-1], self.count + 1, self.table)
            case _:
                return self.after(Decided(events, fold(self.table, events)))

    def _is_last_leap_taken_back(self, command: c.Command | c.Observation) -> bool:
        """Whether the peg that leapt in the last turn returned to where it came from: that undoes the turn."""
        return (
            isinstance(command, c.PegsMoved)
            and command.is_taken_back
            and self.last is not None
            and not self._is_board_cleared(command)
            and any(isinstance(event, PegLeapt) and event.side == command.side for event in self.last.events)
        )

    def _is_board_cleared(self, command: c.PegsMoved) -> bool:
        """Whether the winning peg goes to the start: people put the pegs back for the next game. In a game that began
        with scores it may have leapt from there."""
        return self.table is not None and self.table.winner is not None and command.pegs.back == 0


def starts(events: tuple[Event, ...]) -> bool:
    """Whether these events of one turn start a new game."""
    return isinstance(events[0], GameStarted)


def fold(table: Table | None, events: tuple[Event, ...]) -> Table:
    """The table after the events. `table` None: the first event is GameStarted."""
    decision = Decision(table)
    for event in events:
        decision.apply(event)
    return decision.table
