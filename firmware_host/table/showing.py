"""The show: hands counted from the dealer's left round to the dealer, then the crib; and gathering the cards."""

from __future__ import annotations

from collections import Counter

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import CRIB_SIZE, Seat, Showing
from firmware_host.cribbage.show import count_show
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.muggins import go_on, lose, notice, write_off
from firmware_host.table.playing import find_renege
from firmware_host.table.refusals import CardMissing, CardSeenElsewhere, CardsUntold, WrongPhase, WrongShowOrder
from firmware_host.table.starting import begin_deal
from firmware_host.table.state import Deal, Phase, Table
from firmware_host.table.unfolding import Unfolding


def count_next(unfolding: Unfolding, order: o.CountNext) -> None:
    table, deal, (seat, is_crib) = the_show(unfolding.table)
    check_order(table, order, seat, is_crib)
    cards = order.cards or known_cards(table, seat, is_crib)
    if not cards or deal.starter is None:
        whose = whose_hand(table, seat, is_crib)
        raise CardsUntold(f"the cards of {whose}", "none", mend="type them, or count on without them")
    count = count_show(cards, deal.starter, table.rules, is_crib=is_crib)
    if order.cards:
        check_cards(table, deal, seat, is_crib, order.cards)
    if not go_on_to_count(unfolding, seat):
        return
    if not is_crib:
        find_renege(unfolding, deal, seat, unlaid(cards, deal.played(seat)))
    if unfolding.table.winner is None:
        unfolding.happen(e.HandCounted(seat, is_crib, cards, deal.starter, count.total))
        unfolding.score(seat, e.Source.SHOW, count.scores)


def go_on_to_count(unfolding: Unfolding, seat: Seat) -> bool:
    """Who counts has still the time to peg the hand before, but no longer the play."""
    lose(unfolding, e.Source.HEELS)
    side = unfolding.table.rules.side_of(seat)
    notice(unfolding, side, [due for due in unfolding.table.overlooked(side) if due.source is e.Source.PLAY])
    return go_on(unfolding, but=side)


def skip_count(unfolding: Unfolding, order: o.SkipCount) -> None:
    _, _, (seat, is_crib) = the_show(unfolding.table)
    if go_on_to_count(unfolding, seat):
        unfolding.happen(e.CountSkipped(seat, is_crib))


def gather_cards(unfolding: Unfolding, order: o.GatherCards) -> None:
    table = unfolding.table
    if table.deal is None or table.phase is Phase.PLAY:
        raise WrongPhase("the cards gathered after the show", table.phase)
    if go_on(unfolding):
        write_off(unfolding)
        begin_deal(unfolding, table.rules.next_dealer(table.deal.dealer))


def unlaid(hand: tuple[Card, ...], laid: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of a shown hand that were not seen in the play; of some only the rank may have been told."""
    left = Counter(card.rank for card in hand) - Counter(card.rank for card in laid)
    return tuple(card for card in hand if left[card.rank])


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
        raise WrongPhase("a count in the show", table.phase)
    return table, table.deal, table.to_count


def check_order(table: Table, order: o.CountNext, seat: Seat, is_crib: bool) -> None:
    asked = (seat if order.seat is None else order.seat, is_crib if order.is_crib is None else order.is_crib)
    if asked != (seat, is_crib):
        raise WrongShowOrder(
            f"{whose_hand(table, seat, is_crib)} to be counted next",
            whose_hand(table, *asked),
            mend="put it back, it will be counted in its turn",
            name=table.names[seat],
        )


def whose_hand(table: Table, seat: Seat, is_crib: bool) -> str:
    name = table.names[seat] if 0 <= seat < len(table.names) else f"seat {seat}"
    return f"{name}'s {'crib' if is_crib else 'hand'}"


def check_cards(table: Table, deal: Deal, seat: Seat, is_crib: bool, cards: tuple[Card, ...]) -> None:
    """The cards shown must be the ones the table has seen of this hand, and nobody else's."""
    known = () if is_crib else deal.kept[seat] or deal.played(seat)
    if lacking := Counter(card.rank for card in known) - Counter(card.rank for card in cards):
        missing = next(card for card in known if lacking[card.rank])
        raise CardMissing(
            f"{missing} in {whose_hand(table, seat, is_crib)}, where it was seen",
            " ".join(map(str, cards)),
            name=table.names[seat],
            card=missing,
        )
    elsewhere = set(deal.seen) - set(deal.dealt[seat]) - set(deal.played(seat)) if not is_crib else {deal.starter}
    for card in cards:
        if card.suit is not None and card in elsewhere:
            whose = whose_hand(table, seat, is_crib)
            raise CardSeenElsewhere(f"the cards of {whose}", f"{card}, which lies elsewhere", card=card)
