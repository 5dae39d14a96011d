"""Penalties for pegs that the players give: nothing that a sensor alone reports takes or gives a point.

The board says what it sees, and lights the way back. It cannot see whose hand it was, nor whether it was a hand at all.
So the players say whether there was a breach, and before they do, the pegs may go back as if nothing had happened. By
the old laws, too, a penalty is what the opponent *may* take, and pegs that are misplaced by accident are put back
(Hoyle; Enquire Within, law ix: who takes too many points is *liable* to be put back).

| breach     | rule in force                     | who gets what                                                  |
|------------|-----------------------------------|----------------------------------------------------------------|
| overrun    | `pegging_policy=acc`              | the opponent the excess (ACC rule 8.4.c)                       |
| false_game | `pegging_policy=acc`              | the same, and the offender goes back 15 (ACC rule 8.4.b)       |
| foreign_peg| `foreign_peg=penalty`             | the owner of the peg two points                                |
| front_peg  | `front_peg_removed=becomes_rear`  | nobody; the front peg goes behind the other one (Hoyle)        |
"""

from __future__ import annotations

from firmware_host.cribbage.options import ForeignPeg, FrontPegRemoved, PegPolicy
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decision import Decision
from firmware_host.game.overruns import breach_of_excess, fine_excess
from firmware_host.game.peg_moves import check_side
from firmware_host.game.rule_errors import GameIsOver, NoBreach
from firmware_host.game.state import Table

FOREIGN_PEG_POINTS = 2


def rule_breach(decision: Decision, command: c.RuleBreach) -> None:
    """Gives the penalty for a breach. Raises NotASeat, GameIsOver, or NoBreach if these rules have no penalty for it or
    the table no excess."""
    table = decision.table
    side = check_side(table, command.side)
    if table.winner is not None:
        raise GameIsOver("a game under way", "a penalty after the game", name=table.side_name(table.winner))
    match command.breach:
        case e.Breach.OVERRUN | e.Breach.FALSE_GAME:
            rule_excess(decision, side)
        case e.Breach.FOREIGN_PEG:
            rule_foreign_peg(decision, side, command.owner)
        case e.Breach.FRONT_PEG:
            rule_front_peg(decision, side)
        case breach:
            raise NoBreach("a breach of a rule about pegs", breach.value)


def excess_to_rule(table: Table, side: int) -> int:
    """Holes that the side moved too far, and for which the players may give a penalty now; 0: none."""
    if table.rules.peg_policy is not PegPolicy.ACC or table.winner is not None:
        return 0
    return table.sides[side].unfined_excess


def rule_excess(decision: Decision, side: int) -> None:
    """Raises NoBreach unless the side moved too far."""
    holes = excess_to_rule(decision.table, side)
    if not holes:
        raise NoBreach("a peg moved too far, by ACC rules", f"none of side {side}")
    breach = breach_of_excess(decision.table, side, decision.table.sides[side].reported_excess)
    fine_excess(decision, side, breach, holes)


def rule_foreign_peg(decision: Decision, side: int, owner: int | None) -> None:
    """The owner gets two points. Raises NotASeat, NoBreach."""
    table = decision.table
    if table.rules.foreign_peg is not ForeignPeg.PENALTY or owner is None or owner == side:
        raise NoBreach("a peg of another side, and foreign_peg=penalty", f"side {owner}'s peg, moved by side {side}")
    taker = check_side(table, owner)
    decision.award(e.PenaltyGiven(taker, FOREIGN_PEG_POINTS, e.Breach.FOREIGN_PEG), taker)


def rule_front_peg(decision: Decision, side: int) -> None:
    """The front peg that its owner took out goes behind the other one, and that score is lost. Raises NoBreach."""
    table = decision.table
    pegs = table.sides[side].pegs
    if table.rules.front_peg_removed is not FrontPegRemoved.BECOMES_REAR or pegs.front == 0:
        raise NoBreach("a front peg on its way, and front_peg_removed=becomes_rear", f"side {side} at {pegs.front}")
    # It stands: compared with the score it would be a wrong move back, which the lights would correct.
    decision.apply(e.PegAdjusted(side, pegs.slid_to(pegs.back), stands=True))
