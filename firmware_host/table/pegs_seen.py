"""What the board reports, held against what was due. An observation is never refused."""

from __future__ import annotations

from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.refusals import NotASeat
from firmware_host.table.state import Phase, Table
from firmware_host.table.unfolding import Unfolding


def pegs_seen(unfolding: Unfolding, seen: o.PegsSeen) -> None:
    """The front peg tells the score. Where points were due the table holds the leap against them; else it stands."""
    if unfolding.table.phase is Phase.OVER:
        return
    stands = not is_checked(unfolding.table, seen)
    event = e.PegLeapt if seen.is_leap else e.PegAdjusted
    unfolding.happen(event(seen.side, seen.pegs, stands))
    unfolding.find_winner()


def is_checked(table: Table, seen: o.PegsSeen) -> bool:
    """Whether the table knows what this side was due, so that it may say that the pegs are wrong."""
    if table.owed[seen.side] != 0:
        return True
    return table.is_followed if seen.is_leap else table.checked[seen.side]


def let_it_stand(unfolding: Unfolding, order: o.LetItStand) -> None:
    for side, owed in enumerate(unfolding.table.owed):
        if owed:
            unfolding.happen(e.PegsAllowed(side))
    unfolding.find_winner()


def correct_score(unfolding: Unfolding, order: o.CorrectScore) -> None:
    table = unfolding.table
    if not 0 <= order.side < len(table.pegs):
        raise NotASeat(f"a side from 0 to {len(table.pegs) - 1}", str(order.side))
    if not 0 <= order.score <= table.rules.target:
        raise NotASeat(f"a score from 0 to {table.rules.target}", str(order.score))
    unfolding.happen(e.ScoreCorrected(order.side, order.score, order.reason))
    unfolding.find_winner()
