"""Cards, and what they score in the show and in the play. Written from the rules of the game alone."""

from __future__ import annotations

from itertools import combinations
from math import prod
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "CDHS"
JACK, KING = 11, 13


class Card(NamedTuple):
    """A card: rank 1 (ace) to 13 (king), and a suit of SUITS."""

    rank: int
    suit: str

    @property
    def pips(self) -> int:
        """1 to 10; court cards count 10."""
        return min(self.rank, 10)

    def __str__(self) -> str:
        return f"{RANKS[self.rank - 1]}{self.suit}"


PACK = tuple(Card(rank, suit) for suit in SUITS for rank in range(1, KING + 1))


def card(text: str) -> Card:
    """Reads `5H` or `TD`."""
    return Card(RANKS.index(text[0]) + 1, text[1])


def cards(text: str) -> tuple[Card, ...]:
    """Reads cards separated by blanks."""
    return tuple(map(card, text.split()))


class Count(NamedTuple):
    """The five parts of a counted hand or crib, in points."""

    fifteens: int
    pairs: int
    runs: int
    flush: int
    nobs: int


def count(held: tuple[Card, ...], starter: Card, *, is_crib: bool = False, four_flush_in_crib: bool = False) -> Count:
    """The show: `held` are 3 to 5 cards of the hand, or the 4 of the crib."""
    shown = (*held, starter)
    subsets = (subset for size in range(2, len(shown) + 1) for subset in combinations(shown, size))
    fifteens = 2 * sum(sum(one.pips for one in subset) == 15 for subset in subsets)
    pairs = 2 * sum(one.rank == other.rank for one, other in combinations(shown, 2))
    nobs = sum(one.rank == JACK and one.suit == starter.suit for one in held)
    return Count(fifteens, pairs, _runs(shown), _flush(held, starter, is_crib, four_flush_in_crib), nobs)


def _runs(shown: tuple[Card, ...]) -> int:
    """Each longest block of neighbouring ranks, three or more: its length times the ways to choose its cards."""
    points, block = 0, list[int]()
    for rank in range(1, KING + 2):
        number = sum(one.rank == rank for one in shown)
        if number:
            block.append(number)
            continue
        if len(block) >= 3:
            points += len(block) * prod(block)
        block = []
    return points


def _flush(held: tuple[Card, ...], starter: Card, is_crib: bool, four_flush_in_crib: bool) -> int:
    if len({one.suit for one in held}) > 1:
        return 0
    if starter.suit == held[0].suit:
        return len(held) + 1
    return 0 if is_crib and not four_flush_in_crib else len(held)


def play_points(series: tuple[Card, ...], *, flush_counts: bool = False) -> int:
    """What the last card of a series scores: fifteen, thirty-one, pairs, a run. Not the point for the last card."""
    total = sum(one.pips for one in series)
    points = 2 * (total == 15) + 2 * (total == 31)
    alike = 1
    while alike < len(series) and series[-alike - 1].rank == series[-1].rank:
        alike += 1
    points += alike * (alike - 1)
    for length in range(len(series), 2, -1):
        ranks = sorted(one.rank for one in series[-length:])
        if ranks == list(range(ranks[0], ranks[0] + length)):
            points += length
            break
    suited = 1
    while suited < len(series) and series[-suited - 1].suit == series[-1].suit:
        suited += 1
    return points + (suited if flush_counts and suited >= 3 else 0)
