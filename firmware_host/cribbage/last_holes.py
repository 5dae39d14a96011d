"""Points that do not count near the game hole: from the stinkhole, and for a go beyond the limit for it.

RULES.md names the sources. The score is all that the side has earned, whether its peg was moved or not: a fifteen at
118 brings it to the stinkhole, before the point for last. The scorekeeping and the engine both ask here.
"""

from __future__ import annotations

from enum import Enum

from firmware_host.cribbage.options import GoLimit, Stinkhole
from firmware_host.cribbage.rules import RuleSet, Side
from firmware_host.cribbage.score import ScoreKind

LAST_SCORE_FOR_A_GO = 115
GO_KINDS = frozenset({ScoreKind.GO, ScoreKind.LAST_CARD})
_NOT_FROM_STINKHOLE = {
    Stinkhole.HEELS: frozenset({ScoreKind.HIS_HEELS}),
    Stinkhole.HEELS_AND_GO: GO_KINDS | {ScoreKind.HIS_HEELS},
    Stinkhole.SHOW_ONLY: frozenset(ScoreKind),
}
"""What does not count there before the show."""


class Withheld(Enum):
    """The rule by which points do not count."""

    STINKHOLE = "stinkhole"
    GO_LIMIT = "go_limit"


def stinkhole_of(rules: RuleSet, side: Side) -> int:
    """The score from which one point wins."""
    return rules.target_of(side) - 1


def withheld_by(rules: RuleSet, side: Side, score: int, kind: ScoreKind) -> Withheld | None:
    """The rule by which starter or play give a side at this score no points of this kind; None: they count."""
    if score >= stinkhole_of(rules, side) and kind in _NOT_FROM_STINKHOLE.get(rules.stinkhole, ()):
        return Withheld.STINKHOLE
    if rules.go_limit is GoLimit.TO_115 and score > LAST_SCORE_FOR_A_GO and kind in GO_KINDS:
        return Withheld.GO_LIMIT
    return None


def highest_score_for(rules: RuleSet, side: Side, kind: ScoreKind) -> int:
    """The highest score at which starter or play still give points of this kind: each rule holds from a score on."""
    return next(
        score for score in range(rules.target_of(side) - 1, -1, -1) if not withheld_by(rules, side, score, kind)
    )
