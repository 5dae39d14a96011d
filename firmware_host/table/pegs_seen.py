"""Pegs that were moved, on the board or by word, held against what was due."""

from __future__ import annotations

from firmware_host.cribbage.options import ForeignPeg, FrontPegRemoved, MugginsMode
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.muggins import claim_muggins, notice, notice_short, overrun
from firmware_host.table.refusals import NotAScore, NotASeat, PegsMoveThemselves
from firmware_host.table.showing import known_cards
from firmware_host.table.state import Deal, Mover, Phase, Table
from firmware_host.table.unfolding import Unfolding


def pegs_seen(unfolding: Unfolding, seen: o.PegsSeen) -> None:
    """What the board reports is never refused. The front peg tells the score; where points were due the table holds
    the move against them, else it stands."""
    table = unfolding.table
    if table.phase is Phase.OVER:
        return
    points = seen.pegs.front - table.pegs[seen.side].front
    if seen.is_leap and is_claim(table, seen.side):
        claim_muggins(unfolding, o.ClaimMuggins(seen.side, points))
    stands = not is_checked(unfolding.table, seen)
    event = e.PegLeapt if seen.is_leap else e.PegAdjusted
    unfolding.happen(event(seen.side, seen.pegs, stands))
    unfolding.find_winner()


def is_claim(table: Table, side: int) -> bool:
    """With nothing due to it, a side that moves while the other one's miss is open claims it by that."""
    is_open = any(side in miss.claimers for miss in table.misses)
    return is_open and table.owed[side] == 0 and table.rules.muggins_mode is MugginsMode.CLAIM


def is_checked(table: Table, seen: o.PegsSeen) -> bool:
    """Whether the table knows what this side was due, so that it may say that the pegs are wrong."""
    if table.owed[seen.side] != 0:
        return True
    return table.is_followed if seen.is_leap else table.checked[seen.side]


def move_points(unfolding: Unfolding, order: o.MovePoints) -> None:
    """A side says by how much it moves. No more than is due moves; more is an overrun, less is missed. Where the
    table does not see what is scored, the word alone counts."""
    table, side = unfolding.table, check_side(unfolding.table, order.side)
    if table.mover(side) is Mover.TABLE:
        raise PegsMoveThemselves("pegs that the table moves by itself", "points told by word")
    if order.points < 0:
        raise NotASeat("points from 0", str(order.points))
    due, room = max(0, table.owed[side]), table.target(side) - table.pegs[side].front
    stands = due == 0 and not sees_scores(table)
    moved = min(order.points, room if stands else due)
    if moved:
        unfolding.happen(e.PegLeapt(side, table.pegs[side].leapt_to(table.pegs[side].front + moved), stands))
    if not stands and min(order.points, room) > due:
        overrun(unfolding, side, min(order.points, room) - due)
    elif order.points:
        notice_short(unfolding, side)
    else:
        notice(unfolding, side, table.overlooked(side))
    unfolding.find_winner()


def sees_scores(table: Table) -> bool:
    """Whether the table is told all that can score here, so that a word alone proves nothing."""
    match table.phase, table.deal:
        case Phase.DEAL | Phase.BID, Deal(dealt=dealt):
            return any(dealt)
        case Phase.PLAY, Deal(kept=kept):
            return table.is_followed or all(kept)
        case Phase.SHOW, _ if table.to_count:
            return bool(known_cards(table, *table.to_count))
        case _:
            return table.phase is Phase.GATHER


def front_peg_removed(unfolding: Unfolding, seen: o.FrontPegRemoved) -> None:
    """By Hoyle a front peg taken out by its owner goes behind the other peg, and that score is lost; in a family it
    goes back where it stood, and nothing has happened."""
    table = unfolding.table
    if table.phase is not Phase.OVER and table.rules.front_peg_removed is FrontPegRemoved.BECOMES_REAR:
        pegs = table.pegs[seen.side]
        unfolding.happen(e.PegAdjusted(seen.side, pegs.slid_to(pegs.back), stands=True))


def foreign_peg_moved(unfolding: Unfolding, seen: o.ForeignPegMoved) -> None:
    """Where that is agreed on, whoever moves a peg of the other side gives it two."""
    table = unfolding.table
    if table.phase is not Phase.OVER and table.rules.foreign_peg is ForeignPeg.PENALTY:
        taker = table.left_of(seen.side)
        unfolding.award(e.PenaltyGiven(taker, 2, e.Breach.FOREIGN_PEG), taker)


def let_it_stand(unfolding: Unfolding, order: o.LetItStand) -> None:
    for side, owed in enumerate(unfolding.table.owed):
        if owed:
            unfolding.happen(e.PegsAllowed(side))
    unfolding.find_winner()


def correct_score(unfolding: Unfolding, order: o.CorrectScore) -> None:
    side = check_side(unfolding.table, order.side)
    most = unfolding.table.target(side)
    if not 0 <= order.score <= most:
        raise NotAScore(f"a score from 0 to {most}", str(order.score), number=most)
    unfolding.happen(e.ScoreCorrected(side, order.score, order.reason))
    unfolding.find_winner()


def check_side(table: Table, side: int) -> int:
    if not 0 <= side < len(table.pegs):
        raise NotASeat(f"a side from 0 to {len(table.pegs) - 1}", str(side))
    return side
