"""The pages of the nights: all of them with the season, and each with its standings and its movement chart."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

from flask import Blueprint, request

from firmware_host.club import decide as d
from firmware_host.club.standings import SeasonSettings, season_standings, standings
from web_panel.club.rendering import render_club
from web_panel.club.shared_club import SharedClub

MOST_PLACES = 50


def make_nights(shared: SharedClub) -> Blueprint:
    """The list with the season, and each night."""
    views = Blueprint("club_nights", __name__)

    @views.get("/nights")
    def nights() -> str:
        club = shared.club
        asked = season_asked()
        return render_club("club_nights.html", club, asked=asked, season=season_standings(club, asked))

    @views.get("/nights/<int:number>")
    def one(number: int) -> str:
        club = shared.club
        shown = d.night_of(club, number)
        return render_club("club_night.html", club, shown=shown, standings=standings(shown))

    return views


def season_asked() -> SeasonSettings:
    """The season that the query string describes; whatever makes no sense in it is left out."""
    points = [part.strip() for part in request.args.get("points", "").split(",")]
    return SeasonSettings(
        _date_asked("from"),
        _date_asked("to"),
        max(0, request.args.get("best", 0, int)),
        tuple(int(part) for part in points[:MOST_PLACES] if part.isascii() and part.isdecimal() and len(part) < 5),
        request.args.get("guests", "") == "on",
    )


def _date_asked(name: str) -> str:
    with suppress(ValueError):
        return date.fromisoformat(request.args.get(name, "")).isoformat()
    return ""
