"""How points that are due, moved, missed or claimed change a table. Each function returns the table after it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from operator import attrgetter

from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.options import MugginsMode
from firmware_host.game import events as e
from firmware_host.game.due_points import Due, Miss
from firmware_host.game.forfeits import goes_to_opponent
from firmware_host.game.side import SideState
from firmware_host.game.state import Phase, Table

AWARDS = {e.Source.MUGGINS, e.Source.PENALTY}
"""Points that a rule gives, not cards."""


def add_due(table: Table, side: int, due: Due) -> Table:
    """Adds points for the side to move. Points that settle a debt leave nothing to move."""
    state = table.sides[side]
    debt = max(0, -state.rightful)
    place = len(state.dues)
    rank = due.rank
    # After the dues of its own rank: the order in which they were earned. Before those that can wait longer, so that
    # the peg settles first what could be lost.
    while place and state.dues[place - 1].rank > rank:
        place -= 1
    # No peg stands below the start, so what pays a debt needs no move.
    unpaid = replace(due, points=max(0, due.points - debt)) if debt else due
    dues = (*state.dues[:place], unpaid, *state.dues[place:])
    return table.with_side(side, _with_rightful(state, due.points, dues))


def add_award(table: Table, side: int, source: e.Source, points: int) -> Table:
    """Adds points that a rule gives, not cards: muggins or a penalty."""
    moves_itself = not table.is_moved_by_hand(side)
    return add_due(table, side, Due(table.rules.sides[side][0], source, points, moves_itself=moves_itself))


def change_rightful(table: Table, side: int, points: int) -> Table:
    """Moves the hole where the front peg should stand. With `auction_debt=debt` it may be below zero.

    A price or a penalty takes points that are due first, and points that are due take away from an excess.
    """
    state = table.sides[side]
    return table.with_side(side, _with_rightful(state, points, state.dues))


def _with_rightful(side: SideState, points: int, dues: tuple[Due, ...]) -> SideState:
    """As `change_rightful`, for a side whose dues change at the same time."""
    earned = side.earned + points
    right = min(side.target, earned)
    # Who pegged before the score was entered stands right now, and is settled without another move.
    settled = _settled(side, side.pegs, right)
    unmoved = sum([due.left for due in dues])
    dues = _without(dues, unmoved - _unsettled(settled, right, earned - right))
    return replace(side, rightful=right, surplus=earned - right, settled=settled, dues=dues)


def move_pegs(table: Table, event: e.PegLeapt | e.PegAdjusted) -> Table:
    """Applies a peg move, forward or back. It settles no more than is due; a move back reduces the excess, and leaves
    what was settled before as it is."""
    side = table.sides[event.side]
    is_forward = event.pegs.front > side.pegs.front
    if event.stands and is_forward:
        # Nobody entered what this was scored for. The phase decides which claims such a score ends.
        believed = e.Source.PLAY if table.phase is Phase.PLAY else e.Source.SHOW
        table = replace(set_score(table, event.side, event.pegs), last_to_move=event.side)
        table = table.with_side(event.side, replace(table.sides[event.side], believed_from=side.pegs.front))
        return _close_claims_after(table, event.side, (believed,))
    if event.stands:
        return _lower_score(table, event.side, event.pegs)
    moved = _moved_side(side, event)
    table = table.with_side(event.side, moved)
    if not is_forward:
        return table
    # A due that the move did not touch is the same object.
    sources = [due.source for was, due in zip(side.dues, moved.dues, strict=True) if due is not was]
    # Who only takes a penalty or muggins scores nothing that could be missed.
    if sources and AWARDS.issuperset(sources):
        return table
    return _close_claims_after(replace(table, last_to_move=event.side), event.side, sources)


def _moved_side(side: SideState, event: e.PegLeapt | e.PegAdjusted) -> SideState:
    """The side after a move that was compared with what was due."""
    right = side.goal_hole
    # A leap from behind the score: those holes were lost by a wrong move back, which the leap does not pay again.
    lost = max(0, side.settled.front - side.pegs.front) if isinstance(event, e.PegLeapt) else 0
    settled = _settled(side, event.pegs, right, lost=lost)
    gained = min(settled.front, right) - min(side.settled.front, right)
    dues = _moved(side.dues, gained)
    excess = max(0, event.pegs.front - settled.front)
    return replace(
        side,
        pegs=event.pegs,
        settled=settled,
        is_checked=True,
        believed_from=None,
        dues=dues,
        # Less than before once the peg goes back, or the next excess would pass as reported. Only a ruling adds to it.
        reported_excess=min(side.reported_excess, excess),
        fined_excess=min(side.fined_excess, excess),
        overran=dues != side.dues or (side.excess > 0 and side.overran),
    )


def set_score(table: Table, side: int, pegs: TrackPegs) -> Table:
    """Accepts these pegs as the score; earlier dues of the side are dropped."""
    state = table.sides[side]
    accepted = SideState(state.target, pegs=pegs, settled=pegs, rightful=pegs.front, overran=state.overran)
    return table.with_side(side, accepted)


def mark_reported(table: Table, event: e.PointsMissed) -> Table:
    """Marks points as reported: they may still be pegged."""
    side = table.sides[event.side]
    # Reported points can be lost no more, so they now rank behind those that can: sorting keeps the order of a rank.
    dues = [replace(due, is_reported=True) if due.is_of(event) else due for due in side.dues]
    return table.with_side(event.side, replace(side, dues=tuple(sorted(dues, key=attrgetter("rank")))))


def remove_missed(table: Table, event: e.PointsMissed) -> Table:
    """Drops points that are lost, also those beyond the game hole; where muggins is claimed, the other sides may claim
    them now."""
    side = table.sides[event.side]
    dropped = next((due for due in side.dues if due.is_of(event) and due.left), None)
    if dropped is not None:
        dues = tuple([replace(due, points=due.moved) if due is dropped else due for due in side.dues])
        table = table.with_side(event.side, _with_rightful(side, -dropped.left, dues))
    if table.rules.muggins_mode is not MugginsMode.CLAIM or not goes_to_opponent(table.rules, event.source):
        return table
    claimers = tuple(other for other in range(len(table.sides)) if other != event.side)
    miss = Miss(event.side, event.seat, event.source, event.points, event.scores, claimers)
    return replace(table, misses=(*table.misses, miss))


def claimed_misses(misses: Sequence[Miss], points: int) -> tuple[Miss, ...]:
    """The misses of one side that a claim of `points` is about: the fewest that make up exactly these points, else the
    oldest ones that cover them, else all."""
    # A wrong guess would close a claim that is still right, so a sum that fits goes before the age of the misses.
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
    state = table.sides[side]
    # From the score and not from the peg: holes beyond the score were never the side's to lose.
    lost = max(0, state.score - pegs.front)
    lowered = replace(state, pegs=pegs, settled=pegs, is_checked=False, reported_excess=0, fined_excess=0)
    return table.with_side(side, _with_rightful(lowered, -lost, lowered.dues))


def _settled(side: SideState, pegs: TrackPegs, rightful: int, *, lost: int = 0) -> TrackPegs:
    """Where these pegs of the side stand by the rules: a move forward counts as far as it was due, a move back if it
    was.

    A leap is made for points that are due. So it settles them even if it began behind the score, because the peg had
    `lost` holes by a wrong move back, and the front peg has still to be put right.
    """
    right = max(0, rightful)
    front = min(pegs.front + lost, right)
    if front == pegs.front == right or front > side.settled.front:
        return pegs.slid_to(front)
    return side.settled


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
    """The places of those of the dues that get a share of the points, and their shares; the first ones first.
    Of no points, or fewer, none gets any."""
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
