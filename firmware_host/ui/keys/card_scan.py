"""Tagged cards: what a card on the card reader means. It does what typing the card would do, and its suit is known."""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.cribbage.cards import Card, card_of
from firmware_host.game import commands as c
from firmware_host.game.state import Phase, Table
from firmware_host.ui.keys.advice_page import cards_dealt
from firmware_host.ui.keys.count_questions import asked_first
from firmware_host.ui.keys.hand_input import advance_hand
from firmware_host.ui.keys.hand_reading import read_hand
from firmware_host.ui.keys.input_state import (
    HandQuestion,
    Idle,
    InputContext,
    InputState,
    KeyResult,
    ReadingHand,
    TypingDeal,
    TypingHand,
    TypingStarter,
)


def scan_card(input_state: InputState, card: Card, context: InputContext) -> KeyResult:
    """What one card on the reader leads to. It changes nothing where no card is expected, and during pairing."""
    result = _scanned(input_state, card, context)
    return asked_first(result.command, context) if isinstance(result.command, c.CountHand) else result


def _scanned(input_state: InputState, card: Card, context: InputContext) -> KeyResult:
    table = context.table
    if context.pairing_state.requested_by or context.pairing_state.code:
        return KeyResult(input_state)
    match input_state:
        case TypingDeal(cards=cards) if len(cards) < cards_dealt(context):
            return KeyResult(replace(input_state, cards=(*cards, card_of(card.rank))))
        case TypingHand(cards=cards, question=HandQuestion.CARDS) if table:
            return with_card_in_hand(input_state, card, table)
        case Idle() | ReadingHand() if table and table.hand_to_read is not None:
            return read_hand(input_state, card, table)
        case Idle() | TypingStarter() if table:
            return card_in_phase(input_state, card, table)
        case _:
            return KeyResult(input_state)


def card_in_phase(input_state: InputState, card: Card, table: Table) -> KeyResult:
    """The card is the starter in the deal, is played in the play, and joins the hand to be counted in the show. A card
    of the program that comes near the reader again changes nothing: a refusal would tell which card it is."""
    match table.phase:
        case Phase.DEAL | Phase.PLAY if is_programs_card(card, table):
            return KeyResult(input_state)
        case Phase.DEAL:
            return KeyResult(command=c.CutStarter(card))
        case Phase.PLAY:
            return KeyResult(command=c.PlayCard(card))
        case Phase.SHOW:
            assert table.to_count is not None and table.deal is not None
            played = () if table.to_count.is_crib else table.deal.played(table.to_count.seat)
            return with_card_in_hand(TypingHand(played), card, table)
        case _:
            return KeyResult(input_state)


def is_programs_card(card: Card, table: Table) -> bool:
    """Whether the card was dealt to a seat that the program plays."""
    return table.deal is not None and any(card in table.deal.dealt[seat] for seat in table.opponents)


def with_card_in_hand(input_state: TypingHand, card: Card, table: Table) -> KeyResult:
    """What one more card of the hand to be counted leads to. The table must be in the show."""
    return advance_hand(replace(input_state, cards=with_card(input_state.cards, card)), table)


def with_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards with this one, once. It replaces a card of the same rank and unknown suit."""
    if card in cards:
        return cards
    by_rank = card_of(card.rank)
    if by_rank not in cards:
        return (*cards, card)
    index = cards.index(by_rank)
    return (*cards[:index], card, *cards[index + 1 :])
