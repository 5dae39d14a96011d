"""The scorecards of players, nine games each, to read, print and download; and the owner's merging of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from http import HTTPStatus
from typing import TypeVar

from flask import Blueprint, Response, request
from msgspec import Struct

from firmware_host.config.languages import translator
from firmware_host.cribbage.rules import Margin
from firmware_host.stats.archive import Archive, PastGames
from firmware_host.stats.people import Person, UnknownPerson
from firmware_host.stats.people_file import PeopleFile
from firmware_host.stats.scorecard_records import LINE_COLUMNS, Record, card_record, card_rows, names_of, person_record
from firmware_host.stats.scorecards import GAMES_A_CARD, Scorecard, ScorecardLine
from firmware_host.ui.translator import Translator
from web_panel.api.json_body import Body, Text, reads_json
from web_panel.errors import Problem
from web_panel.language import language_now
from web_panel.pages.downloads import Batches, Downloads, csv_pieces, json_pieces
from web_panel.pages.history import fields_of, page_number, people_and_notice
from web_panel.rendering import render
from web_panel.security.permissions import OWNER, current_visitor
from web_panel.views.score_labels import margin_label

PAGE = 10
"""Number of scorecards on one page."""
Part = TypeVar("Part")
MINUS = "\N{MINUS SIGN}"


class OneName(Body, frozen=True):
    """A name of a past game."""

    name: Text


class TwoNames(OneName, frozen=True):
    """A name and another one of the same person."""

    other: Text


def make_scorecard(archive: Archive, people_file: PeopleFile, downloads: Downloads) -> Blueprint:
    """The page /scorecards, its downloads, and the routes that merge names."""
    pages = Blueprint("scorecards", __name__)

    @pages.get("/scorecards")
    def cards_page() -> str:
        """With `?player=NAME` the cards of a player, the latest first; else the latest card of each player and kind."""
        tr = translator(language_now())
        people, notice = people_and_notice(people_file, tr)
        page = archive.query(
            partial(card_page, name=request.args.get("player"), page=request.args.get("page", "")), people
        )
        return render(
            "scorecard.html",
            **fields_of(page),
            others=[person for person in page.everybody if person != page.player],
            can_merge=current_visitor().role >= OWNER,
            games_a_card=GAMES_A_CARD,
            names_of=names_of,
            signed=signed,
            notice=notice,
            margin=lambda line: line_label(line, tr),
        )

    def cards(batches: Batches, records: Callable[[Scorecard], Iterable[Part]]) -> Iterator[list[Part]]:
        """What `records` has for each card that was asked for, a few cards at a time."""
        name = request.args.get("player")

        def of_some(past: PastGames, limit: int, offset: int) -> Iterator[Part]:
            found = past.all_cards(requested_player(past, name), limit, offset)
            return (record for card in found for record in records(card))

        return batches.pages(of_some, PAGE)

    @pages.get("/scorecards.csv")
    def as_csv() -> Response:
        pieces = csv_pieces(LINE_COLUMNS, cards(Batches(archive, people_file), card_rows))
        return downloads.send(pieces, "text/csv", "cribboard-scorecards.csv")

    @pages.get("/scorecards.json")
    def as_json() -> Response:
        name = request.args.get("player")
        batches = Batches(archive, people_file)

        def players(past: PastGames) -> Iterator[Record]:
            player = requested_player(past, name)
            return map(person_record, past.persons.persons if player is None else (player,))

        lists = {"players": batches.once(players), "cards": cards(batches, lambda card: [card_record(card)])}
        return downloads.send(json_pieces(lists.items()), "application/json", "cribboard-scorecards.json")

    @pages.post("/api/v1/people/merge")
    @reads_json(TwoNames)
    def merge(body: TwoNames) -> Response:
        """Make two names one person, who is shown by the first name."""
        people_file.replace(
            lambda people: archive.query(lambda past: past.persons.merge(body.name, body.other), people)
        )
        return Response(status=HTTPStatus.NO_CONTENT)

    @pages.post("/api/v1/people/unmerge")
    @reads_json(OneName)
    def unmerge(body: OneName) -> Response:
        """Make a merged name a person of its own again."""
        people_file.replace(lambda people: people.unmerge(body.name))
        return Response(status=HTTPStatus.NO_CONTENT)

    return pages


class CardPage(Struct, frozen=True):
    """Some cards of `player`, or the latest cards of all players. `players` have cards, `everybody` has played."""

    cards: tuple[Scorecard, ...]
    player: Person | None
    players: tuple[Person, ...]
    everybody: tuple[Person, ...]
    page: int
    pages: int


def card_page(past: PastGames, name: str | None, page: str) -> CardPage:
    """The page of the cards of a player with this number, from 1 to the last one. Raises Problem (404)."""
    player = requested_player(past, name)
    number = 1
    pages = 1
    if player is None:
        cards = past.latest_cards()
    else:
        total = past.number_of_cards(player)
        number = page_number(page, total, PAGE)
        pages = -(-total // PAGE)
        cards = past.cards_of(player, PAGE, (number - 1) * PAGE)
    return CardPage(cards, player, past.persons_with_cards(), past.persons.persons, number, pages)


def requested_player(past: PastGames, name: str | None) -> Person | None:
    """The person with this name; None without a name. Raises Problem (404)."""
    if not name:
        return None
    try:
        return past.persons.person(name)
    except UnknownPerson as refusal:
        raise Problem(HTTPStatus.NOT_FOUND, str(refusal)) from refusal


def line_label(line: ScorecardLine, tr: Translator) -> str:
    """How a game was won or lost by a skunk; empty for any other game."""
    if not line.is_won:
        return margin_label(line.outcome.margin, tr)
    labels = {
        Margin.SKUNK: tr("won by a skunk"),
        Margin.LURCH: tr("won by a lurch"),
        Margin.DOUBLE_SKUNK: tr("won by a double skunk"),
    }
    return labels.get(line.outcome.margin, "")


def signed(holes: int) -> str:
    """A spread with its sign: +12, −12, 0."""
    return f"{holes:+d}".replace("-", MINUS) if holes else "0"
