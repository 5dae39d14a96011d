"""What happened, in the past tense. A game is nothing but these, folded by `evolve`; the journal keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.score import Score


class Source(Enum):
    """Where points come from; muggins asks, because not everything can be taken."""

    PONES_THREE = "pones_three"
    HEELS = "heels"
    PLAY = "play"
    SHOW = "show"
    MUGGINS = "muggins"
    PENALTY = "penalty"


class Breach(Enum):
    """What a penalty is given for."""

    OVERRUN = "overrun"
    FALSE_GAME = "false_game"
    FALSE_CLAIM = "false_claim"
    RENEGE = "renege"
    FOREIGN_PEG = "foreign_peg"


@dataclass(frozen=True, slots=True)
class GameStarted:
    rules: RuleSet
    names: tuple[str, ...]
    board: str
    sides_on_board: int
    is_told: bool
    scores: tuple[int, ...]
    is_demo: bool


@dataclass(frozen=True, slots=True)
class DealBegan:
    """The cards are dealt anew by `dealer`."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class HandDealt:
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsLaidAway:
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CribFilled:
    """The stock adds these to the crib."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BidMade:
    """`points` 0: the seat passes, and bids no more."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class CribSold:
    """The crib belongs to `seat`, who moves back by the price. Price 0: everybody passed, the dealer keeps it."""

    seat: Seat
    price: int


@dataclass(frozen=True, slots=True)
class StarterCut:
    card: Card


@dataclass(frozen=True, slots=True)
class CardPlayed:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class GoSaid:
    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """`is_followed`: the table saw every card; otherwise people stopped telling it."""

    is_followed: bool


@dataclass(frozen=True, slots=True)
class HandCounted:
    seat: Seat
    is_crib: bool
    cards: tuple[Card, ...]
    starter: Card
    points: int


@dataclass(frozen=True, slots=True)
class CountSkipped:
    seat: Seat
    is_crib: bool


@dataclass(frozen=True, slots=True)
class PointsDue:
    """`seat` earned the scores for its side; the peg has still to be moved."""

    side: int
    seat: Seat
    source: Source
    scores: tuple[Score, ...]

    @property
    def points(self) -> int:
        return sum(score.points for score in self.scores)


@dataclass(frozen=True, slots=True)
class PegLeapt:
    """The back peg passed the front one. `stands`: nothing was known to be due, so the pegs alone are the score."""

    side: int
    pegs: TrackPegs
    stands: bool


@dataclass(frozen=True, slots=True)
class PegAdjusted:
    """The front peg itself was moved, forward or back. `stands` as in PegLeapt."""

    side: int
    pegs: TrackPegs
    stands: bool


@dataclass(frozen=True, slots=True)
class PegsAllowed:
    """A person said that the pegs of this side are right as they stand."""

    side: int


@dataclass(frozen=True, slots=True)
class PointsMissed:
    """Points that were due were not pegged in time. `is_lost`: they are due no more; else they may still be pegged."""

    side: int
    seat: Seat
    source: Source
    points: int
    scores: tuple[Score, ...]
    is_lost: bool


@dataclass(frozen=True, slots=True)
class MugginsTaken:
    """`points` that `missed_by` overlooked go to `side`."""

    side: int
    missed_by: int
    points: int


@dataclass(frozen=True, slots=True)
class PegsOverran:
    """The side moved `points` more than were due, and has to take them back."""

    side: int
    points: int


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
    """`side` takes `points` for a breach of the other side."""

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
    """At a go the seat held these cards, each of which could have been played."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ScoreCorrected:
    side: int
    score: int
    reason: str


@dataclass(frozen=True, slots=True)
class GameWon:
    side: int


@dataclass(frozen=True, slots=True)
class TurnUndone:
    """The turn before this one is taken back."""


@dataclass(frozen=True, slots=True)
class TurnRedone:
    """The undo before this one is taken back."""


Event = (
    GameStarted
    | DealBegan
    | HandDealt
    | CardsLaidAway
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
    | MugginsTaken
    | PegsOverran
    | PenaltyGiven
    | PegsSetBack
    | RenegeFound
    | ScoreCorrected
    | GameWon
    | TurnUndone
    | TurnRedone
)
