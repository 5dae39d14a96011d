"""What may be shown of points that nobody has pegged yet. Display, lights, sounds, voice and pages all ask here.

Everybody sees the same, the player who earned the points as well as the others:

| muggins          | points due, not pegged | missed                          | missed, and lost                    |
|------------------|------------------------|---------------------------------|-------------------------------------|
| off              | shown                  | not announced; shown until pegged | at the next deal, which loses them |
| off, ACC pegging | shown                  | -                               | never announced                     |
| coach            | shown                  | announced; shown until pegged   | announced                           |
| claim (in scope) | hidden                 | hidden                          | when claimed, or when claims end    |
| automatic        | shown                  | -                               | at once: the opponent has them      |

"Shown" means as far as the referee mode shows points at all. With claims, whoever shows the points due plays the game
for their owner: nobody would miss any. So they stay hidden, and the count of the hand with them, until they are pegged
in full, or nobody can claim them any more. Then `closed_misses` says what was missed, and who took it. Points outside
the scope of muggins, and those that nobody can miss (penalties, muggins, heels), are shown as without muggins.

With muggins off nobody is told that points were missed. But nothing is gained by hiding them: they stay on page,
display and lights until they are pegged, or until the next deal begins without them, which the log then says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage.options import MugginsMode
from firmware_host.cribbage.rules import RuleSet
from firmware_host.game import events as e
from firmware_host.game.due_points import Due, Miss
from firmware_host.game.dues import claimed_misses
from firmware_host.game.forfeits import goes_to_opponent, is_lost_when_missed
from firmware_host.game.state import Phase, Table


class ClosedMiss(Struct, frozen=True):
    """Points that a side lost, and that nobody can claim any more."""

    miss: Miss
    taken_by: int | None
    """The side that claimed them; None: nobody did."""


def shown_table(table: Table) -> Table:
    """The table as lights, display and pages may show it: without the points that are hidden now."""
    if table.rules.muggins_mode is not MugginsMode.CLAIM or table.phase is Phase.OVER:
        return table  # nothing can be claimed
    for number, side in enumerate(table.sides):
        hidden = sum(due.left for due in side.outstanding if not is_due_shown(table, due))
        if hidden:
            # Off the goal as well as off the list, or `owed` and the lights would tell of them.
            dues = tuple(due for due in side.dues if is_due_shown(table, due))
            table = table.with_side(number, replace(side, rightful=side.rightful - hidden, dues=dues))
    return table


def shown_owed(table: Table, side: int) -> int:
    """Holes that the side has still to move as far as they may be shown; below zero: holes to move back."""
    return shown_table(table).sides[side].owed


def is_due_shown(table: Table, due: Due) -> bool:
    """Whether points that are not pegged yet may be shown."""
    return not is_claimable(table, due.source)


def is_shown(event: e.Event, table: Table) -> bool:
    """Whether the event may be announced, or shown with its points. `table` is the game as it is now.

    An event that is hidden now may be shown later. PointsMissed of a claim never is: `closed_misses` takes its place.
    """
    match event:
        case e.PointsMissed():
            if table.rules.muggins_mode is MugginsMode.OFF:
                # Only the loss at the next deal: by ACC rules nobody tells players what they missed.
                return event.is_lost and not is_lost_when_missed(table.rules, event.source)
            return not (event.is_lost and can_be_claimed(table.rules, event.source))
        case e.PointsDue():
            return not is_secret(event, table)
        case e.HandCounted():
            return not is_count_secret(event, table)
        case _:
            return True


def is_secret(event: e.PointsDue, table: Table) -> bool:
    """Whether these points are hidden now: they are not pegged in full, or may still be claimed."""
    if not is_claimable(table, event.source):
        return False
    is_unpegged = any(due.left and due.is_of(event) for due in table.sides[event.side].outstanding)
    return is_unpegged or any(miss.is_of(event) for miss in table.misses if miss.side == event.side)


def is_count_secret(event: e.HandCounted, table: Table) -> bool:
    """Whether the count of a hand is hidden now. A hand of nothing hides its count until the next hand is counted, for
    else its count would tell it from the others."""
    if not is_claimable(table, e.Source.SHOW):
        return False
    if not event.points:
        return table.last_count == event
    side = table.rules.side_of(event.seat)
    unpegged = any(due.left and is_for(due, event) for due in table.sides[side].outstanding)
    return unpegged or any(is_for(miss, event) for miss in table.misses)


def is_for(points: Due | Miss, event: e.HandCounted) -> bool:
    """Whether these points are those of this hand or crib."""
    total = sum(score.points for score in points.scores)
    return (points.source, points.seat, total) == (e.Source.SHOW, event.seat, event.points)


def is_claimable(table: Table, source: e.Source) -> bool:
    """Whether missed points of this source can be claimed in this game, and it is not over."""
    return table.phase is not Phase.OVER and can_be_claimed(table.rules, source)


def can_be_claimed(rules: RuleSet, source: e.Source) -> bool:
    """Whether opponents may claim missed points of this source by these rules."""
    return rules.muggins_mode is MugginsMode.CLAIM and goes_to_opponent(rules, source)


def closed_misses(before: Table | None, events: Iterable[e.Event], after: Table) -> Iterator[ClosedMiss]:
    """The missed points for which these events of one turn ended the time to claim, oldest first, and who took them."""
    events = tuple(events)
    missed = before.misses if before else ()
    # Missed and taken in one turn: such points are in the misses of neither table.
    missed += tuple(
        Miss(event.side, event.seat, event.source, event.points, event.scores, ())
        for event in events
        if isinstance(event, e.PointsMissed) and event.is_lost and can_be_claimed(after.rules, event.source)
    )
    if not missed:
        return
    taken: dict[Miss, int] = {}
    for event in events:
        if isinstance(event, e.MugginsTaken):
            of_side = [miss for miss in missed if miss.side == event.missed_by and miss not in taken]
            # Those missed in this turn name no claimers yet.
            of_side = [miss for miss in of_side if not miss.claimers or event.side in miss.claimers]
            taken |= dict.fromkeys(claimed_misses(of_side, event.points), event.side)
    # Without claimers, because a miss stays open as long as one side may claim it, though another no longer does.
    is_open = set() if after.phase is Phase.OVER else {replace(miss, claimers=()) for miss in after.misses}
    for miss in missed:
        if miss in taken or replace(miss, claimers=()) not in is_open:
            yield ClosedMiss(miss, taken.get(miss))
