"""The show: hands counted from the dealer's left round to the dealer, then the crib; and gathering the cards."""

from __future__ import annotations

from collections import Counter

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.options import MustPlay
from firmware_host.cribbage.rules import CRIB_SIZE, Seat, Showing
from firmware_host.cribbage.series import FULL_COUNT
from firmware_host.cribbage.show import count_show
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.muggins import forfeit, lose, write_off
from firmware_host.table.playing import renege
from firmware_host.table.refusals import CardNotHeld, CardSeenElsewhere, WrongPhase, WrongShowOrder
from firmware_host.table.starting import begin_deal
from firmware_host.table.state import Deal, Phase, Table
from firmware_host.table.unfolding import Unfolding


def count_next(unfolding: Unfolding, order: o.CountNext) -> None:
    table, deal, (seat, is_crib) = the_show(unfolding.table)
    check_order(table, order, seat, is_crib)
    cards = order.cards or known_cards(table, seat, is_crib)
    if not cards or deal.starter is None:
        whose = whose_hand(table, seat, is_crib)
        raise CardNotHeld(f"the cards of {whose}", "none", mend="type them, or count on without them")
    count = count_show(cards, deal.starter, table.rules, is_crib=is_crib)
    check_cards(table, deal, seat, is_crib, cards)
    forfeit(unfolding)
    lose(unfolding, e.Source.HEELS)
    find_renege(unfolding, deal, seat, () if is_crib else cards)
    if unfolding.is_decided:
        return
    unfolding.happen(e.HandCounted(seat, is_crib, cards, deal.starter, count.total))
    unfolding.score(seat, e.Source.SHOW, count.scores)


def skip_count(unfolding: Unfolding, order: o.SkipCount) -> None:
    _, _, (seat, is_crib) = the_show(unfolding.table)
    forfeit(unfolding)
    unfolding.happen(e.CountSkipped(seat, is_crib))


def gather_cards(unfolding: Unfolding, order: o.GatherCards) -> None:
    table = unfolding.table
    if table.deal is None or table.phase is Phase.PLAY:
        raise WrongPhase("the cards gathered after the show", f"it in the {table.phase.value}")
    forfeit(unfolding)
    write_off(unfolding)
    if not unfolding.is_decided:
        begin_deal(unfolding, table.rules.next_dealer(table.deal.dealer))


def find_renege(unfolding: Unfolding, deal: Deal, seat: Seat, hand: tuple[Card, ...]) -> None:
    """A hand that is shown may prove a go false: it held a card that could have been laid."""
    if deal.kept[seat] or unfolding.table.rules.must_play is not MustPlay.ALWAYS:
        return
    for go in deal.gos:
        if go.seat == seat:
            left = Counter(card.rank for card in hand)
            left.subtract(card.rank for card in deal.played(seat)[: go.laid])
            fit = tuple(card for card in hand if left[card.rank] > 0 and go.count + card.pips <= FULL_COUNT)
            if fit:
                renege(unfolding, seat, fit)


def known_cards(table: Table, seat: Seat, is_crib: bool) -> tuple[Card, ...]:
    """The hand or crib to be counted, where the table was told all of it; else nothing."""
    deal = table.deal
    if deal is None:
        return ()
    if is_crib:
        return deal.crib if len(deal.crib) == CRIB_SIZE else ()
    if kept := deal.kept[seat]:
        return kept
    played = deal.played(seat)
    return played if len(played) == table.rules.hand_size else ()


def the_show(table: Table) -> tuple[Table, Deal, Showing]:
    if table.to_count is None or table.deal is None:
        raise WrongPhase("a count in the show", f"it in the {table.phase.value}")
    return table, table.deal, table.to_count


def check_order(table: Table, order: o.CountNext, seat: Seat, is_crib: bool) -> None:
    asked = (seat if order.seat is None else order.seat, is_crib if order.is_crib is None else order.is_crib)
    if asked != (seat, is_crib):
        raise WrongShowOrder(
            f"{whose_hand(table, seat, is_crib)} to be counted next",
            whose_hand(table, *asked),
            mend="put it back, it will be counted in its turn",
        )


def whose_hand(table: Table, seat: Seat, is_crib: bool) -> str:
    name = table.names[seat] if 0 <= seat < len(table.names) else f"seat {seat}"
    return f"{name}'s {'crib' if is_crib else 'hand'}"


def check_cards(table: Table, deal: Deal, seat: Seat, is_crib: bool, cards: tuple[Card, ...]) -> None:
    """The cards shown must be the ones the table has seen of this hand, and nobody else's."""
    known = () if is_crib else deal.kept[seat] or deal.played(seat)
    if lacking := Counter(card.rank for card in known) - Counter(card.rank for card in cards):
        missing = next(card for card in known if lacking[card.rank])
        raise CardNotHeld(
            f"{missing} in {whose_hand(table, seat, is_crib)}, where it was seen", " ".join(map(str, cards))
        )
    elsewhere = set(deal.seen) - set(deal.dealt[seat]) - set(deal.played(seat)) if not is_crib else {deal.starter}
    for card in cards:
        if card.suit is not None and card in elsewhere:
            whose = whose_hand(table, seat, is_crib)
            raise CardSeenElsewhere(f"the cards of {whose}", f"{card}, which lies elsewhere")
