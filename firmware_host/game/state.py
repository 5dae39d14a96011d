"""The state of one game, frozen. Display, lights, sound and the web page are projections of a `Table`.

Its parts are the deal (deal.py) and the sides (side.py) with their points (due_points.py).
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import RuleSet, Seat, Showing
from firmware_host.game.deal import Deal
from firmware_host.game.due_points import Miss
from firmware_host.game.events import ClubGame, HandCounted
from firmware_host.game.forfeits import are_heels_at_risk
from firmware_host.game.side import Mover, SideState


class Phase(Enum):
    """What the game waits for."""

    CUT = "cut"
    """A dealer: the cards are cut for it."""
    DEAL = "deal"
    """The deal, the discards and the starter."""
    BID = "bid"
    """A bid for the crib."""
    PLAY = "play"
    """A card or a go."""
    SHOW = "show"
    """The count of a hand or the crib."""
    GATHER = "gather"
    """The next deal: everything is counted."""
    OVER = "over"
    """Nothing: a side has won."""


class Table(Struct, frozen=True):
    """One game at one moment."""

    rules: RuleSet
    names: tuple[str, ...]
    board: str
    sides_on_board: int
    points_are_entered: bool
    phase: Phase
    sides: tuple[SideState, ...]
    misses: tuple[Miss, ...] = ()
    deal: Deal | None = None
    last_to_move: int | None = None
    """The side that moved forward last: a wrong claim is one against this side."""
    last_count: HandCounted | None = None
    just_claimed: int = 0
    """The missed points that were claimed last, if nothing has been played, counted or scored since."""
    winner: int | None = None
    is_demo: bool = False
    first_dealer: Seat | None = None
    """The dealer of the first hand: the last one chosen before a peg left the start."""
    club_game: ClubGame | None = None
    """Which game of a club night this is; None: it belongs to none."""
    confirmed: tuple[int, ...] = ()
    """The sides that confirmed the result of a game of a club night, in that order."""
    is_dealt: bool = False
    """Whether the program deals the cards."""
    levels: tuple[Level | None, ...] = ()
    """By seat: how well the program plays for it, None for a person; empty where it plays for no seat."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each side."""
        return tuple([side.score for side in self.sides])

    @property
    def owed(self) -> tuple[int, ...]:
        """Holes that each side has still to move; below zero: holes it moved too far."""
        return tuple([side.owed for side in self.sides])

    @property
    def pegs(self) -> tuple[TrackPegs, ...]:
        """The pegs of each side."""
        return tuple([side.pegs for side in self.sides])

    @property
    def fronts(self) -> tuple[int, ...]:
        """The front peg of each side."""
        return tuple([side.pegs.front for side in self.sides])

    @property
    def is_at_rest(self) -> bool:
        """Whether every peg stands where it should."""
        return all(side.is_at_rest for side in self.sides)

    @property
    def going_out(self) -> int | None:
        """The side whose points reach the game hole, whether or not its peg is there yet."""
        for number, side in enumerate(self.sides):  # no generator: this is asked at each event
            if side.rightful >= side.target:
                return number
        return None

    @property
    def is_decided(self) -> bool:
        """Whether a side has the points to win, so that nothing later counts. Heels that may still be lost decide
        nothing."""
        if self.going_out is None:
            return False
        if not are_heels_at_risk(self.rules):
            return True
        return any(side.earned - side.heels >= side.target for side in self.sides)

    @property
    def dealer(self) -> Seat | None:
        """The dealer of the current deal; None before the first."""
        return self.deal.dealer if self.deal else None

    @property
    def opponents(self) -> tuple[Seat, ...]:
        """The seats that the program plays for."""
        return tuple(Seat(seat) for seat, level in enumerate(self.levels) if level is not None)

    @property
    def hand_to_read(self) -> Seat | None:
        """The seat of the program whose cards people have to lay on the card reader next; None: there is none."""
        if self.is_dealt or self.deal is None or self.phase not in (Phase.DEAL, Phase.BID):
            return None
        return next((seat for seat in self.opponents if not self.deal.dealt[seat]), None)

    def place_in_row(self, seat: Seat, card: Card) -> int:
        """Where the card lies in the row of a hand that the program reads, from 1; 0 for any other card."""
        if self.is_dealt or self.deal is None or card not in self.deal.dealt[seat] or seat not in self.opponents:
            return 0
        return self.deal.dealt[seat].index(card) + 1

    def is_programs(self, side: int) -> bool:
        """Whether the program alone plays for the side. In a team with people, they move the pegs."""
        return bool(self.levels) and all(self.levels[seat] is not None for seat in self.rules.sides[side])

    @property
    def awaits_pack(self) -> bool:
        """Whether the program has to shuffle the pack of this deal."""
        return self.is_dealt and self.phase is Phase.DEAL and self.deal is not None and self.deal.pack is None

    @property
    def can_deal(self) -> bool:
        """Whether the pack is shuffled, and not dealt yet."""
        return self.phase is Phase.DEAL and self.deal is not None and bool(self.deal.pack) and not self.deal.shown_to

    @property
    def can_turn_starter(self) -> bool:
        """Whether the program has dealt, and every seat has discarded: only the starter is missing."""
        deal = self.deal
        return self.phase is Phase.DEAL and deal is not None and bool(deal.shown_to) and all(deal.kept)

    @property
    def has_scored(self) -> bool:
        """Whether a front peg was moved forward in this deal; a price that was paid back is no score."""
        return self.deal is not None and any(now > was for was, now in zip(self.deal.fronts, self.fronts, strict=True))

    @property
    def to_play(self) -> Seat | None:
        """The seat that is to play a card or say go."""
        return self.deal.play.turn if self.phase is Phase.PLAY and self.deal and self.deal.play else None

    @property
    def is_followed(self) -> bool:
        """Whether people enter the cards of this play: at least one is known."""
        return self.phase is Phase.PLAY and bool(self.deal and self.deal.play and self.deal.play.laid)

    @property
    def to_count(self) -> Showing | None:
        """The next hand or crib of the show."""
        if self.phase is not Phase.SHOW or self.deal is None:
            return None
        return self.rules.show_order(self.deal.dealer, self.deal.owner)[self.deal.counted]

    @property
    def to_confirm(self) -> int | None:
        """The next side that confirms the result of a game of a club night, the winner first; None: nobody has to."""
        if self.phase is not Phase.OVER or self.club_game is None or self.winner is None:
            return None
        sides = sorted(range(len(self.sides)), key=lambda side: side != self.winner)
        return next((side for side in sides if side not in self.confirmed), None)

    def side_name(self, side: int) -> str:
        """The names of the side's players, joined by ` & `."""
        return " & ".join(self.names[seat] for seat in self.rules.sides[side])

    @property
    def is_by_hand(self) -> bool:
        """Whether no side has pegs that the program follows: people move them on a board of their own."""
        return not self.sides_on_board

    def mover(self, side: int) -> Mover:
        """Who moves the pegs of this side."""
        if side < self.sides_on_board:
            return Mover.HAND
        return Mover.ENTRY if self.points_are_entered else Mover.TABLE

    def is_moved_by_hand(self, side: int) -> bool:
        """Whether the side has pegs on the board."""
        return self.mover(side) is Mover.HAND

    def left_of(self, side: int) -> int:
        """The side that gets what this side misses, or the penalty for its breach: the next one on its left."""
        sides = self.rules.sides
        first = self.rules.sides[side][0]
        on_the_left = (Seat((first + steps) % self.rules.players) for steps in range(1, self.rules.players))
        return next(self.rules.side_of(seat) for seat in on_the_left if seat not in sides[side])

    def with_side(self, number: int, side: SideState) -> Table:
        """The table with one side replaced."""
        return replace(self, sides=(*self.sides[:number], side, *self.sides[number + 1 :]))
