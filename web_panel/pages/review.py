"""The review of a finished game: accuracy, the moments that decided it, and each choice beside the best one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus

from flask import Blueprint, Response, make_response, request

from firmware_host.config.languages import translator
from firmware_host.host.loop import Host
from firmware_host.stats.archive import Archive, PastGame
from firmware_host.stats.result import result_of
from firmware_host.stats.reviews import Reviews
from web_panel.api.games import CURRENT, find_game
from web_panel.language import format_number, language_now
from web_panel.rendering import render
from web_panel.views.result import result_view
from web_panel.views.review import ReviewView

MAX_GAMES = 12
"""Number of finished games that are listed."""
WAIT_S = 0.5
"""How long a request waits for a review that is being made. Then the page says so, and asks again."""


def make_review(host: Host, archive: Archive, reviews: Callable[[], Reviews]) -> Blueprint:
    """The page /review. Without a number it shows the game that was finished last on this board."""
    pages = Blueprint("review", __name__)

    @pages.get("/review")
    def review() -> Response:
        games = archive.query(lambda past: past.finished_games(MAX_GAMES))
        number = request.args.get("game", "") or default_game(host, games)
        found = find_game(host, archive, number) if number else None
        if found is None or not found.is_finished:
            return make_response(render("review.html", result=None, games=games))
        tr = translator(language_now())
        result = result_of(found.turns)
        made = reviews().find(game_number(archive, number), WAIT_S)
        page = render(
            "review.html",
            number=number,
            is_dealt=found.table.is_dealt,
            result=result_view(result, tr),
            review=None
            if made is None
            else ReviewView(result, made, tr, partial(format_number, language=language_now())),
            games=games,
        )
        return make_response(page, HTTPStatus.ACCEPTED if made is None else HTTPStatus.OK)

    return pages


def default_game(host: Host, games: Sequence[PastGame]) -> str:
    """The current game if it is over, else the last finished one; empty without any."""
    table = host.snapshot.table
    if table is not None and table.winner is not None:
        return CURRENT
    return str(games[0].summary.game) if games else ""


def game_number(archive: Archive, number: str) -> int:
    """The number in the journal of a game that was found."""
    return archive.ask(lambda journal, _: journal.last_game) if number == CURRENT else int(number)
