"""What the rules in force say about points that their owner does not take."""

from __future__ import annotations

from firmware_host.cribbage.options import MugginsMode, MugginsScope, PegPolicy
from firmware_host.cribbage.rules import RuleSet
from firmware_host.game.events import Source

FORFEITABLE = (Source.PLAY, Source.SHOW)
"""Points that are forfeited when the game goes on. Heels have a deadline of their own; penalties and muggins stay due
until the cards are gathered; and none of these can ever be claimed as muggins (ACC rule 10.2)."""


def goes_to_opponent(rules: RuleSet, source: Source) -> bool:
    """Whether the opponent may take missed points of this source: muggins is played and covers it."""
    in_scope = source is Source.SHOW or (source is Source.PLAY and rules.muggins_scope is MugginsScope.BOTH)
    return in_scope and rules.muggins_mode in (MugginsMode.CLAIM, MugginsMode.AUTOMATIC)


def are_heels_at_risk(rules: RuleSet) -> bool:
    """Whether the dealer may lose heels that would win: with muggins nobody reminds anybody to peg out (ACC rule
    10.1.c), so the game goes on, and the deadline of the heels decides."""
    return rules.muggins_mode in (MugginsMode.CLAIM, MugginsMode.AUTOMATIC)


def is_lost_when_missed(rules: RuleSet, source: Source) -> bool:
    """Whether missed points of this source are lost at once: by muggins, or by `pegging_policy=acc` without a coach."""
    is_acc = rules.peg_policy is PegPolicy.ACC and rules.muggins_mode is not MugginsMode.COACH
    return goes_to_opponent(rules, source) or (is_acc and source in FORFEITABLE)
