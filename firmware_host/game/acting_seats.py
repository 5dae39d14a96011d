"""The seats that a command acts for."""

from __future__ import annotations

from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands as c
from firmware_host.game.auction import next_bidder
from firmware_host.game.rule_errors import NotForPeople
from firmware_host.game.state import Table

PROGRAMS_OWN = (c.DealHand, c.DiscardCards, c.PlayCard, c.SayGo, c.Bid, c.ClaimMuggins)
"""What the program alone does for its seats; its cards it gets from the card reader, or deals them."""


def seats_of(command: object, table: Table) -> set[Seat | None]:
    """The seats that may send the command where phones hold them; empty: anybody."""
    match command:
        case c.DealHand(seat=seat) | c.DiscardCards(seat=seat):
            return {seat}
        case c.PlayCard(seat=seat) | c.SayGo(seat=seat):
            return {seat if seat is not None else table.to_play}
        case c.Bid(seat=seat):
            return {seat if seat is not None else bidder(table)}
        case c.CountHand() if table.to_count:
            return {table.to_count.seat}
        case c.ClaimMuggins(side=side) | c.EnterPoints(side=side) | c.ConfirmResult(side=side) if (
            0 <= side < len(table.rules.sides)
        ):
            return set(table.rules.sides[side])
        case _:
            return set()


def bidder(table: Table) -> Seat | None:
    """The seat that bids next; None outside an auction."""
    return next_bidder(table, table.deal) if table.deal and table.rules.bidding and not table.deal.is_sold else None


def check_is_for_people(command: object, table: Table | None) -> None:
    """Raises NotForPeople if a person would enter cards, discard, bid, play or claim for a seat that the program plays.
    Its points people may enter, and its hand they may count: that is said aloud anyway."""
    if table is None or not isinstance(command, PROGRAMS_OWN):
        return
    for seat in seats_of(command, table):
        if seat in table.opponents:
            name = table.names[seat]
            raise NotForPeople(f"a command of {name}, whom the program plays", "one of a person", name=name)
