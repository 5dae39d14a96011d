"""Typing a hand or a crib: ranks first, and suits only if they can change the count.

A flush is possible only while all ranks differ, and nobs only with a jack (`cribbage/unknown_suits.py`). So most hands
take four or five key presses. The questions come in the order of HandQuestion, each only if it applies. ENTER is a yes
to the questions that a yes or no answers, and clubs only where the display asks for a suit.
"""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.cribbage.cards import Suit, card_of
from firmware_host.cribbage.rules import CRIB_SIZE
from firmware_host.cribbage.unknown_suits import flush_is_open, nobs_is_open, suits_for_all, with_jack_suit
from firmware_host.game import commands as c
from firmware_host.game.showing import shown_elsewhere
from firmware_host.game.state import Table
from firmware_host.ui.keys.input_state import (
    DIGIT_OF_KEY,
    ENTER,
    RANK_OF_KEY,
    SUIT_OF_KEY,
    HandQuestion,
    InputContext,
    KeyResult,
    TypingHand,
)


def while_typing_hand(input_state: TypingHand, key: str, context: InputContext) -> KeyResult:
    """What a key press leads to while a hand is typed: a rank, a suit, ENTER for "yes" or a digit for "no"."""
    table = context.table
    assert table is not None
    question = input_state.question
    if question is HandQuestion.CARDS:
        if key not in RANK_OF_KEY:
            return KeyResult(input_state)
        return advance_hand(TypingHand((*input_state.cards, card_of(RANK_OF_KEY[key]))), table)
    if key in DIGIT_OF_KEY:
        return advance_hand(input_state, table, is_declined=True)
    if key == ENTER and question is not HandQuestion.FLUSH_SUIT:
        return confirm_suits(input_state, table)
    if key in SUIT_OF_KEY:
        return advance_hand(with_suit(input_state, SUIT_OF_KEY[key], table), table)
    return KeyResult(input_state)


def confirm_suits(input_state: TypingHand, table: Table) -> KeyResult:
    """The answer "yes": to nobs, or to a flush, whose suit is asked for next unless a card tells it."""
    assert table.deal is not None and table.deal.starter is not None
    suit = table.deal.starter.suit
    if input_state.question is HandQuestion.FLUSH:
        known = {card.suit for card in input_state.cards} - {None}
        suit = known.pop() if known else None
    if suit is None:
        return KeyResult(replace(input_state, question=HandQuestion.FLUSH_SUIT))
    return advance_hand(with_suit(input_state, suit, table), table)


def with_suit(input_state: TypingHand, suit: Suit, table: Table) -> TypingHand:
    """The hand with the suit that answers its question: of a jack, or of all cards. A suit that does not fit changes
    nothing."""
    assert table.deal is not None and table.deal.starter is not None
    cards = input_state.cards
    starter = table.deal.starter
    if input_state.question is HandQuestion.NOBS:
        cards = with_jack_suit(cards, suit) if nobs_is_open(cards, starter) else cards
    elif suit in suits_for_all(cards, starter, shown_elsewhere(table)):
        cards = tuple(card_of(card.rank, suit) for card in cards)
    return replace(input_state, cards=cards)


def advance_hand(input_state: TypingHand, table: Table, *, is_declined: bool = False) -> KeyResult:
    """The next question about the hand, or CountHand if none is left. The table must be in the show."""
    question = next_question(input_state, table, is_declined=is_declined)
    if question is HandQuestion.NOTHING:
        return KeyResult(command=c.CountHand(input_state.cards, suits_were_asked=True))
    return KeyResult(replace(input_state, question=question))


def next_question(input_state: TypingHand, table: Table, *, is_declined: bool = False) -> HandQuestion:
    """The first question that applies, from the current one on, or from the one after it if that `is_declined`."""
    assert table.deal is not None and table.deal.starter is not None and table.to_count is not None
    cards = input_state.cards
    starter = table.deal.starter
    is_crib = table.to_count.is_crib
    elsewhere = shown_elsewhere(table)
    may_be_flush = flush_is_open(cards, starter, table.rules, is_crib=is_crib, elsewhere=elsewhere)
    applies = {
        HandQuestion.CARDS: len(cards) < (CRIB_SIZE if is_crib else table.rules.hand_size),
        HandQuestion.FLUSH: may_be_flush,
        HandQuestion.FLUSH_SUIT: may_be_flush and input_state.question is HandQuestion.FLUSH_SUIT,
        HandQuestion.NOBS: nobs_is_open(cards, starter, elsewhere),
        HandQuestion.NOTHING: True,
    }
    questions = list(HandQuestion)
    first = questions.index(input_state.question) + is_declined
    return next(question for question in questions[first:] if applies[question])
