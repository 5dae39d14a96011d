"""The cut for the first deal."""

from __future__ import annotations

from firmware_host.cribbage.options import FirstDealer
from firmware_host.game.state import Table
from firmware_host.ui.phases.guide import Expects, Guide
from firmware_host.ui.texts.spoken_words import choice_in_words, together
from firmware_host.ui.translator import Translator


def line(table: Table, tr: Translator) -> str:
    """For the display, in 21 columns."""
    return tr("Who deals first?")


def spoken(table: Table, tr: Translator) -> str:
    """For the voice: each player, and the key that chooses the name."""
    names = (
        tr("{key}: {choice}.").format(key=choice_in_words(seat + 1, tr), choice=name)
        for seat, name in enumerate(table.names)
    )
    return together(tr("Who deals first?"), *names)


def guide(table: Table, tr: Translator) -> Guide:
    """For the page."""
    if table.opponents:
        return Guide(tr("Cutting for the first deal."), waits_for=tr("One moment …"))
    rule = table.rules.first_dealer
    if rule is FirstDealer.MANUAL:
        headline = tr("Who deals first?")
        detail = tr("Agree on it, then choose the name.")
    else:
        low = rule is FirstDealer.LOWEST
        headline = tr("Cut the cards: the lowest deals.") if low else tr("Cut the cards: the highest deals.")
        detail = tr("Cut again if two are equal. Who deals?")
    return Guide(headline, detail, expects=Expects.CONFIRM, waits_for=tr("Choose who deals"))
