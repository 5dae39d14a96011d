"""The deal of a real pack against the program: people lay its hand on the card reader, and nobody sees the cards."""

from __future__ import annotations

from firmware_host.cribbage.rules import Seat
from firmware_host.game.state import Table
from firmware_host.ui.phases.guide import Expects, Guide, deal_of
from firmware_host.ui.texts.messages import discarded_from_row
from firmware_host.ui.texts.spoken_words import ended, together
from firmware_host.ui.translator import Translator


def line(table: Table, tr: Translator) -> str:
    """For the display, in 21 columns; empty where the program has its cards and has discarded."""
    if (seat := table.hand_to_read) is not None:
        return tr("Cards for {name}?").format(name=table.names[seat])
    seat = next_to_discard(table)
    return "" if seat is None else tr("{name} discards").format(name=table.names[seat])


def spoken(table: Table, tr: Translator) -> str:
    """For the voice; empty like `line`."""
    if (seat := table.hand_to_read) is not None:
        return f"{_headline(table, seat, tr)} {how_to_read(tr)}"
    awaited = line(table, tr)
    return ended(awaited) if awaited else ""


def guide(table: Table, tr: Translator) -> Guide | None:
    """For the page; None where no program reads its hand."""
    if (seat := table.hand_to_read) is not None:
        return Guide(_headline(table, seat, tr), how_to_read(tr), waits_for=tr("Waiting for the card reader"))
    if (seat := next_to_discard(table)) is None:
        return _guide_to_starter(table, tr)
    name = table.names[seat]
    return Guide(line(table, tr), waits_for=tr("Waiting for {name}’s discard").format(name=name))


def _guide_to_starter(table: Table, tr: Translator) -> Guide | None:
    deal = deal_of(table)
    discards = (discarded_from_row(table, seat, deal.discarded[seat], tr) for seat in table.opponents)
    headline = together(*discards)
    if not headline:
        return None
    detail = tr("Put them into the crib, and your own. Then cut, and enter the starter.")
    return Guide(headline, detail, expects=Expects.CARD, waits_for=tr("Waiting for the starter"))


def next_to_discard(table: Table) -> Seat | None:
    """A seat of the program that has read cards and not discarded yet."""
    deal = deal_of(table)
    waiting = (seat for seat in table.opponents if deal.dealt[seat] and not deal.kept[seat])
    return next(waiting, None)


def _headline(table: Table, seat: Seat, tr: Translator) -> str:
    return tr("Lay the cards of {name} on the reader, face down.").format(name=table.names[seat])


def how_to_read(tr: Translator) -> str:
    """What people do with each card of the hand."""
    return tr("One by one, and each into a row from left to right. Nobody looks at them.")
