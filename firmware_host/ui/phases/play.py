"""The play."""

from __future__ import annotations

from firmware_host.cribbage.cards import LETTERS
from firmware_host.cribbage.play import ANY_CARD_FITS_TO
from firmware_host.cribbage.series import FULL_COUNT
from firmware_host.game.deal import Deal
from firmware_host.game.state import Table
from firmware_host.ui.phases.guide import Expects, Guide, deal_of, guide_of_seat
from firmware_host.ui.texts.messages import played_from_row, with_suit_symbol
from firmware_host.ui.texts.spoken_words import together
from firmware_host.ui.translator import Translator


def line(table: Table, tr: Translator) -> str:
    """For the display, in 21 columns."""
    if not table.is_followed and not table.is_dealt:
        return tr("All played? ENTER")
    name, count = _player_and_count(table)
    return (
        tr("{name} plays on {count}").format(name=name, count=count) if count else tr("{name} leads").format(name=name)
    )


def spoken(table: Table, tr: Translator) -> str:
    """For the voice."""
    name, count = _player_and_count(table)
    return (tr("{name} to play.") if count else tr("{name} leads.")).format(name=name)


def guide(table: Table, tr: Translator) -> Guide:
    """For the page."""
    deal = deal_of(table)
    seat = table.to_play
    assert seat is not None
    name, count = _player_and_count(table)
    waits_for = tr("Waiting for {name}’s card").format(name=name)
    if count:
        detail = together(last_from_row(table, tr), _of_count(count, tr))
        return guide_of_seat(table, seat, next_player(table, tr), detail, Expects.CARD, waits_for)
    headline = tr("{name} leads.").format(name=name)
    again = tr("The count starts again at 0.")
    detail = together(last_from_row(table, tr), again) if table.is_followed else _of_starter(table, deal, tr)
    return guide_of_seat(table, seat, headline, detail, Expects.CARD, waits_for)


def next_player(table: Table, tr: Translator) -> str:
    """Who plays the next card; empty outside a play whose cards are entered."""
    seat = table.to_play
    if seat is None or not table.is_followed:
        return ""
    return tr("{name} plays next.").format(name=table.names[seat])


def last_from_row(table: Table, tr: Translator) -> str:
    """Which card of its row the program played last; empty if somebody else did, or its cards lie in no row."""
    play = table.deal.play if table.deal else None
    return played_from_row(table, *play.laid[-1], tr) if play and play.laid else ""


def _player_and_count(table: Table) -> tuple[str, int]:
    seat = table.to_play
    assert seat is not None and table.deal is not None and table.deal.play is not None
    return table.names[seat], table.deal.play.count


def _of_count(count: int, tr: Translator) -> str:
    """The count of the series, and the highest card that fits where not every card does."""
    if count <= ANY_CARD_FITS_TO:
        return tr("The count is {count}.").format(count=count)
    room = FULL_COUNT - count
    if room == 1:
        return tr("The count is {count}: an ace, or go.").format(count=count)
    highest_card = LETTERS[room - 1]
    return tr("The count is {count}: {card} or lower, or go.").format(count=count, card=highest_card)


def _of_starter(table: Table, deal: Deal, tr: Translator) -> str:
    owner = table.names[deal.dealer if deal.owner is None else deal.owner]
    said = tr("{name} has the crib.").format(name=owner)
    if deal.starter is None:
        return said
    starter = tr("The starter is {card}.").format(card=with_suit_symbol(deal.starter))
    return f"{said} {starter}"
