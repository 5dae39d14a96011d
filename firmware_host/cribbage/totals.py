"""The total of a show without its parts, as fast as possible: for counting all hands and for simulated players.

The points of ranks are looked up: two held cards choose a page of rows, the other two a row on that page, the starter a
byte in the row. Rows are counted when they are first needed; hands of the same ranks share a row. All rows are 200 kB.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from firmware_host.cribbage.cards import PACK, RANKS, SUIT_OF, Card
from firmware_host.cribbage.ranks import rank_points
from firmware_host.cribbage.show import NOBS_OF, flush_of

_CARDS = (*PACK, *RANKS)
_RANK_PAIRS = list(combinations_with_replacement(range(1, 14), 2))
_NUMBER = {pair: number for number, pair in enumerate(_RANK_PAIRS)}
_PAIR = [[_NUMBER[min(a.rank, b.rank), max(a.rank, b.rank)] for b in _CARDS] for a in _CARDS]
"""Two cards -> the index of their pair of ranks."""

_NOT_COUNTED = b""
_PAGES = [[_NOT_COUNTED] * len(_RANK_PAIRS) for _ in _RANK_PAIRS]
_PAGE = [[_PAGES[number] for number in numbers] for numbers in _PAIR]


# No keyword-only arguments: in CPython they cost a tenth of the speed.
def show_total(held: Sequence[Card], starter: Card, is_crib: bool = False, four_flush_in_crib: bool = False) -> int:
    """The same as `count_show(...).total`, without its checks: nothing is raised for impossible hands.

    `held` is usually four cards; three and five are counted too, more slowly.
    """
    try:
        a, b, c, d = held
        total = _PAGE[a][b][_PAIR[c][d]][starter]
    except ValueError:
        return _total_of_any_size(held, starter)
    except IndexError:
        total = _row(a, b, c, d)[starter]
    if SUIT_OF[a] is SUIT_OF[b] is SUIT_OF[c] is SUIT_OF[d] is not None:
        total += _flush(held, starter, is_crib and not four_flush_in_crib)
    jack = NOBS_OF[starter]
    if a is jack or b is jack or c is jack or d is jack:
        total += 1
    return total


def _row(a: Card, b: Card, c: Card, d: Card) -> bytes:
    """Counts the row of four held cards and stores it on its page."""
    row = _row_of(tuple(sorted(card.rank for card in (a, b, c, d))))
    _PAGE[a][b][_PAIR[c][d]] = row
    return row


@cache
def _row_of(ranks: tuple[int, ...]) -> bytes:
    """Points of four ranks with each starter; 0 for a fifth card of a rank, which no pack has."""
    worth = [0 if ranks.count(rank) == 4 else rank_points(tuple(sorted((*ranks, rank)))) for rank in range(1, 14)]
    return bytes(worth[starter.rank - 1] for starter in _CARDS)


def _total_of_any_size(held: Sequence[Card], starter: Card) -> int:
    """The total of a hand of any size; only four cards can be a crib."""
    ranks = tuple(sorted(card.rank for card in (*held, starter)))
    return rank_points(ranks) + _flush(held, starter, needs_five=False) + (NOBS_OF[starter] in held)


def _flush(held: Sequence[Card], starter: Card, needs_five: bool) -> int:
    flush = flush_of(held, starter, needs_five)
    return flush.points if flush else 0
