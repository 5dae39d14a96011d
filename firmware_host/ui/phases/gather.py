"""The end of a deal: everything is counted."""

from __future__ import annotations

from firmware_host.game.state import Table
from firmware_host.ui.phases.guide import Expects, Guide, deal_of
from firmware_host.ui.texts.spoken_words import ended
from firmware_host.ui.translator import Translator


def line(table: Table, tr: Translator) -> str:
    """For the display, in 21 columns."""
    return tr("ENTER: next deal")


def spoken(table: Table, tr: Translator) -> str:
    """For the voice."""
    return ended(tr("ENTER: next deal"))


def guide(table: Table, tr: Translator) -> Guide:
    """For the page."""
    dealer = table.names[table.rules.next_dealer(deal_of(table).dealer)]
    detail = tr("{name} deals next.").format(name=dealer)
    return Guide(tr("This deal is over."), detail, expects=Expects.CONFIRM)
