"""One game in progress, frozen. Everything people see is a projection of a `Table`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat, Showing, Side
from firmware_host.cribbage.score import Score
from firmware_host.table.events import HandCounted, Source


class Phase(Enum):
    """The part of the game that the table waits in."""

    CUT = "cut"
    """Nobody deals yet: the cards are cut for it."""
    DEAL = "deal"
    """Dealing and laying away; the starter is not turned up."""
    PLAY = "play"
    SHOW = "show"
    GATHER = "gather"
    """Everything is counted; the cards are gathered."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Due:
    """Points that a side earned: by which seat, where, and for what."""

    seat: Seat
    source: Source
    points: int
    scores: tuple[Score, ...] = ()


@dataclass(frozen=True, slots=True)
class Deal:
    """What the table was told of one deal. A card it was not told of is simply not here."""

    number: int
    dealer: Seat
    dealt: tuple[tuple[Card, ...], ...]
    """Per seat, before anything was laid away; empty where it was not told. So too the next two."""
    laid_away: tuple[tuple[Card, ...], ...]
    kept: tuple[tuple[Card, ...], ...]
    starter: Card | None = None
    play: Play | None = None
    counted: int = 0
    """How many hands of the show order are done with."""

    def played(self, seat: Seat) -> tuple[Card, ...]:
        return self.play.cards_of(seat) if self.play else ()

    def in_hand(self, seat: Seat) -> tuple[Card, ...]:
        """The cards still to be played, of a hand that is known."""
        played = self.played(seat)
        return tuple(card for card in self.kept[seat] if card not in played)

    @property
    def seen(self) -> tuple[Card, ...]:
        """Every card of the deal that the table knows, each once."""
        known = [] if self.starter is None else [self.starter]
        for seat, dealt in enumerate(self.dealt):
            known += dealt or self.kept[seat] or self.played(Seat(seat))
        return tuple(known)


@dataclass(frozen=True, slots=True)
class Table:
    """`pegs`, `rightful`, `checked` and `dues` have one entry a side."""

    rules: RuleSet
    names: tuple[str, ...]
    board: str
    sides_on_board: int
    phase: Phase
    pegs: tuple[TrackPegs, ...]
    rightful: tuple[int, ...]
    """Where each front peg should stand, by all that the table knows."""
    checked: tuple[bool, ...]
    """Whether the side's last leap was held against points that were due; if not, the pegs alone are the score."""
    dues: tuple[tuple[Due, ...], ...]
    """What each side earned in this deal."""
    deal: Deal | None = None
    last_count: HandCounted | None = None
    winner: int | None = None
    is_demo: bool = False

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(pegs.front for pegs in self.pegs)

    @property
    def owed(self) -> tuple[int, ...]:
        """Points each side has still to move; below zero: points it moved too many."""
        return tuple(right - pegs.front for right, pegs in zip(self.rightful, self.pegs, strict=True))

    @property
    def going_out(self) -> int | None:
        """The side whose points reach the game hole; only its own peg can still move."""
        reached = [side for side, right in enumerate(self.rightful) if right >= self.rules.target_of(Side(side))]
        return reached[0] if reached else None

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
        return self.rules.show_order(self.deal.dealer)[self.deal.counted]

    def side_name(self, side: int) -> str:
        """The names of the seats that share a pair of pegs."""
        return " & ".join(self.names[seat] for seat in self.rules.sides[side])

    def is_moved_by_hand(self, side: int) -> bool:
        """Whether the side's pegs stand on the board; the table itself moves the others."""
        return side < self.sides_on_board

    def outstanding(self, side: int) -> tuple[Due, ...]:
        """The dues that the points still owed belong to, oldest first."""
        missing, found = self.owed[side], list[Due]()
        for due in reversed(self.dues[side]):
            if missing <= 0:
                break
            found.append(due)
            missing -= due.points
        return tuple(reversed(found))
