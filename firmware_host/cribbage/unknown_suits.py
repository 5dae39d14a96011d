"""Suits that are not known and could still add points to a hand or crib: for a flush, or for his nobs.

Cards are often entered by rank alone. Most counts need no suit: a flush is possible only while all ranks differ, and
nobs only with a jack. Where a suit could matter it is asked for, or the count is a minimum ("at least"). A card that
lies face up in another hand is in `elsewhere`: nobody is asked about it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set

from firmware_host.cribbage.cards import JACK, Card, Suit, all_suits_known, card_of
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.show import flush_needs_starter, flush_of


def suits_for_all(held: Sequence[Card], starter: Card, elsewhere: Collection[Card] = ()) -> tuple[Suit, ...]:
    """The suits in which all held cards could be, as far as their suits, the starter and other cards are known."""
    seen = {starter, *elsewhere}
    return tuple(
        suit for suit in Suit if all(card.suit in (None, suit) for card in held) and not _repeats(held, seen, suit)
    )


def _repeats(held: Sequence[Card], seen: Set[Card], suit: Suit) -> bool:
    """Whether a card would be there twice if all held cards were of this suit."""
    cards = {card_of(card.rank, suit) for card in held}
    return len(cards) < len(held) or not cards.isdisjoint(seen)


def flush_is_open(
    held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool, elsewhere: Collection[Card] = ()
) -> bool:
    """Whether unknown suits of held cards could make a flush that scores."""
    if all(card.suit is not None for card in held):
        return False
    suits = suits_for_all(held, starter, elsewhere)
    if flush_needs_starter(rules, is_crib):
        return any(_could_be(starter, suit, held) for suit in suits)
    return bool(suits)


def nobs_is_open(held: Sequence[Card], starter: Card, elsewhere: Collection[Card] = ()) -> bool:
    """Whether a held jack of unknown suit could be of the starter's suit. A jack as starter scores heels instead."""
    if starter.suit is None or starter.rank == JACK:
        return False
    nobs = card_of(JACK, starter.suit)
    return card_of(JACK) in held and nobs not in held and nobs not in elsewhere


def hand_is_open(
    held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool, elsewhere: Collection[Card] = ()
) -> bool:
    """Whether unknown suits of held cards could add points: somebody who sees the cards should be asked."""
    is_flush = flush_is_open(held, starter, rules, is_crib=is_crib, elsewhere=elsewhere)
    return is_flush or nobs_is_open(held, starter, elsewhere)


def starter_is_open(held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool) -> bool:
    """Whether the starter's suit is not known, and could add nobs or a card to the flush of the held cards."""
    if starter.suit is not None:
        return False
    if nobs_could_add(held, starter):
        return True
    suit = held[0].suit
    return suit is not None and all(card.suit is suit for card in held) and _could_be(starter, suit, held)


def flush_gains(held: Sequence[Card], starter: Card, rules: RuleSet, *, is_crib: bool) -> tuple[int, ...]:
    """The points that a flush could add to the count once all suits are known, ascending; empty if it adds none."""
    needs_five = flush_needs_starter(rules, is_crib)
    counted = flush_of(held, starter, needs_five)
    gains = set[int]()
    for suit in suits_for_all(held, starter):
        filled = tuple(card_of(card.rank, suit) for card in held)
        for turned in _possible(starter):
            flush = None if turned in filled else flush_of(filled, turned, needs_five)
            if flush:
                gains.add(flush.points - (counted.points if counted else 0))
    return tuple(sorted(gains - {0}))


def _possible(card: Card) -> tuple[Card, ...]:
    """The cards that a card could be: of its suit, or of any."""
    return tuple(card_of(card.rank, suit) for suit in Suit if card.suit in (None, suit))


def nobs_could_add(held: Sequence[Card], starter: Card) -> bool:
    """Whether his nobs could add a point to the count once all suits are known."""
    if starter.suit is not None:
        return nobs_is_open(held, starter)
    jacks = [card for card in held if card.rank == JACK and starter.rank != JACK]
    return any(jack.suit is None or _could_be(starter, jack.suit, held) for jack in jacks)


def count_is_minimum(
    held: Sequence[Card],
    starter: Card,
    rules: RuleSet,
    *,
    is_crib: bool,
    suits_were_asked: bool = False,
    elsewhere: Collection[Card] = (),
) -> bool:
    """Whether a suit that is not known could add points to the count of these cards.

    `suits_were_asked`: somebody was asked about a flush and nobs, so a held card still without a suit adds nothing.
    """
    if all_suits_known((*held, starter)):
        return False
    if starter_is_open(held, starter, rules, is_crib=is_crib):
        return True
    return not suits_were_asked and hand_is_open(held, starter, rules, is_crib=is_crib, elsewhere=elsewhere)


def with_jack_suit(held: tuple[Card, ...], suit: Suit) -> tuple[Card, ...]:
    """The cards with this suit given to the first jack of unknown suit. Raises ValueError if there is none."""
    index = held.index(card_of(JACK))
    return (*held[:index], card_of(JACK, suit), *held[index + 1 :])


def with_mixed_suits(ranks: tuple[Card, ...]) -> tuple[Card, ...]:
    """Full cards of these ranks, with the suits in turn, so that no four share a suit and no flush is counted."""
    suits = tuple(Suit)
    used = list[Card]()
    for index, card in enumerate(ranks):
        candidates = (card_of(card.rank, suits[(index + step) % len(suits)]) for step in range(len(suits)))
        used.append(next((candidate for candidate in candidates if candidate not in used), card))
    return tuple(used)


def _could_be(starter: Card, suit: Suit, held: Sequence[Card]) -> bool:
    """Whether the starter could be of this suit."""
    return starter.suit in (None, suit) and card_of(starter.rank, suit) not in held
