"""Pegs that were moved on the board, and points that were entered, compared with what was due."""

from __future__ import annotations

from collections.abc import Collection

from firmware_host.cribbage.options import MugginsMode, PegPolicy
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decision import Decision
from firmware_host.game.disclosure import shown_owed
from firmware_host.game.forfeits import goes_to_opponent
from firmware_host.game.known_scores import expects_cards, is_believable, is_count_known, sees_every_score
from firmware_host.game.missed_points import is_released_short, report_missed, report_missed_before_go, report_shortfall
from firmware_host.game.muggins import claim_muggins
from firmware_host.game.overruns import check_overrun, record_overrun
from firmware_host.game.rule_errors import NotAScore, NotASeat
from firmware_host.game.showing import count_hand
from firmware_host.game.side import Mover
from firmware_host.game.state import Phase, Table


def pegs_moved(decision: Decision, observation: c.PegsMoved) -> None:
    """Never refused. The front peg is the score: where points were due the move is compared with them, else it is
    accepted. A peg in the game hole without the points for it is reported at once, any other excess when the game goes
    on."""
    side = observation.side
    if decision.table.phase is Phase.OVER:
        return
    points = observation.pegs.front - decision.table.sides[side].pegs.front
    is_last = observation.pegs.front >= decision.table.sides[side].target
    # The order matters. First what is due to this side is made complete, by the count of its hand or by its claim, for
    # the move is compared with that. Only then the move itself; and the winner last, after the ruling on an excess.
    is_entered = side not in decision.evidence.sensed
    if is_last and is_entered:  # a magnet over the game hole counts no hand: people do
        count_known_hand(decision, side)
    if observation.is_leap and is_muggins_claim(decision.table, side, points, decision.evidence.doubtful):
        claim_muggins(decision, c.ClaimMuggins(side, points))
    stands = not knows_points_due(decision.table, observation, points, is_entered=is_entered)
    # What the pegs alone said, they take back, also once the cards are known.
    stands = stands or observation.pegs.front == decision.table.sides[side].believed_from
    # A score that nobody entered is believed; not if it wins, and no cards are worth it.
    stands = stands and (not is_last or is_believable(decision.table, side, points))
    event = e.PegLeapt if observation.is_leap else e.PegAdjusted
    before = decision.table
    decision.apply(event(side, observation.pegs, stands))
    if is_last:  # a false game is ruled on at once (ACC rule 8.4): nobody would go on after it
        check_overrun(decision, side)
    decision.find_winner()
    report_missed_before_go(decision, side, before)


def count_known_hand(decision: Decision, side: int) -> None:
    """Counts the next hand of the show for a side that pegs out with it before anybody had it counted."""
    table = decision.table
    hand = decision.table.to_count
    if hand is None or table.deal is None or table.rules.side_of(hand.seat) != side or table.going_out is not None:
        return
    if is_count_known(table, table.deal, hand):
        count_hand(decision, c.CountHand())


def is_muggins_claim(table: Table, side: int, points: int, doubtful: Collection[int] = ()) -> bool:
    """Whether a move of this side claims muggins: nothing is due to it, and another side missed points, or has just
    released its peg short of them; a side among the `doubtful` may not have released it. More than was missed may be a
    score of its own that nobody entered yet."""
    if table.rules.muggins_mode is not MugginsMode.CLAIM or table.sides[side].owed != 0:
        return False
    missed = sum(miss.points for miss in table.misses if side in miss.claimers)
    for other in range(len(table.sides)):
        if other != side and other not in doubtful and is_released_short(table, other):
            short = table.sides[other].forfeitable_dues[0]
            missed += short.left if goes_to_opponent(table.rules, short.source) else 0
    # A claim of too many takes what was missed (ACC rule 10.2). But where scores are unknown it may be no claim.
    return missed > 0 and (points <= missed or sees_every_score(table, side))


def knows_points_due(table: Table, observation: c.PegsMoved, points: int, *, is_entered: bool = True) -> bool:
    """Whether the table knows what was due to this side, and can report a wrong move.

    By ACC rule 8.3 nobody may correct a move to their own disadvantage, so a peg moved back stays there. But a sensor
    may show that while the peg is in a hand, beside a hole that reads without one: then it does not stay.
    """
    side = observation.side
    if is_entered and points < 0 and table.sides[side].owed >= 0 and table.rules.peg_policy is PegPolicy.ACC:
        return False
    if table.sides[side].owed != 0:
        return True
    if not is_entered and expects_cards(table):
        return True  # nothing can be due before a card, so the players say whether the pegs are right
    # After a checked move a slide goes on with that move. A leap may be a new score, which nobody entered.
    return sees_every_score(table, side) or (table.sides[side].is_checked and not observation.is_leap)


def enter_points(decision: Decision, command: c.EnterPoints) -> None:
    """The points that a side takes. It moves no more than is due: more is an overrun, less is missed. Where the table
    does not know what is scored, the entered points count; so do all points of a side whose due points move by
    themselves, because nothing is left that they could be compared with.

    Raises NotASeat.
    """
    table = decision.table
    side = check_side(decision.table, command.side)
    if command.points < 0:
        raise NotASeat("points from 0", str(command.points))
    due = max(0, table.sides[side].owed)
    room = table.sides[side].target - table.sides[side].pegs.front
    taken = min(command.points, room)  # too many to go out are no excess: the peg could go no further either
    stands = table.mover(side) is Mover.TABLE or (due == 0 and not sees_every_score(table, side))
    moved = taken if stands else min(taken, due)
    if moved:
        decision.apply(e.PegLeapt(side, table.sides[side].pegs.leapt_to(table.sides[side].pegs.front + moved), stands))
    # Entering is moving and releasing at once, so all of the excess is new, and the rest of a score is missed now.
    if not stands and taken > due:
        record_overrun(decision, side, taken - due, taken - due)
    elif command.points:
        report_shortfall(decision, side)
    else:  # 0 is said aloud: the side takes nothing, of none of its scores
        report_missed(decision, side, table.sides[side].forfeitable_dues)
    decision.find_winner()
    report_missed_before_go(decision, side, table)


def accept_pegs(decision: Decision, command: c.AcceptPegs) -> None:
    """Accepts the pegs of every side that is shown to owe points, or moved too far.

    Points that can be claimed stay as they are.
    """
    for side in range(len(decision.table.sides)):
        # By what is shown: an event for hidden points would give away that there are some.
        if command.side in (None, side) and shown_owed(decision.table, side):
            decision.apply(e.PegsAllowed(side))
    decision.find_winner()


def correct_score(decision: Decision, command: c.CorrectScore) -> None:
    """Raises NotASeat for the side, NotAScore unless 0 <= score <= target."""
    side = check_side(decision.table, command.side)
    most = decision.table.sides[side].target
    if not 0 <= command.score <= most:
        raise NotAScore(f"a score from 0 to {most}", str(command.score), number=most)
    decision.apply(e.ScoreCorrected(side, command.score, command.reason))
    decision.find_winner()


def check_side(table: Table, side: int) -> int:
    """The side itself. Raises NotASeat if the game has no such side."""
    if not 0 <= side < len(table.sides):
        raise NotASeat(f"a side from 0 to {len(table.sides) - 1}", str(side))
    return side
