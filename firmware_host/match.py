"""A match: game after game between the same people, and the cards that keep it.

A tournament card of the American Cribbage Congress has nine games. Each line tells what its game was worth in match
points, two for a win and three for a skunk unless the house counts otherwise, and its spread of holes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter

from firmware_host.cribbage.outcome import Outcome
from firmware_host.summary import GameSummary

GAMES_A_CARD = 9


@dataclass(frozen=True, slots=True)
class CardLine:
    """One game. `number` is its place on the card, from 1."""

    number: int
    game: GameSummary
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Totals:
    """What one side has after all games of a card. The spread, in holes, may be below zero."""

    games_won: int
    match_points: int
    skunks_given: int
    skunks_taken: int
    spread: int


@dataclass(frozen=True, slots=True)
class MatchCard:
    """Finished games of one match, in the order in which they were played; there is at least one."""

    lines: tuple[CardLine, ...]

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The names of those who share one score."""
        return self.lines[0].game.sides

    @property
    def totals(self) -> tuple[Totals, ...]:
        """One a side."""
        return tuple(self._totals(side) for side in range(len(self.sides)))

    def _totals(self, side: int) -> Totals:
        outcomes = [line.outcome for line in self.lines]
        return Totals(
            games_won=sum(outcome.winner == side for outcome in outcomes),
            match_points=sum(outcome.points[side] for outcome in outcomes),
            skunks_given=sum(outcome.is_skunk and outcome.winner == side for outcome in outcomes),
            skunks_taken=sum(outcome.is_skunk and outcome.winner != side for outcome in outcomes),
            spread=sum(outcome.spread[side] for outcome in outcomes),
        )


def cards(summaries: Iterable[GameSummary], games_a_card: int = GAMES_A_CARD) -> tuple[MatchCard, ...]:
    """Every card there is, the earliest first; the last card of a match may have room for more games.

    A match goes on while the same names in the same seats play the same variant to the same target. Demonstrations and
    games that were not played out are passed over. The summaries may come in any order.
    """
    counted = (game for game in summaries if game.outcome and not game.is_demo)
    matches = groupby(sorted(counted, key=attrgetter("game")), key=_match_of)
    return tuple(card for _, games in matches for card in _cards_of(games, games_a_card))


def _match_of(game: GameSummary) -> object:
    """What all games of a match have in common."""
    return game.names, game.rules.variant, game.rules.target, game.rules.sides


def _cards_of(games: Iterator[GameSummary], games_a_card: int) -> Iterator[MatchCard]:
    while on_the_card := tuple(islice(games, games_a_card)):
        yield MatchCard(tuple(_lines(on_the_card)))


def _lines(games: Iterable[GameSummary]) -> Iterator[CardLine]:
    for number, game in enumerate(games, start=1):
        assert game.outcome, f"game {game.game} was not played out"
        yield CardLine(number, game, game.outcome)
