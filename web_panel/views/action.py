"""An action that the page offers: a button or an input field, where it stands, and the command that it sends."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field


class InputKind(StrEnum):
    """What a person types."""

    RANK = "rank"
    """One card; its suit does not matter."""
    CARD = "card"
    """One card, with its suit if somebody saw it."""
    HAND = "hand"
    """Ranks first, then suits where they can matter."""
    FLUSH = "flush"
    """The one suit of all cards of a hand that was counted."""
    POINTS = "points"
    SCORE = "score"
    """A side, its score and the reason."""


class Place(StrEnum):
    """Where the page offers an action."""

    PRIMARY = "primary"
    """The one gold button."""
    CHOICE = "choice"
    """One of a few equal answers, in the place of the card keys."""
    PAD = "pad"
    """The card keys themselves, or a key among them."""
    SECONDARY = "secondary"
    """Beside what is awaited, in small."""
    MENU = "menu"


class Group(StrEnum):
    """The groups of the menu, in their order."""

    GAME = "game"
    """Goes on with the game."""
    CORRECTION = "correction"
    """Corrects the game."""


class Input(Struct, frozen=True):
    """What a person must type before the command can be sent."""

    kind: InputKind
    cards: tuple[str, ...] = ()
    """For a hand: those of its cards that are known already, because they were played."""
    size: int = 1
    """Number of cards of the whole hand."""
    minimum: int = 1
    """The lowest number that makes sense."""
    suits: tuple[str, ...] = ()
    """For a flush: the suits that it may have."""
    first: str = ""
    """A command to send before: the starter of the next deal begins that deal."""
    first_body: Mapping[str, object] = field(default_factory=dict)
    """The fields of that command."""


class Action(Struct, frozen=True):
    """One action. Without an `input` it is a button; with one it needs something typed first."""

    command: str
    """Its name under `/api/v1/commands/`."""
    label: str
    is_next: bool = False
    """Whether the game waits for it."""
    body: Mapping[str, object] = field(default_factory=dict)
    """The fields of the command, without those that are typed."""
    seats: tuple[int, ...] = ()
    """The seats that may take it; empty: anybody. A seat that no phone holds leaves it to anybody too."""
    is_for_seats_only: bool = False
    """Only these seats may take it, held or not, and keepers."""
    question: str = ""
    """What to ask before the command is sent, because it loses something; empty: nothing."""
    asks_suits: bool = False
    """A suit of the hand could matter: the page asks for it first, as for a hand that is typed."""
    input: Input | None = None
    place: Place = Place.MENU
    note: str = ""
    """A second line under the label of the primary button."""
    group: Group = Group.GAME
    is_automatic: bool = False
    """Whether the page that entered the cards may go on with this by itself: nothing is left to ask. Where people move
    pegs, the page lets them do that first."""
