"""What no cards can be worth: enough to doubt a leap when the board knows nothing but pegs.

The figures come from counting every hand; the tests count them again.
"""

from __future__ import annotations

from firmware_host.cribbage.options import PlayFlush
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet

SHOW_TOTALS = {
    3: frozenset(range(21)) - {16, 17, 18, 19},
    4: frozenset(range(30)) - {19, 25, 26, 27},
    5: frozenset(range(47)) - {35, 41, 42, 43, 44, 45},
}
"""Cards held -> every total that some hand of so many has with some starter."""

PLAY_POINTS = frozenset({*range(1, 10), 12, 13, 14, 15})
"""What one card can bring, alone or with the point for last or for a go; 15 is four alike, fifteen, and last."""

PLAY_POINTS_WITH_FLUSH = frozenset(range(1, 17))
"""The same where flushes count in the play; 16 is a run of seven in one suit upon a three, for 31."""


def is_possible_show(points: int, rules: RuleSet, *, is_crib: bool = False) -> bool:
    """Whether some hand (or crib) of this game counts so many points; 0 is a count too."""
    return points in SHOW_TOTALS[CRIB_SIZE if is_crib else rules.hand_size]


def is_possible_in_play(points: int, rules: RuleSet) -> bool:
    """Whether one leap in the play can be so long."""
    return points in (PLAY_POINTS if rules.play_flush is PlayFlush.OFF else PLAY_POINTS_WITH_FLUSH)
