"""The questions about the suits of a hand that somebody types to be counted: a flush, his nobs, or nothing more."""

from __future__ import annotations

from firmware_host.cribbage.cards import Suit
from firmware_host.game.showing import current_showing
from firmware_host.game.state import Table
from firmware_host.ui.keys.hand_input import next_question, with_suit
from firmware_host.ui.keys.input_state import HandQuestion, TypingHand
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.translator import Translator


def with_answer(hand: TypingHand, suit: Suit | None, table: Table) -> TypingHand:
    """The hand with the answer to its question, and with the next question; NOTHING when it can be counted.

    `suit` answers a question about suits; None means no, or not seen. Raises WrongPhase outside the show.
    """
    current_showing(table)
    is_about_suits = hand.question not in (HandQuestion.CARDS, HandQuestion.NOTHING)
    answered = hand if suit is None or not is_about_suits else with_suit(hand, suit, table)
    question = next_question(answered, table, is_declined=is_about_suits and suit is None)
    return TypingHand(answered.cards, question)


def question_label(question: HandQuestion, table: Table, tr: Translator) -> str:
    """The question as a sentence; empty where nothing about suits is open."""
    assert table.deal is not None
    if question in (HandQuestion.FLUSH, HandQuestion.FLUSH_SUIT):
        return tr("Are all the cards in one suit?")
    if question is HandQuestion.NOBS and table.deal.starter:
        return tr("Is the jack of {suit} there? (his nobs, 1 point)").format(
            suit=with_suit_symbol(table.deal.starter)[-1]
        )
    return ""
