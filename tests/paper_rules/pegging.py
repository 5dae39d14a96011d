"""The pegs of every side: moves that are exact, short, too far, back; what is final, and what it costs."""

from __future__ import annotations

from msgspec.structs import replace

from tests.paper_rules.pegs import Pegs, Verdict, judge
from tests.paper_rules.play import Refused
from tests.paper_rules.points import MISSABLE, MUGGINS, PENALTY, SHOW
from tests.paper_rules.score_sheet import ScoreSheet
from tests.paper_rules.systems import Rules

FALSE_GAME_BACK = 15
"""Holes to go back for a false claim of the game (ACC 8.4.b)."""


class Pegging(ScoreSheet):
    """A score sheet whose points people peg themselves. `is_known`: the table knows every card; otherwise only cards
    that are shown."""

    def __init__(self, rules: Rules, scores: tuple[int, ...], *, is_known: bool) -> None:
        super().__init__(rules, scores)
        self.is_known = is_known
        self.has_sensors = False
        """Whether only sensors report the moves of pegs. They do not see whose hand it was, or whether it was one: a
        move back is lost (ACC 8.3) only where people enter it."""
        self.is_policed = False
        """Whether the table knows everything that can be due: all hands, from the starter on."""
        self.first_shown: int | None = None
        """The side whose hand was shown first in this deal."""
        self.proper = list(self.pegs)
        """Where the pegs of a side with excess, or with a price to pay, have to go."""
        self.compared: frozenset[int] = frozenset()
        """Sides whose last move was one for points that were due: where it ended is known to be right."""
        self.excess_fined = [0] * len(scores)
        self.moved_far: frozenset[int] = frozenset()
        """Sides whose last move went too far and is not final yet."""
        self.overran: frozenset[int] = frozenset()
        """Sides that moved too far in a move of which a part was due."""

    def must_go_back(self, side: int) -> bool:
        """Whether the front peg stands farther than what was pegged rightly, whatever else is due."""
        return self._is_too_far(side, self.pegs[side])

    def _is_too_far(self, side: int, pegs: Pegs) -> bool:
        return pegs.front > max(0, self.earned[side])

    def proper_now(self, side: int) -> Pegs:
        """Where the pegs belong without what may still be pegged."""
        if not self.must_go_back(side):
            return self.pegs[side]
        is_whole_way = self.proper[side].front == self.right(side)
        return self.proper[side] if is_whole_way else self.pegs[side].back(-self.entitled(side))

    def _go_back(self, side: int, points: int, *, may_owe: bool = False) -> None:
        """The side has to peg back; never below the start, except for a debt."""
        self.proper[side] = self.proper_now(side).back(points)
        least = self.earned[side] - points if may_owe else min(0, self.earned[side])
        self.earned[side] = max(self.earned[side] - points, least)
        self._settle_what_stands(side)

    def move(self, side: int, after: Pegs) -> Verdict:
        """The pegs of the side were moved, and came to rest. Returns the verdict on the move."""
        if self.winner is not None:
            raise Refused("game_over")
        before, due = self.pegs[side], self.entitled(side)
        if self.must_go_back(side) and after.front < before.front:
            return self._repair(side, after)
        claimed = 0 if due > 0 or after.front <= before.front else self._claim_by_moving(side, after)
        verdict, holes = judge(before, after, max(0, due) + claimed, self.target(side))
        if verdict is Verdict.WRONG_DIRECTION:
            self._moved_back(side, after, holes)
        elif after.front > before.front:
            self._moved_forward(side, after, verdict, holes)
        else:
            self.pegs[side] = after
        return verdict

    def _repair(self, side: int, after: Pegs) -> Verdict:
        self.pegs[side] = after
        self.excess_fined[side] = max(0, after.front - max(0, self.earned[side]))
        if not self.must_go_back(side):
            self.moved_far -= {side}
        return Verdict.EXACT

    def _moved_back(self, side: int, after: Pegs, holes: int) -> None:
        self.pegs[side] = after
        is_final = self.rules.pegging_policy == "acc" and not self.has_sensors
        if is_final or not (self.is_policed or side in self.compared):
            self.earned[side] -= holes  # stands (ACC 8.3); nobody can claim holes lost backwards (ACC 10.3.d)

    def _moved_forward(self, side: int, after: Pegs, verdict: Verdict, holes: int) -> None:
        before, due = self.pegs[side], max(0, self.entitled(side))
        self.compared = self.compared | {side} if due or self.is_policed else self.compared - {side}
        reached = min(after.front, self.target(side))
        is_slide = after.rear != before.front
        restored = min(reached, max(0, self.earned[side])) - before.front if is_slide else 0
        moved = reached - before.front - max(0, restored)
        if moved:
            self._close_claims(by_peg_of=side, pegs_first_hand=self._is_first_hand_pegged(side))
        go_points, earned = self._timely_go_points(side), self.earned[side]
        had_excess = before.front > max(0, earned)
        self._settle(side, min(moved, due))
        if self.earned[side] > earned:
            self.overran |= {side}
        elif not had_excess:
            self.overran -= {side}
        self.pegs[side] = Pegs(reached, after.rear)
        self.last_mover = side
        self.excess_fined[side] = min(self.excess_fined[side], max(0, reached - max(0, self.earned[side])))
        self.moved_short -= {side}
        if verdict is Verdict.UNDER and moved:
            self._moved_short(side)
        elif verdict in (Verdict.OVER, Verdict.FALSE_GAME):
            if not self.is_policed:
                self.earned[side] += holes  # believed
            else:
                self._moved_too_far(side, before, due, verdict)
        self._look_for_winner(side)
        if self._timely_go_points(side) < go_points and not self.is_known:
            self._forfeit_by_pegged_go(side)

    def _moved_short(self, side: int) -> None:
        self.moved_short |= {side}
        if self.dues[side]:
            first = self._settling_order(side)[0]
            self._replace(side, first, replace(first, is_rest=True))
        room = self.target(side) - self.pegs[side].front
        if self.rules.muggins_mode == "claim":
            for due in self.dues[side]:
                if self._is_in_scope(due) and not due.is_entered:
                    self._replace(side, due, replace(due, points=min(due.points, room), claimers=self._others(side)))

    def _moved_too_far(self, side: int, before: Pegs, due: int, verdict: Verdict) -> None:
        if not self._is_too_far(side, before):
            is_leap = self.pegs[side].rear == before.front
            right = before.leap(due, self.target(side)) if is_leap else before.slide(due)
            self.proper[side] = right if due else before
        self.moved_far |= {side}
        if verdict is Verdict.FALSE_GAME:
            self._fine_excess(side)
            if self.rules.pegging_policy == "acc":
                self._go_back(side, FALSE_GAME_BACK)  # even if the other side is out by the excess (ACC 8.4.b)

    def _fine_excess(self, side: int) -> None:
        excess = self.pegs[side].front - max(0, self.earned[side])
        if self.rules.pegging_policy == "acc" and excess > self.excess_fined[side]:
            self._earn(self.rules.beneficiary(side), PENALTY, excess - self.excess_fined[side])
            self.excess_fined[side] = excess
        self.moved_far -= {side}

    def _moves_are_final(self, by: int | None) -> None:
        """Another side goes on (None: all do), so the moves that were made are not corrected any more. When the side
        itself goes on, only a whole move too many may still be the points of what it does now."""
        for side in sorted(self.moved_far):
            if side != by or side in self.overran:
                self._fine_excess(side)
        self._short_moves_are_final(by)

    def _short_moves_are_final(self, by: int | None) -> None:
        if self.rules.pegging_policy == "acc" and self.rules.muggins_mode != "coach":
            for side in sorted(self.moved_short - {by}):
                self._forfeit(side, MISSABLE)
        self.moved_short = frozenset()

    def _look_for_winner(self, side: int) -> None:
        if min(self.pegs[side].front, self.earned[side]) >= self.target(side):
            self.winner = self.winner_when_out(side)

    def winner_when_out(self, side: int) -> int:
        """Who wins once this side is out."""
        return side

    def _timely_go_points(self, side: int) -> int:
        return sum(due.points for due in self.dues[side] if due.kind == "go" and not due.is_entered)

    def _forfeit_by_pegged_go(self, by: int) -> None:
        """What the cards before that go scored. Where the table knows all hands, a go follows its card at once."""
        for side in range(len(self.rules.sides)):
            if side != by and self.winner is None:
                self._miss(side, [due for due in self.dues[side] if due.kind == "card" and not due.is_entered])

    def _is_first_hand_pegged(self, side: int) -> bool:
        return side == self.first_shown and any(due.source == SHOW for due in self.dues[side])

    # What people do besides moving their own pegs.

    def accept(self) -> None:
        """People agree that the pegs are right as they stand."""
        for side, pegs in enumerate(self.pegs):
            if self.entitled(side):
                self.earned[side], self.dues[side] = pegs.front, ()
                self.excess_fined[side] = 0
                self._look_for_winner(side)

    def correct_score(self, side: int, score: int) -> None:
        """People agree on another score, and put the pegs there."""
        self.pegs[side] = self.pegs[side].slide(score - self.pegs[side].front)
        self.earned[side], self.dues[side] = score, ()
        self.excess_fined[side] = 0
        self.compared -= {side}
        self.moved_short -= {side}
        self.moved_far -= {side}
        self._look_for_winner(side)

    def front_peg_removed(self, side: int) -> None:
        """The players agree that the front peg of the side was taken out and not put back."""
        pegs = self.pegs[side]
        if self.rules.front_peg_removed != "becomes_rear" or not pegs.front or self.winner is not None:
            raise Refused("no_breach")
        self.earned[side] -= pegs.front - pegs.rear
        self.pegs[side] = Pegs(pegs.rear, max(0, pegs.rear - 1))

    def foreign_peg_moved(self, side: int, owner: int) -> None:
        """The players agree that a player of the side moved a peg of the owner, who gets two points."""
        if self.rules.foreign_peg != "penalty" or owner == side or self.winner is not None:
            raise Refused("no_breach")
        self._earn(owner, PENALTY, 2)

    def _claim(self, side: int, points: int) -> None:
        """Claims points that somebody missed: the lesser of the claim and the truth (ACC 10.4.a)."""
        paid = self._take_claimed(side, points)
        self._short_moves_are_final(by=side)
        if paid:
            self._earn(side, MUGGINS, paid)
        elif self.rules.false_claim == "penalty":
            others = [other for other in range(len(self.rules.sides)) if other != side]
            accused = others[0] if len(others) == 1 or self.last_mover in (None, side) else self.last_mover
            self._earn(accused, PENALTY, points)

    def _claim_by_moving(self, side: int, after: Pegs) -> int:
        """Muggins taken by moving the peg, without a word."""
        if self.rules.muggins_mode != "claim" or not self.claimable(side):
            return 0
        paid = self._take_claimed(side, after.front - self.pegs[side].front)
        self._earn(side, MUGGINS, paid)
        return paid
