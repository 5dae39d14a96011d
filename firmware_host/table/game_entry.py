"""The same game once more, and who deals it."""

from __future__ import annotations

from firmware_host.cribbage import dealer
from firmware_host.cribbage.outcome import outcome_of
from firmware_host.cribbage.rules import Seat, Side
from firmware_host.table import orders as o
from firmware_host.table.state import Table


def next_game(table: Table) -> o.StartGame:
    """The same people, rules and board once more."""
    return o.StartGame(table.rules, table.names, table.board, dealer=next_games_dealer(table))


def next_games_dealer(table: Table) -> Seat | None:
    """Who deals the next game, as the house has agreed; None: the cards are cut for it."""
    if table.winner is None:
        return None
    outcome = outcome_of(table.rules, Side(table.winner), table.scores)
    return dealer.next_games_dealer(table.rules, outcome, first=table.first_dealer, last=table.dealer)
