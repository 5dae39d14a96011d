"""The hand that the program dealt to the person at the board: the display shows it, and the keys choose its cards.

The display shows a hand only where the program dealt it to one person there. Two people at one display would see each
other's cards: they take phones, or one phone with a cover.
"""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.cribbage.cards import Card, without
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands as c
from firmware_host.game.state import Phase, Table
from firmware_host.ui.keys.input_state import ENTER, RANK_OF_KEY, InputContext, KeyResult, TypingDiscard
from firmware_host.ui.texts.messages import with_suit_symbol


def seat_at_board(table: Table) -> Seat | None:
    """The one seat whose dealt hand the board shows; None for none or several."""
    seats = [Seat(seat) for seat, to in enumerate(table.deal.shown_to if table.deal else ()) if to == ""]
    return seats[0] if len(seats) == 1 else None


def hand_at_board(table: Table) -> tuple[Card, ...]:
    """The cards that the person at the board holds now, by rank; none where the display shows no hand."""
    seat = seat_at_board(table)
    if seat is None or table.deal is None or table.phase not in (Phase.DEAL, Phase.BID, Phase.PLAY):
        return ()
    held = table.deal.in_hand(seat) if table.deal.kept[seat] else table.deal.dealt[seat]
    return tuple(sorted(held, key=lambda card: card.rank))


def is_alone_at_board(table: Table) -> bool:
    """Whether one person plays against the program at the board itself. Then the board's voice may say the hand:
    nobody else there plays with cards."""
    people = [seat for seat in table.rules.seats if seat not in table.opponents]
    return len(people) == 1 and seat_at_board(table) == people[0]


def has_to_discard(table: Table) -> bool:
    """Whether the person at the board has cards and no discard yet."""
    seat = seat_at_board(table)
    return seat is not None and table.deal is not None and bool(table.deal.dealt[seat]) and not table.deal.kept[seat]


def key_in_dealt_deal(key: str, table: Table) -> KeyResult:
    """ENTER deals, and turns up the starter. A rank chooses the first card for the crib."""
    if key == ENTER:
        if table.can_deal:
            return KeyResult(command=c.DealPack())
        return KeyResult(command=c.TurnStarter() if table.can_turn_starter else None)
    seat = seat_at_board(table)
    if seat is None or table.deal is None or not has_to_discard(table):
        return KeyResult()
    needed = table.rules.cards_discarded(seat, table.deal.dealer)
    return _choose(TypingDiscard((), needed), key, table)


def while_typing_discard(state: TypingDiscard, key: str, context: InputContext) -> KeyResult:
    """A rank chooses a card, ENTER discards as soon as there are enough."""
    table = context.table
    seat = None if table is None else seat_at_board(table)
    if table is None or seat is None:
        return KeyResult()
    if key == ENTER and len(state.cards) == state.needed:
        return KeyResult(command=c.DiscardCards(seat, state.cards))
    return _choose(state, key, table)


def _choose(state: TypingDiscard, key: str, table: Table) -> KeyResult:
    left = without(hand_at_board(table), state.cards)
    fits = [card for card in left if card.rank == RANK_OF_KEY.get(key)]
    if fits and len(state.cards) < state.needed:
        state = replace(state, cards=(*state.cards, fits[0]))
    return KeyResult(state) if state.cards else KeyResult()


def hand_line(table: Table, chosen: tuple[Card, ...] = ()) -> str:
    """The hand on one line of the display, chosen cards in brackets; empty without one."""
    cards = hand_at_board(table)
    return " ".join(f"[{with_suit_symbol(card)}]" if card in chosen else with_suit_symbol(card) for card in cards)
