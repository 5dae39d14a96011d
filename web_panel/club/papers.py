"""The papers of a night: scorecards, pairings, results and standings.

A browser prints them, on A4 or Letter. The same sheets make a file of their own for `cribboard club print`.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple

from flask import Blueprint, Flask, request

from firmware_host.club import decide as d
from firmware_host.club.events import BracketKind
from firmware_host.club.honours import HIGH_HANDS, grand_slams, high_hands
from firmware_host.club.members import MemberId
from firmware_host.club.papers import (
    CardRow,
    Paper,
    PaperSize,
    blank_rows,
    card_rows,
    cards_a_sheet,
    known_sums,
    tables_by_name,
)
from firmware_host.club.remarks import missing_results, remark
from firmware_host.club.standings import Standing, Sums, qualifiers, standings
from firmware_host.club.state import Club, Night
from firmware_host.club_server.acc_points import acc_points, first_of_lower_half
from firmware_host.config.languages import translator
from firmware_host.ui.translator import Translator
from web_panel.club.rendering import render_club
from web_panel.club.shared_club import SharedClub
from web_panel.errors import Problem
from web_panel.language import LANGUAGE_KEY, language_now
from web_panel.pages.scorecard import signed
from web_panel.pages.style_sheets import FOLDER as STYLES
from web_panel.rendering import render

SIZES: Mapping[str, str] = {PaperSize.A4.value: "A4", PaperSize.LETTER.value: "Letter"}
"""Names of sizes are the same in every language."""


def titles(tr: Translator) -> Mapping[str, str]:
    """Paper -> its name for people."""
    return {
        Paper.SCORECARDS.value: tr("Scorecards"),
        Paper.BLANK_SCORECARDS.value: tr("Blank scorecards"),
        Paper.PAIRINGS.value: tr("Pairings"),
        Paper.RESULTS.value: tr("Results"),
        Paper.STANDINGS.value: tr("Standings"),
        Paper.PLAY_OFFS.value: tr("Play-offs"),
    }


class Card(NamedTuple):
    """A scorecard on paper. `sums` is None until every game is known: then they are written by hand."""

    member: MemberId | None
    rows: tuple[CardRow, ...]
    sums: Sums | None = None


def cards_of(night: Night) -> tuple[Card, ...]:
    """A card for each player, in the order of entry."""
    return tuple(_card(night, member) for member in night.entrants)


def _card(night: Night, member: MemberId) -> Card:
    return Card(member, card_rows(night, member), known_sums(night, member))


def blank_cards(night: Night | None) -> tuple[Card, ...]:
    """One sheet of cards without a name."""
    rows = blank_rows(night)
    return (Card(None, rows),) * cards_a_sheet(len(rows))


def _qualifiers(night: Night) -> tuple[Standing, ...]:
    """The standings of those who play the play-offs, the best first: as they were drawn, or as they would be now."""
    rows = {row.member: row for row in standings(night)}
    bracket = night.brackets.get(BracketKind.MAIN)
    return tuple(rows[member] for member in (bracket.seeds if bracket else qualifiers(night).members))


def paper_context(club: Club, night: Night | None, paper: Paper, size: PaperSize, tr: Translator) -> dict[str, object]:
    """What the template of the sheets reads."""
    cards = blank_cards(night) if paper is Paper.BLANK_SCORECARDS or night is None else cards_of(night)
    return {
        "printed_night": night,
        "paper": paper.value,
        "title": titles(tr)[paper.value],
        "size": size.value,
        "cards": cards,
        "cards_a_sheet": cards_a_sheet(len(cards[0].rows)) if cards else 1,
        **(_night_context(club, night, tr) if night else {}),
    }


def _night_context(club: Club, night: Night, tr: Translator) -> dict[str, object]:
    points = acc_points()
    chosen = _qualifiers(night)
    return {
        "standings": standings(night),
        "missing_results": tuple(missing_results(night, tr)),
        "grass_roots": points.grass_roots,
        "grand_slams": grand_slams(night),
        "high_hands": high_hands(night),
        "by_name": tables_by_name(club, night),
        "qualifiers": chosen,
        "lower_half": first_of_lower_half(len(chosen)),
        "master_points": points.master_points,
    }


def paper_file(club: Club, night: Night | None, paper: Paper, size: PaperSize, language: str) -> str:
    """A page of its own, which needs no other file: open it in a browser and print it."""
    style = "\n".join((STYLES / f"{name}.css").read_text(encoding="utf-8") for name in ("tokens", "papers"))
    with Flask("web_panel").test_request_context(query_string={LANGUAGE_KEY: language}):
        tr = translator(language)
        return render(
            "club_paper_file.html",
            style=style,
            club=club,
            remark=lambda game: remark(club, game, tr),
            signed=signed,
            **paper_context(club, night, paper, size, tr),
        )


def make_papers(shared: SharedClub) -> Blueprint:
    """The list of papers, and each of them. `?paper=letter` is the size, `?night=2` an earlier night."""
    views = Blueprint("club_papers", __name__)

    @views.get("/papers")
    def papers() -> str:
        club = shared.club
        night = _night_asked(club)
        return render_club(
            "club_papers.html",
            club,
            printed_night=night,
            titles=titles(translator(language_now())),
            sizes=SIZES,
            points=HIGH_HANDS,
            high_hands=high_hands(night) if night else (),
        )

    @views.get("/papers/<name>")
    def paper(name: str) -> str:
        club = shared.club
        known = {each.value: each for each in Paper}
        if name not in known:
            raise Problem(HTTPStatus.NOT_FOUND, "no such paper")
        context = paper_context(club, _night_asked(club), known[name], _size_asked(), translator(language_now()))
        return render_club("club_paper.html", club, sizes=SIZES, **context)

    return views


def _night_asked(club: Club) -> Night | None:
    """The night of the query string, else the latest; None before the first. Raises NoNight."""
    return d.night_of(club, request.args.get("night", None, int)) if club.nights else None


def _size_asked() -> PaperSize:
    names = {size.value: size for size in PaperSize}
    return names.get(request.args.get("paper", ""), PaperSize.A4)
