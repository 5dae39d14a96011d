"""Past games: a list with filters, one game deal by deal, players and opponents."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeVar

from flask import Blueprint, request
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from firmware_host.config.languages import translator
from firmware_host.game.events import ProgramDeals
from firmware_host.game.state import Phase
from firmware_host.host.loop import Host
from firmware_host.stats.archive import Archive, PastGame, PastGames
from firmware_host.stats.deals import deal_figures_of
from firmware_host.stats.past_games import GameFilter
from firmware_host.stats.people import People, UnknownPerson
from firmware_host.stats.people_file import PeopleFile
from firmware_host.stats.review_totals import Accuracy
from firmware_host.stats.statistics import (
    MEAN_HAND,
    HeadToHead,
    Names,
    PlayerFigures,
    Tally,
    figures_of,
)
from firmware_host.storage.document_file import DocumentError
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.translator import Translator
from web_panel.errors import Problem
from web_panel.language import format_number, language_now
from web_panel.pages.average_chart import draw_average_chart
from web_panel.pages.score_chart import draw_score_chart
from web_panel.pages.trend_chart import draw_trend_chart
from web_panel.rendering import render
from web_panel.views.review import percent
from web_panel.views.score_labels import margin_label

if TYPE_CHECKING:
    from firmware_host.stats.reviews import Reviews

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

PAGE = 30
"""Number of games on one page of the list."""
TREND_GAMES = 30
"""Number of a player's latest games in the chart of average hands."""
FILTERS = ("player", "variant", "since", "until")


class Source(Struct, frozen=True):
    """Where past games and the names of people are read."""

    archive: Archive
    host: Host
    people_file: PeopleFile

    def ask(self, question: Callable[[PastGames], Answer], people: People | None = None) -> Answer:
        """The answer of the archive, without the game that is on. `people`: the merged names, read if they are not
        given."""
        if people is None:
            people = people_and_notice(self.people_file, translator(language_now()))[0]
        return self.archive.query(question, people, hides_latest=is_game_on(self.host))


def make_history(archive: Archive, host: Host, people_file: PeopleFile, reviews: Callable[[], Reviews]) -> Blueprint:
    """The pages of past games, of one game, of a player and of two opponents.

    Players are people: a game is listed under their names, whatever names they played under. The game that is on is
    in no list, and neither are games that were left without a score.
    """
    source = Source(archive, host, people_file)
    pages = Blueprint("history", __name__)
    pages.add_url_rule("/history", "history", partial(history, source))
    pages.add_url_rule("/history/<int:game>", "one_game", partial(one_game, source))
    pages.add_url_rule("/player", "player", lambda: player(source, reviews()))
    pages.add_url_rule("/head-to-head", "head_to_head", partial(head_to_head, source))
    return pages


def history(source: Source) -> str:
    """The list of past games, and averages."""
    language = language_now()
    people, notice = people_and_notice(source.people_file, translator(language))
    page = source.ask(partial(list_page, chosen=filter_of(request.args), page=request.args.get("page", "")), people)
    means = average_hands(page.players)
    return render(
        "history.html",
        **fields_of(page),
        query={key: text for key in FILTERS if (text := request.args.get(key, ""))},
        means=Markup(draw_average_chart(means, MEAN_HAND, language)) if means else "",
        notice=notice,
        mean_hand=format_number(MEAN_HAND, language, 2),
        shown=lambda tally: shown(tally, language),
        outcome=lambda past, side: outcome(past, side, translator(language)),
    )


def one_game(source: Source, game: int) -> str:
    """One past game, deal by deal."""
    language = language_now()
    past = source.ask(lambda past: past.game(game))
    if past is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"expected the number of a past game, got {game}")
    with source.archive.open_reader() as journal:
        turns = journal.turns_of(game)
    deals = deal_figures_of(turns)
    past = replace(past, figures=replace(figures_of(turns), names=past.figures.names))
    return render(
        "game.html",
        past=past,
        deals=deals,
        is_dealt=any(isinstance(event, ProgramDeals) for turn in turns for event in turn),
        chart=chart(past, translator(language)),
        names=[side_name(past, side) for side in range(len(past.figures.scores))],
        pretty=with_suit_symbol,
        shown=lambda tally: shown(tally, language),
        outcome=lambda side: outcome(past, side, translator(language)),
    )


def player(source: Source, reviews: Reviews) -> str:
    """The games and figures of one player."""
    name = request.args.get("name", "")
    language = language_now()
    page = source.ask(partial(player_page, name=name))
    if page is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"expected a player of a past game, got {name!r}")
    reviews.begin_all()
    means = [mean for _, mean in page.trend]
    return render(
        "player.html",
        player=page.player,
        games=page.games,
        meetings=page.meetings,
        accuracy=page.accuracy,
        percent=percent(page.accuracy.share),
        trend=Markup(draw_trend_chart(means, MEAN_HAND, language)) if len(means) > 1 else "",
        means=[(past, format_number(mean, language)) for past, mean in page.trend],
        mean_hand=format_number(MEAN_HAND, language, 2),
        shown=lambda tally: shown(tally, language),
        outcome=lambda past, side: outcome(past, side, translator(language)),
    )


