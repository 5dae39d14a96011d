"""What happens in a club. The events in order are the whole state (`state.evolve`), and its audit.

Each command of `decide` makes exactly one event. Names of events and of their fields are part of the file's format.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from firmware_host.club.members import MemberId, NightSettings
from firmware_host.lazy_dataclass import dataclass


class Pair(NamedTuple):
    """The two players of a game."""

    first: MemberId
    second: MemberId

    def opponent_of(self, member: MemberId) -> MemberId:
        """The other player. Raises ValueError for somebody who does not play in this game."""
        return self[1 - self.index(member)]


class BracketKind(Enum):
    """Which play-offs."""

    MAIN = "main"
    CONSOLATION = "consolation"


@dataclass(frozen=True, slots=True)
class MemberAdded:
    """Somebody joined the club, or came as a guest."""

    member: MemberId
    name: str
    is_guest: bool
    handicap: int


@dataclass(frozen=True, slots=True)
class MemberChanged:
    """Name, guest and handicap from now on. Handicaps of games that are paired stay as they were."""

    member: MemberId
    name: str
    is_guest: bool
    handicap: int


@dataclass(frozen=True, slots=True)
class MemberRemoved:
    """The member left the club. Past nights keep the games."""

    member: MemberId


@dataclass(frozen=True, slots=True)
class NightCreated:
    """A club night begins. `night` counts from 1, `date` is ISO 8601, such as 2026-03-14."""

    night: int
    date: str
    settings: NightSettings


@dataclass(frozen=True, slots=True)
class PlayerEntered:
    """The member plays from the next round that is paired; also one who comes late or comes back."""

    night: int
    member: MemberId


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """The member plays no more tonight. Games without a reported score become byes of the opponents.

    Byes of the member count up to the last round that has a result.
    """

    night: int
    member: MemberId


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """Who meets whom in round `round` (from 1). The first game is at table 1, and so on."""

    night: int
    round: int
    games: tuple[Pair, ...]
    byes: tuple[MemberId, ...]
    head_starts: tuple[int, ...]
    """Holes for each game: positive for the first player, negative for the second, 0 for an even start."""


@dataclass(frozen=True, slots=True)
class RoundUnpaired:
    """The pairing of the last paired round, which had no results, was withdrawn."""

    night: int
    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class ResultReported:
    """The scores of a game, in the order of its pair, by one of its players or the ORGANISER. Replaces a report that
    was not confirmed by both."""

    night: int
    round: int
    table: int
    scores: tuple[int, ...]
    by: MemberId


@dataclass(frozen=True, slots=True)
class ResultConfirmed:
    """A player of the game agrees with the reported scores: on a board, whose message `id` and `revision` name, or at
    the organiser's computer (`board` is empty)."""

    night: int
    round: int
    table: int
    by: MemberId
    board: str = ""
    id: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """The organiser set the scores. They count without a confirmation."""

    night: int
    round: int
    table: int
    scores: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class ResultReceived:
    """A board sent the scores of a game, in the order of its pair; empty: the end of the game was undone. The players
    have to confirm them, there or at the organiser's computer. `id` and `revision` name the message."""

    night: int
    round: int
    table: int
    scores: tuple[int, ...]
    board: str
    id: str
    revision: int


class Unmatched(Enum):
    """Why a result that a board sent does not count."""

    NO_GAME = "no_game"
    """The two do not play each other in this night."""
    NO_RESULT = "no_result"
    """The scores are not those of a game of this night."""
    COUNTS_ALREADY = "counts_already"
    """The players confirmed another result, or the organiser corrected it."""
    OTHER_BOARD = "other_board"
    """The game is at the table of another board, or another board has sent its result."""
    OTHER_DATE = "other_date"
    """The two have an open game, but by the clock of the board this one ended long before the night."""


@dataclass(frozen=True, slots=True)
class ResultUnmatched:
    """A board sent a result that does not count. `names` and `scores` have the sides as the board sent them."""

    night: int
    why: Unmatched
    names: tuple[str, ...]
    scores: tuple[int, ...]
    board: str
    id: str
    revision: int


@dataclass(frozen=True, slots=True)
class JoinCodeSet:
    """The code by which boards join the night from now on."""

    night: int
    code: str


@dataclass(frozen=True, slots=True)
class BoardJoined:
    """A board named the code, and is at this table for the night. `board` is its name in topics."""

    night: int
    board: str
    table: int


@dataclass(frozen=True, slots=True)
class BoardReleased:
    """The organiser took a board from its table."""

    night: int
    board: str


@dataclass(frozen=True, slots=True)
class BracketDrawn:
    """Play-offs begin. `seeds` are in order, the best first; `best_of` is 3 or 5 games a match."""

    night: int
    bracket: BracketKind
    best_of: int
    seeds: tuple[MemberId, ...]


@dataclass(frozen=True, slots=True)
class MatchReported:
    """Games won by the two players of a match, in the order of the bracket. `reason` is empty for a first report."""

    night: int
    bracket: BracketKind
    round: int
    match: int
    wins: tuple[int, ...]
    reason: str


Event = (
    MemberAdded
    | MemberChanged
    | MemberRemoved
    | NightCreated
    | PlayerEntered
    | PlayerLeft
    | RoundPaired
    | RoundUnpaired
    | ResultReported
    | ResultConfirmed
    | ResultCorrected
    | ResultReceived
    | ResultUnmatched
    | JoinCodeSet
    | BoardJoined
    | BoardReleased
    | BracketDrawn
    | MatchReported
)
