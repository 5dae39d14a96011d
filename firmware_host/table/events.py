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


@dataclass(frozen=True, slots=True)
class GameStarted:
    rules: RuleSet
    names: tuple[str, ...]
    board: str
    sides_on_board: int
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
    """Points that were due were not pegged in time; they are due no more."""

    side: int
    seat: Seat
    source: Source
    points: int
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class MugginsTaken:
    """`points` that `missed_by` overlooked go to `side`."""

    side: int
    missed_by: int
    points: int


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
    | ScoreCorrected
    | GameWon
    | TurnUndone
    | TurnRedone
)
