"""The total of a show without its parts, as fast as possible: for counting all hands and for simulated players.

The points of ranks and nobs are looked up: two held cards choose a page of rows, the other two a row on that page, the
starter a byte in the row. Rows are counted when they are first needed; hands that differ only in suits that cannot
matter for nobs share a row. All rows are 370 kB, all pages 190 kB. Two cards of one suit choose the row from the end of
the page, by a negative number, so that most hands need no look at their suits: a flush needs two such pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from firmware_host.cribbage.cards import JACK, PACK, RANKS, SUIT_OF, Card, card_of
from firmware_host.cribbage.ranks import rank_points
from firmware_host.cribbage.show import NOBS_OF, flush_of

_CARDS = (*PACK, *RANKS)
_KINDS = (*RANKS, *(card for card in PACK if card.rank == JACK))
_KIND = [_KINDS.index(card if card in _KINDS else card_of(card.rank)) for card in _CARDS]
"""Card -> its rank, and for a jack its suit too."""

_PAIRS = tuple(combinations_with_replacement(range(len(_KINDS)), 2))
_FROM_START = {pair: number for number, pair in enumerate(_PAIRS)}
_FROM_END = {pair: number - len(_PAIRS) for number, pair in enumerate(_PAIRS)}


def _pair_number(a: Card, b: Card) -> int:
    """The index of the kinds of two cards on a page, counted from its end if they are of one suit."""
    pair = min(_KIND[a], _KIND[b]), max(_KIND[a], _KIND[b])
    return (_FROM_END if a.suit is b.suit is not None else _FROM_START)[pair]


_PAIR = [[_pair_number(a, b) for b in _CARDS] for a in _CARDS]

_NOT_COUNTED = b""
_PAGES = [[_NOT_COUNTED] * len(_PAIRS) for _ in _PAIRS]
_PAGE = [[_PAGES[number] for number in numbers] for numbers in _PAIR]


# No keyword-only arguments: in CPython they cost a tenth of the speed.
def show_total(held: Sequence[Card], starter: Card, is_crib: bool = False, four_flush_in_crib: bool = False) -> int:
    """The same as `count_show(...).total`, without its checks: nothing is raised for impossible hands.

    `held` is usually four cards; three and five are counted too, more slowly.
    """
    try:
        a, b, c, d = held
        pair = _PAIR[c][d]
        total = _PAGE[a][b][pair][starter]
    except ValueError:
        return _total_of_any_size(held, starter)
    except IndexError:
        total = _row(a, b, c, d)[starter]
    if pair < 0 and _PAIR[a][b] < 0 and SUIT_OF[a] is SUIT_OF[c]:
        total += _flush(held, starter, is_crib and not four_flush_in_crib)
    return total


def _row(a: Card, b: Card, c: Card, d: Card) -> bytes:
    """Counts the row of four held cards and stores it on its page."""
    row = _row_of(tuple(sorted(_KIND[card] for card in (a, b, c, d))))
    _PAGE[a][b][_PAIR[c][d]] = row
    return row


@cache
def _row_of(kinds: tuple[int, ...]) -> bytes:
    """Points of four kinds of cards with each starter; 0 for a fifth card of a rank, which no pack has."""
    held = [_KINDS[kind] for kind in kinds]
    ranks = [card.rank for card in held]
    worth = [0 if ranks.count(rank) == 4 else rank_points(tuple(sorted((*ranks, rank)))) for rank in range(1, 14)]
    return bytes(worth[starter.rank - 1] + (NOBS_OF[starter] in held) for starter in _CARDS)


def _total_of_any_size(held: Sequence[Card], starter: Card) -> int:
    """The total of a hand of any size; only four cards can be a crib."""
    ranks = tuple(sorted(card.rank for card in (*held, starter)))
    return rank_points(ranks) + _flush(held, starter, needs_five=False) + (NOBS_OF[starter] in held)


def _flush(held: Sequence[Card], starter: Card, needs_five: bool) -> int:
    flush = flush_of(held, starter, needs_five)
    return flush.points if flush else 0
