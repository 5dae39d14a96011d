"""The play: cards in turn up to thirty-one, go, last card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from firmware_host.cribbage.cards import Card, card_of, without
from firmware_host.cribbage.options import Heels, Renege
from firmware_host.cribbage.play import ANY_CARD_FITS_TO, Play, Tally
from firmware_host.cribbage.rule_errors import FalseGo
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.series import FULL_COUNT, can_play, count_of, playable_cards
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.deal import Deal, PenalizedGo
from firmware_host.game.dealing import check_people_deal, check_unseen
from firmware_host.game.decision import Decision
from firmware_host.game.missed_points import forfeit_heels, proceed, proceed_past_go
from firmware_host.game.muggins import end_claims_by_card
from firmware_host.game.rule_errors import CardNotHeld, OutOfTurn, WrongPhase
from firmware_host.game.state import Phase, Table


def play_card(decision: Decision, command: c.PlayCard) -> None:
    """Raises WrongPhase, OutOfTurn, CardNotHeld, CardSeenElsewhere, DuplicateCard, OverThirtyOne, GameHoleFirst."""
    table, deal, play = current_play(decision.table, command.card)
    if command.says_goes and command.seat is None and (closed := closing_goes(deal, play, command.card)):
        lead_next_series(decision, *closed, command)
        return
    seat = seat_to_play(table, play, command.seat, command.card)
    card = card_from_hand(table, deal, seat, command)
    play.check(card)
    side = table.rules.side_of(seat)
    end_claims_by_card(decision, side)
    after = follow(decision, e.CardPlayed(seat, card))
    if proceed(decision, acting_side=side):
        if table.rules.heels is Heels.FORFEIT and seat == deal.dealer:
            forfeit_heels(decision)
        check_renege(decision, deal, seat, (card,))
    score_and_advance(decision, after, play.points_of(card, after))


def follow(decision: Decision, event: e.CardPlayed | e.GoSaid) -> Play:
    """Applies a card or a go. Returns the play after it."""
    decision.apply(event)
    deal = decision.table.deal
    assert deal is not None and deal.play is not None
    return deal.play


class SaidGo(NamedTuple):
    """A go that closes a series, or leads to the go that does."""

    seat: Seat
    tallies: tuple[Tally, ...]
    """The points that are due after it."""


def closing_goes(deal: Deal, play: Play, card: Card) -> tuple[Play, tuple[SaidGo, ...]] | None:
    """The play after the series is closed, and the goes that close it; None unless the card passes 31 and can only lead
    the next series. A seat whose hand is known does not say a false go."""
    goes = list[SaidGo]()
    while play.series and play.turn is not None and card.pips > FULL_COUNT - play.count:
        seat = play.turn
        if deal.kept[seat] and not play.may_go(deal.in_hand(seat)):
            return None
        play, tallies = play.go()
        goes.append(SaidGo(seat, tallies))
    return (play, tuple(goes)) if goes and play.turn is not None else None


def lead_next_series(decision: Decision, play: Play, goes: Iterable[SaidGo], command: c.PlayCard) -> None:
    """The goes close the series, and its leader plays the card. All of it is one turn, so the point for the last card
    may be pegged after the card."""
    assert play.turn is not None
    side = decision.table.rules.side_of(play.turn)
    end_claims_by_card(decision, side)
    if not proceed(decision, acting_side=side):
        return
    for go in goes:
        decision.apply(e.GoSaid(go.seat))
        for tally in go.tallies:
            decision.score(tally.seat, e.Source.PLAY, tally.scores)
    if decision.is_going_out:
        return  # the point for the last card wins: nothing later counts
    table, deal, play = current_play(decision.table, command.card)
    seat = seat_to_play(table, play, None, command.card)
    card = card_from_hand(table, deal, seat, command)
    play.check(card)
    after = follow(decision, e.CardPlayed(seat, card))
    check_renege(decision, deal, seat, (card,))
    score_and_advance(decision, after, play.points_of(card, after))


def say_go(decision: Decision, command: c.SayGo) -> None:
    """Raises WrongPhase, OutOfTurn, FalseGo, GameHoleFirst. A go that changes nothing is accepted."""
    if command.seat is not None and is_redundant_go(decision.table, command.seat):
        return
    table, deal, play = current_play(decision.table, "a go")
    seat = seat_to_play(table, play, command.seat, "a go")
    held = deal.in_hand(seat)
    if held and not play.may_go(held):
        reject_go(decision, seat, playable_cards(held, play.count))
        return
    after = follow(decision, e.GoSaid(seat))
    proceed_past_go(decision, table.rules.side_of(seat))
    score_and_advance(decision, after, play.points_of_go(after))


def reject_go(decision: Decision, seat: Seat, playable: tuple[Card, ...]) -> None:
    """The seat is still to play. Where a renege has a penalty it is given, once; otherwise raises FalseGo."""
    table = decision.table
    if table.rules.renege is Renege.CORRECT or is_penalized_go(table, seat):
        raise FalseGo(
            f"{table.names[seat]} to play a card",  # the cards themselves are private
            "a go",
            fix="a card that can be played must be played",
            playable=playable,
        )
    renege(decision, seat, playable)


def is_penalized_go(table: Table, seat: Seat) -> bool:
    """Whether the seat said the same false go before, and has had the penalty for it."""
    _, deal, play = current_play(table, "a go")
    return PenalizedGo(seat, len(play.laid)) in deal.penalized_gos


def check_renege(decision: Decision, deal: Deal, seat: Seat, seen: tuple[Card, ...]) -> None:
    """Cards of an unknown hand, seen for the first time, may prove a go false. `deal` is the deal before them."""
    if deal.kept[seat]:
        return
    for go in deal.gos:
        if go.seat == seat and not go.was_free and (held_back := playable_cards(seen, go.count)):
            is_known = can_play(deal.played(seat)[go.laid :], go.count)
            renege(decision, seat, held_back, is_known)


def renege(decision: Decision, seat: Seat, cards: tuple[Card, ...], is_known: bool = False) -> None:
    """Cards that could have been played were held back: the opponent gets two points for each (ACC), or two in all.
    `is_known`: the two in all were given before."""
    rules = decision.table.rules
    taker = decision.table.left_of(rules.side_of(seat))
    points = {Renege.CORRECT: 0, Renege.ACC: 2 * len(cards), Renege.TWO_FLAT: 0 if is_known else 2}[rules.renege]
    if decision.table.winner is None:
        decision.apply(e.RenegeFound(seat, cards))
        if points:
            decision.award(e.PenaltyGiven(taker, points, e.Breach.RENEGE), taker)


def end_play(decision: Decision, command: c.EndPlay) -> None:
    """Raises WrongPhase, GameHoleFirst."""
    check_people_deal(decision.table)
    current_play(decision.table, "the end of the play")
    if proceed(decision):
        forfeit_heels(decision)
        decision.apply(e.PlayEnded(is_followed=False))


def score_and_advance(decision: Decision, after: Play, tallies: tuple[Tally, ...]) -> None:
    """Scores a card or a go, says go for seats that are known to have no playable card, and ends the play."""
    for tally in tallies:
        decision.score(tally.seat, e.Source.PLAY, tally.scores)
    if decision.table.winner is not None:
        return
    if after.turn is None:
        decision.apply(e.PlayEnded(is_followed=True))
    elif must_pass(decision.table, after):
        passed = follow(decision, e.GoSaid(after.turn))
        score_and_advance(decision, passed, after.points_of_go(passed))


def must_pass(table: Table, play: Play) -> bool:
    """Whether every hand is known, and the seat in turn holds no playable card."""
    deal = table.deal
    if deal is None or play.turn is None or play.count <= ANY_CARD_FITS_TO or not all(deal.kept):
        return False
    return not can_play(deal.in_hand(play.turn), play.count)


def is_redundant_go(table: Table, seat: Seat) -> bool:
    """Whether a go of this seat is true and changes nothing: it was passed over already, or has no cards left."""
    deal = table.deal
    play = table.deal.play if table.deal else None
    if deal is None or play is None or not 0 <= seat < len(table.names):
        return False
    if seat in play.passed or not play.left[seat]:
        return True
    if play.series:
        return seat != play.turn and cannot_play(deal, seat, play.count)
    return bool(play.closed) and cannot_play(deal, seat, count_of(card for _, card in play.closed[-1]))


def cannot_play(deal: Deal, seat: Seat, count: int) -> bool:
    """Whether the seat holds no playable card at this count, as far as its hand is known; at 31 nobody does."""
    return count == FULL_COUNT or (bool(deal.kept[seat]) and not can_play(deal.in_hand(seat), count))


def current_play(table: Table, what: str | Card) -> tuple[Table, Deal, Play]:
    """Raises WrongPhase, which names `what` was expected, outside the play."""
    deal = table.deal
    if table.phase is not Phase.PLAY or deal is None or deal.play is None:
        wanted = f"{what} played" if isinstance(what, Card) else what
        raise WrongPhase(f"{wanted} in the play", table.phase)
    return table, deal, deal.play


def seat_to_play(table: Table, play: Play, seat: Seat | None, what: str | Card) -> Seat:
    """The seat in turn. Raises OutOfTurn if `seat` is another one."""
    assert play.turn is not None
    if seat is not None and seat != play.turn:
        got = table.names[seat] if 0 <= seat < len(table.names) else f"seat {seat}"
        name = table.names[play.turn]
        raise OutOfTurn(f"{name} to play", f"{what} from {got}", fix="take it back", name=name)
    return play.turn


def card_from_hand(table: Table, deal: Deal, seat: Seat, command: c.PlayCard) -> Card:
    """The card as it is known: a rank alone names a card of a known hand. Where the hand is not known the card must not
    be among those seen, or if the command is blind among those that lie face up.

    Raises CardNotHeld where the hand is known, CardSeenElsewhere or DuplicateCard where it is not.
    """
    card = command.card
    held = without(deal.kept[seat] or deal.dealt[seat], deal.played(seat))
    if card in held and card_of(card.rank) not in held:
        return card
    for own in held:
        if own == card or (None in (own.suit, card.suit) and own.rank == card.rank):
            return own
    if deal.dealt[seat]:
        name = table.names[seat]
        raise CardNotHeld(f"a card that {name} holds", str(card), name=name, card=card)
    check_unseen((card,), deal.face_up if command.is_blind else deal.seen)
    return card
