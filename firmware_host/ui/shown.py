"""What may be shown of a game, computed once for each table. Lights, display, voice, page and telemetry all read it.

Which points are hidden is decided by `game/disclosure.py`.
"""

from __future__ import annotations

from msgspec import Struct

from firmware_host.board.course import TrackPegs
from firmware_host.game.disclosure import shown_table
from firmware_host.game.known_scores import is_questioned
from firmware_host.game.state import Table


class ShownSide(Struct, frozen=True):
    """One side, without the points that are hidden now."""

    name: str
    score: int
    """0 to the target."""
    pegs: TrackPegs
    goal: TrackPegs
    """Where the next move should bring the pegs; where they are, if there is none to make."""
    owed: int
    """Holes that the front peg has still to move; below zero: back."""
    is_astray: bool
    """Whether the side has to take back a move that was not due."""
    is_questioned: bool
    """Whether a person must confirm the peg in the game hole."""


class Shown(Struct, frozen=True):
    """A game as everybody may see it."""

    table: Table
    """Without the points that are hidden now."""
    whole: Table
    """With them: for what concerns no points."""
    sides: tuple[ShownSide, ...]

    @property
    def side_to_move(self) -> int | None:
        """The first side that owes a move, forward or back; None if there is none."""
        for number, side in enumerate(self.sides):
            if side.owed:
                return number
        return None


def shown_of(table: Table) -> Shown:
    """What may be shown of the table."""
    shown = shown_table(table)
    return Shown(shown, table, tuple([_side(shown, number) for number in range(len(shown.sides))]))


def _side(table: Table, number: int) -> ShownSide:
    side = table.sides[number]
    name = table.side_name(number)
    if side.is_at_rest:
        return ShownSide(name, side.score, side.pegs, side.pegs, 0, False, False)
    is_doubtful = is_questioned(table, number)
    return ShownSide(name, side.score, side.pegs, side.goal, side.owed, side.is_astray, is_doubtful)
