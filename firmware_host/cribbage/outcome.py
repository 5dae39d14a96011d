"""How a game ended, and what that is worth in a match."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.cribbage.rules import Margin, RuleSet, Side


@dataclass(frozen=True, slots=True)
class Outcome:
    """`points` are match points, `spread` holes ahead or, below zero, behind; both have an entry a side.

    With more than two sides the winner is measured against the best loser, each loser against the winner. Only who
    leaves everybody behind a skunk line has skunked them.
    """

    winner: Side
    margin: Margin
    points: tuple[int, ...]
    spread: tuple[int, ...]

    @property
    def is_skunk(self) -> bool:
        return self.margin is not Margin.WIN

    @property
    def last(self) -> tuple[Side, ...]:
        """Who lost by most; more than one where they are level."""
        losers = [Side(side) for side in range(len(self.spread)) if side != self.winner]
        lowest = min(self.spread[side] for side in losers)
        return tuple(side for side in losers if self.spread[side] == lowest)


def outcome_of(rules: RuleSet, winner: Side, scores: tuple[int, ...]) -> Outcome:
    """What a finished game with these scores, one a side, is worth."""
    # Counted from each side's own target: a captain's is nearer, and in lowball it is the loser who stands there.
    short = [rules.target_of(Side(side)) - score for side, score in enumerate(scores)]
    behind = [abs(short[winner] - holes) for holes in short]
    best_loser = min((side for side in range(len(scores)) if side != winner), key=behind.__getitem__)
    margin = rules.margin(scores[best_loser])
    return Outcome(
        winner,
        margin,
        points=tuple(rules.match_points_for(margin) if side == winner else 0 for side in range(len(scores))),
        spread=tuple(behind[best_loser] if side == winner else -holes for side, holes in enumerate(behind)),
    )
