"""The page of the board itself, and what it shows: drawings, and the chart of the game."""

from __future__ import annotations

from functools import lru_cache
from http import HTTPStatus

from flask import Blueprint, Response, render_template, request

from board_drivers.ports import KEY_ROWS
from firmware_host.board.drawing import draw
from firmware_host.board.plan import BoardPlan, TargetNotCarried
from firmware_host.host import Host
from firmware_host.languages import words
from firmware_host.phones import Role
from firmware_host.settings_desk import SettingsDesk
from firmware_host.table.chronicle import Chronicle
from web_panel import house_rules
from web_panel.course import draw_course
from web_panel.hands import Demo, Hands
from web_panel.language import OWN_NAMES, language_now
from web_panel.my import myself
from web_panel.problems import Problem
from web_panel.roles import asking

STANDING = {"lying": False, "standing": True}
"""How a board may be drawn: lying on a table, or standing on its left end, as a phone is held."""


def make_pages(host: Host, hands: Hands | None, demo: Demo | None, desk: SettingsDesk | None) -> Blueprint:
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def panel() -> str:
        return spoken(
            "panel.html",
            house=host.house,
            me=myself(host.snapshot.table, host.porch.book),
            presets=house_rules.presets(),
            variants=house_rules.variants(),
            groups=house_rules.GROUPS,
            options=house_rules.options_by_name(),
            sentence_of=house_rules.sentence_of,
            keys=KEY_ROWS if hands else (),
            has_loose_pegs=hands is not None and hands.moves_pegs,
            has_demo=demo is not None,
            display_language=display_language(desk),
            loss=host.loss,
        )

    @pages.get("/big")
    def big() -> str:
        return spoken("big.html")

    @pages.get("/boards/<board>/<int:target>/<posture>.svg")
    def drawing(board: str, target: int, posture: str) -> Response:
        plan = next((plan for plan in host.house.plans if plan.id == board), None)
        if plan is None or posture not in STANDING:
            raise Problem(HTTPStatus.NOT_FOUND, "no such drawing")
        try:
            return fresh(drawn(plan, target, STANDING[posture]), "image/svg+xml")
        except TargetNotCarried as cannot:
            raise Problem(HTTPStatus.NOT_FOUND, str(cannot)) from cannot

    @pages.get("/course.svg")
    def course() -> Response:
        """The chart of the game that is on."""
        chart = course_so_far(host.snapshot.chronicle, language_now())
        if not chart:
            raise Problem(HTTPStatus.NOT_FOUND, "no game yet")
        return fresh(chart.encode(), "image/svg+xml")

    return pages


def display_language(desk: SettingsDesk | None) -> str:
    """Of the board's own display; for whoever may not change it, that of the page."""
    return desk.running.language if desk and asking().role is Role.OWNER else language_now()


def spoken(template: str, **what: object) -> str:
    """A page in the language of who asked for it."""
    language = language_now()
    told = words(language)
    return render_template(template, _=told, counted=told.counted, lang=language, languages=OWN_NAMES, **what)


def course_so_far(chronicle: Chronicle, language: str) -> str:
    """Empty where there is no game."""
    table = chronicle.table
    if table is None:
        return ""
    fronts = [tuple(pegs.front for pegs in turn.table.pegs) for turn in chronicle.turns_back()][::-1]
    moved = [scores for place, scores in enumerate(fronts) if place == 0 or scores != fronts[place - 1]]
    names = [table.side_name(side) for side in range(len(table.pegs))]
    return draw_course(names, moved, table.rules.target, table.rules.skunk_lines, words(language))


@lru_cache(maxsize=8)
def drawn(plan: BoardPlan, target: int, is_standing: bool) -> bytes:
    return draw(plan, target, portrait=is_standing).encode()


def fresh(content: bytes, kind: str) -> Response:
    """To be asked for each time, and sent again only if it changed."""
    answer = Response(content, mimetype=kind, headers={"Cache-Control": "no-cache"})
    answer.add_etag()
    answer.make_conditional(request)
    return answer
