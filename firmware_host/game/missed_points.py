"""Points that were due and not pegged: when they are reported, and when they are lost.

There are two ways to play. Without muggins and with `pegging_policy=correct`, missed points are reported once and stay
due until the cards are gathered. With muggins, or with `pegging_policy=acc`, they are lost when the peg is released
short or the game goes on; with muggins the opponent may take them (muggins.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from firmware_host.cribbage.options import MugginsMode
from firmware_host.game import events as e
from firmware_host.game.decision import Decision
from firmware_host.game.due_points import Due
from firmware_host.game.forfeits import FORFEITABLE, are_heels_at_risk, goes_to_opponent, is_lost_when_missed
from firmware_host.game.overruns import check_overrun, is_penalized
from firmware_host.game.rule_errors import GameHoleFirst
from firmware_host.game.state import Table


def proceed(decision: Decision, acting_side: int | None = None, *, keeps: Collection[e.Source] = FORFEITABLE) -> bool:
    """The game goes on with a card, a count or the next deal: points that are not pegged by now are reported or lost,
    and moves that went too far are final. False: a side has the points to win, and nothing later counts.

    `acting_side` goes on itself, and may still peg its points of the sources in `keeps`, where `can_wait` allows it. A
    whole move too many may be one for the cards that it enters now; only an end of a move is an excess for certain.
    Raises GameHoleFirst if a side has the points to win, and does not lose them by this.
    """
    table = decision.table
    going_out = table.going_out
    if going_out is None and table.is_at_rest:  # most cards: nothing is looked for then
        return True
    # Of all sides before any event, because a ruling on one side may change what another has to move.
    missed = [
        [
            due
            for due in table.sides[side].forfeitable_dues
            if side != acting_side or due.source not in keeps or not can_wait(table, side, due)
        ]
        for side in range(len(table.sides))
    ]
    if going_out is not None:
        # What is lost now may be what the side needs to win: then the game does not wait for its peg.
        for side, dues in enumerate(missed):
            check_can_lose_game(table, side, [due for due in dues if is_lost_when_missed(table.rules, due.source)])
    for side in range(len(table.sides)):
        # ACC rule 8.4. `overran`: a part of the move was due, so the rest is no score that is entered next.
        if side != acting_side or (table.sides[side].overran and is_penalized(table, side)):
            check_overrun(decision, side)
    for side, dues in enumerate(missed):
        if dues:
            report_missed(decision, side, dues)
    return not decision.is_going_out


def proceed_past_go(decision: Decision, side: int) -> None:
    """A seat of the side said go, which forfeits nothing (ACC rule 10.4). So a side may have the points to win and not
    peg them, where the opponent can take them later. Raises GameHoleFirst if nobody can."""
    for other in range(len(decision.table.sides)):
        if decision.is_going_out:
            # Nothing is lost by the go itself, but the opponent's next card can lose these, and ends the waiting.
            dues = decision.table.sides[other].forfeitable_dues
            check_can_lose_game(
                decision.table, other, [due for due in dues if goes_to_opponent(decision.table.rules, due.source)]
            )
        if other != side:
            check_overrun(decision, other)


def check_can_lose_game(table: Table, side: int, lost: Sequence[Due]) -> None:
    """Raises GameHoleFirst if the side has the points to win also without those that it loses now, or may lose."""
    if not table.sides[side].is_going_out:
        return
    if are_heels_at_risk(table.rules):
        lost = [*lost, *(due for due in table.sides[side].dues if due.source is e.Source.HEELS)]
    # By `is_of`, not by `==`: the lost ones were cut at the game hole, those of the side were not.
    kept = sum([due.left for due in table.sides[side].dues if due.left and not any(due.is_of(other) for other in lost)])
    if table.sides[side].score + kept >= table.sides[side].target and table.winner is None:
        name = table.side_name(side)
        raise GameHoleFirst(f"{name}'s peg in the game hole first", "the game to go on", name=name)


def report_missed_before_go(decision: Decision, side: int, before: Table) -> None:
    """A move after `before` that pegs a point for a go ends the time to peg what the cards before that go scored (ACC
    rule 10.4). Points for the same go, and for the last card of its series, are due at the same time.

    Only for a go that a person said: where all hands are known it follows the card at once, and leaves no time to peg.
    """
    table = decision.table
    deal = decision.table.deal
    was_left, left = (sum(due.left for due in at.sides[side].dues if due.is_timely_go) for at in (before, table))
    if left < was_left and deal and not all(deal.kept):
        for other in range(len(table.sides)):
            if other != side:
                report_missed(decision, other, [due for due in table.sides[other].forfeitable_dues if due.is_for_card])


def can_wait(table: Table, side: int, due: Due) -> bool:
    """Whether a side that goes on itself may peg these points later. Not where missed points are lost, and its peg was
    released inside this score (ACC rule 8.3); nor with muggins, and the points to win: pegging out is mandatory then
    (ACC rule 10.1)."""
    if goes_to_opponent(table.rules, due.source) and table.going_out == side:
        return False
    # The peg settles the oldest score first, so only that one can be the score it was released in.
    is_rest = is_released_short(table, side) and due == table.sides[side].forfeitable_dues[0]
    return not (is_rest and is_lost_when_missed(table.rules, due.source))


def report_missed(decision: Decision, side: int, dues: Iterable[Due]) -> None:
    """Reports these points of the side as missed; with automatic muggins the opponent takes them. Nothing happens while
    the sensors cannot tell where its pegs are: it may have pegged these points."""
    if side in decision.evidence.doubtful:
        return
    rules = decision.table.rules
    for due in dues:
        if decision.table.winner is None:  # the opponent may have gone out with the ones before
            is_lost = is_lost_when_missed(rules, due.source)
            decision.apply(e.PointsMissed(side, due.seat, due.source, due.left, due.scores, is_lost))
            if rules.muggins_mode is MugginsMode.AUTOMATIC and goes_to_opponent(rules, due.source):
                taker = decision.table.left_of(side)
                decision.award(e.MugginsTaken(taker, side, due.left), taker)


def report_shortfall(decision: Decision, side: int) -> None:
    """Reports a score inside which the peg was released. The scores after it may still be pegged separately."""
    dues = decision.table.sides[side].forfeitable_dues
    if dues and dues[0].moved:
        report_missed(decision, side, dues[:1])


def forfeit_heels(decision: Decision) -> None:
    """Heels that are not pegged are lost, by any rules."""
    if decision.table.is_at_rest:
        return
    for side in range(len(decision.table.sides)):
        forfeit(decision, side, [due for due in decision.table.sides[side].outstanding if due.source is e.Source.HEELS])


def forfeit(decision: Decision, side: int, dues: Iterable[Due]) -> None:
    """Those of these points that are not pegged and not lost yet are lost, by any rules; not while the sensors cannot
    tell where the pegs of the side are."""
    if side in decision.evidence.doubtful:
        return
    for due in dues:
        # As it is now: the game may have gone on since these dues were listed, and lost some of them.
        unpegged = next((left for left in decision.table.sides[side].outstanding if left.is_of(due)), None)
        if unpegged:
            decision.apply(e.PointsMissed(side, due.seat, due.source, unpegged.left, due.scores, is_lost=True))


def report_released_shortfalls(decision: Decision, *, by: int) -> None:
    """Reports leaps of the other sides on the board that fell short: their pegs are released by now. Points not touched
    are not lost yet."""
    for side in range(len(decision.table.sides)):
        if side != by and is_released_short(decision.table, side):
            report_shortfall(decision, side)


def is_released_short(table: Table, side: int) -> bool:
    """Whether the side moved a peg on the board by less than its oldest score."""
    dues = table.sides[side].forfeitable_dues
    # Not checked: the peg went back since, by ACC rule 8.3, and is in hand again.
    return table.is_moved_by_hand(side) and table.sides[side].is_checked and bool(dues and dues[0].moved)
