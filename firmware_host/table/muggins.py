"""Points that were due and not taken: when they are noticed, when they are lost, and who may take them.

Two manners of play. Where mistakes are set right, what is not pegged stays due until the cards are gathered, and is
only noticed. Where they stand, for muggins or by tournament rules, it is lost when the peg is released short or the
game goes on, and the other side may take it.
"""

from __future__ import annotations

from firmware_host.cribbage.options import FalseClaim, MugginsMode, MugginsScope, PegPolicy
from firmware_host.cribbage.rules import RuleSet
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.refusals import NoMuggins, NotASeat
from firmware_host.table.state import Due, Mover
from firmware_host.table.unfolding import Unfolding

TAKEN = (e.Source.PLAY, e.Source.SHOW)
"""Muggins is underpegging of play and show only: never heels, penalties or muggins itself (ACC rule 10.2)."""

EARNED = (*TAKEN, e.Source.HEELS, e.Source.PONES_THREE)
"""What can be overlooked; points that were given by decision just wait to be moved."""


def forfeit(unfolding: Unfolding, but: int | None = None) -> None:
    """The game goes on: what was not pegged by now is noticed, or lost. `but` is the side that acts itself: its own
    next card does not forfeit what it has still to peg."""
    for side in range(len(unfolding.table.pegs)):
        if side != but:
            notice(unfolding, side)
            punish_overrun(unfolding, side)


def notice(unfolding: Unfolding, side: int) -> None:
    """Name the points that are due, not pegged and not named yet."""
    table = unfolding.table
    known = max(0, table.noticed[side])
    for due in table.outstanding(side):
        points = due.points - known
        known = max(0, -points)
        if points > 0 and due.source in EARNED and unfolding.table.winner is None:
            is_lost = is_strict(table.rules, due.source)
            unfolding.happen(e.PointsMissed(side, due.seat, due.source, points, due.scores, is_lost))
            if is_lost and due.source in TAKEN and table.rules.muggins_mode is MugginsMode.AUTOMATIC:
                taker = table.left_of(side)
                unfolding.award(e.MugginsTaken(taker, side, points), taker)


def is_strict(rules: RuleSet, source: e.Source) -> bool:
    """Whether points of this source are lost as soon as they are missed."""
    return rules.peg_policy is PegPolicy.ACC or (is_muggins(rules, source) and source in TAKEN)


def is_muggins(rules: RuleSet, source: e.Source) -> bool:
    in_scope = rules.muggins_scope is MugginsScope.BOTH or source is e.Source.SHOW
    return in_scope and rules.muggins_mode in (MugginsMode.CLAIM, MugginsMode.AUTOMATIC)


def lose(unfolding: Unfolding, source: e.Source) -> None:
    """It is too late for points of this source, whatever is agreed on others."""
    for side in range(len(unfolding.table.pegs)):
        for due in unfolding.table.outstanding(side):
            if due.source is source:
                miss(unfolding, side, due)


def write_off(unfolding: Unfolding) -> None:
    """The cards are gathered: what was never pegged is due no more."""
    for side in range(len(unfolding.table.pegs)):
        for due in unfolding.table.outstanding(side):
            miss(unfolding, side, due)


def miss(unfolding: Unfolding, side: int, due: Due) -> None:
    unfolding.happen(e.PointsMissed(side, due.seat, due.source, due.points, due.scores, is_lost=True))


def punish_overrun(unfolding: Unfolding, side: int) -> None:
    """Points moved beyond those due, now that the peg is released: by tournament rules the other side takes them."""
    table = unfolding.table
    excess = -table.owed[side]
    if excess > 0 and table.noticed[side] != -excess:
        overrun(unfolding, side, excess)


def overrun(unfolding: Unfolding, side: int, excess: int) -> None:
    """ACC rule 8.4: the excess is taken back and goes to the other side; who claimed the game falsely goes back 15."""
    table = unfolding.table
    is_game = table.rightful[side] + excess >= table.target(side)
    unfolding.happen(e.PegsOverran(side, excess))
    if table.rules.peg_policy is not PegPolicy.ACC:
        return
    breach = e.Breach.FALSE_GAME if is_game else e.Breach.OVERRUN
    taker = table.left_of(side)
    unfolding.award(e.PenaltyGiven(taker, excess, breach), taker)
    if is_game and unfolding.table.winner is None:
        unfolding.award(e.PegsSetBack(side, 15, breach), side)


def claim_muggins(unfolding: Unfolding, order: o.ClaimMuggins) -> None:
    """The lesser of what is claimed and what was missed is taken; a wrong claim pays the accused (ACC rule 10.2)."""
    table = unfolding.table
    if not 0 <= order.side < len(table.pegs):
        raise NotASeat(f"a side from 0 to {len(table.pegs) - 1}", str(order.side))
    if table.rules.muggins_mode is not MugginsMode.CLAIM:
        raise NoMuggins("muggins by claim to be agreed on", f"muggins {table.rules.muggins_mode.value}")
    if order.points < 1:
        raise NoMuggins("a claim of 1 or more", str(order.points))
    for side in range(len(table.pegs)):
        if side != order.side:
            notice_if_released(unfolding, side)
    missed = unfolding.table.misses
    accused = next((miss.side for miss in missed if miss.side != order.side), None)
    if accused is not None:
        total = sum(miss.points for miss in missed if miss.side == accused)
        unfolding.award(e.MugginsTaken(order.side, accused, min(order.points, total)), order.side)
    elif table.rules.false_claim is FalseClaim.PENALTY:
        accused = table.left_of(order.side)
        unfolding.award(e.PenaltyGiven(accused, order.points, e.Breach.FALSE_CLAIM), accused)


def notice_if_released(unfolding: Unfolding, side: int) -> None:
    """On the board a leap that fell short is released by now; points not touched at all are not forfeited yet."""
    table = unfolding.table
    if table.mover(side) is Mover.HAND and table.checked[side] and table.owed[side] > 0:
        notice(unfolding, side)
