"""The same game once more, and who deals it."""

from __future__ import annotations

from firmware_host.cribbage.rules import Seat
from firmware_host.table import orders as o
from firmware_host.table.state import Table


def next_game(table: Table) -> o.StartGame:
    """The same people, rules and board once more."""
    return o.StartGame(table.rules, table.names, table.board, dealer=next_games_dealer(table))


def next_games_dealer(table: Table) -> Seat | None:
    """The loser deals the next game; with more than two sides the cards are cut."""
    if table.winner is None or len(table.pegs) != 2:
        return None
    return table.rules.sides[1 - table.winner][0]
