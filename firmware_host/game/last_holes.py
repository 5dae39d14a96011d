"""Points that do not score near the game hole: from the stinkhole, and for a go beyond the limit for it.

RULES.md names the sources. The score is all that the side has earned,
whether its peg was moved or not: a fifteen at 118 brings it to the stinkhole, before the point for last.
"""

from __future__ import annotations

from firmware_host.cribbage.options import GoLimit, Stinkhole
from firmware_host.cribbage.rules import Side
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game.events import Source
from firmware_host.game.state import Table

LAST_SCORE_FOR_A_GO = 115
_GO = frozenset({ScoreKind.GO, ScoreKind.LAST_CARD})


def scores_that_count(table: Table, side: Side, source: Source, scores: tuple[Score, ...]) -> tuple[Score, ...]:
    """Those of the scores that the rules give to a side with the points it has now."""
    rules = table.rules
    if rules.stinkhole is Stinkhole.OFF and rules.go_limit is GoLimit.NONE:
        return scores
    earned = table.sides[side].rightful
    is_in_stinkhole = earned == rules.target_of(side) - 1
    if is_in_stinkhole and rules.stinkhole is Stinkhole.SHOW_ONLY and source in (Source.HEELS, Source.PLAY):
        return ()
    without = set[ScoreKind]()
    if is_in_stinkhole and rules.stinkhole in (Stinkhole.HEELS, Stinkhole.HEELS_AND_GO):
        without.add(ScoreKind.HIS_HEELS)
    if is_in_stinkhole and rules.stinkhole is Stinkhole.HEELS_AND_GO:
        without |= _GO
    if rules.go_limit is GoLimit.TO_115 and earned > LAST_SCORE_FOR_A_GO:
        without |= _GO
    return tuple(score for score in scores if score.kind not in without)
