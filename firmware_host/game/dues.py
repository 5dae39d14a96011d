"""How points that are due, moved, missed or claimed change a table. Each function returns the table after it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from operator import attrgetter
from typing import TypeVar

from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.options import MugginsMode
from firmware_host.game import events as e
from firmware_host.game.forfeits import goes_to_opponent
from firmware_host.game.state import Due, Miss, Phase, Table

T = TypeVar("T")

AWARDS = {e.Source.MUGGINS, e.Source.PENALTY}
"""Points that a rule gives, not cards."""


def with_item(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The tuple with one item replaced."""
    if items[index] is item:
        return items
    return (*items[:index], item, *items[index + 1 :])


def add_due(table: Table, side: int, due: Due) -> Table:
    """Adds points for the side to move. Points that settle a debt leave nothing to move."""
    points = due.points
    debt = max(0, -table.rightful[side])
    dues = table.dues[side]
    place = len(table.dues[side])
    rank = due.rank
    while place and dues[place - 1].rank > rank:
        place -= 1
    unpaid = replace(due, points=max(0, points - debt)) if debt else due
    return _with_rightful(table, side, points, (*dues[:place], unpaid, *dues[place:]))


def add_award(table: Table, side: int, source: e.Source, points: int) -> Table:
    """Adds points that a rule gives, not cards: muggins or a penalty."""
    moves_itself = not table.is_moved_by_hand(side)
    return add_due(table, side, Due(table.rules.sides[side][0], source, points, moves_itself=moves_itself))


def change_rightful(table: Table, side: int, points: int) -> Table:
    """Moves the hole where the front peg should stand. With `auction_debt=debt` it may be below zero.

    A price or a penalty takes points that are due first, and points that are due take away from an excess.
    """
    return _with_rightful(table, side, points, table.dues[side])


def _with_rightful(table: Table, side: int, points: int, dues: tuple[Due, ...]) -> Table:
    """As `change_rightful`, for a side whose dues change at the same time."""
    earned = table.rightful[side] + table.surplus[side] + points
    right = min(table.target(side), earned)
    settled = _settled(table, side, table.pegs[side], right)
    unmoved = sum([due.points - due.moved for due in dues])
    if (taken := unmoved - _unsettled(settled, right, earned - right)) > 0:
        dues = _without(dues, taken)
    return replace(
        table,
        rightful=with_item(table.rightful, side, right),
        surplus=with_item(table.surplus, side, earned - right),
        settled=with_item(table.settled, side, settled),
        dues=with_item(table.dues, side, dues),
    )


def move_pegs(table: Table, event: e.PegLeapt | e.PegAdjusted) -> Table:
    """Applies a peg move, forward or back. It settles no more than is due; a move back reduces the excess, and leaves
    what was settled before as it is."""
    side = event.side
    before = table.pegs[event.side].front
    after = event.pegs.front
    if event.stands and after > before:
        believed = e.Source.PLAY if table.phase is Phase.PLAY else e.Source.SHOW
        return _close_claims_after(replace(set_score(table, side, event.pegs), last_to_move=side), side, (believed,))
    if event.stands:
        return _lower_score(table, side, event.pegs)
    was_settled = table.settled[side]
    right = max(0, table.rightful[side])
    lost = max(0, was_settled.front - before) if isinstance(event, e.PegLeapt) else 0
    settled = _settled(table, side, event.pegs, right, lost=lost)
    gained = min(settled.front, right) - min(was_settled.front, right)
    were = table.dues[side]
    dues = _moved(were, gained) if gained > 0 else were
    sources = [due.source for was, due in zip(were, dues, strict=True) if due is not was]
    reported = min(table.reported_excess[side], max(0, after - settled.front))
    overran = bool(sources) or (table.excess(side) > 0 and table.overran[side])
    table = replace(
        table,
        pegs=with_item(table.pegs, side, event.pegs),
        settled=with_item(table.settled, side, settled),
        checked=with_item(table.checked, side, True),
        dues=with_item(table.dues, side, dues),
        reported_excess=with_item(table.reported_excess, side, reported),
        overran=with_item(table.overran, side, overran),
        last_to_move=side if after > before else table.last_to_move,
    )
    return _close_claims_after(table, side, sources) if after > before else table


def set_score(table: Table, side: int, pegs: TrackPegs) -> Table:
    """Accepts these pegs as the score; earlier dues of the side are dropped."""
    return replace(
        table,
        pegs=with_item(table.pegs, side, pegs),
        settled=with_item(table.settled, side, pegs),
        rightful=with_item(table.rightful, side, pegs.front),
        surplus=with_item(table.surplus, side, 0),
        checked=with_item(table.checked, side, False),
        dues=with_item(table.dues, side, ()),
        reported_excess=with_item(table.reported_excess, side, 0),
    )


def mark_reported(table: Table, event: e.PointsMissed) -> Table:
    """Marks points as reported: they may still be pegged."""
    dues = [replace(due, is_reported=True) if due.is_of(event) else due for due in table.dues[event.side]]
    return replace(table, dues=with_item(table.dues, event.side, tuple(sorted(dues, key=attrgetter("rank")))))


