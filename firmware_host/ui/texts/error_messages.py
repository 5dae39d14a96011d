"""Refusals in sentences for players.

Each kind of Refusal has its own sentence (`Refusal.sentence`), which is filled in with the refusal's evidence. A kind
without a sentence keeps its technical line, in English: only a program can cause it.
"""

from __future__ import annotations

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.texts.spoken_words import rank_in_words
from firmware_host.ui.translator import Translator, untranslated


def error_message(refusal: Refusal, tr: Translator = untranslated) -> str:
    """One translated sentence for a refusal; it fits four lines of the OLED."""
    if not refusal.sentence:
        return str(refusal)
    one = refusal.sentence
    many = refusal.sentence_of_many
    number = refusal.evidence.get("number")
    sentence = tr.counted(one, many, number) if many and isinstance(number, int) else tr(one)
    values = {name: _card(value, tr) if isinstance(value, Card) else value for name, value in refusal.evidence.items()}
    return sentence.format(**{"got": refusal.got} | values)


def _card(card: Card, tr: Translator) -> str:
    """A rank alone is a word: a letter would name a key, and the voice says the sentence too."""
    return with_suit_symbol(card) if card.suit else rank_in_words(card.rank, tr)
