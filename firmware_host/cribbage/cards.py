"""Cards: the pack of 52, and cards of which only the rank is known. Suits are entered only where they matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from enum import Enum

from firmware_host.cribbage.rule_errors import DuplicateCard, NotACard, quoted

LETTERS = "A23456789TJQK"
"""The letter of each rank, ace to king: `LETTERS[rank - 1]`."""

JACK = 11


class Suit(Enum):
    """A suit; the value is its letter in the text of a card."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


_SUITS = tuple(Suit)


class Card(int):
    """One card. 0 to 51 is a card of the pack, four suits a rank, so cards sort by rank; 52 to 64 is a rank alone.

    Each value is one object: cards may be compared with `is` and used as list indexes.
    """

    __slots__ = ()

    def __new__(cls, value: int) -> Card:
        return _EVERY[value]

    @property
    def rank(self) -> int:
        """1 (ace) to 13 (king)."""
        return RANK_OF[self]

    @property
    def pips(self) -> int:
        """What the card adds to the count: 1 to 10."""
        return PIPS_OF[self]

    @property
    def suit(self) -> Suit | None:
        """None: not known."""
        return SUIT_OF[self]

    @property
    def letter(self) -> str:
        """The rank as one character of `LETTERS`."""
        return LETTERS[RANK_OF[self] - 1]

    def __bool__(self) -> bool:
        return True  # the ace of spades is 0, and must not be false

    def __str__(self) -> str:
        return _NAME[self]

    def __repr__(self) -> str:
        return f"Card({_NAME[self]!r})"


_EVERY = tuple(int.__new__(Card, value) for value in range(65))

PACK = _EVERY[:52]
RANKS = _EVERY[52:]
"""The thirteen cards without a suit, ace to king."""

# Lists indexed by card, for code that must be fast; other code uses the properties of Card.
RANK_OF = [value // 4 + 1 for value in range(52)] + list(range(1, 14))
PIPS_OF = [min(rank, 10) for rank in RANK_OF]
SUIT_OF = [_SUITS[value % 4] for value in range(52)] + [None] * 13

_NAME = [LETTERS[rank - 1] + (suit.value if suit else "") for rank, suit in zip(RANK_OF, SUIT_OF, strict=True)]
_NAMED = dict(zip(_NAME, _EVERY, strict=True)) | {
    name.replace("T", "10"): ten for name, ten in zip(_NAME, _EVERY, strict=True) if "T" in name
}


def card_of(rank: int, suit: Suit | None = None) -> Card:
    """The card of a rank (1 to 13) and a suit; None: only the rank is known."""
    return RANKS[rank - 1] if suit is None else PACK[4 * (rank - 1) + _SUITS.index(suit)]


def parse_card(text: object, *, rank_only: bool = False) -> Card:
    """`5H`, `th`, `10H`; with `rank_only` also `5` and `T`, without a suit. Raises NotACard."""
    card = _NAMED.get(text.strip().upper()) if isinstance(text, str) and text.isascii() else None
    if card is None:
        raise NotACard("a card such as 5H, TD or AS", quoted(text), fix="write the rank, then S, H, D or C")
    if card.suit is None and not rank_only:
        raise NotACard(f"the suit too, such as {card}H", quoted(text), fix="add S, H, D or C")
    return card


def parse_cards(cards: str | Iterable[object], *, rank_only: bool = False) -> tuple[Card, ...]:
    """Cards from one text, separated by blanks or commas, or from a list of texts. Raises NotACard."""
    names = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    return tuple(parse_card(name, rank_only=rank_only) for name in names)


def without(cards: Iterable[Card], gone: Iterable[Card]) -> tuple[Card, ...]:
    """`cards` without `gone`, one for one: of two fives known by rank alone, removing one leaves one."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def all_suits_known(cards: Collection[Card]) -> bool:
    """Whether no card is known by its rank alone."""
    return not cards or max(cards) < RANKS[0]


def no_duplicates(cards: Collection[Card]) -> None:
    """Raises DuplicateCard unless all `cards` can come from one pack."""
    if len(set(cards)) == len(cards) and all_suits_known(cards):
        return
    for card, times in Counter(cards).items():
        if times > 1 and card.suit is not None:
            raise DuplicateCard(f"{card} once", f"{times} times", fix="check the cards")
    for letter, times in Counter(card.letter for card in cards).items():
        if times > 4:
            raise DuplicateCard(f"four cards of rank {letter} at most", str(times), fix="check the cards")
