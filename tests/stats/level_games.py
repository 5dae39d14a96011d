"""Games between players of the engine's levels, with every card entered."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from firmware_host.cribbage.rules import RuleSet
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.state import Phase, Table
from firmware_host.storage.game_summary import Events
from firmware_host.strategy.engine import Level, choose_card, choose_discard
from firmware_host.strategy.table_view import view_of
from tests.game.random_player import RandomPlayer


class LevelPlayer(RandomPlayer):
    """Plays all seats, each at its level."""

    def __init__(self, seed: int, levels: Sequence[Level]) -> None:
        super().__init__(seed)
        self.random = Random(seed)
        self.levels = levels

    def next_command(self, table: Table) -> c.Command:
        command = super().next_command(table)
        match command:
            case c.DiscardCards(seat):
                return c.DiscardCards(seat, choose_discard(view_of(table, seat), self.levels[seat], self.random))
            case c.PlayCard(_, seat) | c.SayGo(seat) if seat is not None:
                card = choose_card(view_of(table, seat), self.levels[seat], self.random)
                return c.SayGo(seat) if card is None else c.PlayCard(card, seat)
        return command


def game_of(
    levels: Sequence[Level], rules: RuleSet, seed: int, *, deals: int = 99, scores: tuple[int, ...] | None = None
) -> list[Events]:
    """The turns of one game, or of its first deals; `levels` by seat."""
    player = LevelPlayer(seed, levels)
    history = History()
    turns = list[Events]()
    command: c.Command = player.begin(rules, scores=scores)
    while True:
        decided = history.decide(command)
        history = history.after(decided)
        turns.append(decided.events)
        table = history.table
        assert table is not None
        if table.phase is Phase.OVER or (table.deal and table.deal.number > deals):
            return turns
        command = player.next_command(table)
