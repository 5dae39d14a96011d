"""The turns of the seats that the program plays: who takes a turn back takes back what the program answered, too."""

from __future__ import annotations

from firmware_host.game import events as e
from firmware_host.game.history import Turn

BY_SEAT = (e.CardsDiscarded, e.BidMade, e.CardPlayed, e.GoSaid, e.HandCounted, e.CountSkipped)
"""Events that tell which seat acted. The first one of a turn is the act itself: what follows from it comes later."""


def is_programs(turn: Turn) -> bool:
    """Whether the program took the turn, or the pegs of its side were moved."""
    table = turn.table
    for event in turn.events:
        if isinstance(event, BY_SEAT):
            return event.seat in table.opponents
        if isinstance(event, e.PegLeapt | e.PegAdjusted):
            return table.is_programs(event.side)
    return False
