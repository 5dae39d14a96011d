"""Choosing a new game with the keys: which game, which board, to how many; and the same game once more."""

from __future__ import annotations

from typing import TypeVar

from firmware_host.cribbage import dealer
from firmware_host.cribbage.outcome import outcome_of
from firmware_host.cribbage.rules import RuleSet, Seat, Side
from firmware_host.cribbage.variants import options_of, rules_for
from firmware_host.table import orders as o
from firmware_host.table.entries import DIGIT_OF_KEY, ENTER, BoardOffer, NewGame, Pressed, Surroundings
from firmware_host.table.state import Table

T = TypeVar("T")


def while_choosing_game(entry: NewGame, key: str, around: Surroundings) -> Pressed:
    """One question after the other; ENTER takes the first of each list. A question with one answer is not asked."""
    if entry.rules is None:
        rules = chosen(key, around.games)
        return Pressed(entry) if rules is None else with_rules(rules, around)
    if entry.offer is None:
        offer = chosen(key, around.offers)
        return Pressed(entry) if offer is None else with_offer(entry.rules, offer, around)
    target = chosen(key, targets(entry.rules, entry.offer))
    return Pressed(entry) if target is None else begin(entry.rules, entry.offer, target, around)


def chosen(key: str, choices: tuple[T, ...]) -> T | None:
    number = 1 if key == ENTER else DIGIT_OF_KEY.get(key, 0)
    return choices[number - 1] if 1 <= number <= len(choices) else None


def with_rules(rules: RuleSet, around: Surroundings) -> Pressed:
    if len(around.offers) == 1:
        return with_offer(rules, around.offers[0], around)
    return Pressed(NewGame(rules))


def with_offer(rules: RuleSet, offer: BoardOffer, around: Surroundings) -> Pressed:
    if len(offer.targets) == 1:
        return begin(rules, offer, offer.targets[0], around)
    return Pressed(NewGame(rules, offer))


def targets(rules: RuleSet, offer: BoardOffer) -> tuple[int, ...]:
    """What the board carries, the usual target of the game first."""
    return tuple(sorted(offer.targets, key=lambda target: target != rules.target))


def begin(rules: RuleSet, offer: BoardOffer, target: int, around: Surroundings) -> Pressed:
    return Pressed(wish=o.StartGame(with_target(rules, target), around.names[: rules.players], offer.board))


def with_target(rules: RuleSet, target: int) -> RuleSet:
    """The same game to another target; skunk lines follow it."""
    return rules_for(rules.variant, {**options_of(rules), "target": target})


def next_game(table: Table) -> o.StartGame:
    """The same people, rules and board once more."""
    return o.StartGame(table.rules, table.names, table.board, dealer=next_games_dealer(table))


def next_games_dealer(table: Table) -> Seat | None:
    """Who deals the next game, as the house has agreed; None: the cards are cut for it."""
    if table.winner is None:
        return None
    outcome = outcome_of(table.rules, Side(table.winner), table.scores)
    return dealer.next_games_dealer(table.rules, outcome, first=table.first_dealer, last=table.dealer)
