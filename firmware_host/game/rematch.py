"""The next game of the same players, and its dealer."""

from __future__ import annotations

from firmware_host.board.peg_source import PegSource
from firmware_host.cribbage import dealer
from firmware_host.cribbage.outcome import outcome_of
from firmware_host.cribbage.rules import Seat, Side
from firmware_host.cribbage.variants import consistent_rules, options_of
from firmware_host.game import commands as c
from firmware_host.game.state import Table


def next_game(table: Table) -> c.StartGame:
    """A game with the same names, rules and board; by hand, if this one was. House rules of an earlier version
    that do not go together are left out."""
    return c.StartGame(
        consistent_rules(table.rules.variant, options_of(table.rules)).rules,
        table.names,
        table.board,
        dealer=next_games_dealer(table),
        is_dealt=table.is_dealt,
        levels=table.levels,
        pegs=PegSource.BY_HAND if table.is_by_hand else None,
    )


def next_games_dealer(table: Table) -> Seat | None:
    """The first dealer of the next game by `rules.next_game_dealer`. None: the cards are cut for it."""
    if table.winner is None:
        return None
    outcome = outcome_of(table.rules, Side(table.winner), table.scores)
    return dealer.next_games_dealer(table.rules, outcome, first=table.first_dealer, last=table.dealer)