def head_to_head(source: Source) -> str:
    """The games of two sides against each other."""
    one, other = (request.args.getlist(key) for key in ("one", "other"))
    meeting, games = source.ask(lambda past: meeting_page(past, past.sides_of(one, other)))
    if meeting is None:
        raise Problem(HTTPStatus.NOT_FOUND, "expected two sides that played each other")
    language = language_now()
    return render(
        "head_to_head.html",
        meeting=meeting,
        games=games,
        shown=lambda tally: shown(tally, language),
        outcome=lambda past, side: outcome(past, side, translator(language)),
    )


def is_game_on(host: Host) -> bool:
    """Whether the latest game of the journal is under way, and therefore in no list."""
    table = host.snapshot.table
    return table is not None and not table.is_demo and table.phase is not Phase.OVER


class ListPage(Struct, frozen=True):
    """One page of the list of games, and what is beside it. `total` counts the games that the filter lists."""

    chosen: GameFilter
    games: tuple[PastGame, ...]
    total: int
    page: int
    pages: int
    has_games: bool
    variants: tuple[str, ...]
    players: tuple[PlayerFigures, ...]
    head_to_heads: tuple[HeadToHead, ...]


def list_page(past: PastGames, chosen: GameFilter, page: str) -> ListPage:
    """The page of the list with this number, from 1 to the last one."""
    total = past.number_of(chosen)
    variants = past.variants
    number = page_number(page, total, PAGE)
    games = past.games(chosen, PAGE, (number - 1) * PAGE)
    beside = bool(variants), variants, past.players(), past.head_to_heads()
    return ListPage(chosen, games, total, number, -(-total // PAGE), *beside)


class PlayerPage(Struct, frozen=True):
    """One player. `trend` has the latest games with hands, the earliest first, with the average hand of each."""

    player: PlayerFigures
    games: tuple[PastGame, ...]
    meetings: tuple[HeadToHead, ...]
    trend: tuple[tuple[PastGame, float], ...]
    accuracy: Accuracy


def player_page(past: PastGames, name: str) -> PlayerPage | None:
    """The page of the person with this name; None without a game."""
    try:
        person = past.persons.person(name)
    except UnknownPerson:
        return None
    player = past.player(person)
    if player is None:
        return None
    trend = past.games_with_hands(person, TREND_GAMES)[::-1]
    return PlayerPage(
        player, past.games(GameFilter(name), PAGE), past.head_to_heads(person), trend, past.accuracy(person)
    )


def meeting_page(past: PastGames, sides: tuple[Names, Names]) -> tuple[HeadToHead | None, tuple[PastGame, ...]]:
    """The totals of two sides, and their latest games."""
    return past.head_to_head(sides), past.games_between(sides, PAGE)


def people_and_notice(people_file: PeopleFile, tr: Translator) -> tuple[People, str]:
    """The merged names, and "". If their file is damaged: no merged names, and a sentence that says so."""
    try:
        return people_file.read(), ""
    except DocumentError as error:
        log.warning("%s", error)
        return People(), tr("Merged names cannot be read, so each name counts as one player.")


def fields_of(page: Struct) -> dict[str, object]:
    """The fields of a page by name, for its template."""
    return {name: getattr(page, name) for name in page.__struct_fields__}


def filter_of(args: Mapping[str, str]) -> GameFilter:
    """The filter in the query string. A date that is none is left out."""
    since, until = (day_of(args.get(key, "")) for key in ("since", "until"))
    return GameFilter(args.get("player", ""), args.get("variant", ""), since, until)


def day_of(text: str) -> date | None:
    """The date in ISO 8601; None for any other text."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def page_number(text: str, items: int, size: int) -> int:
    """The number of the page that was asked for, from 1 to the last one of so many items."""
    wanted = int(text) if text.isdecimal() and len(text) < 6 else 1
    return max(1, min(wanted, -(-items // size)))


def chart(past: PastGame, tr: Translator) -> Markup:
    """The chart of one game; empty if no peg was moved."""
    figures = past.figures
    if len(figures.score_history) == 1:
        return Markup()
    names = [side_name(past, side) for side in range(len(figures.scores))]
    return Markup(draw_score_chart(names, figures.score_history, figures.rules.target, figures.rules.skunk_lines, tr))


def side_name(past: PastGame, side: int) -> str:
    """The players of a side: "Ann & Cat"."""
    return " & ".join(past.figures.names_of(side))


def outcome(past: PastGame, side: int, tr: Translator) -> str:
    """How the game ended for a side; empty for an unfinished game, and for a loss without a skunk."""
    if past.figures.winner is None:
        return ""
    return tr("won") if side == past.figures.winner else margin_label(past.figures.margins[side], tr)


def average_hands(known: Sequence[PlayerFigures]) -> list[tuple[str, float]]:
    """Player and average hand, for players whose hands were counted."""
    return [(player.name, player.seat.hand.mean) for player in known if player.seat.hand.mean is not None]


def shown(tally: Tally, language: str) -> str:
    """The mean of a tally as a number of the language; empty without one."""
    return "" if tally.mean is None else format_number(tally.mean, language)
