"""What the player of one seat sees of a table, for the engine."""

from __future__ import annotations

from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import Seat
from firmware_host.game.deal import Deal
from firmware_host.game.state import Table
from firmware_host.strategy.discard_judge import EVEN
from firmware_host.strategy.view import Act, PlayerView


def view_of(table: Table, seat: Seat) -> PlayerView:
    """The view of a seat whose cards are known: before its discard all cards dealt, later the cards still held.

    Raises ValueError if no hand is dealt.
    """
    deal = table.deal
    if deal is None:
        raise ValueError("expected a table with a deal, got one between deals")
    has_chosen = bool(deal.discarded[seat]) or deal.play is not None
    return PlayerView(
        rules=table.rules,
        seat=seat,
        dealer=deal.dealer,
        buyer=deal.owner,
        scores=table.scores,
        hand=deal.in_hand(seat) if has_chosen else deal.dealt[seat],
        discarded=deal.discarded[seat],
        starter=deal.starter,
        acts=acts_of(deal, table) if deal.play else (),
    )


def scores_for_advice(table: Table | None, own_crib: bool) -> tuple[int, int]:
    """The scores of the side that asks and of the other side, if one of them deals; else those of a new game.

    `own_crib`: the crib belongs to the side that asks.
    """
    if table is None or table.dealer is None or len(table.rules.sides) != 2:
        return EVEN
    owner = table.dealer if table.deal is None or table.deal.owner is None else table.deal.owner
    owners_side = table.rules.side_of(owner)
    asks = owners_side if own_crib else 1 - owners_side
    return table.scores[asks], table.scores[1 - asks]


def acts_of(deal: Deal, table: Table) -> tuple[Act, ...]:
    """The cards and gos of the play of a deal, in order."""
    assert deal.play
    rules = table.rules
    leader = rules.leader(deal.dealer, deal.owner)
    play = Play.begin(rules, leader, [rules.hand_size] * rules.players)
    acts = list[Act]()
    gos = [*deal.gos]
    cards = [card for _, card in deal.play.laid]
    while play.turn is not None and (cards or gos):
        seat = play.turn
        is_go = bool(gos) and (gos[0].seat, gos[0].count, gos[0].laid) == (seat, play.count, len(play.by_seat[seat]))
        if not is_go and not cards:
            break
        card = None if is_go else cards.pop(0)
        if is_go:
            gos.pop(0)
        acts.append((seat, card))
        play = play.follow_go() if card is None else play.follow(card)
    return tuple(acts)
