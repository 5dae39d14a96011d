"""Totals of players and of pairs of sides, folded over all games: what the stored running totals are compared with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from firmware_host.cribbage.rules import Margin
from firmware_host.stats.statistics import GameFigures, HeadToHead, Names, PlayerFigures, SeatFigures, players_of


def players(games: Iterable[GameFigures]) -> tuple[PlayerFigures, ...]:
    """All players of these games, sorted by number of finished games, then by name."""
    found: dict[str, PlayerFigures] = {}
    for game in games:
        for player in players_of(game):
            found[player.name] = found.get(player.name, PlayerFigures(player.name)) + player
    return tuple(sorted(found.values(), key=lambda player: (-player.games, player.name)))


def head_to_heads(games: Iterable[GameFigures]) -> tuple[HeadToHead, ...]:
    """All pairs of sides of which one beat the other in a finished game; most games first, then by names."""
    won: dict[tuple[Names, Names], dict[Names, list[bool]]] = defaultdict(lambda: defaultdict(list))
    figures: dict[tuple[Names, Names], dict[Names, SeatFigures]] = defaultdict(lambda: defaultdict(SeatFigures))
    for game in games:
        if game.winner is None:
            continue
        winner = tuple(sorted(game.names_of(game.winner)))
        for side, margin in enumerate(game.margins):
            loser = tuple(sorted(game.names_of(side)))
            if loser == winner:
                continue
            pair = min(winner, loser), max(winner, loser)
            won[pair][winner].append(margin is not Margin.WIN)
            figures[pair][winner] += game.figures_of(game.winner)
            figures[pair][loser] += game.figures_of(side)
    pairs = (
        HeadToHead(
            (one, other),
            (len(won[one, other][one]), len(won[one, other][other])),
            (sum(won[one, other][one]), sum(won[one, other][other])),
            (figures[one, other][one], figures[one, other][other]),
        )
        for one, other in won
    )
    return tuple(sorted(pairs, key=lambda pair: (-pair.games, pair.sides)))
