"""What is known of one deal: its cards, its auction, its play, and how far the show is."""

from __future__ import annotations

from itertools import chain

from msgspec import Struct

from firmware_host.cribbage.cards import Card, without
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import Seat
from firmware_host.game.pack import Pack


class Go(Struct, frozen=True):
    """A go. A hand shown later may prove that it was false, unless it `was_free`."""

    seat: Seat
    count: int
    """The count at which it was said, 0 to 31."""
    laid: int
    """Cards that the seat had played by then."""
    was_free: bool = False
    """Whether the rules let the seat say it with any cards."""


class PenalizedGo(Struct, frozen=True):
    """A false go that was found while the seat was to play."""

    seat: Seat
    laid: int
    """Cards that all seats had played by then."""


class Deal(Struct, frozen=True):
    """What is known of one deal. Unknown cards are simply absent."""

    number: int
    dealer: Seat
    dealt: tuple[tuple[Card, ...], ...]
    """By seat, before the discards; empty where unknown. The same holds for the next two."""
    discarded: tuple[tuple[Card, ...], ...]
    kept: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...] = ()
    """Cards that the stock added to the crib."""
    bids: tuple[tuple[Seat, int], ...] = ()
    """Seat and points of each bid, in order; 0 is a pass."""
    owner: Seat | None = None
    """The seat that bought the crib; None: nobody has."""
    is_sold: bool = False
    """The auction is over, with or without a buyer."""
    gos: tuple[Go, ...] = ()
    starter: Card | None = None
    play: Play | None = None
    penalized_gos: tuple[PenalizedGo, ...] = ()
    """The false gos that have had their penalty."""
    counted: int = 0
    """Hands of the show that are counted or skipped, in show order."""
    skipped: tuple[int, ...] = ()
    """Those of them that were skipped, by their place in the show order."""
    minimums: tuple[int, ...] = ()
    """Those of them whose count is a minimum: a suit that nobody entered could add points."""
    fronts: tuple[int, ...] = ()
    """The front peg of each side when the deal began."""
    follows_known: bool = False
    """Whether every card of the deal before was entered, and people have not accepted pegs since: then cards are
    expected before the next score."""
    pack: Pack | None = None
    """The pack that the program shuffled. Nobody may see it before the deal is over."""
    shown_to: tuple[str | None, ...] = ()
    """By seat, who sees the hand that the program dealt: the id of a phone, empty for the board itself, None for
    nobody. Empty until it has dealt."""

    @property
    def crib(self) -> tuple[Card, ...]:
        """The known cards of the crib, from 0 to 4."""
        return (*chain.from_iterable(self.discarded), *self.stock)

    def played(self, seat: Seat) -> tuple[Card, ...]:
        """The known cards that the seat has played, in order."""
        return self.play.by_seat[seat] if self.play else ()

    def in_hand(self, seat: Seat) -> tuple[Card, ...]:
        """The cards that the seat has still to play; empty where its hand is unknown."""
        return without(self.kept[seat], self.played(seat))

    @property
    def face_up(self) -> tuple[Card, ...]:
        """The starter and the cards played: everybody has seen them."""
        played = self.play.laid if self.play else ()
        return (*(() if self.starter is None else (self.starter,)), *[card for _, card in played])

    @property
    def seen(self) -> tuple[Card, ...]:
        """Every known card of the deal, each once."""
        known = [*self.stock] if self.starter is None else [*self.stock, self.starter]
        for seat, dealt in enumerate(self.dealt):
            known += dealt or self.kept[seat] or self.played(Seat(seat))
        return tuple(known)
