"""The show: hands are counted from the dealer's left round to the dealer, then the crib; then comes the next deal."""

from __future__ import annotations

from collections import Counter

from firmware_host.cribbage.cards import Card, all_suits_known, without
from firmware_host.cribbage.rules import Seat, Showing
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.unknown_suits import count_is_minimum
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.deal import Deal
from firmware_host.game.dealing import begin_deal, check_people_deal
from firmware_host.game.decision import Decision
from firmware_host.game.known_scores import known_cards
from firmware_host.game.missed_points import forfeit, forfeit_heels, proceed
from firmware_host.game.playing import check_renege
from firmware_host.game.rule_errors import (
    CardMissing,
    CardSeenElsewhere,
    CardsNotEntered,
    DealIsOver,
    WrongPhase,
    WrongShowOrder,
)
from firmware_host.game.state import Phase, Table


def count_hand(decision: Decision, command: c.CountHand) -> None:
    """Raises WrongPhase, WrongShowOrder, CardsNotEntered, CardMissing, CardSeenElsewhere, WrongNumberOfCards,
    DuplicateCard, GameHoleFirst.
    """
    table, deal, (seat, is_crib) = current_showing(decision.table)
    check_show_order(table, command, seat, is_crib)
    entered = () if table.is_dealt else command.cards
    cards = entered or known_cards(table, seat, is_crib)
    if not cards or deal.starter is None:
        whose = whose_hand(table, seat, is_crib)
        raise CardsNotEntered(f"the cards of {whose}", "none", fix="enter them, or skip the hand")
    count = count_show(cards, deal.starter, table.rules, is_crib=is_crib)
    if entered:
        seen = face_up_in_show(table, deal) if command.is_blind else deal.seen
        check_cards(table, deal, Showing(seat, is_crib), entered, seen)
    if not proceed_to_count(decision, seat):
        return
    if not is_crib and not deal.kept[seat]:
        check_renege(decision, deal, seat, not_played(cards, deal.played(seat)))
    if decision.table.winner is None:
        is_minimum = count_is_minimum(
            cards,
            deal.starter,
            table.rules,
            is_crib=is_crib,
            suits_were_asked=command.suits_were_asked,
            elsewhere=() if all_suits_known(cards) else shown_elsewhere(table),
        )
        decision.apply(e.HandCounted(seat, is_crib, cards, deal.starter, count.total, is_minimum))
        decision.score(seat, e.Source.SHOW, count.scores)


def proceed_to_count(decision: Decision, seat: Seat) -> bool:
    """Goes on to the count of this seat. Its side may still peg its hand before, but no longer its play."""
    goes_on = proceed(decision, acting_side=decision.table.rules.side_of(seat), keeps=(e.Source.SHOW,))
    if goes_on:
        forfeit_heels(decision)
    return goes_on


def skip_hand(decision: Decision, command: c.SkipHand) -> None:
    """Raises WrongPhase, GameHoleFirst."""
    _, _, (seat, is_crib) = current_showing(decision.table)
    if proceed_to_count(decision, seat):
        decision.apply(e.CountSkipped(seat, is_crib))


def next_deal(decision: Decision, command: c.NextDeal) -> None:
    """Raises DealIsOver for an earlier deal, WrongPhase before the first deal and in the play, GameHoleFirst."""
    table = decision.table
    if table.deal is not None and command.deal not in (None, table.deal.number):
        number = table.deal.number
        got = f"one of deal {command.deal}"
        raise DealIsOver(f"the end of deal {number}", got, fix="look at the game first")
    if table.deal is None or table.phase is Phase.PLAY:
        raise WrongPhase("the cards gathered after the show", table.phase)
    if table.phase is not Phase.GATHER:
        check_people_deal(table)
    unpegged = [[due for due in side.dues if due.left] for side in table.sides]
    if proceed(decision):  # what the opponent takes by muggins only now may be pegged in the next deal
        for side, dues in enumerate(unpegged):
            forfeit(decision, side, dues)
        begin_deal(decision, table.rules.next_dealer(table.deal.dealer))


def not_played(hand: tuple[Card, ...], laid: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of a shown hand that were not seen in the play: as many of each rank as it holds beyond those `laid`,
    because of some only the rank may be known."""
    left = list(without(hand, laid))
    for card in without(laid, hand):  # played as a rank alone, or shown as one
        left.remove(next(other for other in left if other.rank == card.rank))
    return tuple(left)


def current_showing(table: Table) -> tuple[Table, Deal, Showing]:
    """Raises WrongPhase outside the show."""
    showing = table.to_count
    if showing is None or table.deal is None:
        raise WrongPhase("a count in the show", table.phase)
    return table, table.deal, showing


def check_show_order(table: Table, command: c.CountHand, seat: Seat, is_crib: bool) -> None:
    """Raises WrongShowOrder if the command names anything but the hand that is next."""
    named = (seat if command.seat is None else command.seat, is_crib if command.is_crib is None else command.is_crib)
    if named != (seat, is_crib):
        raise WrongShowOrder(
            f"{whose_hand(table, seat, is_crib)} to be counted next",
            whose_hand(table, *named),
            fix="put it back, and count it in its turn",
            name=table.names[seat],
        )


def whose_hand(table: Table, seat: Seat, is_crib: bool) -> str:
    """For error texts, in English: `Ann's crib`."""
    name = table.names[seat] if 0 <= seat < len(table.names) else f"seat {seat}"
    return f"{name}'s {'crib' if is_crib else 'hand'}"


def face_up_in_show(table: Table, deal: Deal) -> tuple[Card, ...]:
    """The starter, the cards played, and the hands that were counted."""
    order = table.rules.show_order(deal.dealer, deal.owner)
    counted = (place.seat for number, place in enumerate(order[: deal.counted]) if number not in deal.skipped)
    return (*deal.face_up, *(card for seat in counted for card in deal.kept[seat]))


def shown_elsewhere(table: Table) -> tuple[Card, ...]:
    """The cards that lie face up in the show, without those of the hand that is next. Raises WrongPhase outside it."""
    _, deal, (seat, is_crib) = current_showing(table)
    own = () if is_crib else deal.played(seat)
    return tuple(card for card in face_up_in_show(table, deal) if card not in own)


def check_cards(table: Table, deal: Deal, showing: Showing, cards: tuple[Card, ...], seen: tuple[Card, ...]) -> None:
    """Raises CardMissing if a card that was seen in this hand is not shown, CardSeenElsewhere for one of those `seen`
    that is somebody else's."""
    seat, is_crib = showing
    known = () if is_crib else deal.kept[seat] or deal.played(seat)
    if lacking := Counter(card.rank for card in known) - Counter(card.rank for card in cards):
        missing = next(card for card in known if lacking[card.rank])
        raise CardMissing(
            f"{missing} in {whose_hand(table, seat, is_crib)}, which was seen there",
            " ".join(map(str, cards)),
            name=table.names[seat],
            card=missing,
        )
    elsewhere = set(seen) - set(deal.dealt[seat]) - set(deal.played(seat)) if not is_crib else {deal.starter}
    for card in cards:
        if card.suit is not None and card in elsewhere:
            whose = whose_hand(table, seat, is_crib)
            raise CardSeenElsewhere(f"the cards of {whose}", f"{card}, which lies elsewhere", card=card)
