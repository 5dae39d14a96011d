"""A player that knows the rules and nothing else: whole legal games from a seed, every card told to the table."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.series import layable
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.state import Phase, Table


def next_order(table: Table, pack: list[Card], random: Random) -> o.Order:
    """What could happen next where the game stands; a fresh deal shuffles `pack`."""
    assert table.deal is not None
    deal, rules = table.deal, table.rules
    match table.phase:
        case Phase.DEAL:
            if not any(deal.dealt):
                pack[:] = random.sample(PACK, len(PACK))
            for seat in rules.seats:
                if not deal.dealt[seat]:
                    dealt = rules.cards_dealt(seat, deal.dealer)
                    return o.DealHand(seat, tuple(pack.pop() for _ in range(dealt)))
                if not deal.kept[seat]:
                    away = rules.cards_laid_away(seat, deal.dealer)
                    return o.LayAway(seat, tuple(random.sample(deal.dealt[seat], away)))
            return o.CutStarter(pack.pop())
        case Phase.PLAY:
            assert deal.play is not None and table.to_play is not None
            cards = layable(deal.in_hand(table.to_play), deal.play.count)
            return o.PlayCard(random.choice(cards), table.to_play)
        case Phase.SHOW:
            return o.CountNext()
        case _:
            return o.GatherCards()


def play_game(rules: RuleSet, seed: int) -> Iterator[Chronicle]:
    """Every state of a game in which the table moves the pegs itself."""
    random, pack = Random(seed), list[Card]()
    names = tuple(f"P{seat}" for seat in rules.seats)
    dealer = Seat(random.randrange(rules.players))
    chronicle = Chronicle()
    chronicle = chronicle.after(chronicle.decide(o.StartGame(rules, names, dealer=dealer)))
    while chronicle.table and chronicle.table.phase is not Phase.OVER:
        yield chronicle
        chronicle = chronicle.after(chronicle.decide(next_order(chronicle.table, pack, random)))
    yield chronicle
