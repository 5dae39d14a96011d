"""One game in progress, frozen. Everything people see is a projection of a `Table`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card, without
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat, Showing, Side
from firmware_host.cribbage.score import Score
from firmware_host.table.agreed import FORFEITED
from firmware_host.table.events import HandCounted, PointsDue, PointsMissed, Source


class Phase(Enum):
    """The part of the game that the table waits in."""

    CUT = "cut"
    """Nobody deals yet: the cards are cut for it."""
    DEAL = "deal"
    """Dealing and laying away; the starter is not turned up."""
    BID = "bid"
    """The crib is being sold."""
    PLAY = "play"
    SHOW = "show"
    GATHER = "gather"
    """Everything is counted; the cards are gathered."""
    OVER = "over"


class Due(NamedTuple):
    """Points that a side has for its peg to move: earned by which seat, where, and for what."""

    seat: Seat
    source: Source
    points: int
    """So many holes; less than was scored where the game hole is near."""
    scores: tuple[Score, ...] = ()
    moved: int = 0
    """How far the peg has come."""
    is_named: bool = False
    """What is left was named as missed."""

    @property
    def left(self) -> int:
        return self.points - self.moved

    @property
    def can_be_overlooked(self) -> bool:
        return self.source in FORFEITED and not self.is_named

    @property
    def rank(self) -> int:
        """A peg pays first what could be forfeited, then what was named as missed, and last what can wait."""
        return 0 if self.can_be_overlooked else 1 if self.source in FORFEITED else 2

    def is_of(self, event: PointsDue | PointsMissed) -> bool:
        return (self.seat, self.source, self.scores) == (event.seat, event.source, event.scores)


class Miss(NamedTuple):
    """Points that `side` lost, and that the claimers may still take."""

    side: int
    source: Source
    points: int
    claimers: tuple[int, ...]
    """The sides for which the time to claim is not over."""


@dataclass(frozen=True, slots=True)
class Go:
    """A go, and what it was said at: a hand shown later may prove it false."""

    seat: Seat
    count: int
    laid: int
    """Cards that the seat had laid by then."""


class Deal(NamedTuple):
    """What the table was told of one deal. A card it was not told of is simply not here."""

    number: int
    dealer: Seat
    dealt: tuple[tuple[Card, ...], ...]
    """Per seat, before anything was laid away; empty where it was not told. So too the next two."""
    laid_away: tuple[tuple[Card, ...], ...]
    kept: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...] = ()
    """What the stock added to the crib."""
    bids: tuple[tuple[Seat, int], ...] = ()
    """Who bid what, in order; 0 is a pass."""
    owner: Seat | None = None
    """Who bought the crib; None while nobody has."""
    is_sold: bool = False
    """The auction is over, whether or not anybody bought."""
    gos: tuple[Go, ...] = ()
    starter: Card | None = None
    play: Play | None = None
    counted: int = 0
    """How many hands of the show order are done with."""

    @property
    def crib(self) -> tuple[Card, ...]:
        """The crib, as far as the table was told of it."""
        return (*(card for away in self.laid_away for card in away), *self.stock)

    def played(self, seat: Seat) -> tuple[Card, ...]:
        return self.play.cards_of(seat) if self.play else ()

    def in_hand(self, seat: Seat) -> tuple[Card, ...]:
        """The cards still to be played, of a hand that is known."""
        return without(self.kept[seat], self.played(seat))

    @property
    def seen(self) -> tuple[Card, ...]:
        """Every card of the deal that the table knows, each once."""
        known = [*self.stock] if self.starter is None else [*self.stock, self.starter]
        for seat, dealt in enumerate(self.dealt):
            known += dealt or self.kept[seat] or self.played(Seat(seat))
        return tuple(known)


class Mover(Enum):
    """Who moves the pegs of a side."""

    HAND = "hand"
    """People, on the board."""
    WORD = "word"
    """Nobody; the side says by how much it moves."""
    TABLE = "table"
    """Nobody; whatever is due is moved at once."""


class Table(NamedTuple):
    """`pegs`, `rightful`, `checked`, `overran` and `dues` have one entry a side."""

    rules: RuleSet
    names: tuple[str, ...]
    board: str
    sides_on_board: int
    is_told: bool
    phase: Phase
    pegs: tuple[TrackPegs, ...]
    rightful: tuple[int, ...]
    """Where each front peg should stand, by all that the table knows; below zero: a debt, paid before it moves."""
    checked: tuple[bool, ...]
    """Whether the side's last leap was held against points that were due; if not, the pegs alone are the score."""
    overran: tuple[int, ...]
    """How many points too many each side was told to take back."""
    dues: tuple[tuple[Due, ...], ...]
    """What each side earned in this deal, in the order in which its peg pays."""
    misses: tuple[Miss, ...] = ()
    deal: Deal | None = None
    last_to_move: int | None = None
    """The side that went forward last; whoever claims without cause has accused it."""
    last_count: HandCounted | None = None
    winner: int | None = None
    is_demo: bool = False
    first_dealer: Seat | None = None
    """Who deals the first hand: whoever was said to last, before a peg had left the start."""

    @property
    def scores(self) -> tuple[int, ...]:
        """What each side has: its front peg tells, but points that are not due never count."""
        return tuple(max(0, min(pegs.front, right)) for pegs, right in zip(self.pegs, self.rightful, strict=True))

    @property
    def owed(self) -> tuple[int, ...]:
        """Points each side has still to move; below zero: points it moved too many."""
        return tuple(max(0, right) - pegs.front for right, pegs in zip(self.rightful, self.pegs, strict=True))

    def is_owing(self, side: int) -> bool:
        """Whether the side's peg has still to move, forward or back."""
        return self.pegs[side].front != max(0, self.rightful[side])

    @property
    def going_out(self) -> int | None:
        """The side whose points reach the game hole; only its own peg can still move."""
        for side, right in enumerate(self.rightful):
            if right >= self.target(side):
                return side
        return None

    @property
    def dealer(self) -> Seat | None:
        return self.deal.dealer if self.deal else None

    @property
    def to_play(self) -> Seat | None:
        """The seat whose card or go is awaited."""
        return self.deal.play.turn if self.phase is Phase.PLAY and self.deal and self.deal.play else None

    @property
    def is_followed(self) -> bool:
        """Whether every card of the play so far was told to the table."""
        return self.phase is Phase.PLAY and bool(self.deal and self.deal.play and self.deal.play.laid)

    @property
    def to_count(self) -> Showing | None:
        """The next hand of the show."""
        if self.phase is not Phase.SHOW or self.deal is None:
            return None
        return self.rules.show_order(self.deal.dealer, self.deal.owner)[self.deal.counted]

    def side_name(self, side: int) -> str:
        """The names of the seats that share a pair of pegs."""
        return " & ".join(self.names[seat] for seat in self.rules.sides[side])

    def mover(self, side: int) -> Mover:
        if side < self.sides_on_board:
            return Mover.HAND
        return Mover.WORD if self.is_told else Mover.TABLE

    def is_moved_by_hand(self, side: int) -> bool:
        """Whether the side's pegs stand on the board."""
        return self.mover(side) is Mover.HAND

    def left_of(self, side: int) -> int:
        """The side that takes what this one overlooks, or gives for its breach: the next on the left."""
        sides, first = self.rules.sides, self.rules.sides[side][0]
        on_the_left = (Seat((first + steps) % self.rules.players) for steps in range(1, self.rules.players))
        return next(self.rules.side_of(seat) for seat in on_the_left if seat not in sides[side])

    def target(self, side: int) -> int:
        return self.rules.target_of(Side(side))

    def outstanding(self, side: int) -> tuple[Due, ...]:
        """The dues that are not moved yet, as they are paid; no more than is owed."""
        missing, found = max(0, self.rightful[side]) - self.pegs[side].front, list[Due]()
        if missing <= 0:
            return ()
        for due in reversed(self.dues[side]):
            if due.left and missing > 0:
                found.append(due if due.left <= missing else due._replace(points=due.moved + missing))
                missing -= due.left
        return tuple(reversed(found))

    def overlooked(self, side: int) -> tuple[Due, ...]:
        """What the side loses, or is told of, if the game goes on now."""
        return tuple(due for due in self.outstanding(side) if due.can_be_overlooked)

    def has_named(self, missed: PointsMissed) -> bool:
        """Whether the same points were named as missed before, and only now are lost for good."""
        return any(due.is_named and due.is_of(missed) for due in self.dues[missed.side])
