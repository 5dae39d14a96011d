"""What happens in a club. The events in order are the whole state (`evolve.py`), and its audit.

Each command of `decide` and `by_hand` makes exactly one event, but for an arrival, which also seats the player. Names
of events and of their fields are part of the file's format.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from msgspec import Struct

from firmware_host.club.members import MemberId, NightSettings


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


class MemberAdded(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody joined the club, or came as a guest."""

    member: MemberId
    name: str
    is_guest: bool
    handicap: int


class MemberChanged(Struct, frozen=True, forbid_unknown_fields=True):
    """Name, guest and handicap from now on. Handicaps of games that are paired stay as they were."""

    member: MemberId
    name: str
    is_guest: bool
    handicap: int


class MemberRemoved(Struct, frozen=True, forbid_unknown_fields=True):
    """The member left the club. Past nights keep the games."""

    member: MemberId


class NightCreated(Struct, frozen=True, forbid_unknown_fields=True):
    """A club night begins. `night` counts from 1, `date` is ISO 8601, such as 2026-03-14."""

    night: int
    date: str
    settings: NightSettings


class PlayerEntered(Struct, frozen=True, forbid_unknown_fields=True):
    """The member plays from the next round that is paired; also one who comes late or comes back."""

    night: int
    member: MemberId


class PlayerLeft(Struct, frozen=True, forbid_unknown_fields=True):
    """The member plays no more tonight. Games without a reported score become byes of the opponents.

    Byes of the member count up to the last round that has a result.
    """

    night: int
    member: MemberId


class RoundPaired(Struct, frozen=True, forbid_unknown_fields=True):
    """Who meets whom in round `round` (from 1). The first game is at table 1, and so on."""

    night: int
    round: int
    games: tuple[Pair, ...]
    byes: tuple[MemberId, ...]
    head_starts: tuple[int, ...]
    """Holes for each game: positive for the first player, negative for the second, 0 for an even start."""


class ByHand(Enum):
    """What the organiser did with the places of a round."""

    PAIR = "pair"
    """The two named players play each other."""
    BYE = "bye"
    """The named player has a bye."""
    SWAP = "swap"
    """The games of the two named players exchanged their tables."""
    UNDO = "undo"
    """The change before was taken back; nobody is named."""


class RoundArranged(Struct, frozen=True, forbid_unknown_fields=True):
    """The organiser changed the places of a round: these are its games without scores, and its byes, from now on. The
    games with scores stay. `tables` and `head_starts` belong to `games`; `players` says for whom it was done."""

    night: int
    round: int
    change: ByHand
    players: tuple[MemberId, ...]
    tables: tuple[int, ...]
    games: tuple[Pair, ...]
    head_starts: tuple[int, ...]
    byes: tuple[MemberId, ...]


class LeaveUndone(Struct, frozen=True, forbid_unknown_fields=True):
    """The member plays on tonight. What the leave took away comes back where it still can: a game whose opponent has no
    other one, the bye of a game whose opponent has left as well, and byes of the member."""

    night: int
    member: MemberId


class RoundUnpaired(Struct, frozen=True, forbid_unknown_fields=True):
    """The pairing of the last paired round, which had no results, was withdrawn. `reason` may be empty."""

    night: int
    round: int
    reason: str


class ResultReported(Struct, frozen=True, forbid_unknown_fields=True):
    """The scores of a game, in the order of its pair, by one of its players or the ORGANISER. Replaces a report that
    was not confirmed by both. `phone` is the number of the player's phone; 0: none."""

    night: int
    round: int
    table: int
    scores: tuple[int, ...]
    by: MemberId
    phone: int = 0


class ResultConfirmed(Struct, frozen=True, forbid_unknown_fields=True):
    """A player of the game agrees with the reported scores: on a board, whose message `id` and `revision` name, on the
    player's phone of this number, or at the organiser's computer (`board` is empty, `phone` 0)."""

    night: int
    round: int
    table: int
    by: MemberId
    board: str = ""
    id: str = ""
    revision: int = 0
    phone: int = 0


