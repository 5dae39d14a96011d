"""The deal of a pack that the program shuffled: it is dealt, every player discards, and the starter is turned up."""

from __future__ import annotations

from firmware_host.cribbage.rules import Seat
from firmware_host.game.state import Table
from firmware_host.ui.phases.guide import Expects, Guide, deal_of, guide_of_seat
from firmware_host.ui.texts.spoken_words import ended, together
from firmware_host.ui.translator import Translator

SHOWN_DIGITS = 8
"""Digits of the commitment in a sentence. The page with the proof has all of them."""


def line(table: Table, tr: Translator) -> str:
    """For the display, in 21 columns."""
    if table.can_deal:
        return tr("ENTER: deal")
    if table.can_turn_starter:
        return tr("ENTER: turn starter")
    seat = next_to_discard(table)
    return tr("Shuffling") if seat is None else tr("{name} discards").format(name=table.names[seat])


def spoken(table: Table, tr: Translator) -> str:
    """For the voice. Whoever discards hears whose crib it is."""
    is_discard = not table.can_deal and next_to_discard(table) is not None
    return together(ended(line(table, tr)), crib_owner(table, tr) if is_discard else "")


def guide(table: Table, tr: Translator) -> Guide:
    """For the page."""
    deal = deal_of(table)
    if table.can_deal and deal.pack:
        detail = tr("Its order can no longer change. Fingerprint: {digits} …")
        detail = detail.format(digits=deal.pack.commitment[:SHOWN_DIGITS])
        return Guide(tr("The pack is shuffled."), detail, expects=Expects.CONFIRM)
    if table.can_turn_starter:
        name = table.names[table.rules.pone(deal.dealer)]
        return Guide(tr("{name} cuts.").format(name=name), tr("Turn up the starter."), expects=Expects.CONFIRM)
    seat = next_to_discard(table)
    if seat is None:
        return Guide(tr("The pack is being shuffled."), waits_for=tr("One moment …"))
    number = table.rules.cards_discarded(seat, deal.dealer)
    name = table.names[seat]
    headline = tr.counted(
        "{name}, choose {number} card for the crib.", "{name}, choose {number} cards for the crib.", number
    ).format(name=name, number=number)
    detail = crib_owner(table, tr)
    waits_for = tr("Waiting for {name}’s discard").format(name=name)
    return guide_of_seat(table, seat, headline, detail, Expects.NOTHING, waits_for)


def crib_owner(table: Table, tr: Translator) -> str:
    """Whose crib it is, as a sentence."""
    deal = deal_of(table)
    owner = table.names[deal.dealer if deal.owner is None else deal.owner]
    return tr("{name} has the crib.").format(name=owner)


def next_to_discard(table: Table) -> Seat | None:
    """A seat that has not discarded yet, people before the program; None before the deal, and when all have."""
    deal = deal_of(table)
    waiting = [seat for seat in table.rules.seats if deal.dealt[seat] and not deal.kept[seat]]
    return min(waiting, key=lambda seat: seat in table.opponents, default=None)
