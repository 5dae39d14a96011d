"""The play: cards laid in turn up to thirty-one, go, last card."""

from __future__ import annotations

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.options import Heels, Renege
from firmware_host.cribbage.play import Play, Tally
from firmware_host.cribbage.refusals import FalseGo
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.series import can_lay, layable
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.muggins import forfeit, lose
from firmware_host.table.refusals import CardNotHeld, OutOfTurn, WrongPhase
from firmware_host.table.starting import check_unseen
from firmware_host.table.state import Deal, Phase, Table
from firmware_host.table.unfolding import Unfolding


def play_card(unfolding: Unfolding, order: o.PlayCard) -> None:
    table, deal, play = the_play(unfolding.table, f"{order.card} played")
    seat = seat_to_play(table, play, order.seat, str(order.card))
    card = card_from_hand(table, deal, seat, order.card)
    after, tallies = play.lay(card)
    forfeit(unfolding, but=table.rules.side_of(seat))
    if table.rules.heels is Heels.FORFEIT and seat == deal.dealer:
        lose(unfolding, e.Source.HEELS)
    if unfolding.is_decided:
        return
    unfolding.happen(e.CardPlayed(seat, card))
    settle(unfolding, after, tallies)


def say_go(unfolding: Unfolding, order: o.SayGo) -> None:
    table, deal, play = the_play(unfolding.table, "a go")
    if order.seat is not None and order.seat != play.turn and is_superfluous(table, order.seat):
        return
    seat = seat_to_play(table, play, order.seat, "a go")
    held = deal.in_hand(seat)
    if held and not play.may_go(held):
        playable = layable(held, play.count)
        if table.rules.renege is not Renege.CORRECT:
            renege(unfolding, seat, playable)
            return
        raise FalseGo(
            f"{table.names[seat]} to play a card at {play.count}",  # which one is nobody else's to know
            "a go",
            mend="a card that can be played must be played",
        )
    after, tallies = play.go()
    forfeit(unfolding, but=table.rules.side_of(seat))
    if unfolding.is_decided:
        return
    unfolding.happen(e.GoSaid(seat))
    settle(unfolding, after, tallies)


def renege(unfolding: Unfolding, seat: Seat, cards: tuple[Card, ...]) -> None:
    """A card that could have been laid was held back: the other side takes two for each (ACC), or two in all; the
    seat is still to play."""
    rules = unfolding.table.rules
    taker = unfolding.table.left_of(rules.side_of(seat))
    points = 2 * len(cards) if rules.renege is Renege.ACC else 2
    unfolding.happen(e.RenegeFound(seat, cards))
    if rules.renege is not Renege.CORRECT:
        unfolding.award(e.PenaltyGiven(taker, points, e.Breach.RENEGE), taker)


def end_play(unfolding: Unfolding, order: o.EndPlay) -> None:
    the_play(unfolding.table, "the end of the play")
    forfeit(unfolding)
    lose(unfolding, e.Source.HEELS)
    if not unfolding.is_decided:
        unfolding.happen(e.PlayEnded(is_followed=False))


def settle(unfolding: Unfolding, after: Play, tallies: tuple[Tally, ...]) -> None:
    """Score what a card or a go earned, pass over who cannot play, and end the play when it is over."""
    for tally in tallies:
        unfolding.score(tally.seat, e.Source.PLAY, tally.scores)
    if unfolding.is_decided:
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
    """A go out of turn that is true all the same: the seat holds nothing that can be played."""
    deal = table.deal
    if deal is None or deal.play is None or not 0 <= seat < len(table.names):
        return False
    if seat in deal.play.passed or not deal.play.left[seat]:
        return True
    return bool(deal.kept[seat]) and not can_lay(deal.in_hand(seat), deal.play.count)


def the_play(table: Table, what: str) -> tuple[Table, Deal, Play]:
    if table.phase is not Phase.PLAY or table.deal is None or table.deal.play is None:
        raise WrongPhase(f"{what} in the play", f"it in the {table.phase.value}")
    return table, table.deal, table.deal.play


def seat_to_play(table: Table, play: Play, seat: Seat | None, what: str) -> Seat:
    assert play.turn is not None
    if seat is not None and seat != play.turn:
        got = table.names[seat] if 0 <= seat < len(table.names) else f"seat {seat}"
        raise OutOfTurn(f"{table.names[play.turn]} to play", f"{what} from {got}", mend="take it back")
    return play.turn


def card_from_hand(table: Table, deal: Deal, seat: Seat, card: Card) -> Card:
    """The card as the table knows it: a rank alone names a card of a known hand."""
    played = deal.played(seat)
    held = [own for own in deal.kept[seat] or deal.dealt[seat] if own not in played]
    for own in held:
        if own == card or (None in (own.suit, card.suit) and own.rank == card.rank):
            return own
    if deal.dealt[seat]:
        raise CardNotHeld(f"a card that {table.names[seat]} holds", str(card))
    check_unseen((card,), deal.seen)
    return card
