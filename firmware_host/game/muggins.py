"""Claims of muggins: who may claim points that a side missed (missed_points.py), what a right claim takes, and what a
wrong one costs (ACC rule 10)."""

from __future__ import annotations

from firmware_host.cribbage.options import FalseClaim, MugginsMode, MugginsScope, MugginsWindow
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decision import Decision
from firmware_host.game.due_points import Miss
from firmware_host.game.dues import claimed_misses
from firmware_host.game.forfeits import goes_to_opponent
from firmware_host.game.missed_points import report_released_shortfalls
from firmware_host.game.rule_errors import ClaimedAlready, NoMuggins, NoMugginsNow, NoMugginsYet, NotASeat
from firmware_host.game.state import Phase, Table


def claim_muggins(decision: Decision, command: c.ClaimMuggins) -> None:
    """Takes the lesser of the claimed and the missed points; a wrong claim pays the accused side (ACC rule 10.2).

    Raises NotASeat, NoMuggins, NoMugginsNow, NoMugginsYet, ClaimedAlready.
    """
    check_claim(decision.table, command)
    others = [side for side in range(len(decision.table.sides)) if side != command.side]
    # First, because the peg is released by now: the rest of its score is missed, and this claim may be about it.
    report_released_shortfalls(decision, by=command.side)
    table = decision.table
    if missed := misses_claimed(table, command):
        points = min(command.points, sum(miss.points for miss in missed))
        decision.award(e.MugginsTaken(command.side, missed[0].side, points), command.side)
    elif any(
        goes_to_opponent(table.rules, due.source) for side in others for due in table.sides[side].forfeitable_dues
    ):
        # Too early is not wrong: no penalty, for the claim is right if the points stay where they are.
        raise NoMugginsYet("a claim once the game has gone on", "one while the points may still be pegged")
    elif 0 < table.just_claimed <= command.points:
        raise ClaimedAlready("a claim of points that nobody has claimed", "the same claim again")
    elif table.rules.false_claim is FalseClaim.PENALTY:
        # ACC rule 10.2: the accused is paid, who is whoever moved last. A claim never pays the claimer.
        accused = table.last_to_move if table.last_to_move in others else table.left_of(command.side)
        decision.award(e.PenaltyGiven(accused, command.points, e.Breach.FALSE_CLAIM), accused)


def misses_claimed(table: Table, command: c.ClaimMuggins) -> tuple[Miss, ...]:
    """The misses that the claim is about, all of one side: of the first side that missed exactly these points, else of
    the first that missed any."""
    claimable = [miss for miss in table.misses if command.side in miss.claimers]
    of_each_side = [
        claimed_misses([miss for miss in claimable if miss.side == side], command.points)
        for side in dict.fromkeys(miss.side for miss in claimable)  # each side once, in the order of the misses
    ]
    exact = [missed for missed in of_each_side if sum(miss.points for miss in missed) == command.points]
    return next(iter((*exact, *of_each_side)), ())


def check_claim(table: Table, command: c.ClaimMuggins) -> None:
    """Raises NotASeat, NoMuggins or NoMugginsNow unless this side can claim in this phase."""
    if not 0 <= command.side < len(table.sides):
        raise NotASeat(f"a side from 0 to {len(table.sides) - 1}", str(command.side))
    if table.rules.muggins_mode is not MugginsMode.CLAIM:
        raise NoMuggins("muggins by claim in the rules", f"muggins {table.rules.muggins_mode.value}")
    if not 1 <= command.points <= table.rules.target:
        raise NoMugginsNow(f"a claim of 1 to {table.rules.target}", str(command.points))
    if not can_claim_now(table):
        phases = "play or the show" if table.rules.muggins_scope is MugginsScope.BOTH else "show"
        raise NoMugginsNow(f"a claim in the {phases}", f"one in the {table.phase.value}")


def can_claim_now(table: Table) -> bool:
    """Whether the rules have claims, and points missed in this phase can be claimed. It tells nobody that any were."""
    if table.rules.muggins_mode is not MugginsMode.CLAIM:
        return False
    in_play = table.rules.muggins_scope is MugginsScope.BOTH and table.phase is Phase.PLAY
    return in_play or table.phase in (Phase.SHOW, Phase.GATHER)


def end_claims_by_card(decision: Decision, side: int) -> None:
    """The side plays a card. With `muggins_window=next_card` that ends its claims on the play, also those on the rest
    of a short leap, which could be claimed as soon as the peg was released. Points that the card itself forfeits come
    later, and can be claimed until the next one.
    """
    rules = decision.table.rules
    if rules.muggins_mode is MugginsMode.CLAIM and rules.muggins_window is MugginsWindow.NEXT_CARD:
        report_released_shortfalls(decision, by=side)
        if any(miss.source is e.Source.PLAY and side in miss.claimers for miss in decision.table.misses):
            decision.apply(e.ClaimsEnded(side))
