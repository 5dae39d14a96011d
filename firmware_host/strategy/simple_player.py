"""A quick player of the play: looks one card ahead, and knows of the other hands only how many cards they hold.

The engine imagines that others play like this. It also ends what the engine has no time to search.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.strategy.series_tree import FULL, PIPS, Node

Hand = tuple[int, ...]
"""Sorted ranks."""

_LIKING = (0.0, -0.30, -0.25, -0.22, -0.18, -0.45, 0.0, 0.02, 0.04, 0.04, 0.10, 0.08, 0.10, 0.10)
"""Points added for playing a card of each rank: small cards and fives are worth more in the hand."""


def quick_choice(node: Node, hand: Hand, others_cards: int, sign: int = 1) -> int:
    """The rank to play, 0 if none fits. `others_cards`: cards of the next player, 0 to 5. `sign`: -1 in lowball, where
    points are bad."""
    points = node.points
    room = FULL - node.count
    best = 0
    best_worth = -99.0
    for rank in hand:
        if PIPS[rank] <= room and rank != best:
            worth = sign * (points[rank] - node.after(rank).reply[others_cards]) + _LIKING[rank]
            if worth > best_worth:
                best = rank
                best_worth = worth
    return best


def hand_without(hand: Hand, rank: int) -> Hand:
    """The hand without one card of this rank."""
    place = hand.index(rank)
    return hand[:place] + hand[place + 1 :]


def quick_player(sign: int = 1) -> Callable[[Node, Hand, int], tuple[int, Hand]]:
    """A quick player that remembers its choices: the rank, 0 for a go, and the hand after it."""
    memory: dict[tuple[Node, Hand, int], tuple[int, Hand]] = {}

    def chosen(node: Node, hand: Hand, others_cards: int) -> tuple[int, Hand]:
        key = node, hand, others_cards
        found = memory.get(key)
        if found is None:
            rank = quick_choice(node, hand, others_cards, sign)
            found = memory[key] = rank, hand_without(hand, rank) if rank else hand
        return found

    return chosen
