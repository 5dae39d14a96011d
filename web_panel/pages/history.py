"""Past games: a list with filters, one game deal by deal, players, opponents; and downloads as CSV and JSON."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from http import HTTPStatus

from flask import Blueprint, Response, json, request
from markupsafe import Markup

from firmware_host.config.languages import translator
from firmware_host.cribbage.rules import Margin
from firmware_host.game.state import Phase
from firmware_host.host.loop import Host
from firmware_host.stats.archive import Archive, PastGame
from firmware_host.stats.deals import deals_of
from firmware_host.stats.people import People, Roster
from firmware_host.stats.people_file import PeopleFile, PeopleFileError
from firmware_host.stats.statistics import (
    MEAN_HAND,
    HeadToHead,
    PlayerFigures,
    SeatFigures,
    Tally,
    figures_of,
    head_to_heads,
    players,
)
from firmware_host.ui.messages import with_suit_symbol
from firmware_host.ui.translator import Translator
from web_panel.errors import Problem
from web_panel.language import format_number, language_now
from web_panel.pages.average_chart import draw_average_chart
from web_panel.pages.score_chart import draw_score_chart
from web_panel.pages.trend_chart import draw_trend_chart
from web_panel.rendering import render
from web_panel.views.score_labels import margin_label

log = logging.getLogger(__name__)

PAGE = 30
"""Number of games on one page of the list."""
TREND_GAMES = 30
"""Number of a player's latest games in the chart of average hands."""
FILTERS = ("player", "variant", "since", "until")

