"""What the sixteen keys have half typed, and all that the meaning of a press depends on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from firmware_host.cribbage.cards import Card, Suit
from firmware_host.cribbage.rules import RuleSet
from firmware_host.table import orders as o
from firmware_host.table.door import Door, DoorWish, Guest
from firmware_host.table.manner import Manner
from firmware_host.table.state import Table

RANK_OF_KEY = {key: rank for rank, key in enumerate((*"A23456789", "10", *"JQK"), start=1)}
SUIT_OF_KEY = {"J": Suit.SPADES, "Q": Suit.HEARTS, "K": Suit.DIAMONDS, "ENTER": Suit.CLUBS}
DIGIT_OF_KEY = {key: rank % 10 for key, rank in RANK_OF_KEY.items() if rank <= 10}
ENTER, UNDO, FN, FN_HELD = "ENTER", "UNDO", "FN", "FN held"


@dataclass(frozen=True, slots=True)
class SettleNow:
    """Believe the pegs as they stand, without waiting for them to hold still. Asked of the host, not of the table."""


@dataclass(frozen=True, slots=True)
class SetManner:
    """How much the referee says from now on. Asked of the host."""

    manner: Manner


@dataclass(frozen=True, slots=True)
class Judge:
    """Say now what is due, whatever the manner. Asked of the host."""


@dataclass(frozen=True, slots=True)
class LearnWiring:
    """Find out by touch which strip lies where. Asked of the host."""


@dataclass(frozen=True, slots=True)
class TestLights:
    """Let a light wander through all holes, so that a dark one is found. Asked of the host."""

    __test__ = False


Wish = o.Order | o.Observation | SettleNow | SetManner | Judge | LearnWiring | TestLights | DoorWish
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
    door: Door = Door()
    manner: Manner = Manner.TEACHER
    can_learn: bool = False
    """Whether the wiring of this board can be learnt."""


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


class Question(Enum):
    """What a list of choices is for."""

    MENU = "menu"
    """Things done seldom."""
    DEALER = "dealer"
    GAME = "game"
    BOARD = "board"
    TARGET = "target"
    READY = "ready"
    """Begin the new game, or change its house rules first."""
    OPTION = "option"
    VALUE = "value"
    MOVER = "mover"
    """Whose pegs are to be moved."""
    MANNER = "manner"
    CRIB = "crib"
    """Whose the crib is, for advice on a discard."""
    PHONES = "phones"
    """Which phone is to be sent away; or let one in."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game being chosen: what is settled so far."""

    rules: RuleSet | None = None
    offer: BoardOffer | None = None
    option: str = ""
    """The house rule being changed."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """A list of choices is on the display; digits choose, ENTER takes the first, FN turns the page."""

    question: Question
    game: NewGame = NewGame()
    page: int = 0


@dataclass(frozen=True, slots=True)
class TypingDeal:
    """The cards dealt to somebody who wants advice: ranks alone."""

    own_crib: bool
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class TypingPoints:
    """Points that a side moves by the keys."""

    side: int
    points: int = 0


@dataclass(frozen=True, slots=True)
class TypingClaim:
    """Points that the other side overlooked."""

    points: int = 0


@dataclass(frozen=True, slots=True)
class TypingBid:
    """A price for the crib."""

    points: int


@dataclass(frozen=True, slots=True)
class SendingAway:
    """A phone is about to lose its rights."""

    guest: Guest


Entry = Idle | TypingStarter | TypingHand | TypingDeal | Choosing | TypingPoints | TypingClaim | TypingBid | SendingAway


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a press led to: what is half typed now, and perhaps something asked for."""

    entry: Entry = field(default_factory=Idle)
    wish: Wish | None = None
