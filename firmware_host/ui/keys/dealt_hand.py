"""The hands that the program dealt to people at the board: the display shows them, and the keys choose their cards.

One person's hand is always on the display. Of several people each sees the own hand alone: the display asks for the one
whose turn it is, ENTER shows that hand, and it is covered again by the discard, the card, or UNDO.
"""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.cribbage.cards import Card, without
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands as c
from firmware_host.game.state import Phase, Table
from firmware_host.ui.keys.input_state import (
    ENTER,
    RANK_OF_KEY,
    InputContext,
    InputState,
    KeyResult,
    ShowingHand,
    TypingDiscard,
)
from firmware_host.ui.texts.messages import with_suit_symbol


def seats_at_board(table: Table) -> list[Seat]:
    """The seats whose dealt hands the board shows."""
    return [Seat(seat) for seat, to in enumerate(table.deal.shown_to if table.deal else ()) if to == ""]


def seat_at_board(table: Table) -> Seat | None:
    """The seat at the board whose hand matters now: the only one, or of several the one that has to discard or to play;
    None if there is none."""
    seats = seats_at_board(table)
    if len(seats) < 2:
        return seats[0] if seats else None
    deal = table.deal
    assert deal is not None
    if table.phase is Phase.DEAL:
        return next((seat for seat in seats if deal.dealt[seat] and not deal.kept[seat]), None)
    return table.to_play if table.to_play in seats else None


def seat_to_ask_for(table: Table) -> Seat | None:
    """The seat whose hand is covered until its player says to be there; None where no hand has to be covered."""
    return seat_at_board(table) if len(seats_at_board(table)) > 1 else None


def hand_at_board(table: Table, asked_for: Seat | None = None) -> tuple[Card, ...]:
    """The cards that the person at the board holds now, by rank; none where the display shows no hand, or it is
    covered. `asked_for`: the seat whose player asked to see the hand."""
    seat = seat_at_board(table)
    if seat is None or table.deal is None or table.phase not in (Phase.DEAL, Phase.BID, Phase.PLAY):
        return ()
    if seat_to_ask_for(table) is not None and asked_for != seat:
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
    """ENTER deals, shows a covered hand, and turns up the starter. A rank chooses the first card for the crib."""
    if key == ENTER:
        if table.can_deal:
            return KeyResult(command=c.DealPack())
        if (seat := seat_to_ask_for(table)) is not None:
            return KeyResult(ShowingHand(seat))
        return KeyResult(command=c.TurnStarter() if table.can_turn_starter else None)
    return KeyResult() if seat_to_ask_for(table) is not None else _begin_discard(key, table)


def _begin_discard(key: str, table: Table) -> KeyResult:
    seat = seat_at_board(table)
    if seat is None or table.deal is None or not has_to_discard(table):
        return KeyResult()
    needed = table.rules.cards_discarded(seat, table.deal.dealer)
    return _choose(TypingDiscard(seat, (), needed), key, table)


def while_showing_hand(state: ShowingHand, key: str, context: InputContext) -> KeyResult:
    """A rank chooses the first card for the crib, or plays a card."""
    table = context.table
    if table is None or table.deal is None or seat_to_ask_for(table) != state.seat:
        return KeyResult()
    if table.phase is Phase.DEAL:
        chosen = _begin_discard(key, table)
        return chosen if isinstance(chosen.input_state, TypingDiscard) else KeyResult(state)
    fits = [card for card in table.deal.in_hand(state.seat) if card.rank == RANK_OF_KEY.get(key)]
    return KeyResult(command=c.PlayCard(fits[0], state.seat)) if fits else KeyResult(state)


def while_typing_discard(state: TypingDiscard, key: str, context: InputContext) -> KeyResult:
    """A rank chooses a card, ENTER discards as soon as there are enough."""
    table = context.table
    if table is None or seat_at_board(table) != state.seat:
        return KeyResult()
    if key == ENTER and len(state.cards) == state.needed:
        return KeyResult(command=c.DiscardCards(state.seat, state.cards))
    return _choose(state, key, table)


def _choose(state: TypingDiscard, key: str, table: Table) -> KeyResult:
    left = without(hand_at_board(table, state.seat), state.cards)
    fits = [card for card in left if card.rank == RANK_OF_KEY.get(key)]
    if fits and len(state.cards) < state.needed:
        state = replace(state, cards=(*state.cards, fits[0]))
    return KeyResult(state) if state.cards else KeyResult()


def hand_line(table: Table, input_state: InputState) -> str:
    """The hand on one line of the display, chosen cards in brackets; empty without one."""
    asked_for = input_state.seat if isinstance(input_state, ShowingHand | TypingDiscard) else None
    cards = hand_at_board(table, asked_for)
    chosen = input_state.cards if isinstance(input_state, TypingDiscard) else ()
    return " ".join(f"[{with_suit_symbol(card)}]" if card in chosen else with_suit_symbol(card) for card in cards)
