"""The pages of a club night."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from http import HTTPStatus
from urllib.parse import urlsplit

from flask import Blueprint, Response, g, json, redirect, request
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from firmware_host.club import by_hand as h
from firmware_host.club import decide as d
from firmware_host.club.bracket import BEST_OF
from firmware_host.club.conflicts import conflicts_of
from firmware_host.club.events import BracketKind
from firmware_host.club.history import entries, place_of, why_unmatched
from firmware_host.club.list_file import code_page
from firmware_host.club.members import USUAL_PRESET, Member
from firmware_host.club.records import BOM, DELIMITERS, night_csv, night_record
from firmware_host.club.remarks import open_tables, remark
from firmware_host.club.standings import qualifiers
from firmware_host.club.state import Club, Night
from firmware_host.club_server.live_boards import LiveBoards
from firmware_host.config.languages import translator
from firmware_host.cribbage.names import search_key
from firmware_host.cribbage.variants import PRESETS
from firmware_host.ui.translator import Translator
from web_panel.api.json_body import Body, Text, read_body, reads_json
from web_panel.club.access import COOKIE, ORGANISER, REQUIRED_ROLES, Sessions, may, set_session_cookie
from web_panel.club.audit import AuditQuery, topics_in_words
from web_panel.club.change_body import ChangeBody
from web_panel.club.live_tables import live_tables
from web_panel.club.night_commands import NIGHT
from web_panel.club.players import key_now, match_of, phones_in_use, player_of
from web_panel.club.result_commands import RESULTS
from web_panel.club.room import room_of, state_of
from web_panel.club.shared_club import SharedClub
from web_panel.errors import Problem
from web_panel.language import DECIMAL_COMMA, language_now
from web_panel.pages.board import revalidated
from web_panel.pages.scorecard import signed
from web_panel.pages.setting_texts import CHOICES
from web_panel.qr_code import qr_code
from web_panel.rendering import render
from web_panel.security.allowed_hosts import is_loopback

EVENTS_A_PAGE = 100
PLACES: Mapping[str, Callable[..., object]] = {
    "without_place": h.without_place,
    "bye_holders": h.bye_holders,
    "can_undo": h.can_undo,
    "free_tables": h.free_tables,
}
"""What templates ask about the night, mostly about one of its rounds."""


class ClubPages(Struct, frozen=True):
    """What the pages read and change. `address` is where spectators find the screen of the room; `live`: how
    the boards are now."""

    shared: SharedClub
    sessions: Sessions
    address: str
    live: LiveBoards


def render_club(template: str, club: Club, **context: object) -> str:
    """A template with what all pages of a club need."""
    tr = translator(language_now())
    night = club.nights[-1] if club.nights else None
    return render(
        template,
        club=club,
        night=night,
        account=g.get("account"),
        is_organiser=may(ORGANISER),
        may_use=lambda path: may(REQUIRED_ROLES[f"GET {path}"]),
        **({name: partial(ask, night) for name, ask in PLACES.items()} if night else {}),
        remark=lambda game: remark(club, game, tr),
        place_of=lambda game: place_of(game, tr),
        conflicts=conflicts_of(club, night) if night else (),
        unmatched=lambda conflict: why_unmatched(conflict.sent, tr),
        state_of=state_of,
        match_of=lambda game: match_of(night, game) if night else None,
        open_tables=tuple(open_tables(night.rounds, tr)) if night else (),
        phones=phones_in_use(night) if night else {},
        kinds=BracketKind,
        presets={name: tr(label) for name, label in CHOICES["preset"].items()},
        usual_preset=USUAL_PRESET,
        rules_in_words=rules_in_words(night, tr) if night else "",
        signed=signed,
        usual_delimiter=usual_delimiter(),
        **context,
    )


def rules_in_words(night: Night, tr: Translator) -> str:
    """The name of the preset with the rules of the night, else the variant and how far a game goes."""
    rules = night.settings.rules
    named = (label for name, label in CHOICES["preset"].items() if PRESETS[name].rules() == rules)
    if label := next(named, ""):
        return tr(label)
    return tr("{game} to {target}").format(game=tr(rules.variant.replace("_", " ")), target=rules.target)


def usual_delimiter() -> str:
    """Of the CSV for the language of the request: the one that its spreadsheets expect."""
    return "semicolon" if language_now() in DECIMAL_COMMA else "comma"


def absent_by_name(club: Club) -> list[Member]:
    """Members and guests who do not play tonight, or not yet."""
    present = club.nights[-1].present if club.nights else ()
    absent = (member for member in club.current_members if member.id not in present)
    return sorted(absent, key=lambda member: search_key(member.name))


def make_pages(pages: ClubPages) -> Blueprint:
    """Every page, and what they download."""
    views = Blueprint("club_pages", __name__)
    shared = pages.shared
    is_local = is_loopback(urlsplit(pages.address).hostname or "")
    door = {"address": pages.address, "is_local": is_local, "qr": qr_code(f"{pages.address}me")}

    def render_room(template: str) -> str:
        club = shared.club
        tables = live_tables(club, pages.live.boards)
        return render_club(template, club, room=room_of(club), live=tables, **door)

    @views.get("/")
    def room() -> str:
        return render_room("club_room.html")

    @views.get("/room")
    def room_part() -> Response:
        return revalidated(render_room("club_room_part.html").encode(), "text/html")

    @views.get("/me")
    def me() -> str:
        club = shared.club
        return render_club("club_me.html", club, me=player_of(club, key_now()))

    @views.get("/me/part")
    def me_part() -> Response:
        club = shared.club
        part = render_club("club_me_part.html", club, me=player_of(club, key_now()))
        return revalidated(part.encode(), "text/html")

    @views.get("/login")
    def login() -> str | AnyResponse:
        return redirect("/organiser") if g.account else render_club("club_login.html", shared.club, then="/organiser")

    @views.get("/organiser")
    def organiser() -> Response:
        club = shared.club
        today = date.today().isoformat()
        page = render_club(
            "club_organiser.html",
            club,
            room=room_of(club),
            live=live_tables(club, pages.live.boards),
            today=today,
            absent=absent_by_name(club),
            number=_round_asked(club),
        )
        return revalidated(page.encode(), "text/html")

    @views.get("/members")
    def members() -> str:
        return render_club("club_members.html", shared.club, code_page=code_page(language_now()))

    @views.get("/play-offs")
    def playoffs() -> str:
        club = shared.club
        chosen = qualifiers(club.nights[-1]) if club.nights else None
        live = live_tables(club, pages.live.boards)
        return render_club(
            "club_playoffs.html",
            club,
            qualifiers=chosen,
            best_of=BEST_OF,
            live=live,
            candidates=d.candidates,
            usual_seeds=d.usual_seeds,
        )

    @views.get("/audit")
    def audit() -> str:
        club = shared.club
        tr = translator(language_now())
        asked = AuditQuery.of_request(len(club.nights))
        rows = ((record.seq, record.written_at, record.event) for record in shared.records)
        found = [each for each in entries(rows, asked.night, tr) if asked.matches(each)]
        pages_in_all = max(1, -(-len(found) // EVENTS_A_PAGE))
        page = min(pages_in_all, max(1, request.args.get("page", 1, int)))
        newest = found[::-1][(page - 1) * EVENTS_A_PAGE : page * EVENTS_A_PAGE]
        return render_club(
            "club_audit.html",
            club,
            entries=newest,
            page=page,
            pages=pages_in_all,
            asked=asked,
            topics=topics_in_words(tr),
            people=sorted(club.members.values(), key=lambda member: search_key(member.name)),
        )

    @views.get("/night.csv")
    def as_csv() -> Response:
        asked = request.args.get("delimiter", "")
        delimiter = asked if asked in DELIMITERS else usual_delimiter()
        return _download(shared.club, lambda club, night: BOM + night_csv(club, night, delimiter), "csv", "text/csv")

    @views.get("/night.json")
    def as_json() -> Response:
        return _download(
            shared.club, lambda club, night: json.dumps(night_record(club, night)), "json", "application/json"
        )

    return views


def _round_asked(club: Club) -> int:
    """The round of the query string; 0: the one on the screen."""
    asked = request.args.get("round", 0, int)
    return asked if club.nights and 1 <= asked <= len(club.nights[-1].rounds) else 0


def _download(club: Club, write: Callable[[Club, Night], str], ending: str, mimetype: str) -> Response:
    night = d.night_of(club, request.args.get("night", None, int))
    response = Response(f"{write(club, night)}\n", mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="club-night-{night.number}.{ending}"'
    return response


class Credentials(Body, frozen=True):
    """Who logs in."""

    name: Text
    password: str

    def __post_init__(self) -> None:
        """A password may have any characters."""


def make_api(pages: ClubPages) -> Blueprint:
    """Log-in and commands. Each answers 204, or with a sentence that says why not."""
    views = Blueprint("club_api", __name__, url_prefix="/api/v1")

    @views.post("/login", endpoint="login")
    @reads_json(Credentials)
    def login(body: Credentials) -> Response:
        token = pages.sessions.log_in(body.name, body.password, request.remote_addr or "")
        return set_session_cookie(Response(status=204), token)

    @views.post("/logout")
    def logout() -> Response:
        pages.sessions.log_out(request.cookies.get(COOKIE, ""))
        return set_session_cookie(Response(status=204), "")

    def run(commands: Mapping[str, type[ChangeBody]], name: str) -> Response:
        if name not in commands:
            raise Problem(HTTPStatus.NOT_FOUND, "no such command")
        read_body(request.get_data(), commands[name]).change(pages.shared)
        return Response(status=204)

    views.post("/results/<name>", endpoint="results")(lambda name: run(RESULTS, name))
    views.post("/night/<name>", endpoint="night")(lambda name: run(NIGHT, name))
    return views
