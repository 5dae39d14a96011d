"""What the sixteen keys have half typed, and all that the meaning of a press depends on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from firmware_host.cribbage.cards import Card, Suit
from firmware_host.cribbage.rules import RuleSet
from firmware_host.table import orders as o
from firmware_host.table.state import Table

RANK_OF_KEY = {key: rank for rank, key in enumerate((*"A23456789", "10", *"JQK"), start=1)}
SUIT_OF_KEY = {"J": Suit.SPADES, "Q": Suit.HEARTS, "K": Suit.DIAMONDS, "ENTER": Suit.CLUBS}
DIGIT_OF_KEY = {key: rank % 10 for key, rank in RANK_OF_KEY.items() if rank <= 10}
ENTER, UNDO, FN, FN_HELD = "ENTER", "UNDO", "FN", "FN held"


@dataclass(frozen=True, slots=True)
class SettleNow:
    """Believe the pegs as they stand, without waiting for them to hold still. Asked of the host, not of the table."""


Wish = o.Order | o.Observation | SettleNow
"""What a person may ask for with keys or a phone; pegs moved by the keys count as seen."""


@dataclass(frozen=True, slots=True)
class BoardOffer:
    """A board that a new game can be played on."""

    board: str
    tracks: int
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All that a key press can depend on besides what was typed before it."""

    table: Table | None
    has_pending: bool
    offers: tuple[BoardOffer, ...]
    games: tuple[RuleSet, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing is half typed. `is_shifted`: FN was pressed."""

    is_shifted: bool = False


@dataclass(frozen=True, slots=True)
class TypingStarter:
    """The rank is typed, the suit is to follow."""

    rank: int


class Asking(Enum):
    """What is still to be told of a hand, in this order."""

    CARDS = "cards"
    FLUSH = "flush"
    NOBS = "nobs"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class TypingHand:
    """The hand or crib to be counted next, as far as it is typed."""

    cards: tuple[Card, ...]
    asking: Asking = Asking.CARDS


@dataclass(frozen=True, slots=True)
class Menu:
    """The list of things done seldom."""


@dataclass(frozen=True, slots=True)
class ChoosingDealer:
    """Who deals, as a digit."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """What is chosen so far; the first empty field is asked for."""

    rules: RuleSet | None = None
    offer: BoardOffer | None = None


@dataclass(frozen=True, slots=True)
class TypingPoints:
    """Points moved by the keys: whose, then how many."""

    side: int | None = None
    points: int = 0


@dataclass(frozen=True, slots=True)
class TypingClaim:
    """Points that the other side overlooked."""

    points: int = 0


@dataclass(frozen=True, slots=True)
class TypingBid:
    """A price for the crib."""

    points: int


Entry = Idle | TypingStarter | TypingHand | Menu | ChoosingDealer | NewGame | TypingPoints | TypingClaim | TypingBid


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a press led to: what is half typed now, and perhaps something asked for."""

    entry: Entry = field(default_factory=Idle)
    wish: Wish | None = None
