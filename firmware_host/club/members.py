"""Members of a club, and the settings of a night."""

from __future__ import annotations

from typing import NewType

from msgspec import Struct, field

from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import rules_for

MemberId = NewType("MemberId", int)
"""The number of a member, from 1. It is never used again, even after the member was removed."""

ORGANISER = MemberId(0)
"""Reports results for others; no member has this number."""

USUAL_PRESET = "acc"
"""Of a night where no rules are chosen: a club plays by the ACC's rules, where mistakes cost points."""
GAMES_A_NIGHT = 9
ONE_IN = 4
MAX_GAMES = 99
MAX_HANDICAP = 60
"""Holes. A head start beyond half of a game of 121 would decide it."""


class Member(Struct, frozen=True):
    """A member or a guest. `handicap` is in holes, from 0 to MAX_HANDICAP."""

    id: MemberId
    name: str
    is_guest: bool = False
    handicap: int = 0


class NightSettings(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The rules of one night. Where no rule of the American Cribbage Congress (ACC) is known, it is a setting here.

    | setting | default | the ACC's rule |
    |---|---|---|
    | `games` | 9 | 9 in a club |
    | `rules` | six cards to 121, 2 game points for a win, 3 for a skunk | the same |
    | `bye_points`, `bye_spread` | 0 and 0 | not known |
    | `head_start` | off: handicaps are kept, and change nothing | none was found |
    | `qualify_one_in` | 4, rounded up | the same |
    """

    games: int = GAMES_A_NIGHT
    """How many games each player plays; 1 to MAX_GAMES."""
    rules: RuleSet = field(default_factory=lambda: rules_for("six_card"))
    """The rules of each game; a variant for two players."""
    bye_points: int = 0
    """Game points of a bye. A bye is never a game won."""
    bye_spread: int = 0
    """Holes that a bye adds to the plus points, and so to the spread."""
    head_start: bool = False
    """Whether the player with the higher handicap starts the difference in holes ahead. Scores count as pegged."""
    qualify_one_in: int = ONE_IN
    """One in so many entrants qualifies for the play-offs, any fraction rounded up."""

    def is_result(self, scores: tuple[int, ...]) -> bool:
        """Whether these can be the scores of a finished game: the winner has all holes, the loser fewer."""
        target = self.rules.target
        return len(scores) == 2 and max(scores) == target and 0 <= min(scores) < target
