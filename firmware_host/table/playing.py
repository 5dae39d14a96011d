"""The play: cards laid in turn up to thirty-one, go, last card."""

from __future__ import annotations

from firmware_host.cribbage.cards import Card, without
from firmware_host.cribbage.options import Heels, MustPlay, Renege
from firmware_host.cribbage.play import Play, Tally
from firmware_host.cribbage.refusals import FalseGo
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.series import FULL_COUNT, can_lay, count_of, layable
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.muggins import go_on, lose
from firmware_host.table.refusals import CardNotHeld, OutOfTurn, WrongPhase
from firmware_host.table.starting import check_unseen
from firmware_host.table.state import Deal, Phase, Table
from firmware_host.table.unfolding import Unfolding


def play_card(unfolding: Unfolding, order: o.PlayCard) -> None:
    table, deal, play = the_play(unfolding.table, f"{order.card} played")
    seat = seat_to_play(table, play, order.seat, str(order.card))
    card = card_from_hand(table, deal, seat, order.card)
    after, tallies = play.lay(card)
    unfolding.happen(e.CardPlayed(seat, card))
    if table.rules.heels is Heels.FORFEIT and seat == deal.dealer:
        lose(unfolding, e.Source.HEELS)
    if go_on(unfolding, but=table.rules.side_of(seat)):
        find_renege(unfolding, deal, seat, (card,))
        settle(unfolding, after, tallies)


def say_go(unfolding: Unfolding, order: o.SayGo) -> None:
    if order.seat is not None and is_superfluous(unfolding.table, order.seat):
        return
    table, deal, play = the_play(unfolding.table, "a go")
    seat = seat_to_play(table, play, order.seat, "a go")
    held = deal.in_hand(seat)
    if held and not play.may_go(held):
        refuse_go(unfolding, seat, layable(held, play.count))
        return
    after, tallies = play.go()
    unfolding.happen(e.GoSaid(seat))
    if go_on(unfolding, but=table.rules.side_of(seat)):
        settle(unfolding, after, tallies)


def refuse_go(unfolding: Unfolding, seat: Seat, playable: tuple[Card, ...]) -> None:
    """The seat is still to play. Where a renege has a price, it is paid; else the go is as good as not said."""
    table = unfolding.table
    if table.rules.renege is Renege.CORRECT:
        raise FalseGo(
            f"{table.names[seat]} to play a card",  # which one is nobody else's to know
            "a go",
            mend="a card that can be played must be played",
            playable=playable,
        )
    renege(unfolding, seat, playable)


def find_renege(unfolding: Unfolding, deal: Deal, seat: Seat, seen: tuple[Card, ...]) -> None:
    """Cards of an untold hand, now seen for the first time, may prove a go false. `deal` is as it was before."""
    if deal.kept[seat] or unfolding.table.rules.must_play is not MustPlay.ALWAYS:
        return
    for go in deal.gos:
        if go.seat == seat and (held_back := layable(seen, go.count)):
            is_known = can_lay(deal.played(seat)[go.laid :], go.count)
            renege(unfolding, seat, held_back, is_known)


def renege(unfolding: Unfolding, seat: Seat, cards: tuple[Card, ...], is_known: bool = False) -> None:
    """Cards that could have been laid were held back: the other side takes two for each (ACC), or two in all;
    `is_known`: the two in all were taken before."""
    rules = unfolding.table.rules
    taker = unfolding.table.left_of(rules.side_of(seat))
    points = {Renege.CORRECT: 0, Renege.ACC: 2 * len(cards), Renege.TWO_FLAT: 0 if is_known else 2}[rules.renege]
    if unfolding.table.winner is None:
        unfolding.happen(e.RenegeFound(seat, cards))
        if points:
            unfolding.award(e.PenaltyGiven(taker, points, e.Breach.RENEGE), taker)


def end_play(unfolding: Unfolding, order: o.EndPlay) -> None:
    the_play(unfolding.table, "the end of the play")
    lose(unfolding, e.Source.HEELS)
    if go_on(unfolding):
        unfolding.happen(e.PlayEnded(is_followed=False))


def settle(unfolding: Unfolding, after: Play, tallies: tuple[Tally, ...]) -> None:
    """Score what a card or a go earned, pass over who cannot play, and end the play when it is over."""
    for tally in tallies:
        unfolding.score(tally.seat, e.Source.PLAY, tally.scores)
    if unfolding.table.winner is not None:
        return
    if after.turn is None:
        unfolding.happen(e.PlayEnded(is_followed=True))
    elif must_pass(unfolding.table, after):
        passed, more = after.go()
        unfolding.happen(e.GoSaid(after.turn))
        settle(unfolding, passed, more)


def must_pass(table: Table, play: Play) -> bool:
    """With every hand known, a seat that holds no playable card is passed over by itself."""
    deal = table.deal
    if deal is None or play.turn is None or not all(deal.kept):
        return False
    return not can_lay(deal.in_hand(play.turn), play.count)


def is_superfluous(table: Table, seat: Seat) -> bool:
    """A go that is true and changes nothing: the seat was passed over by itself, or has nothing to play at all."""
    deal, play = table.deal, table.deal.play if table.deal else None
    if deal is None or play is None or not 0 <= seat < len(table.names):
        return False
    if seat in play.passed or not play.left[seat]:
        return True
    if play.series:
        return seat != play.turn and is_stuck(deal, seat, play.count)
    return bool(play.closed) and is_stuck(deal, seat, count_of(card for _, card in play.closed[-1]))


def is_stuck(deal: Deal, seat: Seat, count: int) -> bool:
    """The seat, whose hand is told, holds nothing that fits; at thirty-one nobody does."""
    return count == FULL_COUNT or (bool(deal.kept[seat]) and not can_lay(deal.in_hand(seat), count))


def the_play(table: Table, what: str) -> tuple[Table, Deal, Play]:
    if table.phase is not Phase.PLAY or table.deal is None or table.deal.play is None:
        raise WrongPhase(f"{what} in the play", table.phase)
    return table, table.deal, table.deal.play


def seat_to_play(table: Table, play: Play, seat: Seat | None, what: str) -> Seat:
    assert play.turn is not None
    if seat is not None and seat != play.turn:
        got = table.names[seat] if 0 <= seat < len(table.names) else f"seat {seat}"
        name = table.names[play.turn]
        raise OutOfTurn(f"{name} to play", f"{what} from {got}", mend="take it back", name=name)
    return play.turn


def card_from_hand(table: Table, deal: Deal, seat: Seat, card: Card) -> Card:
    """The card as the table knows it: a rank alone names a card of a known hand."""
    held = without(deal.kept[seat] or deal.dealt[seat], deal.played(seat))
    for own in held:
        if own == card or (None in (own.suit, card.suit) and own.rank == card.rank):
            return own
    if deal.dealt[seat]:
        name = table.names[seat]
        raise CardNotHeld(f"a card that {name} holds", str(card), name=name, card=card)
    check_unseen((card,), deal.seen)
    return card
