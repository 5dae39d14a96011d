"""The review of a finished game: each discard against the best one, and each point that was missed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from flask import Blueprint, request
from msgspec import Struct

from firmware_host.config.languages import translator
from firmware_host.host.loop import Host
from firmware_host.stats.archive import Archive, PastGame
from firmware_host.stats.result import GameResult, result_of
from firmware_host.stats.review import ReviewedDiscard, discards_of, seat_review, shown_deals
from firmware_host.ui.translator import Translator
from web_panel.api.games import CURRENT, FoundGame, find_game
from web_panel.language import format_number, language_now
from web_panel.rendering import render
from web_panel.views.result import Json, discard_view, missed_view, result_view, seat_summary

MAX_GAMES = 12
"""Number of finished games that are listed."""


class ReviewedDeal(Struct, frozen=True):
    """What is known of one deal."""

    number: int
    discards: Sequence[Json]
    missed: Sequence[Json]


def make_review(host: Host, archive: Archive) -> Blueprint:
    """The page /review. Without a number it shows the game that was finished last on this board."""
    pages = Blueprint("review", __name__)

    @pages.get("/review")
    def review() -> str:
        games = archive.query(lambda past: past.finished_games(MAX_GAMES))
        number = request.args.get("game", "") or default_game(host, games)
        found = find_game(host, archive, number) if number else None
        if found is None or not found.is_finished:
            return render("review.html", result=None, games=games)
        tr = translator(language_now())
        result = result_of(found.turns)
        discards = discards_shown(found)
        return render(
            "review.html",
            number=number,
            result=result_view(result, tr),
            summaries=list(summaries(result, discards, tr)),
            deals=list(deals(result, discards, tr)),
            games=games,
        )

    return pages


def discards_shown(found: FoundGame) -> tuple[ReviewedDiscard, ...]:
    """The discards that everybody may see. Undo can go back into the latest game, so a hand of it that was not shown
    stays hidden until the next game begins."""
    discards = discards_of(found.turns)
    if not found.is_latest:
        return discards
    shown = shown_deals(found.turns)
    return tuple(discard for discard in discards if discard.deal in shown)


def default_game(host: Host, games: Sequence[PastGame]) -> str:
    """The current game if it is over, else the last finished one; empty without any."""
    table = host.snapshot.table
    if table is not None and table.winner is not None:
        return CURRENT
    return str(games[0].summary.game) if games else ""


def format_mean(points: float, language: str) -> str:
    """Mean points with two digits, in the way of the language."""
    return format_number(points, language, 2)


def summaries(result: GameResult, discards: Sequence[ReviewedDiscard], tr: Translator) -> Iterator[str]:
    """A sentence for each player whose discards are known."""
    write = partial(format_mean, language=language_now())
    for seat in result.rules.seats:
        summed = seat_review(discards, seat)
        if summed.discards:
            yield seat_summary(result.names[seat], summed, tr, write)


def deals(result: GameResult, discards: Sequence[ReviewedDiscard], tr: Translator) -> Iterator[ReviewedDeal]:
    """The deals in which something can be said."""
    write = partial(format_mean, language=language_now())
    for number in range(1, result.deals + 1):
        own = [discard_view(each, result.names, tr, write) for each in discards if each.deal == number]
        missed = [missed_view(each, result.names, tr) for each in result.missed if each.deal == number]
        if own or missed:
            yield ReviewedDeal(number, own, missed)
