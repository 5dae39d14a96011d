"""Numbers and cards in words, for speech. Digits and suit symbols are for the eye.

Every number in a spoken sentence stands alone ("to fifteen", never "fifteen holes"), because Russian and Polish inflect
a number with its noun, and a sentence that is put together from parts cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from firmware_host.cribbage.cards import LETTERS, Card, Suit, card_of
from firmware_host.ui.texts.cadence import NUMBERS
from firmware_host.ui.translator import Translator

_SMALL = NUMBERS[:10]
HIGH_NUMBERS = tuple(
    f"{tens}-{unit}" if unit != "zero" else tens for tens in ("sixty", "seventy", "eighty", "ninety") for unit in _SMALL
)
"""60 to 99, which French cannot put together."""
HUNDREDS = ("one hundred", "two hundred")
AND_MORE = "{hundred} and {rest}"

RANKS = (
    *("an ace", "a two", "a three", "a four", "a five", "a six", "a seven", "an eight", "a nine", "a ten"),
    *("a jack", "a queen", "a king"),
)
"""Cards whose suit is not known, or does not matter."""
RANKS_OF_SUIT = (
    *("ace {of_suit}", "two {of_suit}", "three {of_suit}", "four {of_suit}", "five {of_suit}", "six {of_suit}"),
    *("seven {of_suit}", "eight {of_suit}", "nine {of_suit}", "ten {of_suit}"),
    *("jack {of_suit}", "queen {of_suit}", "king {of_suit}"),
)
OF_SUIT = {Suit.SPADES: "of spades", Suit.HEARTS: "of hearts", Suit.DIAMONDS: "of diamonds", Suit.CLUBS: "of clubs"}

ACE_KEY = "ace"
"""The first key of a menu. The others are called by their numbers."""

WORDS = (*HIGH_NUMBERS, *HUNDREDS, AND_MORE, *RANKS, *RANKS_OF_SUIT, *OF_SUIT.values(), ACE_KEY)
"""Everything that this module translates, for the catalogue."""

_CARD = re.compile(r"\b(10|[2-9ATJQK])?([♠♥♦♣])")
_NUMBER = re.compile(r"\d+")
_HYPHEN = re.compile(r"-(?=\d)|(?<=\d)-")
"""As in classic-61: not a minus."""
_SUIT_OF_SYMBOL = dict(zip("♠♥♦♣", (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS), strict=True))


class Spoken(NamedTuple):
    """One thing to say. `id` names what it is about, such as `points.0`, and `text` has one sentence or more.

    What has the same id and text as before did not change, and is not said again.
    """

    id: str
    text: str


def together(*sentences: str) -> str:
    """The sentences as one text, without the empty ones."""
    return " ".join(filter(None, sentences))


def ended(sentence: str) -> str:
    """The sentence with a full stop, unless it ends in a sign already: the voice pauses there."""
    return sentence if sentence.endswith((".", "?", "!", ":")) else f"{sentence}."


def number_in_words(number: int, tr: Translator) -> str:
    """0 to 299, more than any score; a higher number stays in digits."""
    if not 0 <= number < 100 * (len(HUNDREDS) + 1):
        return str(number)
    hundreds, rest = divmod(number, 100)
    below = tr((*NUMBERS, *HIGH_NUMBERS)[rest])
    if not hundreds:
        return below
    hundred = tr(HUNDREDS[hundreds - 1])
    return tr(AND_MORE).format(hundred=hundred, rest=below) if rest else hundred


def rank_in_words(rank: int, tr: Translator) -> str:
    """A rank from 1 (ace) to 13 (king)."""
    return tr(RANKS[rank - 1])


def of_suit_in_words(suit: Suit, tr: Translator) -> str:
    """As in "jack of hearts"."""
    return tr(OF_SUIT[suit])


def card_in_words(card: Card, tr: Translator) -> str:
    """Rank and suit, or the rank alone for a card whose suit is not known."""
    if card.suit is None:
        return rank_in_words(card.rank, tr)
    return tr(RANKS_OF_SUIT[card.rank - 1]).format(of_suit=of_suit_in_words(card.suit, tr))


def choice_in_words(number: int, tr: Translator) -> str:
    """The key of a choice of a menu, 1 to 9, as a sentence begins with it: "Ace", "Two"."""
    name = number_in_words(number, tr) if number > 1 else tr(ACE_KEY)
    return name[:1].upper() + name[1:]


def ranks_in_words(cards: Iterable[Card], tr: Translator) -> str:
    """The ranks of a hand in rising order."""
    return ", ".join(rank_in_words(card.rank, tr) for card in sorted(cards, key=lambda card: card.rank))


def for_ear(text: str, tr: Translator) -> str:
    """A text of the display or the page, with its cards, numbers and signs in words."""
    with_cards = _CARD.sub(lambda found: _symbol_in_words(found.group(1), _SUIT_OF_SYMBOL[found.group(2)], tr), text)
    in_words = _HYPHEN.sub(" ", with_cards)
    in_words = _NUMBER.sub(lambda found: number_in_words(int(found.group()), tr), in_words)
    return " ".join(in_words.replace("_", " ").replace("•", " ").replace("…", ".").split(" ")).strip()


def _symbol_in_words(rank: str | None, suit: Suit, tr: Translator) -> str:
    if rank is None:
        return of_suit_in_words(suit, tr)
    return card_in_words(card_of(LETTERS.index(rank.replace("10", "T")) + 1, suit), tr)
