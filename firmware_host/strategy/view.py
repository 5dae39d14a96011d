"""What one player sees: own cards, open cards, scores and rules. No type here has a place for a hidden card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import msgspec

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat, Side

Act = tuple[Seat, Card | None]
"""A card that a seat played, or None for its go."""


T = TypeVar("T")


class RandomSource(Protocol):
    """Randomness that the caller gives, such as `random.Random`; with a seed everything repeats."""

    def random(self) -> float:
        """A number from 0 to below 1."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """So many of these in random order, each once at most."""


class PlayerView(msgspec.Struct, frozen=True, kw_only=True):
    """One moment of a deal, as the player of `seat` sees it."""

    rules: RuleSet
    seat: Seat
    dealer: Seat
    scores: tuple[int, ...]
    """The score of each side."""
    hand: tuple[Card, ...]
    """Before the discard all cards dealt; then the cards not played yet."""
    discarded: tuple[Card, ...] = ()
    """What this player gave to the crib."""
    starter: Card | None = None
    acts: tuple[Act, ...] = ()
    """The whole play of this deal, in order."""
    buyer: Seat | None = None
    """The seat that bought the crib in the auction; None where nobody did: it is the dealer's."""

    @property
    def owner(self) -> Seat:
        """The seat that owns the crib."""
        return self.dealer if self.buyer is None else self.buyer

    @property
    def own_crib(self) -> bool:
        """Whether the crib belongs to the player's side."""
        return not self.rules.are_opponents(self.seat, self.owner)

    @property
    def side(self) -> Side:
        """The player's side."""
        return self.rules.side_of(self.seat)

    @property
    def leader(self) -> Seat:
        """The seat that plays the first card."""
        return self.rules.leader(self.dealer, self.buyer)

    def played_by(self, seat: Seat) -> tuple[Card, ...]:
        """The cards that the seat has played, in order."""
        return tuple(card for who, card in self.acts if who == seat and card is not None)

    @property
    def own_cards(self) -> tuple[Card, ...]:
        """Every card that was dealt to this player."""
        return (*self.hand, *self.discarded, *self.played_by(self.seat))

    @property
    def seen(self) -> tuple[Card, ...]:
        """Every card that is not hidden from this player: own cards, what others played, the starter."""
        played = tuple(card for who, card in self.acts if who != self.seat and card is not None)
        return (*self.own_cards, *played, *(() if self.starter is None else (self.starter,)))

    def play(self) -> Play:
        """The play of the deal so far. Raises OverThirtyOne, DuplicateCard, FalseGo or PlayIsOver for acts that cannot
        have happened."""
        play = Play.begin(self.rules, self.leader, [self.rules.hand_size] * self.rules.players)
        for _, card in self.acts:
            play = play.go()[0] if card is None else play.lay(card)[0]
        return play