COLUMNS = ("game", "started_at", "variant", "board", "side", "names", "score", "won", "margin")
STATISTICS = ("mean_hand", "mean_crib", "mean_play", "missed", "given", "caught")
PLAYER_COLUMNS = ("name", "games", "won", "skunks", "skunked", *STATISTICS)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which games to list. Empty texts and None leave everything in."""

    player: str = ""
    variant: str = ""
    since: date | None = None
    until: date | None = None

    def has(self, past: PastGame) -> bool:
        """Whether the game is listed."""
        day = past.summary.started_at.date()
        return (
            (not self.player or self.player in past.summary.names)
            and (not self.variant or self.variant == past.summary.rules.variant)
            and (self.since is None or self.since <= day)
            and (self.until is None or day <= self.until)
        )


def make_history(archive: Archive, host: Host, people_file: PeopleFile) -> Blueprint:
    """The pages of past games, of one game, of a player and of two opponents, and the downloads.

    Players are people: a game is listed under their names, whatever names they played under.
    """
    pages = Blueprint("history", __name__)

    def past_games() -> list[PastGame]:
        """The games that are over, or were left with a score; the game that is on is not among them."""
        table = host.snapshot.table
        is_on = table is not None and not table.is_demo and table.phase is not Phase.OVER
        games = archive.games()
        return [past for past in games[is_on:] if past.summary.winner is not None or any(past.figures.scores)]

    def games_of_people() -> list[PastGame]:
        return of_people(past_games(), people_and_notice(people_file, translator(language_now()))[0])

    @pages.get("/history")
    def history() -> str:
        language = language_now()
        people, notice = people_and_notice(people_file, translator(language))
        games, chosen = of_people(past_games(), people), filter_of(request.args)
        listed = [past for past in games if chosen.has(past)]
        number = page_number(request.args.get("page", ""), len(listed))
        known = players(past.figures for past in games)
        return render(
            "history.html",
            games=listed[(number - 1) * PAGE : number * PAGE],
            total=len(listed),
            has_games=bool(games),
            page=number,
            pages=-(-len(listed) // PAGE),
            chosen=chosen,
            query={key: text for key in FILTERS if (text := request.args.get(key, ""))},
            variants=sorted({past.summary.rules.variant for past in games}),
            players=known,
            head_to_heads=head_to_heads(past.figures for past in games),
            means=Markup(draw_average_chart(average_hands(known), MEAN_HAND, language)) if average_hands(known) else "",
            notice=notice,
            mean_hand=format_number(MEAN_HAND, language, 2),
            shown=lambda tally: shown(tally, language),
            outcome=lambda past, side: outcome(past, side, translator(language)),
        )

    @pages.get("/history/<int:game>")
    def one_game(game: int) -> str:
        language = language_now()
        past = find_game(games_of_people(), game)
        with archive.open_reader() as journal:
            turns = journal.turns_of(game)
        deals, past = deals_of(turns), replace(past, figures=replace(figures_of(turns), names=past.figures.names))
        return render(
            "game.html",
            past=past,
            deals=deals,
            chart=chart(past, translator(language)),
            names=[side_name(past, side) for side in range(len(past.figures.scores))],
            pretty=with_suit_symbol,
            shown=lambda tally: shown(tally, language),
            outcome=lambda side: outcome(past, side, translator(language)),
        )

    @pages.get("/player")
    def player() -> str:
        name, language = request.args.get("name", ""), language_now()
        games = [past for past in games_of_people() if name in past.summary.names]
        found = next((each for each in players(past.figures for past in games) if each.name == name), None)
        if found is None:
            raise Problem(HTTPStatus.NOT_FOUND, f"expected a player of a past game, got {name!r}")
        trend = hands_by_game(games, name)[:TREND_GAMES][::-1]
        return render(
            "player.html",
            player=found,
            games=games[:PAGE],
            meetings=[
                each for each in head_to_heads(past.figures for past in games) if any(name in s for s in each.sides)
            ],
            trend=Markup(draw_trend_chart([mean for _, mean in trend], MEAN_HAND, language)) if len(trend) > 1 else "",
            means=[(past, format_number(mean, language)) for past, mean in trend],
            mean_hand=format_number(MEAN_HAND, language, 2),
            shown=lambda tally: shown(tally, language),
            outcome=lambda past, side: outcome(past, side, translator(language)),
        )

    @pages.get("/head-to-head")
    def head_to_head() -> str:
        sides = tuple(sorted(tuple(sorted(request.args.getlist(key))) for key in ("one", "other")))
        games, language = games_of_people(), language_now()
        meeting = next((each for each in head_to_heads(past.figures for past in games) if each.sides == sides), None)
        if meeting is None:
            raise Problem(HTTPStatus.NOT_FOUND, "expected two sides that played each other")
        return render(
            "head_to_head.html",
            meeting=meeting,
            games=[past for past in games if set(sides) <= {tuple(sorted(side)) for side in past.summary.sides}][:PAGE],
            shown=lambda tally: shown(tally, language),
            outcome=lambda past, side: outcome(past, side, translator(language)),
        )

    @pages.get("/history.csv")
    def as_csv() -> Response:
        lines = [line for past in archive.games() for line in lines_of(past)]
        return download(csv_of(COLUMNS, lines), "text/csv", "cribboard.csv")

    @pages.get("/players.csv")
    def players_as_csv() -> Response:
        lines = [
            player_line(player)
            for player in players(past.figures for past in of_people(archive.games(), people_file.read()))
        ]
        return download(csv_of(PLAYER_COLUMNS, lines), "text/csv", "cribboard-players.csv")

    @pages.get("/history.json")
    def as_json() -> Response:
        games = archive.games()
        figures = [past.figures for past in of_people(games, people_file.read())]
        content = {
            "games": [line for past in games for line in lines_of(past)],
            "players": [player_line(player) for player in players(figures)],
            "head_to_heads": [head_to_head_line(meeting) for meeting in head_to_heads(figures)],
        }
        return download(json.dumps(content, ensure_ascii=False, indent=1), "application/json", "cribboard.json")

    return pages


def people_and_notice(people_file: PeopleFile, _: Translator) -> tuple[People, str]:
    """The merged names, and "". If their file is damaged: no merged names, and a sentence that says so."""
    try:
        return people_file.read(), ""
    except PeopleFileError as error:
        log.warning("%s", error)
        return People(), _("Merged names cannot be read, so each name counts as one player.")


def of_people(games: Sequence[PastGame], people: People) -> list[PastGame]:
    """The games with the names of people in place of those they played under."""
    roster = Roster((past.summary for past in games), people)

    def named(past: PastGame) -> PastGame:
        names = tuple(roster.person(name).name for name in past.summary.names)
        return replace(past, summary=replace(past.summary, names=names), figures=replace(past.figures, names=names))

    return [named(past) for past in games]


def filter_of(args: Mapping[str, str]) -> Filter:
    """The filter in the query string. A date that is none is left out."""
    since, until = (day_of(args.get(key, "")) for key in ("since", "until"))
    return Filter(args.get("player", ""), args.get("variant", ""), since, until)


def day_of(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def page_number(text: str, items: int) -> int:
    """The number of the page that was asked for, from 1 to the last one."""
    wanted = int(text) if text.isdecimal() and len(text) < 6 else 1
    return max(1, min(wanted, -(-items // PAGE)))


def find_game(games: Sequence[PastGame], number: int) -> PastGame:
    """The game with this number. Raises Problem (404)."""
    for past in games:
        if past.summary.game == number:
            return past
    raise Problem(HTTPStatus.NOT_FOUND, f"expected the number of a past game, got {number}")


def hands_by_game(games: Sequence[PastGame], name: str) -> list[tuple[PastGame, float]]:
    """The games in which hands of the player were counted, each with their average."""
    means = ((past, past.figures.seats[past.summary.names.index(name)].hand.mean) for past in games)
    return [(past, mean) for past, mean in means if mean is not None]


def chart(past: PastGame, _: Translator) -> Markup:
    """The chart of one game; empty if no peg was moved."""
    figures = past.figures
    if len(figures.score_history) == 1:
        return Markup()
    names = [side_name(past, side) for side in range(len(figures.scores))]
    return Markup(draw_score_chart(names, figures.score_history, figures.rules.target, figures.rules.skunk_lines, _))


def side_name(past: PastGame, side: int) -> str:
    return " & ".join(past.figures.names_of(side))


def outcome(past: PastGame, side: int, _: Translator) -> str:
    """How the game ended for a side; empty for an unfinished game, and for a loss without a skunk."""
    if past.figures.winner is None:
        return ""
    return _("won") if side == past.figures.winner else margin_label(past.figures.margins[side], _)


def average_hands(known: Sequence[PlayerFigures]) -> list[tuple[str, float]]:
    """Player and average hand, for players whose hands were counted."""
    return [(player.name, player.seat.hand.mean) for player in known if player.seat.hand.mean is not None]


def shown(tally: Tally, language: str) -> str:
    return "" if tally.mean is None else format_number(tally.mean, language)


def lines_of(past: PastGame) -> Iterator[dict[str, object]]:
    """One row for each side of the game."""
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


def head_to_head_line(meeting: HeadToHead) -> dict[str, object]:
    """Two sides that played each other, with `won`, `skunks` and the statistics of each."""
    statistics = [dict(zip(STATISTICS, values_of(seat), strict=True)) for seat in meeting.figures]
    return {"sides": meeting.sides, "won": meeting.won, "skunks": meeting.skunks, "statistics": statistics}


def values_of(seat: SeatFigures) -> tuple[float | int | None, ...]:
    """The statistics of a seat in the order of STATISTICS."""
    return (seat.hand.mean, seat.crib.mean, seat.play.mean, seat.missed, seat.given, seat.caught)


def csv_of(columns: Sequence[str], lines: Sequence[dict[str, object]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    writer.writerows({name: without_formula(value) for name, value in line.items()} for line in lines)
    return text.getvalue()


def without_formula(value: object) -> object:
    """The value, quoted if a spreadsheet would run it as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value


def download(text: str, mimetype: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, mimetype=mimetype, headers=headers)
