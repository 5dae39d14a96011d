"""What people command (keypad, phone, game record) and what the board observes.

A command can be refused. An observation cannot: pegs that contradict the table become an event.
Seats count from 0 clockwise; a side is an index of `RuleSet.sides`.
"""

from __future__ import annotations

from msgspec import Struct

from firmware_host.board.course import TrackPegs
from firmware_host.board.peg_source import PegSource
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.game.events import Breach, ClubGame


class StartGame(Struct, frozen=True):
    """Start a game. `names` has one name a seat, `scores` one score a side; `board` is the id of the board plan.

    The first `sides_on_board` sides have pegs on the board. The others move when somebody enters the points
    (`points_are_entered`), or else by themselves as soon as points are due. `dealer` None: the cards are cut for it.
    `pegs`: where the pegs are, which a host turns into `sides_on_board`; None: where its board usually has them.
    """

    rules: RuleSet
    names: tuple[str, ...]
    board: str = ""
    sides_on_board: int = 0
    points_are_entered: bool = False
    dealer: Seat | None = None
    scores: tuple[int, ...] | None = None
    is_demo: bool = False
    club_game: ClubGame | None = None
    """Of a club night; then both players confirm the result."""
    nonce: str = ""
    """128 random bits, as 32 hexadecimal digits, by which a league tells the game from every other one. Who does not
    know them cannot guess the id of its result."""
    is_dealt: bool = False
    """Whether the program deals the cards. If not, people deal a pack of their own."""
    levels: tuple[Level | None, ...] = ()
    """By seat: how well the program plays for it; None, or nothing, for a person."""
    pegs: PegSource | None = None


class ChooseDealer(Struct, frozen=True):
    """The seat that deals the first hand; allowed until something is dealt or scored."""

    seat: Seat


class ShufflePack(Struct, frozen=True):
    """The pack of the deal that began, where the program deals. `order`: all 52 cards, the top one first; `nonce`: 64
    random hex digits. Only the host sends it: it has the randomness."""

    order: tuple[Card, ...]
    nonce: str


class DealPack(Struct, frozen=True):
    """Deal the shuffled pack. `shown_to`: as in PackDealt; the host fills it in."""

    shown_to: tuple[str | None, ...] = ()


class TurnStarter(Struct, frozen=True):
    """Turn up the starter of a pack that the program dealt, once every seat has discarded."""


class DealHand(Struct, frozen=True):
    """The cards dealt to the seat. As many as a hand keeps: these were kept, and its discards stay unknown.
    No cards: forget what was entered for the seat.

    `is_blind`: nothing is compared with cards that lie hidden, because a refusal would tell the sender about them. Two
    hands may then have one card, until somebody corrects it (clashes.py).
    """

    seat: Seat
    cards: tuple[Card, ...]
    is_blind: bool = False


class DiscardCards(Struct, frozen=True):
    """The cards that the seat gives to the crib."""

    seat: Seat
    cards: tuple[Card, ...]


class FillCrib(Struct, frozen=True):
    """The cards that the stock adds to the crib, in games for three."""

    cards: tuple[Card, ...]


class Bid(Struct, frozen=True):
    """A price for the crib, in points; None passes. `seat` None: whoever is to bid."""

    points: int | None
    seat: Seat | None = None


class Misdeal(Struct, frozen=True):
    """The same dealer deals again; allowed until the starter is cut.

    By `misdeal=two_points` the opponent gets two points for a wrong number of cards, but none where a card was exposed
    (`is_exposed`). `deal` is the number of the deal that is gathered, so that the command gathers only that one,
    however often it arrives; None: the current deal.
    """

    deal: int | None = None
    is_exposed: bool = False


class CutStarter(Struct, frozen=True):
    """The starter; a rank alone will do where its suit does not matter. `is_blind`: as in DealHand."""

    card: Card
    is_blind: bool = False


class PlayCard(Struct, frozen=True):
    """A card of the play; a rank alone names a card of a known hand. `seat` None: whoever is to play."""

    card: Card
    seat: Seat | None = None
    is_blind: bool = False
    """As in DealHand."""
    says_goes: bool = False
    """Where the card would pass 31, nobody could play: the seats say go first, and the card leads the next series."""


class SayGo(Struct, frozen=True):
    """The seat cannot play a card. `seat` None: whoever is to play."""

    seat: Seat | None = None


class EndPlay(Struct, frozen=True):
    """Continue with the show; the remaining cards of the play are not entered."""


class CountHand(Struct, frozen=True):
    """Count the next hand, or the crib, of the show. `cards` may be left out where the table knows them all.
    `seat` and `is_crib`, where given, must name what is next. `suits_were_asked`: somebody was asked about a flush and
    nobs, so a card without a suit adds nothing; otherwise the count may be a minimum."""

    cards: tuple[Card, ...] | None = None
    seat: Seat | None = None
    is_crib: bool | None = None
    suits_were_asked: bool = False
    is_blind: bool = False
    """As in DealHand."""


class SkipHand(Struct, frozen=True):
    """The next hand of the show is not entered: its owner counts it without the table."""


class NextDeal(Struct, frozen=True):
    """Gather the cards; the next dealer deals. `deal` is the number of the deal that ends, so that the command ends
    only that one, however often it arrives; None: the current deal."""

    deal: int | None = None


class EnterPoints(Struct, frozen=True):
    """The side moves its peg by `points` holes; 0: it claims no points."""

    side: int
    points: int


class ClaimMuggins(Struct, frozen=True):
    """`side` claims `points` that the other side missed."""

    side: int
    points: int


class AcceptPegs(Struct, frozen=True):
    """Accept the pegs of one side where they are, whatever was due. `side` None: those of every side."""

    side: int | None = None


class CorrectScore(Struct, frozen=True):
    """Set the score of a side by hand; `reason` is kept in the journal."""

    side: int
    score: int
    reason: str


class ConfirmResult(Struct, frozen=True):
    """The side agrees with the result of a game of a club night."""

    side: int


class RuleBreach(Struct, frozen=True):
    """The players say that `side` broke a rule about pegs, and give its penalty: the breach is OVERRUN, FALSE_GAME,
    FOREIGN_PEG or FRONT_PEG. `owner`: the side whose peg was moved, for FOREIGN_PEG."""

    side: int
    breach: Breach
    owner: int | None = None


class Undo(Struct, frozen=True):
    """Undo the last turn."""


class Redo(Struct, frozen=True):
    """Redo the turn that was undone last."""


Command = (
    StartGame
    | ChooseDealer
    | ShufflePack
    | DealPack
    | TurnStarter
    | DealHand
    | DiscardCards
    | FillCrib
    | Bid
    | Misdeal
    | CutStarter
    | PlayCard
    | SayGo
    | EndPlay
    | CountHand
    | SkipHand
    | NextDeal
    | EnterPoints
    | ClaimMuggins
    | AcceptPegs
    | CorrectScore
    | ConfirmResult
    | RuleBreach
    | Undo
    | Redo
)


class PegsMoved(Struct, frozen=True):
    """The pegs of a side came to rest in new holes. `is_leap`: the back peg passed the front peg; else the front peg
    itself was moved. `is_taken_back`: the peg that leapt last returned to where it came from."""

    side: int
    pegs: TrackPegs
    is_leap: bool
    is_taken_back: bool = False


Observation = PegsMoved