class ResultSigned(Struct, frozen=True, forbid_unknown_fields=True):
    """The organiser entered the scores of a game for both players, from the cards that both have signed. They count."""

    night: int
    round: int
    table: int
    scores: tuple[int, ...]


class ResultCorrected(Struct, frozen=True, forbid_unknown_fields=True):
    """The organiser set the scores. They count without a confirmation."""

    night: int
    round: int
    table: int
    scores: tuple[int, ...]
    reason: str


class ResultChosen(Struct, frozen=True, forbid_unknown_fields=True):
    """The organiser decided for one of two results: for the one that player `by` entered, or, where `by` is the
    ORGANISER, for that of `board`. It counts without a confirmation."""

    night: int
    round: int
    table: int
    scores: tuple[int, ...]
    by: MemberId
    board: str


class ResultReceived(Struct, frozen=True, forbid_unknown_fields=True):
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


class ResultUnmatched(Struct, frozen=True, forbid_unknown_fields=True):
    """A board sent a result that does not count. `names` and `scores` have the sides as the board sent them."""

    night: int
    why: Unmatched
    names: tuple[str, ...]
    scores: tuple[int, ...]
    board: str
    id: str
    revision: int


class UnmatchedSeen(Struct, frozen=True, forbid_unknown_fields=True):
    """The organiser has seen a result that does not count, and leaves it so. `board` and `id` name its message."""

    night: int
    board: str
    id: str


class PhoneJoined(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone named the code, and is that of this player for the night. `phone` counts from 1, and no number is used
    again; `key` is the hash of its token."""

    night: int
    phone: int
    member: MemberId
    key: str


class PhoneReleased(Struct, frozen=True, forbid_unknown_fields=True):
    """The player or the organiser took a phone from its player."""

    night: int
    phone: int


class JoinCodeSet(Struct, frozen=True, forbid_unknown_fields=True):
    """The code by which boards and phones join the night from now on."""

    night: int
    code: str


class BoardJoined(Struct, frozen=True, forbid_unknown_fields=True):
    """A board named the code, and is at this table for the night. `board` is its name in topics."""

    night: int
    board: str
    table: int


class BoardReleased(Struct, frozen=True, forbid_unknown_fields=True):
    """The organiser took a board from its table."""

    night: int
    board: str


class HighHandsNoted(Struct, frozen=True, forbid_unknown_fields=True):
    """The player had so many hands of `points` (28 or 29) in this night, as the organiser says; 0 takes it back."""

    night: int
    member: MemberId
    points: int
    count: int


class BracketDrawn(Struct, frozen=True, forbid_unknown_fields=True):
    """Play-offs begin. `seeds` are in order, the best first; `best_of` is 3 or 5 games a match."""

    night: int
    bracket: BracketKind
    best_of: int
    seeds: tuple[MemberId, ...]


class MatchReported(Struct, frozen=True, forbid_unknown_fields=True):
    """Games won by the two players of a match, in the order of the bracket. `reason` is empty for a first report."""

    night: int
    bracket: BracketKind
    round: int
    match: int
    wins: tuple[int, ...]
    reason: str


class MatchTablesSwapped(Struct, frozen=True, forbid_unknown_fields=True):
    """The organiser gave the open game of a match at table `one` the table `two`. The game of a match that was there
    has table `one` from now on."""

    night: int
    one: int
    two: int


Event = (
    MemberAdded
    | MemberChanged
    | MemberRemoved
    | NightCreated
    | PlayerEntered
    | PlayerLeft
    | LeaveUndone
    | RoundPaired
    | RoundArranged
    | RoundUnpaired
    | ResultReported
    | ResultConfirmed
    | ResultSigned
    | ResultCorrected
    | ResultChosen
    | ResultReceived
    | ResultUnmatched
    | UnmatchedSeen
    | PhoneJoined
    | PhoneReleased
    | JoinCodeSet
    | BoardJoined
    | BoardReleased
    | HighHandsNoted
    | BracketDrawn
    | MatchReported
    | MatchTablesSwapped
)
