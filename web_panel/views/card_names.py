"""The names of cards in words, such as "10 of hearts", for people who hear the page. Pure.

Suits are phrases of their own, because other languages inflect them: "10 червей", not "10 червы".
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.ui.translator import Translator
from web_panel.views.card_faces import card_parts

RANK_WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
"""The other ranks are numbers."""
OF_SUITS = {"S": "{rank} of spades", "H": "{rank} of hearts", "D": "{rank} of diamonds", "C": "{rank} of clubs"}
FACE_DOWN = "face down"


def card_names(tr: Translator) -> Mapping[str, str]:
    """What `core/cards.js` needs to name cards: a word for each letter of RANK_WORDS, a phrase for each suit."""
    return {letter: tr(word) for letter, word in (RANK_WORDS | OF_SUITS).items()} | {"back": tr(FACE_DOWN)}


def card_name(pretty: str, tr: Translator) -> str:
    """The name of a card as people read it, such as 10♥. Without a suit it is the rank alone."""
    card = card_parts(pretty)
    rank = tr(RANK_WORDS[card.rank]) if card.rank in RANK_WORDS else card.rank
    return tr(OF_SUITS[card.suit]).format(rank=rank) if card.suit else rank
