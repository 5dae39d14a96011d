"""What the screen of the room shows, as plain data for its template."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from firmware_host.club.bracket import Bracket
from firmware_host.club.events import BracketKind
from firmware_host.club.game import Game
from firmware_host.club.seating import round_on_screen
from firmware_host.club.standings import Standing, standings
from firmware_host.club.state import Club, Night, Round

SIZES = ((12, "large"), (20, "medium"), (26, "small"))
"""Up to so many players -> the size of the letters; more: the smallest, in two tables."""
SMALLEST = "smallest"


class Room(Struct, frozen=True):
    """The screen of a night. `round` is None before the first round is paired."""

    night: Night
    round: Round | None
    size: str
    standings: Sequence[Sequence[Standing]]
    """Rows, in one table or in two beside each other."""
    brackets: Sequence[Bracket]

    @property
    def done(self) -> int:
        """How many results of the round count."""
        return sum(game.is_official for game in self.round.games) if self.round else 0


def room_of(club: Club) -> Room | None:
    """The screen of the latest night; None before there is one."""
    if not club.nights:
        return None
    night = club.nights[-1]
    rows = standings(night)
    size = next((name for most, name in SIZES if len(rows) <= most), SMALLEST)
    half = -(-len(rows) // 2)
    parts = [rows] if size != SMALLEST else [rows[:half], rows[half:]]
    brackets = [night.brackets[kind] for kind in BracketKind if kind in night.brackets]
    return Room(night, round_on_screen(night), size, parts, brackets)


def state_of(game: Game) -> str:
    """`playing`, `waiting` for a confirmation, `disputed`, or `done`."""
    if game.is_disputed:
        return "disputed"
    if game.is_official:
        return "done"
    return "waiting" if game.scores else "playing"
