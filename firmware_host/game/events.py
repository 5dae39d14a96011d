"""The events of a game. The journal keeps them, and `evolve` folds them into a `Table`.

Field names are part of the journal format: `storage/event_codec.py` writes them as they are here.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.score import Score
from firmware_host.lazy_dataclass import dataclass


class Source(Enum):
    """Where points come from. Muggins can take points of the play and the show only."""

    PONES_THREE = "pones_three"
    HEELS = "heels"
    PLAY = "play"
    SHOW = "show"
    MUGGINS = "muggins"
    PENALTY = "penalty"


class Breach(Enum):
    """The breach of a rule that a penalty is given for."""

    OVERRUN = "overrun"
    FALSE_GAME = "false_game"
    FALSE_CLAIM = "false_claim"
    RENEGE = "renege"
    FOREIGN_PEG = "foreign_peg"


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The first event of a game; the fields are those of `StartGame`. `is_told` is `points_are_entered`."""

    rules: RuleSet
    names: tuple[str, ...]
    board: str
    sides_on_board: int
    is_told: bool
    scores: tuple[int, ...]
    is_demo: bool


class ClubGame(NamedTuple):
    """Which game of a club night this is: night, round and table count from 1."""

    night: int
    round: int
    table: int


@dataclass(frozen=True, slots=True)
class ClubGameBegan:
    """Follows GameStarted where the game belongs to a club night: both players confirm its result."""

    game: ClubGame


@dataclass(frozen=True, slots=True)
class DealBegan:
    """`dealer` deals: the next deal, or the same one again after a misdeal."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class HandDealt:
    """The cards dealt to the seat, or those it kept; none: what was entered for the seat is forgotten."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """The cards that the seat gave to the crib; none: it gave some, and they are unknown."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CribFilled:
    """The cards that the stock adds to the crib."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BidMade:
    """`points` 0: the seat passes, and may not bid again."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class CribSold:
    """`seat` owns the crib and moves back by the price. Price 0: everybody passed, and the dealer keeps it."""

    seat: Seat
    price: int


@dataclass(frozen=True, slots=True)
class StarterCut:
    """The starter is known: the play begins, or the crib is sold first."""

    card: Card


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """The seat in turn played a card."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class GoSaid:
    """The seat in turn cannot play, or chose to pass where that is allowed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """`is_followed`: every card was entered; otherwise people stopped entering them."""

    is_followed: bool


@dataclass(frozen=True, slots=True)
class HandCounted:
    """A hand or crib of the show, with its total; PointsDue follows if there are any points.

    `is_minimum`: a suit that nobody entered could add points for a flush or nobs.
    """

    seat: Seat
    is_crib: bool
    cards: tuple[Card, ...]
    starter: Card
    points: int
    is_minimum: bool = False


@dataclass(frozen=True, slots=True)
class CountSkipped:
    """A hand or crib of the show that was not entered."""

    seat: Seat
    is_crib: bool


@dataclass(frozen=True, slots=True)
class PointsDue:
    """`seat` earned the scores for its side; its peg has not moved yet."""

    side: int
    seat: Seat
    source: Source
    scores: tuple[Score, ...]

    @property
    def points(self) -> int:
        """The sum of the scores."""
        return sum([score.points for score in self.scores])


@dataclass(frozen=True, slots=True)
class PegLeapt:
    """The back peg passed the front peg. `stands`: nothing was known to be due, so the pegs alone are the score."""

    side: int
    pegs: TrackPegs
    stands: bool


@dataclass(frozen=True, slots=True)
class PegAdjusted:
    """The front peg itself was moved, forward or back. `stands`: as in PegLeapt."""

    side: int
    pegs: TrackPegs
    stands: bool


@dataclass(frozen=True, slots=True)
class PegsAllowed:
    """A person accepted the pegs of this side as they are."""

    side: int


@dataclass(frozen=True, slots=True)
class PointsMissed:
    """Points that were due were not pegged in time. `is_lost`: they are gone; else they may still be pegged."""

    side: int
    seat: Seat
    source: Source
    points: int
    scores: tuple[Score, ...]
    is_lost: bool


@dataclass(frozen=True, slots=True)
class ClaimsEnded:
    """The side played a card. By its rules that ends its claims on points of the play that were missed before."""

    side: int


@dataclass(frozen=True, slots=True)
class MugginsTaken:
    """`points` that `missed_by` missed go to `side`."""

    side: int
    missed_by: int
    points: int


@dataclass(frozen=True, slots=True)
class PegsOverran:
    """The side moved `points` more than were due, and has to move them back."""

    side: int
    points: int


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
    """`side` gets `points` for a breach of the other side."""

    side: int
    points: int
    breach: Breach


@dataclass(frozen=True, slots=True)
class PegsSetBack:
    """The side goes back by `points`."""

    side: int
    points: int
    breach: Breach


@dataclass(frozen=True, slots=True)
class RenegeFound:
    """When it said go, the seat held these cards, each of which it could have played."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ScoreCorrected:
    """A person set the score of the side by hand."""

    side: int
    score: int
    reason: str


@dataclass(frozen=True, slots=True)
class GameWon:
    """The side won; nothing later counts."""

    side: int


@dataclass(frozen=True, slots=True)
class ResultConfirmed:
    """The side agrees with the scores of the game that is over."""

    side: int


@dataclass(frozen=True, slots=True)
class TurnUndone:
    """The latest turn that stands is undone."""


@dataclass(frozen=True, slots=True)
class TurnRedone:
    """The turn that was undone last is redone."""


Event = (
    GameStarted
    | ClubGameBegan
    | DealBegan
    | HandDealt
    | CardsDiscarded
    | CribFilled
    | BidMade
    | CribSold
    | StarterCut
    | CardPlayed
    | GoSaid
    | PlayEnded
    | HandCounted
    | CountSkipped
    | PointsDue
    | PegLeapt
    | PegAdjusted
    | PegsAllowed
    | PointsMissed
    | ClaimsEnded
    | MugginsTaken
    | PegsOverran
    | PenaltyGiven
    | PegsSetBack
    | RenegeFound
    | ScoreCorrected
    | GameWon
    | ResultConfirmed
    | TurnUndone
    | TurnRedone
)
