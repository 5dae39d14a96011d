"""The events of a game. The journal keeps them, and `evolve` folds them into a `Table`.

Field names are part of the journal format: `storage/event_codec.py` writes them as they are here.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.last_holes import Withheld
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.score import Score


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
    FRONT_PEG = "front_peg"
    MISDEAL = "misdeal"


class GameStarted(Struct, frozen=True, forbid_unknown_fields=True):
    """The first event of a game; the fields are those of `StartGame`. `is_told` is `points_are_entered`. Games of
    earlier versions have no nonce."""

    rules: RuleSet
    names: tuple[str, ...]
    board: str
    sides_on_board: int
    is_told: bool
    scores: tuple[int, ...]
    is_demo: bool
    nonce: str = ""


class ClubGame(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Which game of a club night this is: night, round and table count from 1."""

    night: int
    round: int
    table: int


class ClubGameBegan(Struct, frozen=True, forbid_unknown_fields=True):
    """Follows GameStarted where the game belongs to a club night: both players confirm its result."""

    game: ClubGame


class ProgramDeals(Struct, frozen=True, forbid_unknown_fields=True):
    """Follows GameStarted where the program deals the cards."""


class OpponentJoined(Struct, frozen=True, forbid_unknown_fields=True):
    """Follows GameStarted: the program plays for this seat."""

    seat: Seat
    level: Level


class DealBegan(Struct, frozen=True, forbid_unknown_fields=True):
    """`dealer` deals: the next deal, or the same one again after a misdeal."""

    dealer: Seat


class PackShuffled(Struct, frozen=True, forbid_unknown_fields=True):
    """The program shuffled the pack for the deal that began. `commitment` was shown before the cards were dealt; it is
    that of `order` and `nonce` (pack.py)."""

    order: tuple[Card, ...]
    nonce: str
    commitment: str


class PackDealt(Struct, frozen=True, forbid_unknown_fields=True):
    """The program dealt the pack: a HandDealt for each seat follows. `shown_to`, by seat: the id of the phone that
    shows the hand, empty for the board itself, None for a seat that the program plays."""

    shown_to: tuple[str | None, ...]


class HandDealt(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards dealt to the seat, or those it kept; none: what was entered for the seat is forgotten."""

    seat: Seat
    cards: tuple[Card, ...]


class CardsDiscarded(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards that the seat gave to the crib; none: it gave some, and they are unknown."""

    seat: Seat
    cards: tuple[Card, ...]


class CribFilled(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards that the stock adds to the crib."""

    cards: tuple[Card, ...]


class BidMade(Struct, frozen=True, forbid_unknown_fields=True):
    """`points` 0: the seat passes, and may not bid again."""

    seat: Seat
    points: int


class CribSold(Struct, frozen=True, forbid_unknown_fields=True):
    """`seat` owns the crib and moves back by the price. Price 0: everybody passed, and the dealer keeps it."""

    seat: Seat
    price: int


class StarterCut(Struct, frozen=True, forbid_unknown_fields=True):
    """The starter is known: the play begins, or the crib is sold first."""

    card: Card


class CardPlayed(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat in turn played a card."""

    seat: Seat
    card: Card


class GoSaid(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat in turn cannot play, or chose to pass where that is allowed."""

    seat: Seat


class PlayEnded(Struct, frozen=True, forbid_unknown_fields=True):
    """`is_followed`: every card was entered; otherwise people stopped entering them."""

    is_followed: bool


class HandCounted(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand or crib of the show, with its total; PointsDue follows if there are any points.

    `is_minimum`: a suit that nobody entered could add points for a flush or nobs.
    """

    seat: Seat
    is_crib: bool
    cards: tuple[Card, ...]
    starter: Card
    points: int
    is_minimum: bool = False


class CountSkipped(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand or crib of the show that was not entered."""

    seat: Seat
    is_crib: bool


class PointsDue(Struct, frozen=True, forbid_unknown_fields=True):
    """`seat` earned the scores for its side; its peg has not moved yet."""

    side: int
    seat: Seat
    source: Source
    scores: tuple[Score, ...]

    @property
    def points(self) -> int:
        """The sum of the scores."""
        return sum([score.points for score in self.scores])


class PointsWithheld(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards made these scores, which do not count so near the game hole."""

    side: int
    seat: Seat
    scores: tuple[Score, ...]
    rule: Withheld


class PegLeapt(Struct, frozen=True, forbid_unknown_fields=True):
    """The back peg passed the front peg. `stands`: nothing was known to be due, so the pegs alone are the score."""

    side: int
    pegs: TrackPegs
    stands: bool


class PegAdjusted(Struct, frozen=True, forbid_unknown_fields=True):
    """The front peg itself was moved, forward or back. `stands`: as in PegLeapt."""

    side: int
    pegs: TrackPegs
    stands: bool


class PegsAllowed(Struct, frozen=True, forbid_unknown_fields=True):
    """A person accepted the pegs of this side as they are."""

    side: int


class PointsMissed(Struct, frozen=True, forbid_unknown_fields=True):
    """Points that were due were not pegged in time. `is_lost`: they are gone; else they may still be pegged."""

    side: int
    seat: Seat
    source: Source
    points: int
    scores: tuple[Score, ...]
    is_lost: bool


class ClaimsEnded(Struct, frozen=True, forbid_unknown_fields=True):
    """The side played a card. By its rules that ends its claims on points of the play that were missed before."""

    side: int


class MugginsTaken(Struct, frozen=True, forbid_unknown_fields=True):
    """`points` that `missed_by` missed go to `side`."""

    side: int
    missed_by: int
    points: int


class PegsOverran(Struct, frozen=True, forbid_unknown_fields=True):
    """The side moved `points` more than were due, and has to move them back."""

    side: int
    points: int


class PenaltyGiven(Struct, frozen=True, forbid_unknown_fields=True):
    """`side` gets `points` for a breach of the other side."""

    side: int
    points: int
    breach: Breach


class PegsSetBack(Struct, frozen=True, forbid_unknown_fields=True):
    """The side goes back by `points`."""

    side: int
    points: int
    breach: Breach


class RenegeFound(Struct, frozen=True, forbid_unknown_fields=True):
    """When it said go, the seat held these cards, each of which it could have played."""

    seat: Seat
    cards: tuple[Card, ...]


class ScoreCorrected(Struct, frozen=True, forbid_unknown_fields=True):
    """A person set the score of the side by hand."""

    side: int
    score: int
    reason: str


class GameWon(Struct, frozen=True, forbid_unknown_fields=True):
    """The side won; nothing later counts."""

    side: int


class ResultConfirmed(Struct, frozen=True, forbid_unknown_fields=True):
    """The side agrees with the scores of the game that is over."""

    side: int


class TurnUndone(Struct, frozen=True, forbid_unknown_fields=True):
    """The latest turn that stands is undone."""


class TurnRedone(Struct, frozen=True, forbid_unknown_fields=True):
    """The turn that was undone last is redone."""


Event = (
    GameStarted
    | ClubGameBegan
    | ProgramDeals
    | OpponentJoined
    | DealBegan
    | PackShuffled
    | PackDealt
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
    | PointsWithheld
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
