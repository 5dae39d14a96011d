"""Past games and the cards of matches for people, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from firmware_host.cli.columns import in_columns
from firmware_host.match import CardLine, MatchCard
from firmware_host.summary import GameSummary


def games_in_words(games: Sequence[GameSummary]) -> Iterator[str]:
    """A heading, and a row a game."""
    heading = ("no.", "started", "players", "game", "board", "scores", "winner", "margin")
    return in_columns([heading, *map(_row, games)], words=len(heading))


def _row(game: GameSummary) -> tuple[str, ...]:
    return (
        str(game.game),
        _when(game),
        _players(game),
        _what(game) + " (demo)" * game.is_demo,
        game.board or "-",
        "-".join(map(str, game.scores)),
        "-" if game.winner is None else game.side_name(game.winner),
        _margin(game),
    )


def card_in_words(card: MatchCard) -> Iterator[str]:
    """What was played by whom, a line a game, and what it all adds up to."""
    first = card.lines[0].game
    yield f"{_players(first)}, {_what(first)}"
    words = ("no.", "started", "first dealer", "winner", "margin")
    figures = chain.from_iterable((first.side_name(side), "points", "spread") for side in range(len(card.sides)))
    yield from in_columns([(*words, *figures), *map(_line, card.lines)], words=len(words))
    for side, total in enumerate(card.totals):
        yield (
            f"{first.side_name(side)}: games won {total.games_won}, match points {total.match_points}, "
            f"skunks given {total.skunks_given}, taken {total.skunks_taken}, spread {total.spread:+d}"
        )


def _line(line: CardLine) -> tuple[str, ...]:
    game, outcome = line.game, line.outcome
    dealer = "-" if game.first_dealer is None else game.names[game.first_dealer]
    words = (str(line.number), _when(game), dealer, game.side_name(outcome.winner), _margin(game))
    of_sides = zip(game.scores, outcome.points, outcome.spread, strict=True)
    return (
        *words,
        *chain.from_iterable((str(score), str(points), f"{spread:+d}") for score, points, spread in of_sides),
    )


def _when(game: GameSummary) -> str:
    """The hour of this place."""
    return f"{game.started_at.astimezone():%Y-%m-%d %H:%M}"


def _players(game: GameSummary) -> str:
    return " v ".join(game.side_name(side) for side in range(len(game.sides)))


def _what(game: GameSummary) -> str:
    return f"{game.rules.variant} to {game.rules.target}"


def _margin(game: GameSummary) -> str:
    """Empty where a win was just a win."""
    if game.outcome is None:
        return "not played out"
    return game.outcome.margin.value.replace("_", " ") if game.outcome.is_skunk else ""
