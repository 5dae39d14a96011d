"""The count of the hands and the crib."""

from __future__ import annotations

from firmware_host.cribbage.rules import Seat
from firmware_host.game.known_scores import known_cards
from firmware_host.game.state import Table
from firmware_host.ui.phases.guide import Expects, Guide, deal_of, guide_of_seat
from firmware_host.ui.texts.spoken_words import ranks_in_words, together
from firmware_host.ui.translator import Translator


def line(table: Table, tr: Translator) -> str:
    """For the display, in 21 columns."""
    return tr("Count: {whose}").format(whose=hand_label(table, tr))


def spoken(table: Table, tr: Translator) -> str:
    """For the voice: whose hand is next, and which of its cards need not be typed."""
    assert table.to_count is not None
    seat, is_crib = table.to_count
    if seat in table.opponents:
        return program_counts(table, seat, tr, is_crib=is_crib)
    played = () if is_crib else deal_of(table).played(seat)
    known = ""
    if known_cards(table, seat, is_crib):
        known = tr("ENTER: its cards are known.")
    elif played:
        known = tr("Known already: {cards}.").format(cards=ranks_in_words(played, tr))
    return together(hand_to_count(table, tr), known)


def guide(table: Table, tr: Translator) -> Guide:
    """For the page."""
    assert table.to_count is not None
    seat, is_crib = table.to_count
    headline = hand_to_count(table, tr)
    if seat in table.opponents:
        counts = program_counts(table, seat, tr, is_crib=is_crib)
        return guide_of_seat(table, seat, counts, "", Expects.NOTHING, tr("One moment …"))
    if known_cards(table, seat, is_crib):
        waits_for = tr("Waiting for {name}’s count").format(name=table.names[seat])
        return guide_of_seat(table, seat, headline, tr("All its cards are known."), Expects.CONFIRM, waits_for)
    if deal_of(table).starter is None:
        detail = tr("The board knows no starter: count it yourselves, and peg.")
        waits_for = tr("Waiting for {name}’s peg").format(name=table.names[seat])
        return guide_of_seat(table, seat, headline, detail, Expects.PEG, waits_for)
    detail = (
        tr("Enter the four cards of the crib.") if is_crib else tr("Enter its cards, or count it yourselves and peg.")
    )
    return guide_of_seat(table, seat, headline, detail, Expects.HAND, tr("Waiting for the cards"))


def program_counts(table: Table, seat: Seat, tr: Translator, *, is_crib: bool) -> str:
    """What the program counts next, as a sentence."""
    counts = tr("{name} counts the crib.") if is_crib else tr("{name} counts.")
    return counts.format(name=table.names[seat])


def hand_to_count(table: Table, tr: Translator) -> str:
    """Whose hand or crib is counted next, as a sentence."""
    assert table.to_count is not None
    seat, is_crib = table.to_count
    return (tr("Count {name}’s crib.") if is_crib else tr("Count {name}’s hand.")).format(name=table.names[seat])


def hand_label(table: Table | None, tr: Translator) -> str:
    """The hand to be counted next: `Ann`, or `Ann's crib`. The table must be in the show."""
    assert table is not None and table.to_count is not None
    name = table.names[table.to_count.seat]
    return tr("{name}’s crib").format(name=name) if table.to_count.is_crib else name
