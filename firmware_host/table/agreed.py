"""What was agreed on about points that their owner does not take."""

from __future__ import annotations

from firmware_host.cribbage.options import MugginsMode, MugginsScope, PegPolicy
from firmware_host.cribbage.rules import RuleSet
from firmware_host.table.events import Source

FORFEITED = (Source.PLAY, Source.SHOW)
"""What can be overlooked. Heels have a time of their own; penalties and muggins wait till the cards are gathered; and
none of these can ever be taken by muggins (ACC rule 10.2)."""


def is_muggins(rules: RuleSet, source: Source) -> bool:
    """Whether the other side may take points of this source that are missed."""
    in_scope = source is Source.SHOW or (source is Source.PLAY and rules.muggins_scope is MugginsScope.BOTH)
    return in_scope and rules.muggins_mode in (MugginsMode.CLAIM, MugginsMode.AUTOMATIC)


def is_strict(rules: RuleSet, source: Source) -> bool:
    """Whether points of this source are lost as soon as they are missed. A coach only points them out."""
    stands = rules.peg_policy is PegPolicy.ACC and rules.muggins_mode is not MugginsMode.COACH
    return is_muggins(rules, source) or (stands and source in FORFEITED)
