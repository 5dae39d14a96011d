"""The deal, the discards and the starter."""

from __future__ import annotations

from firmware_host.game.auction import is_bidding
from firmware_host.game.state import Table
from firmware_host.ui.phases import bid, dealt, read_hand
from firmware_host.ui.phases.guide import Expects, Guide, deal_of
from firmware_host.ui.translator import Translator


def line(table: Table, tr: Translator) -> str:
    """For the display, in 21 columns."""
    if table.is_dealt:
        return dealt.line(table, tr)
    if awaited := read_hand.line(table, tr):
        return awaited
    return tr("Points? ENTER: deal") if table.is_by_hand else tr("Starter card?")


def spoken(table: Table, tr: Translator) -> str:
    """For the voice."""
    if table.is_dealt:
        return dealt.spoken(table, tr)
    if awaited := read_hand.spoken(table, tr):
        return awaited
    return tr("Points, or the starter card?") if table.is_by_hand else tr("Starter card?")


def guide(table: Table, tr: Translator) -> Guide:
    """For the page. Where the crib is sold, a bid may come before the starter."""
    deal = deal_of(table)
    if is_bidding(table, deal):
        return bid.guide(table, tr)
    if table.is_dealt:
        return dealt.guide(table, tr)
    if awaited := read_hand.guide(table, tr):
        return awaited
    name = table.names[deal.dealer]
    numbers = {table.rules.cards_discarded(seat, deal.dealer) for seat in table.rules.seats}
    if table.is_by_hand:
        discard = tr("Play, and tap who scores. Or enter the starter: then the cards are counted.")
    elif table.rules.from_stock:
        discard = tr("To the crib: 1 card each, and 1 from the pack. Then cut, and enter the starter.")
    elif len(numbers) == 1 and (number := numbers.pop()):
        discard = tr.counted(
            "Each player discards {number} card to the crib. Then cut, and enter the starter.",
            "Each player discards {number} cards to the crib. Then cut, and enter the starter.",
            number,
        ).format(number=number)
    else:
        discard = tr("Fill the crib, cut, and enter the starter.")
    waits_for = tr("Waiting for the starter")
    return Guide(tr("{name} deals.").format(name=name), discard, expects=Expects.CARD, waits_for=waits_for)
