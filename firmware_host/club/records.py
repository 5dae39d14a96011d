"""A club night as data for other programs: JSON objects, and rows for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from types import SimpleNamespace

from firmware_host.club.game import Game
from firmware_host.club.members import MemberId
from firmware_host.club.standings import Standing, lines_of, standings, sums_of
from firmware_host.club.state import Club, Night

Record = dict[str, object]

COLUMNS = (
    *("night", "date", "member", "name", "guest", "round", "table", "opponent", "opponent_name"),
    *("score", "opponent_score", "won", "game_points", "spread", "plus", "minus"),
    *("bracket", "match_round", "match"),
)
"""Of the rows of `night_rows`: one line of one scorecard each, or one game of a match for one of its players."""


BOM = "\ufeff"
"""By which Excel sees that a CSV file is UTF-8; without it accents are lost."""
DELIMITERS: Mapping[str, str] = {"comma": ",", "semicolon": ";", "tab": "\t"}
"""Of CSV. Where the comma is the decimal sign, Excel splits a line at semicolons, and shows commas in one column."""


def night_record(club: Club, night: Night) -> Record:
    """One night: its standings, the scorecard of each player, and its brackets with the games that count. Scores are in
    holes, in the order of the players."""
    return {
        "night": night.number,
        "date": night.date,
        "games": night.settings.games,
        "standings": [standing_record(club, row) for row in standings(night)],
        "scorecards": [card_record(club, night, member) for member in night.entrants],
        "brackets": [
            {
                "bracket": kind.value,
                "best_of": bracket.best_of,
                "seeds": bracket.seeds,
                "byes": bracket.byes,
                "matches": [
                    {
                        "round": match.round,
                        "match": match.number,
                        "players": match.players,
                        "wins": match.wins,
                        "games": [
                            {"round": game.round, "table": game.table, "scores": game.scores}
                            for game in match.games
                            if game.is_official
                        ],
                    }
                    for matches in bracket.rounds
                    for match in matches
                ],
                "champion": bracket.champion,
            }
            for kind, bracket in night.brackets.items()
        ],
    }


def standing_record(club: Club, row: Standing, is_season: bool = False) -> Record:
    """One row of the standings of a night or, with two more fields, of a season."""
    sums = row.sums
    season = {"nights": row.nights, "season_points": row.points} if is_season else {}
    return {
        "place": row.place,
        "member": row.member,
        "name": club.name(row.member),
        "guest": club.members[row.member].is_guest,
        **season,
        "game_points": sums.game_points,
        "won": sums.wins,
        "spread": sums.spread,
        "plus": sums.plus,
        "minus": sums.minus,
        "games": sums.games,
        "byes": sums.byes,
        "skunks": sums.skunks,
    }


def card_record(club: Club, night: Night, member: MemberId) -> Record:
    """The scorecard of one player. A bye has no opponent; a game without an official result has no scores."""
    lines = lines_of(night, member)
    sums = sums_of(lines)
    return {
        "member": member,
        "name": club.name(member),
        "lines": [
            {
                "round": line.round,
                "table": line.table or None,
                "opponent": line.opponent,
                "scores": line.scores,
                "won": line.is_won,
                "game_points": line.game_points,
                "spread": line.spread,
            }
            for line in lines
        ],
        "game_points": sums.game_points,
        "won": sums.wins,
        "plus": sums.plus,
        "minus": sums.minus,
    }


def night_rows(club: Club, night: Night) -> Iterator[Record]:
    """Column -> cell. One row for each line of each scorecard, where an open game has empty cells; then two rows for
    each game of a match that counts, without points, because standings do not count it."""
    yield from _scorecard_rows(club, night)
    for game in night.match_games:
        if game.is_official:
            yield from (_match_row(club, night, game, side) for side in (0, 1))


def _match_row(club: Club, night: Night, game: Game, side: int) -> Record:
    assert game.match
    member, opponent = game.players[side], game.players[1 - side]
    return {
        **_player_cells(club, night, member),
        "round": game.round,
        "table": game.table,
        "opponent": opponent,
        "opponent_name": club.name(opponent),
        "score": game.scores[side],
        "opponent_score": game.scores[1 - side],
        "won": "yes" if game.scores[side] > game.scores[1 - side] else "no",
        "bracket": game.bracket,
        "match_round": game.match.round,
        "match": game.match.number,
    }


def _player_cells(club: Club, night: Night, member: MemberId) -> Record:
    return {
        "night": night.number,
        "date": night.date,
        "member": member,
        "name": club.name(member),
        "guest": "yes" if club.members[member].is_guest else "no",
    }


def _scorecard_rows(club: Club, night: Night) -> Iterator[Record]:
    for member in night.entrants:
        for line in lines_of(night, member):
            score, opponent_score = line.scores or ("", "")
            is_open = line.is_open
            yield {
                **_player_cells(club, night, member),
                "round": line.round,
                "table": line.table or "",
                "opponent": line.opponent or "",
                "opponent_name": "" if line.opponent is None else club.name(line.opponent),
                "score": score,
                "opponent_score": opponent_score,
                "won": "" if is_open or line.is_bye else "yes" if line.is_won else "no",
                "game_points": "" if is_open else line.game_points,
                "spread": "" if is_open else line.spread,
                "plus": "" if is_open else max(0, line.spread),
                "minus": "" if is_open else max(0, -line.spread),
            }


def night_csv(club: Club, night: Night, delimiter: str = "comma") -> str:
    """The rows with a heading, without a last line break. `delimiter` is a name of `DELIMITERS`."""
    lines = list[str]()
    writer = csv.DictWriter(
        SimpleNamespace(write=lines.append), COLUMNS, delimiter=DELIMITERS[delimiter], lineterminator="\n"
    )
    writer.writeheader()
    for row in night_rows(club, night):
        writer.writerow({column: _cell(value) for column, value in row.items()})
    return "".join(lines).rstrip("\n")


def _cell(value: object) -> object:
    """A name that a spreadsheet would read as a formula gets an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value
