"""The pages of a club night."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from urllib.parse import urlsplit

from flask import Blueprint, Response, g, json, redirect, request
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from firmware_host.club import decide as d
from firmware_host.club.bracket import BEST_OF
from firmware_host.club.history import entries
from firmware_host.club.list_file import code_page
from firmware_host.club.members import Member
from firmware_host.club.records import BOM, DELIMITERS, night_csv, night_record
from firmware_host.club.standings import qualifiers
from firmware_host.club.state import Club, Night
from firmware_host.club_server.live_boards import LiveBoards
from firmware_host.config.languages import translator
from firmware_host.cribbage.names import search_key
from web_panel.club.access import Sessions
from web_panel.club.audit import AuditQuery, topics_in_words
from web_panel.club.live_tables import live_tables
from web_panel.club.players import key_now, player_of
from web_panel.club.rendering import render_club, usual_delimiter
from web_panel.club.room import room_of
from web_panel.club.shared_club import SharedClub
from web_panel.language import language_now
from web_panel.pages.board import revalidated
from web_panel.qr_code import qr_code
from web_panel.security.allowed_hosts import is_loopback

EVENTS_A_PAGE = 100


class ClubPages(Struct, frozen=True):
    """What the pages read and change. `address` is where spectators find the screen of the room; `live`: how
    the boards are now."""

    shared: SharedClub
    sessions: Sessions
    address: str
    live: LiveBoards


def absent_by_name(club: Club) -> list[Member]:
    """Members and guests who do not play tonight, or not yet."""
    present = club.nights[-1].present if club.nights else ()
    absent = (member for member in club.current_members if member.id not in present)
    return sorted(absent, key=lambda member: search_key(member.name))


def make_pages(pages: ClubPages) -> Blueprint:
    """Every page, and what they download."""
    views = Blueprint("club_pages", __name__)
    show_room = partial(render_room, pages, how_to_join(pages.address))
    views.add_url_rule("/", "room", partial(show_room, "club_room.html"))
    views.add_url_rule("/room", "room_part", lambda: as_part(show_room("club_room_part.html")))
    views.add_url_rule("/me", "me", partial(me, pages))
    views.add_url_rule("/me/part", "me_part", partial(me_part, pages))
    views.add_url_rule("/login", "login", partial(login, pages))
    views.add_url_rule("/organiser", "organiser", partial(organiser, pages))
    views.add_url_rule("/members", "members", partial(members, pages))
    views.add_url_rule("/play-offs", "playoffs", partial(playoffs, pages))
    views.add_url_rule("/audit", "audit", partial(audit, pages))
    views.add_url_rule("/night.csv", "as_csv", partial(night_as_csv, pages))
    views.add_url_rule("/night.json", "as_json", partial(night_as_json, pages))
    return views


def how_to_join(address: str) -> Mapping[str, object]:
    """What the screen of the room says to phones: the address, whether only this computer can open it, its QR code."""
    is_local = is_loopback(urlsplit(address).hostname or "")
    return {"address": address, "is_local": is_local, "qr": qr_code(f"{address}me")}


def render_room(pages: ClubPages, joining: Mapping[str, object], template: str) -> str:
    """The screen of the room, or a part of it. `joining`: see `how_to_join`."""
    club = pages.shared.club
    return render_club(template, club, room=room_of(club), live=live_tables(club, pages.live.boards), **joining)


def as_part(html: str) -> Response:
    """HTML that a script of the page asks for again and again; an unchanged one is 304."""
    return revalidated(html.encode(), "text/html")


def me(pages: ClubPages) -> str:
    """The page of the player whose phone asks, or how a phone becomes that of a player."""
    club = pages.shared.club
    return render_club("club_me.html", club, me=player_of(club, key_now()))


def me_part(pages: ClubPages) -> Response:
    """What changes on the page of a player."""
    club = pages.shared.club
    return as_part(render_club("club_me_part.html", club, me=player_of(club, key_now())))


def login(pages: ClubPages) -> str | AnyResponse:
    """The log-in form; who is logged in goes on to the organiser's page."""
    if g.account:
        return redirect("/organiser")
    return render_club("club_login.html", pages.shared.club, then="/organiser")


def organiser(pages: ClubPages) -> Response:
    """The night as organisers and scorekeepers run it."""
    club = pages.shared.club
    return as_part(
        render_club(
            "club_organiser.html",
            club,
            room=room_of(club),
            live=live_tables(club, pages.live.boards),
            today=date.today().isoformat(),
            absent=absent_by_name(club),
            number=_round_asked(club),
        )
    )


def members(pages: ClubPages) -> str:
    """Members and guests."""
    return render_club("club_members.html", pages.shared.club, code_page=code_page(language_now()))


def playoffs(pages: ClubPages) -> str:
    """The brackets of the night, and who could be drawn into one."""
    club = pages.shared.club
    return render_club(
        "club_playoffs.html",
        club,
        qualifiers=qualifiers(club.nights[-1]) if club.nights else None,
        best_of=BEST_OF,
        live=live_tables(club, pages.live.boards),
        candidates=d.candidates,
        usual_seeds=d.usual_seeds,
    )


def audit(pages: ClubPages) -> str:
    """One page of the events that the filters leave, the newest first."""
    club = pages.shared.club
    tr = translator(language_now())
    asked = AuditQuery.of_request(len(club.nights))
    rows = ((record.seq, record.written_at, record.event) for record in pages.shared.records)
    found = [each for each in entries(rows, asked.night, tr) if asked.matches(each)]
    last_page = max(1, -(-len(found) // EVENTS_A_PAGE))
    page = min(last_page, max(1, request.args.get("page", 1, int)))
    return render_club(
        "club_audit.html",
        club,
        entries=found[::-1][(page - 1) * EVENTS_A_PAGE : page * EVENTS_A_PAGE],
        page=page,
        pages=last_page,
        asked=asked,
        topics=topics_in_words(tr),
        people=sorted(club.members.values(), key=lambda member: search_key(member.name)),
    )


def night_as_csv(pages: ClubPages) -> Response:
    """The night for a spreadsheet. `?delimiter=` names another delimiter than that of the language."""
    asked = request.args.get("delimiter", "")
    delimiter = asked if asked in DELIMITERS else usual_delimiter()
    return _download(pages.shared.club, lambda club, night: BOM + night_csv(club, night, delimiter), "csv", "text/csv")


def night_as_json(pages: ClubPages) -> Response:
    """The night for other programs."""

    def write(club: Club, night: Night) -> str:
        return json.dumps(night_record(club, night))

    return _download(pages.shared.club, write, "json", "application/json")


def _round_asked(club: Club) -> int:
    """The round of the query string; 0: the one on the screen."""
    asked = request.args.get("round", 0, int)
    return asked if club.nights and 1 <= asked <= len(club.nights[-1].rounds) else 0


def _download(club: Club, write: Callable[[Club, Night], str], ending: str, mimetype: str) -> Response:
    night = d.night_of(club, request.args.get("night", None, int))
    response = Response(f"{write(club, night)}\n", mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="club-night-{night.number}.{ending}"'
    return response
