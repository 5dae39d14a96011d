"""Whole legal games as records, line by line, from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import options_of
from firmware_host.game import commands as c
from firmware_host.game.record import Referee
from firmware_host.game.side import Mover
from firmware_host.game.state import Phase, Table
from tests.game.random_player import RandomPlayer

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
    """The lines of one game. A referee follows it, so that the player knows its state."""
    player, random, referee = RandomPlayer(seed, care), Random(seed), Referee()
    line = header(rules, "manual" if mover is Mover.ENTRY else "automatic")
    while True:
        yield line
        table = referee.read_line(line).table
        assert table is not None and table.deal is not None
        if table.phase is Phase.OVER:
            return
        is_new = table.phase is Phase.GATHER or not any(table.deal.dealt)
        owing = any(owed > 0 for owed in table.owed)
        if is_new and not (owing and table.points_are_entered):
            line = {"deal": hands(table, random, player)}
        else:
            line = as_line(player.next_command(table), table)


def hands(table: Table, random: Random, player: RandomPlayer) -> list[list[str]]:
    """A new deal by the next dealer; the player continues with the rest of the pack."""
    assert table.deal is not None
    dealer = table.deal.dealer if table.phase is Phase.DEAL else table.rules.next_dealer(table.deal.dealer)
    pack = random.sample(PACK, len(PACK))
    dealt = [[str(pack.pop()) for _ in range(table.rules.cards_dealt(seat, dealer))] for seat in table.rules.seats]
    player.use_pack(pack)
    return dealt


def as_line(command: c.Command, table: Table) -> Line:
    """The command as a line of a record."""
    match command:
        case c.DiscardCards(seat=seat, cards=cards):
            return {"lay_away": [seat, [str(card) for card in cards]]}
        case c.FillCrib(cards=cards):
            return {"from_stock": [str(card) for card in cards]}
        case c.Bid(points=points, seat=seat):
            return {"bid": [seat, "pass" if points is None else points]}
        case c.CutStarter(card=card):
            return {"starter": str(card)}
        case c.PlayCard(card=card, seat=seat):
            return {"play": [seat, str(card)]}
        case c.SayGo(seat=seat):
            return {"go": seat}
        case c.EnterPoints(side=side, points=points):
            return {"peg": [table.rules.sides[side][0], points]}
        case c.CountHand() if table.to_count:
            seat, is_crib = table.to_count
            return {"count": [seat, "crib" if is_crib else "hand"]}
    raise AssertionError(f"expected a command of the random player, got {command}")
