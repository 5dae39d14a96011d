"""Holes that a peg was moved beyond the points due (ACC rule 8.4): when they are reported, and what they cost."""

from __future__ import annotations

from firmware_host.cribbage.options import PegPolicy
from firmware_host.game import events as e
from firmware_host.game.decision import Decision
from firmware_host.game.known_scores import sees_every_score
from firmware_host.game.state import Table

FALSE_GAME_HOLES = 15
"""Holes to go back for a false claim of the game (ACC rule 8.4.b)."""


def check_overrun(decision: Decision, side: int) -> None:
    """Reports holes moved beyond those due, once for each excess."""
    table = decision.table
    excess = table.sides[side].excess
    reported = table.sides[side].reported_excess
    if excess > reported and table.winner is None:  # what was reported has had its ruling, though the peg is not back
        record_overrun(decision, side, excess, excess - reported)


def record_overrun(decision: Decision, side: int, excess: int, new: int) -> None:
    """ACC rule 8.4: the peg moves back by the excess, the opponent gets it, and a false claim of the game costs 15.

    `new` holes of the excess had no ruling yet. Where scores of the side are unknown, or only sensors report the move,
    it is reported, for people to decide (`rulings.py`).
    """
    breach = breach_of_excess(decision.table, side, excess)
    is_ruled = is_penalized(decision.table, side) and side not in decision.evidence.sensed
    decision.apply(e.PegsOverran(side, excess))
    if is_ruled:
        fine_excess(decision, side, breach, new)


def breach_of_excess(table: Table, side: int, excess: int) -> e.Breach:
    """What so many holes beyond those due are: a false claim of the game, or no more than an overrun."""
    # From the start where there is a debt: the peg is in the game hole then, however much is owed.
    is_game = max(0, table.sides[side].rightful) + excess >= table.sides[side].target
    return e.Breach.FALSE_GAME if is_game else e.Breach.OVERRUN


def fine_excess(decision: Decision, side: int, breach: e.Breach, holes: int) -> None:
    """ACC rule 8.4: the opponent gets these holes. The 15 for a false claim of the game go first: they are due even if
    the opponent goes out by the excess."""
    taker = decision.table.left_of(side)
    if breach is e.Breach.FALSE_GAME:
        decision.award(e.PegsSetBack(side, FALSE_GAME_HOLES, breach), side)
    decision.award(e.PenaltyGiven(taker, holes, breach), taker)


def is_penalized(table: Table, side: int) -> bool:
    """Whether holes too many cost a penalty: by ACC rules, and where every score of the side is known."""
    return table.rules.peg_policy is PegPolicy.ACC and sees_every_score(table, side)
