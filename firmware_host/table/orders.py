"""What people may ask of the table (orders) and what the board reports (observations).

An order can be refused; an observation cannot: pegs that contradict the table become an event.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import RuleSet, Seat


@dataclass(frozen=True, slots=True)
class StartGame:
    """`names` has one name a seat, `board` is the plan's id. The first `sides_on_board` sides have pegs of their own.
    The others move when they are told to (`is_told`), or else at once by themselves. `dealer` None: cut for the deal.
    """

    rules: RuleSet
    names: tuple[str, ...]
    board: str = ""
    sides_on_board: int = 0
    is_told: bool = False
    dealer: Seat | None = None
    scores: tuple[int, ...] | None = None
    is_demo: bool = False


@dataclass(frozen=True, slots=True)
class ChooseDealer:
    seat: Seat


@dataclass(frozen=True, slots=True)
class DealHand:
    """These cards were dealt to the seat; or, where it is fewer, these it kept, and what it laid away is not told;
    none at all takes back what was told."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class LayAway:
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class FillCrib:
    """Cards from the stock complete the crib."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Bid:
    """A price for the crib; None passes. Seat None: whoever is to bid."""

    points: int | None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Misdeal:
    """The cards are gathered before the play, and the same dealer deals again."""


@dataclass(frozen=True, slots=True)
class CutStarter:
    card: Card


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Seat None: whoever is to play."""

    card: Card
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class SayGo:
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class EndPlay:
    """The play is over as far as the table is concerned: nobody types the cards, on to the show."""


@dataclass(frozen=True, slots=True)
class CountNext:
    """Count the next hand (or the crib) of the show. `cards` may be left out where the table knows them."""

    cards: tuple[Card, ...] | None = None
    seat: Seat | None = None
    is_crib: bool | None = None


@dataclass(frozen=True, slots=True)
class SkipCount:
    """The next hand of the show is counted by its owner alone; its cards are not told."""


@dataclass(frozen=True, slots=True)
class GatherCards:
    """The deal is over; the deal passes on."""


@dataclass(frozen=True, slots=True)
class MovePoints:
    """The side says by how much its peg moves; 0 says that it has nothing to take."""

    side: int
    points: int


@dataclass(frozen=True, slots=True)
class ClaimMuggins:
    """`side` says that the other side overlooked so many points."""

    side: int
    points: int


@dataclass(frozen=True, slots=True)
class LetItStand:
    """The pegs are right as they stand, whatever the table thought was due."""


@dataclass(frozen=True, slots=True)
class CorrectScore:
    side: int
    score: int
    reason: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last turn back."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Take the last undo back."""


Order = (
    StartGame
    | ChooseDealer
    | DealHand
    | LayAway
    | FillCrib
    | Bid
    | Misdeal
    | CutStarter
    | PlayCard
    | SayGo
    | EndPlay
    | CountNext
    | SkipCount
    | GatherCards
    | MovePoints
    | ClaimMuggins
    | LetItStand
    | CorrectScore
    | Undo
    | Redo
)


@dataclass(frozen=True, slots=True)
class PegsSeen:
    """The pegs of a side came to rest in new holes. `is_leap`: the back peg passed the front one; else the front peg
    itself was moved. `is_taken_back`: the peg that leapt last went back to where it had come from."""

    side: int
    pegs: TrackPegs
    is_leap: bool
    is_taken_back: bool = False


@dataclass(frozen=True, slots=True)
class FrontPegRemoved:
    """The peg that tells a side's score has been out for long, and the other one is in."""

    side: int


@dataclass(frozen=True, slots=True)
class ForeignPegMoved:
    """A peg that another side lacks stands in the lane of `side`."""

    side: int


Observation = PegsSeen | FrontPegRemoved | ForeignPegMoved
