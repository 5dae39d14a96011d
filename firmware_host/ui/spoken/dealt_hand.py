"""The cards that the program dealt to a person who plays against it alone at the board, for that board's own voice.

Everybody at the board hears the voice, so it says a hand only where one person plays there and the program plays all
other seats. Pages, phones and brokers never get these sentences: the narrator of the board is the only one to ask.
"""

from __future__ import annotations

from firmware_host.game.state import Table
from firmware_host.ui.keys.dealt_hand import hand_at_board, has_to_discard, is_alone_at_board
from firmware_host.ui.keys.input_state import InputState, TypingDiscard
from firmware_host.ui.texts.messages import capitalized
from firmware_host.ui.texts.spoken_words import Spoken, card_in_words
from firmware_host.ui.translator import Translator


def spoken_dealt_hand(table: Table, tr: Translator) -> Spoken | None:
    """The cards that the person still holds, low ones first. None where the voice may not say them, or there are
    none."""
    cards = hand_at_board(table) if is_alone_at_board(table) else ()
    if not cards:
        return None
    said = ", ".join(card_in_words(card, tr) for card in cards)
    return Spoken("own-hand", tr("Your cards: {cards}.").format(cards=said))


def spoken_chosen_cards(table: Table, input_state: InputState, tr: Translator) -> Spoken | None:
    """What a person who chooses cards for the crib has to hear: the dealt hand, then each card that is chosen. None
    at any other time."""
    if not is_alone_at_board(table) or not has_to_discard(table):
        return None
    if isinstance(input_state, TypingDiscard):
        return Spoken(f"chosen.{len(input_state.cards)}", f"{capitalized(card_in_words(input_state.cards[-1], tr))}.")
    return spoken_dealt_hand(table, tr)