def remove_missed(table: Table, event: e.PointsMissed) -> Table:
    """Drops points that are lost, also those beyond the game hole; where muggins is claimed, the other sides may claim
    them now."""
    side = event.side
    place = next((at for at, due in enumerate(table.dues[side]) if due.is_of(event) and due.left), None)
    if place is not None:
        dropped = table.dues[side][place]
        dues = with_item(table.dues[side], place, replace(dropped, points=dropped.moved))
        table = _with_rightful(table, side, -dropped.left, dues)
    if table.rules.muggins_mode is not MugginsMode.CLAIM or not goes_to_opponent(table.rules, event.source):
        return table
    claimers = tuple(other for other in range(len(table.pegs)) if other != side)
    miss = Miss(side, event.seat, event.source, event.points, event.scores, claimers)
    return replace(table, misses=(*table.misses, miss))


def claimed_misses(misses: Sequence[Miss], points: int) -> tuple[Miss, ...]:
    """The misses of one side that a claim of `points` is about: the fewest that make up exactly these points, else the
    oldest ones that cover them, else all."""
    for number in range(1, len(misses) + 1):
        for chosen in combinations(misses, number):
            if sum(miss.points for miss in chosen) == points:
                return chosen
    covered = [number for number in range(len(misses)) if sum(miss.points for miss in misses[:number]) >= points]
    return tuple(misses[: covered[0]] if covered else misses)


def take_misses(table: Table, event: e.MugginsTaken) -> Table:
    """Ends claims on the points that were claimed here; those on others stay open (ACC rule 10.4)."""
    open_to_taker = [miss for miss in table.misses if miss.side == event.missed_by and event.side in miss.claimers]
    rest = list(table.misses)
    for miss in claimed_misses(open_to_taker, event.points):
        rest.remove(miss)
    return replace(table, misses=tuple(rest))


def close_claims(table: Table, source: e.Source, *, by: int | None = None, of: int | None = None) -> Table:
    """Ends claims on missed points of this source: those `by` one side, those on the points `of` one side, or all."""
    open_still = []
    for miss in table.misses:
        claimers = tuple(side for side in miss.claimers if by is not None and side != by)
        if miss.source is not source or (of is not None and miss.side != of):
            open_still.append(miss)
        elif claimers:
            open_still.append(replace(miss, claimers=claimers))
    return replace(table, misses=tuple(open_still)) if table.misses else table


def _lower_score(table: Table, side: int, pegs: TrackPegs) -> Table:
    """Accepts pegs that went back as the score. Points that are due stay due, and nobody can claim the holes that were
    lost (ACC rule 10.3)."""
    lost = max(0, table.scores[side] - pegs.front)
    table = replace(
        table,
        pegs=with_item(table.pegs, side, pegs),
        settled=with_item(table.settled, side, pegs),
        checked=with_item(table.checked, side, False),
        reported_excess=with_item(table.reported_excess, side, 0),
    )
    return change_rightful(table, side, -lost)


def _settled(table: Table, side: int, pegs: TrackPegs, rightful: int, *, lost: int = 0) -> TrackPegs:
    """Where these pegs of the side stand by the rules: a move forward counts as far as it was due, a move back if it
    was.

    A leap is made for points that are due. So it settles them even if it began behind the score, because the peg had
    `lost` holes by a wrong move back, and the front peg has still to be put right.
    """
    right = max(0, rightful)
    front = min(pegs.front + lost, right)
    if front == pegs.front == right or front > table.settled[side].front:
        return pegs.slid_to(front)
    return table.settled[side]


def _unsettled(settled: TrackPegs, rightful: int, surplus: int) -> int:
    """Points between the score of a side and all that it earned: those that its dues have left."""
    right = max(0, rightful)
    return right + surplus - min(settled.front, right)


def _moved(dues: tuple[Due, ...], points: int) -> tuple[Due, ...]:
    """The dues after a peg settled so many points, in their order."""
    after = list(dues)
    for place, step in _shares(dues, points):
        after[place] = replace(dues[place], moved=dues[place].moved + step)
    return tuple(after)


def _without(dues: tuple[Due, ...], points: int) -> tuple[Due, ...]:
    """The dues after so many points were settled without a move, in their order."""
    after = list(dues)
    for place, step in _shares(dues, points):
        after[place] = replace(dues[place], points=dues[place].points - step)
    return tuple(after)


def _shares(dues: tuple[Due, ...], points: int) -> Iterator[tuple[int, int]]:
    """The places of those of the dues that get a share of the points, and their shares; the first ones first."""
    for place, due in enumerate(dues):
        if points <= 0:
            return
        if step := min(due.points - due.moved, points):
            points -= step
            yield place, step


def _close_claims_after(table: Table, scorer: int, sources: Collection[e.Source]) -> Table:
    """A side moved forward, and settled points of these sources: a later score ends the time to claim (ACC rule 10.4).
    Points that a rule gave, such as the muggins just claimed, are no score.

    Claims on points of the play end with a score of the side that missed them, or with the first hand of the show,
    which is the pone's; claims on points of the show end with a score of the claimer. So a dealer who goes on to the
    crib ends no claim on the hand. By `muggins_window=next_card` a card of the claimer ends claims on the play as well.
    """
    if not table.misses or not table.deal or AWARDS.issuperset(sources):
        return table
    first_hand = table.rules.show_order(table.deal.dealer, table.deal.owner)[0]
    table = close_claims(table, e.Source.SHOW, by=scorer)
    if e.Source.SHOW in sources and scorer == table.rules.side_of(first_hand.seat):
        return close_claims(table, e.Source.PLAY)
    return close_claims(table, e.Source.PLAY, of=scorer)
