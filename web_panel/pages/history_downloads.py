"""Downloads of past games: sides of games, players and opponents, as CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response

from firmware_host.cribbage.rules import Margin
from firmware_host.host.loop import Host
from firmware_host.stats.archive import Archive, PastGame, PastGames
from firmware_host.stats.people_file import PeopleFile
from firmware_host.stats.statistics import HeadToHead, PlayerFigures, SeatFigures
from web_panel.pages.downloads import Batches, Downloads, Row, csv_pieces, json_pieces
from web_panel.pages.history import is_game_on, side_name

COLUMNS = ("game", "started_at", "variant", "board", "side", "names", "score", "won", "margin")
STATISTICS = ("mean_hand", "mean_crib", "mean_play", "missed", "given", "caught")
PLAYER_COLUMNS = ("name", "games", "won", "skunks", "skunked", *STATISTICS)


def make_history_downloads(archive: Archive, host: Host, people_file: PeopleFile, downloads: Downloads) -> Blueprint:
    """Three files. The game that is on is in the list of games, but in no figures of players."""
    files = Blueprint("history_downloads", __name__)

    def batches() -> Batches:
        return Batches(archive, people_file, hides_latest=is_game_on(host))

    @files.get("/history.csv")
    def games_as_csv() -> Response:
        return downloads.send(csv_pieces(COLUMNS, batches().games(rows_of_games)), "text/csv", "cribboard.csv")

    @files.get("/players.csv")
    def players_as_csv() -> Response:
        pieces = csv_pieces(PLAYER_COLUMNS, batches().once(players))
        return downloads.send(pieces, "text/csv", "cribboard-players.csv")

    @files.get("/history.json")
    def all_as_json() -> Response:
        asked = batches()
        lists = {
            "games": asked.games(rows_of_games),
            "players": asked.once(players),
            "head_to_heads": asked.once(pairs),
        }
        return downloads.send(json_pieces(lists.items()), "application/json", "cribboard.json")

    return files


def rows_of_games(past: PastGames, numbers: range) -> Iterator[Row]:
    """One row for each side of the games with these numbers, the latest game first."""
    return (row for game in past.all_games(numbers) for row in lines_of(game))


def players(past: PastGames) -> Iterator[Row]:
    """One row for each player."""
    return map(player_line, past.players())


def pairs(past: PastGames) -> Iterator[Row]:
    """One object for each pair of sides that played each other."""
    return map(head_to_head_line, past.head_to_heads())


def lines_of(past: PastGame) -> Iterator[Row]:
    """One row for each side of the game."""
    summary = past.summary
    figures = past.figures
    for side, score in enumerate(figures.scores):
        margin = figures.margins[side]
        values = (
            *(summary.game, summary.started_at.isoformat(), summary.rules.variant, summary.board),
            *(side, side_name(past, side), score, side == figures.winner, "" if margin is Margin.WIN else margin.value),
        )
        yield dict(zip(COLUMNS, values, strict=True))


def player_line(player: PlayerFigures) -> Row:
    """The totals of a player, by PLAYER_COLUMNS."""
    values = (player.name, player.games, player.won, player.skunks, player.skunked, *values_of(player.seat))
    return dict(zip(PLAYER_COLUMNS, values, strict=True))


def head_to_head_line(meeting: HeadToHead) -> Row:
    """Two sides that played each other, with `won`, `skunks` and the statistics of each."""
    statistics = [dict(zip(STATISTICS, values_of(seat), strict=True)) for seat in meeting.figures]
    return {"sides": meeting.sides, "won": meeting.won, "skunks": meeting.skunks, "statistics": statistics}


def values_of(seat: SeatFigures) -> tuple[float | int | None, ...]:
    """The statistics of a seat in the order of STATISTICS."""
    return (seat.hand.mean, seat.crib.mean, seat.play.mean, seat.missed, seat.given, seat.caught)
