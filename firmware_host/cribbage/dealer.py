"""The dealer of the first hand of a game."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.cribbage.cards import Card, no_duplicates
from firmware_host.cribbage.options import FirstDealer, NextGameDealer
from firmware_host.cribbage.outcome import Outcome
from firmware_host.cribbage.rule_errors import WrongNumberOfCards
from firmware_host.cribbage.rules import RuleSet, Seat


def first_dealer(cards: Sequence[Card], rules: RuleSet) -> Seat | None:
    """The dealer after the seats have cut `cards`, one each. Ace is low. None: the best cut is shared, so they cut
    again; or with `first_dealer=manual` the players choose. Raises WrongNumberOfCards, DuplicateCard."""
    if len(cards) != (players := rules.players):
        raise WrongNumberOfCards(f"{players} cards cut, one a seat", str(len(cards)), fix="cut again", number=players)
    no_duplicates(cards)
    ranks = [card.rank for card in cards]
    match rules.first_dealer:
        case FirstDealer.LOWEST:
            best = min(ranks)
        case FirstDealer.HIGHEST:
            best = max(ranks)
        case FirstDealer.MANUAL:
            return None
    return Seat(ranks.index(best)) if ranks.count(best) == 1 else None


def next_games_dealer(rules: RuleSet, outcome: Outcome, first: Seat | None, last: Seat | None) -> Seat | None:
    """The first dealer of the next game; `first` and `last` dealt the first and the last hand of this one.

    Of several seats (partners, losers who are level) it is the one that the deal reaches first as it passes on. With
    more than two sides the loser is the one furthest behind. None: the cards are cut, as `first` is not known.
    """
    if rules.next_game_dealer is NextGameDealer.ALTERNATE:
        return None if first is None else rules.next_dealer(first)
    sides = outcome.last if rules.next_game_dealer is NextGameDealer.LOSER else (outcome.winner,)
    deal_passes = rules.seats if last is None else rules.round_from(rules.next_dealer(last))
    return next(seat for seat in deal_passes if rules.side_of(seat) in sides)
