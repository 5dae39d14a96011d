"""Points that were due and not taken: who may take them, and when it is too late to peg them."""

from __future__ import annotations

from firmware_host.cribbage.options import MugginsMode
from firmware_host.table import events as e
from firmware_host.table.unfolding import Unfolding

TAKEN = {e.Source.PLAY, e.Source.SHOW}
"""Muggins is underpegging of play and show only: never heels, penalties or muggins itself (ACC rule 10.2)."""


def forfeit(unfolding: Unfolding, but: int | None = None) -> None:
    """The game goes on: with automatic muggins, points not pegged by now go to the other side.

    `but` is the side that acts itself: its own next card does not yet forfeit what it has still to peg.
    """
    if unfolding.table.rules.muggins_mode is MugginsMode.AUTOMATIC:
        for side in range(len(unfolding.table.pegs)):
            if side != but:
                take(unfolding, side)


def take(unfolding: Unfolding, side: int) -> None:
    """What `side` overlooked goes to the side on its left; the target is tested at once."""
    missed = miss(unfolding, side, only=TAKEN)
    if missed:
        taker = (side + 1) % len(unfolding.table.pegs)
        unfolding.happen(e.MugginsTaken(taker, side, missed))
        unfolding.move_own_pegs()


def write_off(unfolding: Unfolding) -> None:
    """The cards are gathered: what was never pegged is due no more."""
    for side in range(len(unfolding.table.pegs)):
        miss(unfolding, side, only=set(e.Source))


def miss(unfolding: Unfolding, side: int, only: set[e.Source]) -> int:
    """Record the outstanding points of these sources as missed; how many they were."""
    total, owed = 0, unfolding.table.owed[side]
    for due in unfolding.table.outstanding(side):
        points = min(due.points, owed - total)
        if due.source in only and points > 0:
            unfolding.happen(e.PointsMissed(side, due.seat, due.source, points, due.scores))
            total += points
    return total
