"""Past games: the page to look at, the table to print, and all of it to take along as CSV and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from flask import Blueprint, Response, json
from markupsafe import Markup

from firmware_host.archive import Archive, PastGame
from firmware_host.cribbage.rules import Margin
from firmware_host.languages import words
from firmware_host.statistics import MEAN_HAND, Pairing, PlayerFigures, SeatFigures, Tally, pairings, players
from firmware_host.table.words import Words
from web_panel.captions import lost_by
from web_panel.course import draw_course
from web_panel.language import in_figures, language_now
from web_panel.means import draw_means
from web_panel.pages import spoken

CHARTS = 12
"""So many of the latest games are drawn; the others are lines of a table."""

COLUMNS = ("game", "started_at", "variant", "board", "side", "names", "score", "won", "margin")
FIGURES = ("mean_hand", "mean_crib", "mean_play", "missed", "given", "caught")
PLAYER_COLUMNS = ("name", "games", "won", "skunks", "skunked", *FIGURES)


def make_history(archive: Archive) -> Blueprint:
    pages = Blueprint("history", __name__)

    @pages.get("/history")
    def history() -> str:
        games, language = archive.games(), language_now()
        figures = [past.figures for past in games]
        known = players(figures)
        return spoken(
            "history.html",
            games=games,
            charts=[chart(past, words(language)) for past in games[:CHARTS]],
            players=known,
            pairings=pairings(figures),
            means=Markup(draw_means(hands_of(known), MEAN_HAND, language)) if hands_of(known) else "",
            mean_hand=in_figures(MEAN_HAND, language, 2),
            shown=lambda tally: shown(tally, language),
            outcome=lambda past, side: outcome(past, side, words(language)),
        )

    @pages.get("/history.csv")
    def as_csv() -> Response:
        lines = [line for past in archive.games() for line in lines_of(past)]
        return taken_along(sheet_of(COLUMNS, lines), "text/csv", "cribboard.csv")

    @pages.get("/players.csv")
    def players_as_csv() -> Response:
        lines = [player_line(player) for player in players(past.figures for past in archive.games())]
        return taken_along(sheet_of(PLAYER_COLUMNS, lines), "text/csv", "cribboard-players.csv")

    @pages.get("/history.json")
    def as_json() -> Response:
        games = archive.games()
        told = {
            "games": [line for past in games for line in lines_of(past)],
            "players": [player_line(player) for player in players(past.figures for past in games)],
            "pairings": [pairing_line(pairing) for pairing in pairings(past.figures for past in games)],
        }
        return taken_along(json.dumps(told, ensure_ascii=False, indent=1), "application/json", "cribboard.json")

    return pages


def chart(past: PastGame, _: Words) -> Markup:
    """The course of one game; empty where no peg was moved."""
    figures = past.figures
    if len(figures.course) == 1:
        return Markup()
    names = [side_name(past, side) for side in range(len(figures.scores))]
    return Markup(draw_course(names, figures.course, figures.rules.target, figures.rules.skunk_lines, _))


def side_name(past: PastGame, side: int) -> str:
    return " & ".join(past.figures.names_of(side))


def outcome(past: PastGame, side: int, _: Words) -> str:
    """How the game ended for a side; empty for one that was not played out, and for a plain loss."""
    if past.figures.winner is None:
        return ""
    return _("won") if side == past.figures.winner else lost_by(past.figures.margins[side], _)


def hands_of(known: Sequence[PlayerFigures]) -> list[tuple[str, float]]:
    """Player -> average hand, of those whose hands were ever counted."""
    return [(player.name, player.seat.hand.mean) for player in known if player.seat.hand.mean is not None]


def shown(tally: Tally, language: str) -> str:
    return "" if tally.mean is None else in_figures(tally.mean, language)


def lines_of(past: PastGame) -> Iterator[dict[str, object]]:
    """One line a side."""
    summary, figures = past.summary, past.figures
    for side, score in enumerate(figures.scores):
        margin = figures.margins[side]
        values = (
            *(summary.game, summary.started_at.isoformat(), summary.rules.variant, summary.board),
            *(side, side_name(past, side), score, side == figures.winner, "" if margin is Margin.WIN else margin.value),
        )
        yield dict(zip(COLUMNS, values, strict=True))


def player_line(player: PlayerFigures) -> dict[str, object]:
    values = (player.name, player.games, player.won, player.skunks, player.skunked, *values_of(player.seat))
    return dict(zip(PLAYER_COLUMNS, values, strict=True))


def pairing_line(pairing: Pairing) -> dict[str, object]:
    """Two sides that met, with `won`, `skunks` and the figures of each."""
    figures = [dict(zip(FIGURES, values_of(seat), strict=True)) for seat in pairing.figures]
    return {"sides": pairing.sides, "won": pairing.won, "skunks": pairing.skunks, "figures": figures}


def values_of(seat: SeatFigures) -> tuple[float | int | None, ...]:
    """In the order of FIGURES."""
    return (seat.hand.mean, seat.crib.mean, seat.play.mean, seat.missed, seat.given, seat.caught)


def sheet_of(columns: Sequence[str], lines: Sequence[dict[str, object]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    writer.writerows({name: harmless(value) for name, value in line.items()} for line in lines)
    return text.getvalue()


def harmless(value: object) -> object:
    """A spreadsheet takes some texts for formulas; a name is none."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value


def taken_along(text: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, mimetype=kind, headers=headers)
