"""Deals hands that have a given kind of score. A shuffled pack alone would show a flush once in 400 hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_host.coach.kinds import Hand, Kind
from firmware_host.cribbage.cards import JACK, PACK, Card, Suit, card_of

Draw = Callable[[int], int]
"""Returns a random number from 0 to below its argument, as `random.randrange` does."""

SIZE = 5
KING = 13


def random_hand(draw: Draw, first: Sequence[Card] = ()) -> Hand:
    """A hand with the cards `first`, the others at random, the starter at any place."""
    cards = list(first)
    while len(cards) < SIZE:
        card = PACK[draw(len(PACK))]
        if card not in cards:
            cards.append(card)
    starter = cards.pop(draw(SIZE))
    return Hand(tuple(sorted(cards)), starter)


def hand_with(kind: Kind, draw: Draw) -> Hand:
    """A random hand that has the kind."""
    while True:
        hand = _candidate(kind, draw)
        if kind in hand.kinds:
            return hand


def _candidate(kind: Kind, draw: Draw) -> Hand:
    """A hand that is likely to have the kind."""
    match kind:
        case Kind.FLUSH | Kind.FLUSH_OF_FIVE:
            return _one_suit(kind is Kind.FLUSH_OF_FIVE, draw)
        case Kind.NOBS:
            return _nobs(draw)
        case _:
            return random_hand(draw, _of_ranks(_ranks(kind, draw), draw))


def _ranks(kind: Kind, draw: Draw) -> Sequence[int]:
    """Ranks that make the kind; none for kinds that are frequent."""
    one = 1 + draw(KING)
    other = 1 + draw(KING)
    match kind:
        case Kind.TWO_PAIRS:
            return (one, one, other, other) if one != other else ()
        case Kind.PAIR_ROYAL:
            return (one,) * 3
        case Kind.DOUBLE_PAIR_ROYAL:
            return (one,) * 4
        case Kind.RUN_OF_THREE:
            return _run(3, draw)
        case Kind.RUN_OF_FOUR:
            return _run(4, draw)
        case Kind.RUN_OF_FIVE:
            return _run(5, draw)
        case Kind.DOUBLE_RUN:
            run = _run(3 + draw(2), draw)
            return (*run, run[draw(len(run))])
        case Kind.MULTIPLE_RUN:
            run = _run(3, draw)
            return (*run, run[draw(3)], run[draw(3)])
        case _:
            return ()


def _run(length: int, draw: Draw) -> Sequence[int]:
    lowest = 1 + draw(KING + 1 - length)
    return range(lowest, lowest + length)


def _of_ranks(ranks: Sequence[int], draw: Draw) -> Sequence[Card]:
    """Cards of these ranks in random suits, at most four of each rank."""
    cards = list[Card]()
    for rank in ranks:
        left = [card for suit in Suit if (card := card_of(rank, suit)) not in cards]
        cards.append(left[draw(len(left))])
    return cards


def _one_suit(with_starter: bool, draw: Draw) -> Hand:
    suit = tuple(Suit)[draw(len(Suit))]
    own = [card for card in PACK if card.suit is suit]
    held = [own.pop(draw(len(own))) for _ in range(SIZE - 1)]
    others = own if with_starter else [card for card in PACK if card.suit is not suit]
    return Hand(tuple(sorted(held)), others[draw(len(others))])


def _nobs(draw: Draw) -> Hand:
    suit = tuple(Suit)[draw(len(Suit))]
    jack = card_of(JACK, suit)
    starters = [card for card in PACK if card.suit is suit and card != jack]
    starter = starters[draw(len(starters))]
    held = [jack]
    while len(held) < SIZE - 1:
        card = PACK[draw(len(PACK))]
        if card not in held and card != starter:
            held.append(card)
    return Hand(tuple(sorted(held)), starter)
