"""A million deals against chi-squared bounds: every card falls to every place equally often, and hands are as due.

Bounds are those that a fair shuffle passes once in a million tests. Four deals of 13 cards come from each pack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import comb, sqrt

import pytest

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.game.pack import PACK_ORDERS, order_of
from firmware_host.host.parts.pack_dealer import shuffled_pack

DEALS = 1_000_000
CARDS_OF_DEAL = 13
"""Two hands of six cards and the starter."""
PACKS = DEALS * CARDS_OF_DEAL // len(PACK)
Z = 4.753
"""A normal variable is larger once in a million times."""


def bound(freedom: int) -> float:
    """The chi-squared value of so many degrees of freedom that is passed once in a million times (Wilson-Hilferty)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + Z * sqrt(spread)) ** 3)


def chi_squared(found: Iterable[int], expected: float) -> float:
    return sum((number - expected) ** 2 for number in found) / expected


def test_every_number_is_another_order() -> None:
    assert order_of(0) == PACK
    assert order_of(PACK_ORDERS - 1) == PACK[::-1]
    assert len({order_of(number) for number in range(2000)}) == 2000


def test_a_shuffled_pack_has_every_card_once() -> None:
    assert sorted(shuffled_pack()) == sorted(PACK)
    assert shuffled_pack() != shuffled_pack()


@pytest.mark.slow
def test_a_million_deals_are_fair() -> None:
    places = [[0] * len(PACK) for _ in PACK]
    number_of = {card: number for number, card in enumerate(PACK)}
    pairs = Counter[int]()
    neighbours = Counter[int]()
    for _ in range(PACKS):
        order = shuffled_pack()
        for place, card in zip(places, order, strict=True):
            place[number_of[card]] += 1
        for first in range(0, len(PACK), CARDS_OF_DEAL):
            pairs[ranks_of(order[first : first + 6])] += 1
            neighbours[(number_of[order[first]] - number_of[order[first + 1]]) % len(PACK)] += 1
    expected = PACKS / len(PACK)
    freedom = (len(PACK) - 1) ** 2
    assert chi_squared((number for place in places for number in place), expected) < bound(freedom)
    assert chi_squared(neighbours.values(), DEALS / 51) < bound(50) and len(neighbours) == 51
    chances = {number: hands_with_ranks(number) / comb(52, 6) for number in range(2, 7)}
    found = sum((pairs[number] - DEALS * chance) ** 2 / (DEALS * chance) for number, chance in chances.items())
    assert found < bound(len(chances) - 1)


def ranks_of(hand: tuple[Card, ...]) -> int:
    """How many different ranks the hand has."""
    return len({card.rank for card in hand})


def hands_with_ranks(number: int) -> int:
    """How many hands of six cards have exactly so many ranks: by inclusion and exclusion."""
    return comb(13, number) * sum(
        (1 - k % 2 * 2) * comb(number, k) * comb(4 * (number - k), 6) for k in range(number + 1)
    )
