"""A pack that the program shuffled, the cards that it deals, and the commitment by which people check them.

Before the deal everybody sees the commitment: the SHA-256 of `Pack.proof`, in hex. The proof itself has the order and a
random nonce, without which the order could be found by trying. Afterwards anybody can compare the two. The format of
the proof is described in RECORDS.md.
"""

from __future__ import annotations

from hashlib import sha256
from math import factorial

from msgspec import Struct

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.rules import RuleSet, Seat

PROOF_FORMAT = "cribboard deal 1"
"""The first line of a proof."""
NONCE_DIGITS = 64
"""Hex digits of a nonce: 256 random bits."""


PACK_ORDERS = factorial(len(PACK))
"""In how many orders a pack can be."""


class Pack(Struct, frozen=True):
    """A shuffled pack. `order`: all 52 cards, the top one first; `nonce`: random hex digits."""

    order: tuple[Card, ...]
    nonce: str

    @property
    def proof(self) -> str:
        """Three lines of ASCII, each ended by a line feed: the format, the order, the nonce."""
        return f"{PROOF_FORMAT}\n{' '.join(map(str, self.order))}\n{self.nonce}\n"

    @property
    def commitment(self) -> str:
        """The SHA-256 of the proof, 64 hex digits."""
        return sha256(self.proof.encode("ascii")).hexdigest()


def order_of(number: int) -> tuple[Card, ...]:
    """The order with this number, 0 to PACK_ORDERS - 1. Each order has one number, so a number that is drawn evenly
    shuffles fairly."""
    cards = list(PACK)
    order = list[Card]()
    while cards:
        number, place = divmod(number, len(cards))
        order.append(cards.pop(place))
    return tuple(order)


class DealtCards(Struct, frozen=True):
    """What a pack deals: the hand of each seat, the cards that the stock adds to the crib, and the starter."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    starter: Card


def deal_from(order: tuple[Card, ...], rules: RuleSet, dealer: Seat) -> DealtCards:
    """Deals as people do: one card at a time from the top, beginning at the dealer's left, then the stock's cards of
    the crib; the next card is the starter."""
    hands: list[list[Card]] = [[] for _ in rules.seats]
    top = iter(order)
    around = rules.round_from(rules.after(dealer))
    for number in range(max(rules.cards_dealt(seat, dealer) for seat in rules.seats)):
        for seat in around:
            if number < rules.cards_dealt(seat, dealer):
                hands[seat].append(next(top))
    stock = tuple(next(top) for _ in range(rules.from_stock))
    return DealtCards(tuple(map(tuple, hands)), stock, next(top))
