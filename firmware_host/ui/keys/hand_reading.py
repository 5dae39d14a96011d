"""The hand of the program in a game with a real pack: people lay its cards on the card reader, face down, one by one.

They put each card into a row as they go, so that the program can name it by its place: nobody needs to see it before it
is played. A card that is laid on the reader again changes nothing; UNDO takes the last one back.
"""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.cribbage.cards import Card
from firmware_host.game import commands as c
from firmware_host.game.state import Table
from firmware_host.ui.keys.input_state import ForOpponent, Idle, InputContext, KeyResult, ReadingHand


def read_hand(input_state: Idle | ReadingHand, card: Card, table: Table) -> KeyResult:
    """One more card of the hand that is read; the last one deals it to the program."""
    seat = table.hand_to_read
    assert seat is not None
    read = input_state if isinstance(input_state, ReadingHand) else ReadingHand(seat, ())
    if card in read.cards:
        return KeyResult(read)
    cards = (*read.cards, card)
    if len(cards) < cards_to_read(table):
        return KeyResult(replace(read, cards=cards))
    return KeyResult(command=ForOpponent(c.DealHand(seat, cards)))


def cards_to_read(table: Table) -> int:
    """How many cards the hand has that is to be read; 0 if there is none."""
    seat = table.hand_to_read
    return 0 if seat is None or table.deal is None else table.rules.cards_dealt(seat, table.deal.dealer)


def while_reading_hand(state: ReadingHand, key: str, context: InputContext) -> KeyResult:
    """Keys wait until the hand is read."""
    return KeyResult(state)
