"""Suits that are not known and could still add points to a hand or crib: for a flush, or for his nobs.

Cards are often entered by rank alone. Most counts need no suit: a flush is possible only while all ranks differ, and
nobs only with a jack. Where a suit could matter it is asked for, or the count is a minimum ("at least").
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.cribbage.cards import JACK, Card, Suit, all_suits_known, card_of
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.show import flush_needs_starter


def suits_for_all(held: Sequence[Card], starter: Card) -> tuple[Suit, ...]:
    """The suits in which all held cards could be, as far as their suits and the starter are known."""
    return tuple(
        suit for suit in Suit if all(card.suit in (None, suit) for card in held) and not _repeats(held, starter, suit)
    )


def _repeats(held: Sequence[Card], starter: Card, suit: Suit) -> bool:
    """Whether a card would be there twice if all held cards were of this suit."""
    cards = [card_of(card.rank, suit) for card in held]
    return len(set(cards)) < len(cards) or starter in cards


def flush_is_open(held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool) -> bool:
    """Whether unknown suits of held cards could make a flush that scores."""
    if all(card.suit is not None for card in held):
        return False
    suits = suits_for_all(held, starter)
    if flush_needs_starter(rules, is_crib):
        return any(_could_be(starter, suit, held) for suit in suits)
    return bool(suits)


def nobs_is_open(held: Sequence[Card], starter: Card) -> bool:
    """Whether a held jack of unknown suit could be of the starter's suit. A jack as starter scores heels instead."""
    if starter.suit is None or starter.rank == JACK or card_of(JACK, starter.suit) in held:
        return False
    return card_of(JACK) in held


def hand_is_open(held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool) -> bool:
    """Whether unknown suits of held cards could add points: somebody who sees the cards should be asked."""
    return flush_is_open(held, starter, rules, is_crib=is_crib) or nobs_is_open(held, starter)


def starter_is_open(held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool) -> bool:
    """Whether the starter's suit is not known, and could add nobs or a card to the flush of the held cards."""
    if starter.suit is not None:
        return False
    jacks = [card for card in held if card.rank == JACK and starter.rank != JACK]
    if any(jack.suit is None or _could_be(starter, jack.suit, held) for jack in jacks):
        return True
    suit = held[0].suit
    return suit is not None and all(card.suit is suit for card in held) and _could_be(starter, suit, held)


def count_is_minimum(
    held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool, suits_were_asked: bool = False
) -> bool:
    """Whether a suit that is not known could add points to the count of these cards.

    `suits_were_asked`: somebody was asked about a flush and nobs, so a held card still without a suit adds nothing.
    """
    if all_suits_known((*held, starter)):
        return False
    if starter_is_open(held, starter, rules, is_crib=is_crib):
        return True
    return not suits_were_asked and hand_is_open(held, starter, rules, is_crib=is_crib)


def with_jack_suit(held: tuple[Card, ...], suit: Suit) -> tuple[Card, ...]:
    """The cards with this suit given to the first jack of unknown suit. Raises ValueError if there is none."""
    index = held.index(card_of(JACK))
    return (*held[:index], card_of(JACK, suit), *held[index + 1 :])


def _could_be(starter: Card, suit: Suit, held: Sequence[Card]) -> bool:
    """Whether the starter could be of this suit."""
    return starter.suit in (None, suit) and card_of(starter.rank, suit) not in held
