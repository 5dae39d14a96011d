"""Points that were due and not taken: when they are noticed, when they are lost, and who may take them.

Two manners of play. Where mistakes are set right, what is not pegged stays due until the cards are gathered, and is
only noticed. Where they stand, for muggins or by tournament rules, it is lost when the peg is released short or the
game goes on, and the other side may take it.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.cribbage.options import FalseClaim, MugginsMode, MugginsScope, PegPolicy
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.agreed import is_muggins, is_strict
from firmware_host.table.refusals import GameHoleFirst, NoMuggins, NoMugginsNow, NoMugginsYet, NotASeat
from firmware_host.table.state import Due, Mover, Phase, Table
from firmware_host.table.unfolding import Unfolding


def go_on(unfolding: Unfolding, but: int | None = None) -> bool:
    """The game goes on, unless it is decided by that: what was not pegged by now is noticed, or lost. `but` is the
    side that acts itself and has still the time. Raises GameHoleFirst if it was decided before, and still is."""
    was_decided = unfolding.is_decided
    for side in range(len(unfolding.table.pegs)):
        if side != but and unfolding.table.is_owing(side) and unfolding.table.winner is None:
            notice(unfolding, side, unfolding.table.overlooked(side))
            punish_overrun(unfolding, side)
    if was_decided:
        check_nobody_goes_out(unfolding.table, "the game to go on")
    return not unfolding.is_decided


def check_nobody_goes_out(table: Table, instead: str) -> None:
    if table.going_out is not None and table.winner is None:
        name = table.side_name(table.going_out)
        raise GameHoleFirst(f"{name}'s peg in the game hole first", instead, name=name)


def notice(unfolding: Unfolding, side: int, dues: Iterable[Due]) -> None:
    """Name these points of the side as missed."""
    rules, taker = unfolding.table.rules, unfolding.table.left_of(side)
    for due in dues:
        if unfolding.table.winner is None:
            is_lost = is_strict(rules, due.source)
            unfolding.happen(e.PointsMissed(side, due.seat, due.source, due.left, due.scores, is_lost))
            if rules.muggins_mode is MugginsMode.AUTOMATIC and is_muggins(rules, due.source):
                unfolding.award(e.MugginsTaken(taker, side, due.left), taker)


def notice_short(unfolding: Unfolding, side: int) -> None:
    """A peg released inside a score fell short of it; the scores after that one may still be pegged by themselves."""
    overlooked = unfolding.table.overlooked(side)
    if overlooked and overlooked[0].moved:
        notice(unfolding, side, overlooked[:1])


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
    unfolding.happen(e.PointsMissed(side, due.seat, due.source, due.left, due.scores, is_lost=True))


def punish_overrun(unfolding: Unfolding, side: int) -> None:
    """Points moved beyond those due, now that the peg is released: by tournament rules the other side takes them."""
    table = unfolding.table
    excess = -table.owed[side]
    if excess > 0 and table.overran[side] != excess:
        overrun(unfolding, side, excess)


def overrun(unfolding: Unfolding, side: int, excess: int) -> None:
    """ACC rule 8.4: the excess is taken back and goes to the other side; who claimed the game falsely goes back 15."""
    table = unfolding.table
    is_game = max(0, table.rightful[side]) + excess >= table.target(side)
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
    check_claim(unfolding.table, order)
    others = [side for side in range(len(unfolding.table.pegs)) if side != order.side]
    for side in others:
        notice_if_released(unfolding, side)
    table = unfolding.table
    missed = [miss for miss in table.misses if order.side in miss.claimers]
    if missed:
        accused = missed[0].side
        total = sum(miss.points for miss in missed if miss.side == accused)
        unfolding.award(e.MugginsTaken(order.side, accused, min(order.points, total)), order.side)
    elif any(is_muggins(table.rules, due.source) for side in others for due in table.overlooked(side)):
        raise NoMugginsYet("a claim once the game has gone on", "one while the points may still be pegged")
    elif table.rules.false_claim is FalseClaim.PENALTY:
        accused = table.last_to_move if table.last_to_move in others else table.left_of(order.side)
        unfolding.award(e.PenaltyGiven(accused, order.points, e.Breach.FALSE_CLAIM), accused)


def check_claim(table: Table, order: o.ClaimMuggins) -> None:
    """Raises unless muggins can be claimed at all, by this side, in this part of the deal."""
    if not 0 <= order.side < len(table.pegs):
        raise NotASeat(f"a side from 0 to {len(table.pegs) - 1}", str(order.side))
    if table.rules.muggins_mode is not MugginsMode.CLAIM:
        raise NoMuggins("muggins by claim to be agreed on", f"muggins {table.rules.muggins_mode.value}")
    if order.points < 1:
        raise NoMugginsNow("a claim of 1 or more", str(order.points))
    in_play = table.rules.muggins_scope is MugginsScope.BOTH
    if table.phase not in (Phase.SHOW, Phase.GATHER) and not (in_play and table.phase is Phase.PLAY):
        raise NoMugginsNow(f"a claim in the {'play or the ' * in_play}show", f"one in the {table.phase.value}")


def notice_if_released(unfolding: Unfolding, side: int) -> None:
    """On the board a leap that fell short is released by now; points not touched at all are not forfeited yet."""
    table = unfolding.table
    if table.mover(side) is Mover.HAND and table.checked[side]:
        notice_short(unfolding, side)
