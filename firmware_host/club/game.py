"""One game of a night, of a round or of a match: who plays where, the scores, and whether they count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field

from firmware_host.club import events as e
from firmware_host.club.members import Member, MemberId, NightSettings


class MatchPlace(NamedTuple):
    """Which match of the play-offs. Round and number count from 1."""

    kind: e.BracketKind
    round: int
    number: int


class Game(Struct, frozen=True):
    """One game of a round or of a match. `table` counts from 1; scores are in the order of the players.

    Round and table name the game to boards and phones. The games of matches count their rounds on after the last one of
    the night, at each table, so that no two games of a night have the same name."""

    round: int
    table: int
    players: e.Pair
    head_start: int = 0
    """Holes: positive for the first player, negative for the second."""
    scores: tuple[int, ...] = ()
    """Empty before somebody has reported them."""
    confirmed_by: frozenset[MemberId] = frozenset()
    reason: str | e.ResultChosen = ""
    """Why the organiser corrected the result, or whose result was chosen; empty if nobody did."""
    claims: Mapping[MemberId, tuple[int, ...]] = field(default_factory=dict)
    """Player -> the scores that this player reported or confirmed last."""
    match: MatchPlace | None = None
    """Of which match this is a game; None: it belongs to a round."""

    @property
    def bracket(self) -> str:
        """`main` or `consolation` for a game of a match; empty for one of a round."""
        return self.match.kind.value if self.match else ""

    @property
    def is_official(self) -> bool:
        """Whether the result counts: both players confirmed it, or the organiser corrected it."""
        return bool(self.scores) and (bool(self.reason) or self.confirmed_by >= set(self.players))

    @property
    def is_disputed(self) -> bool:
        """Whether both players entered a result, and not the same."""
        return not self.is_official and len(set(self.claims.values())) > 1


def head_start(members: Mapping[MemberId, Member], settings: NightSettings, pair: e.Pair) -> int:
    """Holes that the first player of a game starts ahead; negative for the second."""
    one, two = (members[player].handicap for player in pair)
    return (one - two) * settings.head_start
