"""The outcome of a finished game: margin, match points, spread."""

from __future__ import annotations

from msgspec import Struct

from firmware_host.cribbage.rules import Margin, RuleSet, Side


class Outcome(Struct, frozen=True):
    """`points` are match points, `spread` is holes ahead or (negative) behind; both have one entry a side.

    With more than two sides the winner's margin and spread are against the best loser, each loser's spread against the
    winner. So it is a skunk only if every loser is below the line.
    """

    winner: Side
    margin: Margin
    points: tuple[int, ...]
    spread: tuple[int, ...]

    @property
    def is_skunk(self) -> bool:
        """Any margin but a plain win."""
        return self.margin is not Margin.WIN

    @property
    def last(self) -> tuple[Side, ...]:
        """The sides that lost by most; several if they are level."""
        losers = [Side(side) for side in range(len(self.spread)) if side != self.winner]
        lowest = min(self.spread[side] for side in losers)
        return tuple(side for side in losers if self.spread[side] == lowest)


def outcome_of(rules: RuleSet, winner: Side, scores: tuple[int, ...]) -> Outcome:
    """The outcome of a finished game with these scores, one a side."""
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
