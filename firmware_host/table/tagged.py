"""A card on the reader: what it means where the game stands. It does what its keys would do, and knows its suit."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.cribbage.cards import Card, card_of
from firmware_host.table import orders as o
from firmware_host.table.advice_entry import cards_dealt
from firmware_host.table.entries import (
    Asking,
    Entry,
    Idle,
    Pressed,
    Surroundings,
    TypingDeal,
    TypingHand,
    TypingStarter,
)
from firmware_host.table.hand_entry import ask_on
from firmware_host.table.state import Phase, Table


def lay(entry: Entry, card: Card, around: Surroundings) -> Pressed:
    """One card read. A card without a meaning here changes nothing."""
    table = around.table
    if around.door.knocking or around.door.code:
        return Pressed(entry)
    match entry:
        case TypingDeal(cards=cards) if len(cards) < cards_dealt(around):
            return Pressed(replace(entry, cards=(*cards, card_of(card.rank))))
        case TypingHand(cards=cards, asking=Asking.CARDS) if table:
            return laid_in_hand(entry, card, table)
        case Idle() | TypingStarter() if table:
            return laid_in_phase(entry, card, table)
        case _:
            return Pressed(entry)


def laid_in_phase(entry: Entry, card: Card, table: Table) -> Pressed:
    """In the deal it is the starter, in the play it is played, in the show it is the next of the hand."""
    match table.phase:
        case Phase.DEAL:
            return Pressed(wish=o.CutStarter(card))
        case Phase.PLAY:
            return Pressed(wish=o.PlayCard(card))
        case Phase.SHOW:
            assert table.to_count is not None and table.deal is not None
            played = () if table.to_count.is_crib else table.deal.played(table.to_count.seat)
            return laid_in_hand(TypingHand(played), card, table)
        case _:
            return Pressed(entry)


def laid_in_hand(entry: TypingHand, card: Card, table: Table) -> Pressed:
    return ask_on(replace(entry, cards=with_card(entry.cards, card)), table)


def with_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Once is enough; and a card of which only the rank was told may be this very one: now its suit is known."""
    if card in cards:
        return cards
    by_rank = card_of(card.rank)
    if by_rank not in cards:
        return (*cards, card)
    place = cards.index(by_rank)
    return (*cards[:place], card, *cards[place + 1 :])
