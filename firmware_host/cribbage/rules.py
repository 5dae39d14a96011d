"""The RuleSet: one game of cribbage as data. No other code depends on the name of a variant."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import NamedTuple, NewType

from msgspec import Struct

from firmware_host.cribbage import options as choice

Seat = NewType("Seat", int)
"""A player, counted from 0 clockwise."""

Side = NewType("Side", int)
"""Players who share one score and one pair of pegs: an index of `RuleSet.sides`."""

Sides = tuple[tuple[Seat, ...], ...]
"""The seats of each side."""

CRIB_SIZE = 4

CAPTAIN_TARGET = 61
"""The target of the captain, who plays alone against two."""


class Margin(Enum):
    """The margin of a won game."""

    WIN = "win"
    SKUNK = "skunk"
    LURCH = "lurch"
    """A skunk in a game to 61."""
    DOUBLE_SKUNK = "double_skunk"


MATCH_POINTS: Mapping[choice.MatchPoints, Mapping[Margin, int]] = {
    choice.MatchPoints.ACC: {Margin.WIN: 2, Margin.SKUNK: 3, Margin.LURCH: 3, Margin.DOUBLE_SKUNK: 3},
    choice.MatchPoints.GAMES: {Margin.WIN: 1, Margin.SKUNK: 2, Margin.LURCH: 2, Margin.DOUBLE_SKUNK: 3},
}


_CLOCKWISE = choice.Direction.CLOCKWISE


@cache
def _seats_from(first: Seat, players: int, is_clockwise: bool) -> tuple[Seat, ...]:
    step = 1 if is_clockwise else -1
    return tuple(Seat((first + step * steps) % players) for steps in range(players))


@cache
def _seats_after(last: Seat, players: int, is_clockwise: bool) -> tuple[Seat, ...]:
    seats = _seats_from(last, players, is_clockwise)
    return (*seats[1:], last)


@cache
def _side_of(sides: Sides, seat: Seat) -> Side:
    return next(Side(index) for index, seats in enumerate(sides) if seat in seats)


class Showing(NamedTuple):
    """One count of the show: a hand, or the crib of a seat."""

    seat: Seat
    is_crib: bool


@cache
def _show_order(seats: tuple[Seat, ...], dealer: Seat, buyer: Seat | None) -> tuple[Showing, ...]:
    hands = [Showing(seat, is_crib=False) for seat in seats]
    crib = Showing(dealer if buyer is None else buyer, is_crib=True)
    return (*hands, crib) if buyer is None else (hands[0], crib, *hands[1:])


class RuleSet(Struct, frozen=True):
    """The rules of one game. Make one with `rules_for`; options.py explains the fields that are options."""

    variant: str
    players: int
    sides: Sides
    dealt: tuple[int, ...]
    """Cards dealt to each seat: the dealer first, then round from the dealer's left."""
    discards: tuple[int, ...]
    """Cards that each seat discards to the crib, in the same order."""
    hand_size: int = 4
    from_stock: int = 0
    """Cards that the stock adds to the crib, which always has four."""
    bidding: bool = False
    """Auction: the crib is sold; its buyer leads and shows first."""

    target: int = 121
    direction: choice.Direction = choice.Direction.CLOCKWISE
    first_dealer: choice.FirstDealer = choice.FirstDealer.LOWEST
    next_game_dealer: choice.NextGameDealer = choice.NextGameDealer.LOSER
    three_for_last: choice.ThreeForLast = choice.ThreeForLast.OFF
    play_extent: choice.PlayExtent = choice.PlayExtent.ALL_CARDS
    must_play: choice.MustPlay = choice.MustPlay.ALWAYS
    go_points: choice.GoPoints = choice.GoPoints.LAST_CARD
    go_three_plus: choice.GoThreePlus = choice.GoThreePlus.CONTINUE
    crib_flush: choice.CribFlush = choice.CribFlush.FIVE_ONLY
    play_flush: choice.PlayFlush = choice.PlayFlush.OFF
    heels: choice.Heels = choice.Heels.CLAIMABLE
    muggins_mode: choice.MugginsMode = choice.MugginsMode.OFF
    muggins_scope: choice.MugginsScope = choice.MugginsScope.BOTH
    muggins_window: choice.MugginsWindow = choice.MugginsWindow.ACC
    false_claim: choice.FalseClaim = choice.FalseClaim.PENALTY
    peg_policy: choice.PegPolicy = choice.PegPolicy.CORRECT
    renege: choice.Renege = choice.Renege.CORRECT
    front_peg_removed: choice.FrontPegRemoved = choice.FrontPegRemoved.RESTORE
    foreign_peg: choice.ForeignPeg = choice.ForeignPeg.RESTORE
    skunk_lines: tuple[int, ...] = (91, 61)
    """A loser below the first line is skunked, below the second doubly. At most two, descending."""
    match_points: choice.MatchPoints = choice.MatchPoints.ACC
    auction_debt: choice.AuctionDebt = choice.AuctionDebt.LIMIT
    auction_heels: choice.AuctionHeels = choice.AuctionHeels.DEALER
    auction_when: choice.AuctionWhen = choice.AuctionWhen.BEFORE_STARTER
    lowball: bool = False
    captain: bool = False
    stinkhole: choice.Stinkhole = choice.Stinkhole.OFF
    go_limit: choice.GoLimit = choice.GoLimit.NONE
    misdeal: choice.Misdeal = choice.Misdeal.REDEAL

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, from 0, clockwise."""
        return tuple(Seat(number) for number in range(self.players))

    def after(self, seat: Seat, steps: int = 1) -> Seat:
        """The seat whose turn follows, `steps` seats on in the direction of play."""
        return _seats_from(seat, self.players, self.direction is _CLOCKWISE)[steps % self.players]

    def round_from(self, first: Seat) -> tuple[Seat, ...]:
        """Every seat once, in turn, beginning with `first`."""
        return _seats_from(first, self.players, self.direction is _CLOCKWISE)

    def round_after(self, seat: Seat) -> tuple[Seat, ...]:
        """Every seat once, in turn, beginning with the one after `seat` and ending with it."""
        return _seats_after(seat, self.players, self.direction is _CLOCKWISE)

    def pone(self, dealer: Seat) -> Seat:
        """The seat after the dealer."""
        return self.after(dealer)

    def next_dealer(self, dealer: Seat) -> Seat:
        """The dealer of the deal after this one."""
        return self.after(dealer)

    def leader(self, dealer: Seat, buyer: Seat | None = None) -> Seat:
        """The seat that plays the first card: the pone, or the buyer of the crib."""
        return self.pone(dealer) if buyer is None else buyer

    def show_order(self, dealer: Seat, buyer: Seat | None = None) -> tuple[Showing, ...]:
        """Hands from the pone round to the dealer, then the crib; a buyer shows first, hand and crib."""
        return _show_order(self.round_from(self.leader(dealer, buyer)), dealer, buyer)

    def cards_dealt(self, seat: Seat, dealer: Seat) -> int:
        """The number of cards dealt to the seat."""
        return self.dealt[self.round_from(dealer).index(seat)]

    def cards_discarded(self, seat: Seat, dealer: Seat) -> int:
        """The number of cards that the seat gives to the crib, 0 to 2."""
        return self.discards[self.round_from(dealer).index(seat)]

    def side_of(self, seat: Seat) -> Side:
        """The side that the seat plays for. Raises StopIteration for a seat that the game does not have."""
        return _side_of(self.sides, seat)

    def people(self, side: int) -> int:
        """How many people play for the side: a sentence about two partners has its verb in the plural."""
        return len(self.sides[side])

    def are_opponents(self, one: Seat, other: Seat) -> bool:
        """Whether the two seats play for different sides."""
        return self.side_of(one) != self.side_of(other)

    def target_of(self, side: int) -> int:
        """The score that ends the game for this side."""
        return CAPTAIN_TARGET if self.captain and len(self.sides[side]) == 1 else self.target

    @property
    def has_lurch(self) -> bool:
        """Whether a loss below the only skunk line is called a lurch: in games to 61."""
        return self.target == 61

    def margin(self, loser_score: int) -> Margin:
        """The margin of a win over a loser with this score."""
        lines_missed = sum(loser_score < line for line in self.skunk_lines)
        if lines_missed == 1 and self.has_lurch:
            return Margin.LURCH
        return (Margin.WIN, Margin.SKUNK, Margin.DOUBLE_SKUNK)[lines_missed]

    def match_points_for(self, margin: Margin) -> int:
        """What a win by this margin is worth in a match, 1 to 3."""
        return MATCH_POINTS[self.match_points][margin]
