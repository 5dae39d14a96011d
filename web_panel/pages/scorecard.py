"""The scorecards of players, nine games each, to read, print and download; and the owner's merging of names."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, json, request

from firmware_host.config.languages import translator
from firmware_host.cribbage.rules import Margin
from firmware_host.stats.archive import Archive
from firmware_host.stats.people import People, Person, Roster, UnknownPerson
from firmware_host.stats.people_file import PeopleFile
from firmware_host.stats.scorecard_records import LINE_COLUMNS, card_record, card_rows, names_of, person_record
from firmware_host.stats.scorecards import GAMES_A_CARD, Scorecard, ScorecardLine, scorecards
from firmware_host.ui.translator import Translator
from web_panel.api.json_body import JsonBody, reads_json
from web_panel.errors import Problem
from web_panel.language import language_now
from web_panel.pages.history import csv_of, download, people_and_notice
from web_panel.rendering import render
from web_panel.security.permissions import OWNER, current_visitor
from web_panel.views.score_labels import margin_label

MINUS = "\N{MINUS SIGN}"


def make_scorecard(archive: Archive, people_file: PeopleFile) -> Blueprint:
    """The page /scorecards, its downloads, and the routes that merge names."""
    pages = Blueprint("scorecards", __name__)

    def roster_with(people: People) -> Roster:
        return Roster((past.summary for past in archive.games()), people)

    @pages.get("/scorecards")
    def cards_page() -> str:
        """With `?player=NAME` all cards of a player, the latest first; else the latest card of each player and kind."""
        _ = translator(language_now())
        people, notice = people_and_notice(people_file, _)
        roster = roster_with(people)
        player, cards = requested_player(roster), scorecards(roster)
        return render(
            "scorecard.html",
            cards=cards_of(cards, player)[::-1] if player else latest_cards(cards),
            player=player,
            players=[person for person in roster.persons if any(card.person == person for card in cards)],
            others=[person for person in roster.persons if person != player],
            can_merge=current_visitor().role >= OWNER,
            games_a_card=GAMES_A_CARD,
            names_of=names_of,
            signed=signed,
            notice=notice,
            margin=lambda line: line_label(line, _),
        )

    @pages.get("/scorecards.csv")
    def as_csv() -> Response:
        roster = roster_with(people_file.read())
        rows = [row for card in cards_of(scorecards(roster), requested_player(roster)) for row in card_rows(card)]
        return download(csv_of(LINE_COLUMNS, rows), "text/csv", "cribboard-scorecards.csv")

    @pages.get("/scorecards.json")
    def as_json() -> Response:
        roster = roster_with(people_file.read())
        player = requested_player(roster)
        content = {
            "players": [person_record(person) for person in roster.persons if player in (None, person)],
            "cards": [card_record(card) for card in cards_of(scorecards(roster), player)],
        }
        text = json.dumps(content, ensure_ascii=False, indent=1)
        return download(text, "application/json", "cribboard-scorecards.json")

    @pages.post("/api/v1/people/merge")
    @reads_json(lambda body: (body.text("name"), body.text("other")))
    def merge(names: tuple[str, str]) -> Response:
        """Make two names one person, who is shown by the first name."""
        people_file.change(lambda people: roster_with(people).merge(*names))
        return Response(status=HTTPStatus.NO_CONTENT)

    @pages.post("/api/v1/people/unmerge")
    @reads_json(name)
    def unmerge(name: str) -> Response:
        """Make a merged name a person of its own again."""
        people_file.change(lambda people: people.unmerge(name))
        return Response(status=HTTPStatus.NO_CONTENT)

    return pages


def name(body: JsonBody) -> str:
    """One name. Raises Problem."""
    return body.text("name")


def requested_player(roster: Roster) -> Person | None:
    """The person that `?player=` names; None without it. Raises Problem (404)."""
    requested = request.args.get("player")
    if not requested:
        return None
    try:
        return roster.person(requested)
    except UnknownPerson as refusal:
        raise Problem(HTTPStatus.NOT_FOUND, str(refusal)) from refusal


def cards_of(cards: tuple[Scorecard, ...], player: Person | None) -> tuple[Scorecard, ...]:
    """The cards of one player; all cards for None."""
    return tuple(card for card in cards if player in (None, card.person))


def latest_cards(cards: tuple[Scorecard, ...]) -> list[Scorecard]:
    """The last card of each player and kind of game, sorted by player."""
    latest = {(card.person.key, card.kind): card for card in cards}
    return sorted(latest.values(), key=lambda card: (card.person.key, card.number))


def line_label(line: ScorecardLine, _: Translator) -> str:
    """How a game was won or lost by a skunk; empty for any other game."""
    if not line.is_won:
        return margin_label(line.outcome.margin, _)
    labels = {
        Margin.SKUNK: _("won by a skunk"),
        Margin.LURCH: _("won by a lurch"),
        Margin.DOUBLE_SKUNK: _("won by a double skunk"),
    }
    return labels.get(line.outcome.margin, "")


def signed(holes: int) -> str:
    """A spread with its sign: +12, −12, 0."""
    return f"{holes:+d}".replace("-", MINUS) if holes else "0"
