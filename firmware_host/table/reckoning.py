"""What a side has to move, has moved, and has missed: how each of it changes a table."""

from __future__ import annotations

from operator import attrgetter
from typing import TypeVar

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.options import MugginsMode, MugginsWindow
from firmware_host.table import events as e
from firmware_host.table.agreed import is_muggins
from firmware_host.table.state import Due, Miss, Phase, Table

T = TypeVar("T")


def with_item(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The same tuple but for one place."""
    return (*items[:index], item, *items[index + 1 :])


def earned(table: Table, side: int, due: Due) -> Table:
    """Only what is not beyond the game hole, and does not pay a debt, is left for the peg to move."""
    was, right = table.rightful[side], min(table.target(side), table.rightful[side] + due.points)
    due = due._replace(points=max(0, right) - max(0, was))
    dues, place = table.dues[side], len(table.dues[side])
    while place and dues[place - 1].rank > due.rank:
        place -= 1
    dues = (*dues[:place], due, *dues[place:])
    return table._replace(rightful=with_item(table.rightful, side, right), dues=with_item(table.dues, side, dues))


def awarded(table: Table, side: int, source: e.Source, points: int) -> Table:
    """Points by decision, not by cards."""
    return earned(table, side, Due(table.rules.sides[side][0], source, points))


def entitled(table: Table, side: int, points: int) -> Table:
    """Where a debt is agreed on, a side may have less than nothing: what it earns next pays that first."""
    right = min(table.target(side), table.rightful[side] + points)
    return table._replace(rightful=with_item(table.rightful, side, right))


def moved(table: Table, event: e.PegLeapt | e.PegAdjusted) -> Table:
    """The peg of a side went forward or back. It pays no more than is due, and takes back the excess first."""
    side, right = event.side, max(0, table.rightful[event.side])
    before, after = table.pegs[side].front, event.pegs.front
    if event.stands:
        table = settled(table, side, event.pegs)
    else:
        dues = _paid(table.dues[side], min(after, right) - min(before, right))
        excess = min(table.overran[side], max(0, after - right))
        table = table._replace(
            pegs=with_item(table.pegs, side, event.pegs),
            dues=with_item(table.dues, side, dues),
            checked=with_item(table.checked, side, True),
            overran=with_item(table.overran, side, excess),
        )
    return _went_forward(table, side) if after > before else table


def settled(table: Table, side: int, pegs: TrackPegs) -> Table:
    """The pegs are right as they stand, by themselves: nothing that was due before counts."""
    return table._replace(
        pegs=with_item(table.pegs, side, pegs),
        rightful=with_item(table.rightful, side, pegs.front),
        checked=with_item(table.checked, side, False),
        dues=with_item(table.dues, side, ()),
        overran=with_item(table.overran, side, 0),
    )


def named(table: Table, event: e.PointsMissed) -> Table:
    """The points may still be pegged."""
    dues = [due._replace(is_named=True) if due.is_of(event) else due for due in table.dues[event.side]]
    return table._replace(dues=with_item(table.dues, event.side, tuple(sorted(dues, key=attrgetter("rank")))))


def lost(table: Table, event: e.PointsMissed) -> Table:
    """The points are due no more, and may be open to a claim."""
    side = event.side
    dues = tuple(due._replace(points=due.moved) if due.is_of(event) else due for due in table.dues[side])
    table = entitled(table._replace(dues=with_item(table.dues, side, dues)), side, -event.points)
    if table.rules.muggins_mode is not MugginsMode.CLAIM or not is_muggins(table.rules, event.source):
        return table
    claimers = tuple(other for other in range(len(table.pegs)) if other != side)
    return table._replace(misses=(*table.misses, Miss(side, event.source, event.points, claimers)))


def claimed_no_more(table: Table, source: e.Source, *, by: int | None = None, of: int | None = None) -> Table:
    """Closes what was missed of this source: to one claimer, or of one misser, or to and of everybody."""
    open_still = []
    for miss in table.misses:
        claimers = tuple(side for side in miss.claimers if by is not None and side != by)
        if miss.source is not source or (of is not None and miss.side != of):
            open_still.append(miss)
        elif claimers:
            open_still.append(miss._replace(claimers=claimers))
    return table._replace(misses=tuple(open_still)) if table.misses else table


def _paid(dues: tuple[Due, ...], points: int) -> tuple[Due, ...]:
    """A peg that goes forward pays in order; one that goes back takes from what was paid last."""
    paid, onward = list[Due](), 1 if points > 0 else -1
    for due in dues[::onward]:
        step = max(-due.moved, min(due.left, points))
        points -= step
        paid.append(due._replace(moved=due.moved + step) if step else due)
    return tuple(paid[::onward])


def _went_forward(table: Table, scorer: int) -> Table:
    """A later score ends the time to claim (ACC rule 10.4): in the play the misser's own, or the pone's hand; in the
    show the claimer's own. So a dealer who hurries from hand to crib closes nothing on the hand."""
    table = table._replace(last_to_move=scorer) if table.last_to_move != scorer else table
    if not table.misses:
        return table
    pone = table.rules.side_of(table.rules.pone(table.deal.dealer)) if table.deal else None
    if table.phase is not Phase.PLAY:
        table = claimed_no_more(table, e.Source.SHOW, by=scorer)
        if scorer == pone:
            return claimed_no_more(table, e.Source.PLAY)
    if table.rules.muggins_window is MugginsWindow.ACC:
        return claimed_no_more(table, e.Source.PLAY, of=scorer)
    return table
