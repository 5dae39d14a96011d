"""Points that no cards can be worth: a check of peg moves when the board does not know the cards.

The figures come from counting every hand; slow tests count them again.
"""

from __future__ import annotations

from firmware_host.cribbage.options import PlayFlush
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet

SHOW_TOTALS = {
    3: frozenset(range(21)) - {16, 17, 18, 19},
    4: frozenset(range(30)) - {19, 25, 26, 27},
    5: frozenset(range(47)) - {35, 41, 42, 43, 44, 45},
}
"""Number of held cards -> every total that some such hand has with some starter."""

PLAY_POINTS = frozenset({*range(1, 10), 12, 13, 14, 15})
"""Points of one card in the play, with or without the point for last or go. 15: four alike, fifteen and last."""

PLAY_POINTS_WITH_FLUSH = frozenset(range(1, 17))
"""The same where flushes count in the play. 16: a run of seven in one suit after a three, which makes 31."""


GREATEST_HAND_AND_CRIB = {4: 53}
"""Number of held cards -> the most points that a hand and a crib of the same deal have together."""
NO_SCORE = 60
"""No score is that high, nor are a hand and a crib together that anybody is known to have held."""


def is_possible_at_once(points: int, rules: RuleSet, *, has_hand: bool, has_crib: bool, in_play: bool) -> bool:
    """Whether `points`, from 1, can be what a side pegs at once: the points of a card in the play, a hand, a crib, or a
    hand and a crib together."""
    hands = SHOW_TOTALS[rules.hand_size]
    cribs = SHOW_TOTALS[CRIB_SIZE]
    return (
        (in_play and is_possible_in_play(points, rules))
        or (has_hand and points in hands)
        or (has_crib and points in cribs)
        or (has_hand and has_crib and points <= _greatest_sum(rules) and any(points - hand in cribs for hand in hands))
    )


def _greatest_sum(rules: RuleSet) -> int:
    return GREATEST_HAND_AND_CRIB.get(rules.hand_size, NO_SCORE - 1)


def is_possible_in_play(points: int, rules: RuleSet) -> bool:
    """Whether one card of the play can be worth `points`."""
    return points in (PLAY_POINTS if rules.play_flush is PlayFlush.OFF else PLAY_POINTS_WITH_FLUSH)
