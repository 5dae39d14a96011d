"""The page itself, the drawings of the boards, and the OLED of a simulated one."""

from __future__ import annotations

from functools import lru_cache
from http import HTTPStatus

from flask import Blueprint, Response, render_template, request

from board_drivers.ports import KEY_ROWS
from firmware_host.board.drawing import draw
from firmware_host.board.plan import BoardPlan, TargetNotCarried
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.host import Host
from web_panel.hands import Demo, Hands
from web_panel.problems import Problem

STANDING = {"lying": False, "standing": True}
"""How a board may be drawn: lying on a table, or standing on its left end, as a phone is held."""


def make_pages(host: Host, hands: Hands | None, demo: Demo | None) -> Blueprint:
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def panel() -> str:
        return render_template(
            "panel.html",
            house=host.house,
            variants=VARIANTS.values(),
            keys=KEY_ROWS if hands else (),
            oled=hands.oled_version if hands else None,
            has_demo=demo is not None,
        )

    @pages.get("/boards/<board>/<int:target>/<posture>.svg")
    def drawing(board: str, target: int, posture: str) -> Response:
        plan = next((plan for plan in host.house.plans if plan.id == board), None)
        if plan is None or posture not in STANDING:
            raise Problem(HTTPStatus.NOT_FOUND, "no such drawing")
        try:
            return fresh(drawn(plan, target, STANDING[posture]), "image/svg+xml")
        except TargetNotCarried as cannot:
            raise Problem(HTTPStatus.NOT_FOUND, str(cannot)) from cannot

    if hands:

        @pages.get("/oled.png")
        def oled() -> Response:
            return fresh(hands.oled_png(), "image/png")

    return pages


@lru_cache(maxsize=8)
def drawn(plan: BoardPlan, target: int, is_standing: bool) -> bytes:
    return draw(plan, target, portrait=is_standing).encode()


def fresh(content: bytes, kind: str) -> Response:
    """To be asked for each time, and sent again only if it changed."""
    answer = Response(content, mimetype=kind, headers={"Cache-Control": "no-cache"})
    answer.add_etag()
    answer.make_conditional(request)
    return answer
