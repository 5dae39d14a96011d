"""Whose cards a hand is: the cards of a seat belong to the phone that held it when they were entered.

A seat can be left and taken by another phone, and undo can bring back a hand of an earlier deal. Whoever holds the seat
then gets it without these cards: they are neither sent to the phone, nor may it play, count or ask about them. Turns
are distinguished by `Turn.number`, which no two turns of a run share.

For a seat that nobody holds, one phone may enter the cards and play them. Which phone that was is not known after a
restart; then a trial of cards is limited by ProbeLimit.
"""

from __future__ import annotations

from threading import Lock

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands, events
from firmware_host.game.history import History, Turn
from firmware_host.pairing.registry import Phone, PhoneRegistry
from firmware_host.ui.keys.input_state import UserCommand
from web_panel.security.identity import Visitor, phone_id
from web_panel.security.seat_access import has_private_cards


class NotYourCards(Refusal):
    """The cards of the seat were entered by somebody else, who left it."""

    kind = "not_your_cards"
    sentence = "Somebody else entered these cards. Use the board’s keys."


class HandOwners:
    """Answers whose the cards of a seat are. Any thread may call."""

    def __init__(self, registry: PhoneRegistry) -> None:
        self._registry = registry
        self._lock = Lock()
        self._entered = dict[int, tuple[events.HandDealt, str]]()
        """Number of a turn -> the event that entered a hand in it, and the phone."""

    def note(self, command: UserCommand, history: History, visitor: Visitor) -> None:
        """A command was accepted. If it entered a hand, these cards are the visitor's."""
        if isinstance(command, commands.DealHand) and (found := hand_entered(history, command.seat)):
            turn, event = found
            with self._lock:
                self._entered[turn.number] = event, phone_id(visitor.phone)

    def owns(self, history: History, seat: Seat, phone: Phone | None) -> bool:
        """Whether the phone may see and use the cards of the seat; True where none were entered."""
        found = hand_entered(history, seat)
        if found is None or (history.table and history.table.is_demo):
            return True
        if (dealt := shown_to(history, seat)) is not None:
            return dealt == phone_id(phone)
        turn, event = found
        with self._lock:
            entered, by = self._entered.get(turn.number, (None, ""))
        if phone is not None and phone.seat == seat:
            return turn.number > self._registry.seat_since(phone.id)
        return entered is not event or by == phone_id(phone)

    def entered_all(self, history: History, visitor: Visitor) -> bool:
        """Whether the visitor entered, or is shown, every hand of the deal that is hidden: a trial of cards then tells
        nothing new."""
        table = history.table
        if table is None:
            return True
        hidden = (seat for seat in table.rules.seats if has_private_cards(table, seat))
        return all(self._is_entered_by(history, seat, phone_id(visitor.phone)) for seat in hidden)

    def _is_entered_by(self, history: History, seat: Seat, phone: str) -> bool:
        if (dealt := shown_to(history, seat)) is not None:
            return dealt == phone
        if (found := hand_entered(history, seat)) is None:
            return True
        turn, event = found
        with self._lock:
            entered, by = self._entered.get(turn.number, (None, ""))
        return entered is event and by == phone

    def check(self, seats: set[Seat | None], history: History, visitor: Visitor) -> None:
        """Raises NotYourCards if a command for these seats would use cards of somebody else."""
        for seat in seats:
            if seat is not None and not self.owns(history, seat, visitor.phone):
                expected = "a command of whoever entered the cards"
                raise NotYourCards(expected, "one from another phone", fix="use the keys of the board")

    def check_undo(self, command: UserCommand, history: History, visitor: Visitor) -> None:
        """Raises NotYourCards if undoing or redoing a turn would take a hand from somebody else, or bring back a hand
        to a seat that another phone holds now."""
        if isinstance(command, commands.Undo) and history.can_undo:
            turn = history.last
            after = history.replay((events.TurnUndone(),))
        elif isinstance(command, commands.Redo) and history.undone:
            turn = history.undone[-1]
            after = history.replay((events.TurnRedone(),))
        else:
            return
        assert turn is not None
        holders = {phone.seat: phone for phone in self._registry.phones if phone.seat is not None}
        for event in turn.events:
            if isinstance(event, events.HandDealt | events.CardsDiscarded) and event.seat != visitor.seat:
                self._check_not_theirs(event.seat, turn, holders, visitor)
        for seat, phone in holders.items():
            if after.table and seat < len(after.table.names) and not self.owns(after, seat, phone):
                self._refuse()

    def _check_not_theirs(self, seat: Seat, turn: Turn, holders: dict[Seat, Phone], visitor: Visitor) -> None:
        with self._lock:
            entered, by = self._entered.get(turn.number, (None, ""))
        if seat in holders or (entered is not None and entered in turn.events and by != phone_id(visitor.phone)):
            self._refuse()

    def _refuse(self) -> None:
        expected = "a turn that changes no hand of somebody else"
        raise NotYourCards(expected, "a hand entered or taken back", fix="use the keys of the board")


NOBODY = "nobody"
"""Sees the hand of a seat that the program plays. Ids of phones are hex digits."""


def shown_to(history: History, seat: Seat) -> str | None:
    """The id of the phone that shows the hand dealt to the seat by the program: empty for the board's own computer,
    NOBODY where the program plays, also from a hand that it read. None: it dealt no hand."""
    table = history.table
    if table is None or table.deal is None:
        return None
    if seat in table.opponents:
        return NOBODY
    return table.deal.shown_to[seat] if table.deal.shown_to else None


def hand_entered(history: History, seat: Seat) -> tuple[Turn, events.HandDealt] | None:
    """The turn that entered the cards which the seat has in this deal, and its event; None if none were entered."""
    for turn in history.turns_back():
        for event in reversed(turn.events):
            if isinstance(event, events.HandDealt) and event.seat == seat:
                return (turn, event) if event.cards else None
            if isinstance(event, events.DealBegan):
                return None
    return None
