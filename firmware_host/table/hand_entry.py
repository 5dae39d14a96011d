"""Typing a hand or a crib: ranks first; suits only where they can matter.

A flush is possible while all ranks differ; a jack could be his nobs. Most hands are four or five presses.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.cribbage.cards import JACK, Card, Suit, card_of
from firmware_host.cribbage.rules import CRIB_SIZE
from firmware_host.table import orders as o
from firmware_host.table.entries import (
    DIGIT_OF_KEY,
    RANK_OF_KEY,
    SUIT_OF_KEY,
    Asking,
    Pressed,
    Surroundings,
    TypingHand,
)
from firmware_host.table.state import Table


def while_typing_hand(entry: TypingHand, key: str, around: Surroundings) -> Pressed:
    table = around.table
    assert table is not None
    match entry.asking:
        case Asking.CARDS if key in RANK_OF_KEY:
            return ask_on(TypingHand((*entry.cards, card_of(RANK_OF_KEY[key]))), table)
        case Asking.FLUSH if key in SUIT_OF_KEY:
            suited = tuple(card_of(card.rank, SUIT_OF_KEY[key]) for card in entry.cards)
            return ask_on(replace(entry, cards=suited), table)
        case Asking.NOBS if key in SUIT_OF_KEY:
            return ask_on(replace(entry, cards=suit_a_jack(entry.cards, SUIT_OF_KEY[key])), table)
        case Asking.FLUSH | Asking.NOBS if key in DIGIT_OF_KEY:
            return ask_on(entry, table)
        case _:
            return Pressed(entry)


def ask_on(entry: TypingHand, table: Table) -> Pressed:
    """The next question about the hand; with none left, the count."""
    asking = next_question(entry, table)
    if asking is Asking.NOTHING:
        return Pressed(wish=o.CountNext(entry.cards))
    return Pressed(replace(entry, asking=asking))


def next_question(entry: TypingHand, table: Table) -> Asking:
    assert table.deal is not None and table.deal.starter is not None and table.to_count is not None
    starter, is_crib = table.deal.starter, table.to_count.is_crib
    is_open = {
        Asking.CARDS: len(entry.cards) < (CRIB_SIZE if is_crib else table.rules.hand_size),
        Asking.FLUSH: flush_is_possible(entry.cards, starter, is_crib),
        Asking.NOBS: nobs_is_possible(entry.cards, starter),
        Asking.NOTHING: True,
    }
    questions = list(Asking)
    first = questions.index(entry.asking) + (entry.asking is not Asking.CARDS)
    return next(question for question in questions[first:] if is_open[question])


def flush_is_possible(cards: tuple[Card, ...], starter: Card, is_crib: bool) -> bool:
    """All of one suit needs different ranks, and one suit at most among those told; in a crib the starter joins in."""
    flush = (*cards, starter) if is_crib else cards
    suits = {card.suit for card in flush}
    if is_crib and starter.suit is None:
        return False
    return None in suits and len(suits) <= 2 and len({card.rank for card in flush}) == len(flush)


def nobs_is_possible(cards: tuple[Card, ...], starter: Card) -> bool:
    unknown = any(card.rank == JACK and card.suit is None for card in cards)
    return unknown and starter.suit is not None and starter.rank != JACK


def suit_a_jack(cards: tuple[Card, ...], suit: Suit) -> tuple[Card, ...]:
    """The first jack without a suit gets this one."""
    place = next(i for i, card in enumerate(cards) if card.rank == JACK and card.suit is None)
    return (*cards[:place], card_of(JACK, suit), *cards[place + 1 :])
