"""The auction of the crib."""

from __future__ import annotations

from firmware_host.game.auction import can_bid, least_bid, next_bidder
from firmware_host.game.state import Table
from firmware_host.ui.phases.guide import Expects, Guide, deal_of, guide_of_seat
from firmware_host.ui.translator import Translator


def line(table: Table, tr: Translator) -> str:
    """For the display, in 21 columns."""
    return tr("{name}: your bid?").format(name=table.names[next_bidder(table, deal_of(table))])


def spoken(table: Table, tr: Translator) -> str:
    """For the voice."""
    return tr("{name}, your bid.").format(name=table.names[next_bidder(table, deal_of(table))])


def guide(table: Table, tr: Translator) -> Guide:
    """For the page."""
    deal = deal_of(table)
    seat = next_bidder(table, deal)
    name = table.names[seat]
    if can_bid(table, deal, seat):
        detail = tr("Bid {number} or more for the crib, or pass.")
    else:
        detail = tr("Too few points to bid {number}: pass.")
    detail = detail.format(number=least_bid(deal))
    headline = tr("{name}, your bid.").format(name=name)
    return guide_of_seat(table, seat, headline, detail, Expects.CONFIRM, tr("Bid or pass"))
