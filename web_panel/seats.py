"""Whose order it is. A seat that a phone holds is spoken for by that phone alone, or by the keys of the board.

And what somebody else holds is not to be found out by asking: a card that "lies elsewhere" is told only so often.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from time import monotonic

from firmware_host.cribbage.refusals import DuplicateCard, Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.phones import Phone, PhoneBook
from firmware_host.table import orders as o
from firmware_host.table.auction import next_bidder
from firmware_host.table.entries import Wish
from firmware_host.table.refusals import CardSeenElsewhere
from firmware_host.table.state import Phase, Table
from web_panel.visitors import Visitor

MOST_CLASHES, FORGOTTEN_S = 5, 300.0
"""How often in five minutes a phone may name cards that lie elsewhere. People mistype once or twice."""


class NotYourSeat(Refusal):
    """Another phone holds the seat."""

    kind = "not_your_seat"
    sentence = "That is for {name} to say"


class StillInHand(Refusal):
    """Somebody holds cards that were not played yet."""

    kind = "still_in_hand"
    sentence = "{name} still holds cards; the board's keys FN ENTER can end the play"


class TooManyClashes(Refusal):
    """Too many cards were named that lie elsewhere."""

    kind = "too_many_clashes"
    sentence = "Too many cards that lie elsewhere: wait some minutes, or use the keys of the board"


def check_seat(wish: Wish, table: Table | None, visitor: Visitor, book: PhoneBook) -> None:
    """Raises NotYourSeat or StillInHand."""
    if table is None:
        return
    held = {phone.seat: phone for phone in book.phones if phone.seat is not None}
    seats = seats_spoken_for(wish, table)
    if visitor.seat not in seats:
        for seat, phone in held.items():
            if seat in seats:
                expected = f"an order from {phone.name}, who holds the seat"
                raise NotYourSeat(expected, "one from another phone", name=phone.name)
    if isinstance(wish, o.EndPlay):
        check_hands_are_empty(table, held)


def check_hands_are_empty(table: Table, held: Mapping[Seat, Phone]) -> None:
    """Or ending the play early would be a way to look at a hand."""
    for seat, phone in held.items():
        if table.deal and seat < len(table.names) and table.deal.in_hand(seat):
            got, mend = f"cards that {phone.name} still holds", "the keys of the board can end the play: FN ENTER"
            raise StillInHand("every card played", got, mend=mend, name=phone.name)


def seats_spoken_for(wish: Wish, table: Table) -> set[Seat | None]:
    """The seats for which the order speaks: one of them must be the asker's, where phones hold them."""
    match wish:
        case o.DealHand(seat=seat) | o.LayAway(seat=seat):
            return {seat}
        case o.PlayCard(seat=seat) | o.SayGo(seat=seat):
            return {seat if seat is not None else table.to_play}
        case o.Bid(seat=seat):
            return {seat if seat is not None else bidder(table)}
        case o.CountNext() if table.to_count:
            return {table.to_count.seat}
        case o.ClaimMuggins(side=side) | o.MovePoints(side=side) if side < len(table.rules.sides):
            return set(table.rules.sides[side])
        case _:
            return set()


def bidder(table: Table) -> Seat | None:
    return next_bidder(table, table.deal) if table.deal and table.rules.bidding and not table.deal.is_sold else None


def is_told(table: Table | None, seat: Seat) -> bool:
    """Whether the seat has cards now that its holder told: nobody else may take the seat before they are shown."""
    if table is None or table.deal is None or table.phase in (Phase.GATHER, Phase.OVER) or seat >= len(table.names):
        return False
    return bool(table.deal.dealt[seat] or table.deal.kept[seat])


class Curiosity:
    """Remembers how often each phone lately named cards that lie elsewhere; `clock` tells seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._clashes = dict[str, list[float]]()

    def check(self, visitor: Visitor) -> None:
        """Raises TooManyClashes."""
        with self._lock:
            since_s = self._clock() - FORGOTTEN_S
            lately = [at_s for at_s in self._clashes.get(who(visitor), ()) if at_s > since_s]
            self._clashes[who(visitor)] = lately
        if len(lately) >= MOST_CLASHES:
            expected = f"cards that lie nowhere else, after {MOST_CLASHES} that do"
            raise TooManyClashes(expected, "another try", mend="wait some minutes, or use the keys of the board")

    def note(self, refusal: Refusal, visitor: Visitor) -> None:
        if isinstance(refusal, CardSeenElsewhere | DuplicateCard):
            with self._lock:
                self._clashes[who(visitor)].append(self._clock())


def who(visitor: Visitor) -> str:
    return visitor.phone.id if visitor.phone else ""
