"""Whole legal games as records, line by line, from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import options_of
from firmware_host.record import Referee
from firmware_host.table import orders as o
from firmware_host.table.state import Mover, Phase, Table
from tests.table.random_player import RandomPlayer

Line = dict[str, Any]


def header(rules: RuleSet, pegging: str, dealer: int = 0) -> Line:
    names = [f"P{seat}" for seat in rules.seats]
    return {
        "record": 1,
        "variant": rules.variant,
        "seats": names,
        "dealer": dealer,
        "options": options_of(rules),
        "pegging": pegging,
    }


def record_of(rules: RuleSet, seed: int, mover: Mover = Mover.TABLE, care: float = 1.0) -> Iterator[Line]:
    """The lines of one game; a referee of its own says how far it is."""
    player, random, referee = RandomPlayer(seed, care), Random(seed), Referee()
    line = header(rules, "manual" if mover is Mover.WORD else "automatic")
    while True:
        yield line
        table = referee.hear(line).table
        assert table is not None and table.deal is not None
        if table.phase is Phase.OVER:
            return
        is_new = table.phase is Phase.GATHER or not any(table.deal.dealt)
        owing = any(owed > 0 for owed in table.owed)
        if is_new and not (owing and table.is_told):
            line = {"deal": hands(table, random, player)}
        else:
            line = as_line(player.next_order(table), table)


def hands(table: Table, random: Random, player: RandomPlayer) -> list[list[str]]:
    """A fresh deal by the next dealer; the player goes on with the rest of the pack."""
    assert table.deal is not None
    dealer = table.deal.dealer if table.phase is Phase.DEAL else table.rules.next_dealer(table.deal.dealer)
    pack = random.sample(PACK, len(PACK))
    dealt = [[str(pack.pop()) for _ in range(table.rules.cards_dealt(seat, dealer))] for seat in table.rules.seats]
    player.take_over(pack)
    return dealt


def as_line(order: o.Order, table: Table) -> Line:
    """The order as a record writes it."""
    match order:
        case o.LayAway(seat=seat, cards=cards):
            return {"lay_away": [seat, [str(card) for card in cards]]}
        case o.FillCrib(cards=cards):
            return {"from_stock": [str(card) for card in cards]}
        case o.Bid(points=points, seat=seat):
            return {"bid": [seat, "pass" if points is None else points]}
        case o.CutStarter(card=card):
            return {"starter": str(card)}
        case o.PlayCard(card=card, seat=seat):
            return {"play": [seat, str(card)]}
        case o.SayGo(seat=seat):
            return {"go": seat}
        case o.MovePoints(side=side, points=points):
            return {"peg": [table.rules.sides[side][0], points]}
        case o.CountNext() if table.to_count:
            seat, is_crib = table.to_count
            return {"count": [seat, "crib" if is_crib else "hand"]}
    raise AssertionError(f"a random player would not say {order}")
