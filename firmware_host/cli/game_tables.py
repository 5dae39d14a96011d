"""Past games and scorecards as text tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from firmware_host.cli.text_table import text_table
from firmware_host.stats.people import Roster
from firmware_host.stats.scorecard_records import names_of
from firmware_host.stats.scorecards import GAMES_A_CARD, Scorecard, ScorecardLine
from firmware_host.storage.game_summary import GameSummary


def games_in_words(games: Sequence[GameSummary]) -> Iterator[str]:
    """A heading, and a row a game."""
    heading = ("no.", "started", "players", "game", "scores", "result")
    return text_table([heading, *map(_row, games)], text_columns=len(heading))


def _row(game: GameSummary) -> tuple[str, ...]:
    return (
        str(game.game),
        _when(game),
        _players(game),
        _what(game) + " (demo)" * game.is_demo,
        "-".join(map(str, game.scores)),
        _result(game),
    )


def game_heading(game: GameSummary) -> str:
    """One past game in a line: its number, when, who, what, and how it ended."""
    board = f" on {game.board}" if game.board else ""
    scores = "-".join(map(str, game.scores))
    return f"Game {game.game}, {_when(game)}: {_players(game)}, {_what(game)}{board}, {scores}, {_result(game)}"


def card_in_words(card: Scorecard) -> Iterator[str]:
    """Whose card it is, a line a game, and what it all adds up to."""
    kind = card.kind
    totals = card.totals
    partners = "with partners, " * kind.has_partners
    yield (
        f"Card {card.number}: {card.person.name}, {kind.variant} to {kind.target}, {partners}"
        f"{len(card.lines)} of {GAMES_A_CARD} games"
    )
    words = ("no.", "started", *(("partner",) * kind.has_partners), "opponent", "initials", "margin")
    figures = ("score", "points", "plus", "minus")
    yield from text_table([(*words, *figures), *(_line(card, line) for line in card.lines)], text_columns=len(words))
    yield (
        f"games won {totals.games_won}, game points {totals.game_points}, "
        f"skunks given {totals.skunks_given}, taken {totals.skunks_taken}, "
        f"spread {totals.spread:+d} (plus {totals.plus}, minus {totals.minus})"
    )


def _line(card: Scorecard, line: ScorecardLine) -> tuple[str, ...]:
    partner = (names_of(line.partners),) * card.kind.has_partners
    return (
        *(str(line.number), _when(line.game), *partner, names_of(line.opponents), line.initials, _margin(line.game)),
        "-".join(map(str, (line.score, *line.opponent_scores))),
        str(line.game_points),
        str(line.spread) if line.is_won else "",
        "" if line.is_won else str(-line.spread),
    )


def people_in_words(roster: Roster, cards: Sequence[Scorecard]) -> Iterator[str]:
    """A heading, and a row a person."""
    games = Counter[str]()
    for card in cards:
        games[card.person.key] += len(card.lines)
    rows = [(person.name, " = ".join(person.names[1:]), str(games[person.key])) for person in roster.persons]
    return text_table([("player", "other names", "games on cards"), *rows], text_columns=2)


def _when(game: GameSummary) -> str:
    """In the local time zone."""
    return f"{game.started_at.astimezone():%Y-%m-%d %H:%M}"


def _players(game: GameSummary) -> str:
    return " v ".join(game.side_name(side) for side in range(len(game.sides)))


def _what(game: GameSummary) -> str:
    return f"{game.rules.variant} to {game.rules.target}"


def _result(game: GameSummary) -> str:
    """Who won, and how."""
    if game.winner is None:
        return "not played out"
    margin = _margin(game)
    return f"{game.side_name(game.winner)} won" + (f" ({margin})" if margin else "")


def _margin(game: GameSummary) -> str:
    """The margin of a finished game in words; empty for a plain win."""
    assert game.outcome
    return game.outcome.margin.value.replace("_", " ") if game.outcome.is_skunk else ""
