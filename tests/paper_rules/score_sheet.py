"""The score sheet: what every side earned, may still peg, missed, and may claim."""

from __future__ import annotations

from msgspec.structs import replace

from tests.paper_rules.pegs import Pegs
from tests.paper_rules.play import Refused
from tests.paper_rules.points import HEELS, MISSABLE, MUGGINS, PENALTY, PLAY, SHOW, Due, Finished, Miss
from tests.paper_rules.systems import Rules

NOBODY, EVERYBODY = -1, -2


class ScoreSheet:
    """The points of every side, whoever moves its pegs. Rules of the ACC are named by number."""

    def __init__(self, rules: Rules, scores: tuple[int, ...]) -> None:
        self.rules = rules
        self.pegs = [Pegs(score, 0) for score in scores]
        self.earned = list(scores)
        """The score of each side without what it may still peg; the rest of its front peg's way is excess. Below zero:
        a debt."""
        self.dues: list[tuple[Due, ...]] = [()] * len(scores)
        self.misses: tuple[Miss, ...] = ()
        self.moved_short: frozenset[int] = frozenset()
        """Sides whose last move was short and is not final yet."""
        self.last_mover: int | None = None
        self.winner: int | None = None

    # What everybody can see.

    def target(self, side: int) -> int:
        """The score that ends the game for the side."""
        return self.rules.target_of(side)

    def right(self, side: int) -> int:
        """Where the front peg of the side should stand once everything is pegged."""
        return max(0, min(self.target(side), self.earned[side] + sum(due.points for due in self.dues[side])))

    def entitled(self, side: int) -> int:
        """Holes that the side may move now; below zero: holes that it has to go back."""
        return self.right(side) - self.pegs[side].front

    def score(self, side: int) -> int:
        """The score: what was earned and pegged, wherever the peg stands now."""
        return max(0, min(self.target(side), self.earned[side]))

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every side."""
        return tuple(map(self.score, range(len(self.rules.sides))))

    def claimable(self, side: int) -> list[int]:
        """The points of each score that the side could claim now."""
        short = [due.points for dues in self.dues for due in dues if side in due.claimers]
        return [*(miss.points for miss in self.misses if side in miss.claimers), *short]

    def _is_somebody_out(self) -> bool:
        return any(self._is_out_for_good(side) for side in range(len(self.rules.sides)))

    def _is_out_for_good(self, side: int) -> bool:
        """Whether the side has the points to win. With muggins nobody is reminded to peg out (ACC 10.1.c): heels that
        can still be lost end nothing."""
        heels = sum(due.points for due in self.dues[side] if self._may_lapse(due))
        return self.earned[side] + sum(due.points for due in self.dues[side]) - heels >= self.target(side)

    def _may_lapse(self, due: Due) -> bool:
        return due.source == HEELS and self.rules.muggins_mode in ("claim", "automatic")

    # Points: earned, missed, forfeited.

    def _earn(self, side: int, source: str, points: int, kind: str = "") -> None:
        if points and self.winner is None:
            self.dues[side] = (*self.dues[side], Due(source, points, kind))
            self._settle_what_stands(side)

    def _settle(self, side: int, points: int) -> None:
        """Points that could be forfeited count as pegged first."""
        points = max(0, points)
        for due in self._settling_order(side):
            pegged = min(points, due.points)
            points -= pegged
            self.earned[side] += pegged
            rest = due.points - pegged
            if pegged:
                self._replace(side, due, replace(due, points=rest) if rest else None)
        if self.earned[side] >= self.target(side):
            self.dues[side] = ()

    def _settling_order(self, side: int) -> list[Due]:
        """What a move pegs first."""
        return sorted(self.dues[side], key=lambda due: due.is_entered or due.source not in (*MISSABLE, HEELS))

    def _settle_what_stands(self, side: int) -> None:
        """A peg that has to go back stands on points that are due already, and a debt takes them: only the rest is to
        be moved."""
        self._settle(side, self.pegs[side].front - self.earned[side])

    def _lose_heels(self) -> None:
        for side, dues in enumerate(self.dues):
            self.dues[side] = tuple(due for due in dues if due.source != HEELS)

    def _forfeit(self, side: int, sources: tuple[str, ...], finished: Finished = Finished.ALL) -> None:
        """Points of these sources that were not pegged in time."""
        lost = [due for due in self.dues[side] if due.source in sources and not due.is_entered]
        if finished is not Finished.ALL:
            lost = [due for due in lost if due.is_rest and finished is Finished.REST]
        self._miss(side, lost)

    def _miss(self, side: int, lost: list[Due]) -> None:
        room = self.target(side) - self.pegs[side].front
        mode = self.rules.muggins_mode
        for due in lost:
            points, room = min(due.points, room), max(0, room - due.points)
            is_open = mode in ("claim", "automatic") and self._is_in_scope(due)
            if mode == "coach" or (not is_open and self.rules.pegging_policy == "correct"):
                self._replace(side, due, replace(due, is_entered=True))
                continue
            self._replace(side, due, None)
            if not points or not is_open:
                continue
            if mode == "automatic":
                self._earn(self.rules.beneficiary(side), MUGGINS, points)
            elif mode == "claim":
                self.misses = (*self.misses, Miss(side, due.source, points, self._others(side)))

    def _is_in_scope(self, due: Due) -> bool:
        """Whether muggins can take these points."""
        return due.source == SHOW or (due.source == PLAY and self.rules.muggins_scope == "both")

    def _others(self, side: int) -> frozenset[int]:
        return frozenset(range(len(self.rules.sides))) - {side}

    def _replace(self, side: int, old: Due, new: Due | None) -> None:
        self.dues[side] = tuple(
            changed for due in self.dues[side] if (changed := new if due is old else due) is not None
        )

    def _refuse_if_somebody_is_out(
        self, goes_on: int | None = NOBODY, safe_sources: tuple[str, ...] = MISSABLE
    ) -> None:
        """A side that has enough points pegs out before anything else, unless it loses them when `goes_on` goes on.
        A side that goes on itself keeps points of `safe_sources`; so does every side when a go is said."""
        if self.winner is not None:
            raise Refused("game_over")
        for side, dues in enumerate(self.dues):
            is_own = side == goes_on and side not in self.moved_short
            kept = safe_sources if is_own or goes_on == EVERYBODY else ()
            safe = [due for due in dues if goes_on == NOBODY or due.is_entered or not self._is_lost(due, kept)]
            safe = [due for due in safe if not self._may_lapse(due)]
            if self.earned[side] + sum(due.points for due in safe) >= self.target(side):
                raise Refused("game_hole_first")

    def _is_lost(self, due: Due, kept: tuple[str, ...]) -> bool:
        """Whether the points are lost when the game goes on."""
        if due.source not in MISSABLE:
            return False
        if self.rules.muggins_mode in ("claim", "automatic") and self._is_in_scope(due):
            return True
        return self.rules.pegging_policy == "acc" and self.rules.muggins_mode != "coach" and due.source not in kept

    # Muggins.

    def _take_claimed(self, side: int, points: int) -> int:
        """Pays the lesser of the claim and the truth. The score whose number was called is meant, else the latest ones.
        What was claimed, in part or in full, cannot be claimed again."""
        paid = 0
        while paid < points and (found := self._claimed(side, points - paid)):
            paid += min(found.points, points - paid)
            self.misses = tuple(miss for miss in self.misses if miss is not found)
            for loser, dues in enumerate(self.dues):
                for due in dues:
                    if due is found:
                        self._replace(loser, due, None)
        return paid

    def _claimed(self, side: int, points: int) -> Miss | Due | None:
        short = [due for dues in self.dues for due in dues if side in due.claimers]
        scores: list[Miss | Due] = [*short, *reversed([miss for miss in self.misses if side in miss.claimers])]
        return next((score for score in scores if score.points == points), scores[0] if scores else None)

    def _close_claims(
        self, *, by_card_of: int | None = None, by_peg_of: int | None = None, pegs_first_hand: bool = False
    ) -> None:
        """Ends the windows for claims (ACC 10.4.b and c)."""
        by_score_of = by_peg_of
        if by_peg_of is not None and not any(d.source not in (MUGGINS, PENALTY) for d in self.dues[by_peg_of]):
            by_score_of = None
        misses = []
        for miss in self.misses:
            claimers = miss.claimers
            if miss.source == PLAY:
                if by_card_of is not None and self.rules.muggins_window == "next_card":
                    claimers -= {by_card_of}
                if by_score_of == miss.side or pegs_first_hand:
                    claimers = frozenset()
            elif by_score_of is not None:
                claimers -= {by_score_of}
            if claimers:
                misses.append(replace(miss, claimers=claimers))
        self.misses = tuple(misses)
