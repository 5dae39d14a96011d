"""Who may do what: one table, every route in it. What is not in the table nobody may do."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from flask import Flask, g, request

from firmware_host.phones import Role
from web_panel.problems import Problem
from web_panel.visitors import Visitor, Visitors

STRANGER, VIEWER, PLAYER, KEEPER, OWNER = Role

NEEDED: Mapping[str, Role] = {
    "GET /": STRANGER,
    "GET /static/<path:filename>": STRANGER,
    "GET /in/<code>": STRANGER,
    "GET /IN/<code>": STRANGER,
    "POST /api/v1/pairing/knock": STRANGER,
    "POST /api/v1/pairing/pick-up": STRANGER,
    "POST /api/v1/pairing/walk-away": STRANGER,
    "GET /api/v1/openapi.json": STRANGER,
    "GET /api/v1/my": STRANGER,
    "POST /api/v1/my/leave": STRANGER,
    "GET /boards/<board>/<int:target>/<posture>.svg": VIEWER,
    "GET /big": VIEWER,
    "GET /course.svg": VIEWER,
    "GET /history": VIEWER,
    "GET /history.csv": VIEWER,
    "GET /history.json": VIEWER,
    "GET /card": VIEWER,
    "GET /players.csv": VIEWER,
    "GET /why": VIEWER,
    "GET /copies": KEEPER,
    "GET /cribboard.sqlite3": KEEPER,
    "POST /api/v1/copy/pieces": OWNER,
    "POST /api/v1/copy/put-back": OWNER,
    "GET /advice": PLAYER,
    "GET /device": KEEPER,
    "GET /settings": OWNER,
    "GET /api/v1/settings": OWNER,
    "POST /api/v1/settings": OWNER,
    "GET /api/v1/device": KEEPER,
    "POST /api/v1/device/lights": KEEPER,
    "GET /phones": OWNER,
    "GET /api/v1/state": VIEWER,
    "GET /api/v1/stream": VIEWER,
    "POST /api/v1/my/seat": PLAYER,
    "GET /api/v1/my/hand": PLAYER,
    "GET /api/v1/my/advice": PLAYER,
    "POST /api/v1/hand": PLAYER,
    "POST /api/v1/orders/new-game": PLAYER,
    "POST /api/v1/orders/dealer": PLAYER,
    "POST /api/v1/orders/deal": PLAYER,
    "POST /api/v1/orders/lay-away": PLAYER,
    "POST /api/v1/orders/misdeal": PLAYER,
    "POST /api/v1/orders/bid": PLAYER,
    "POST /api/v1/orders/starter": PLAYER,
    "POST /api/v1/orders/play": PLAYER,
    "POST /api/v1/orders/go": PLAYER,
    "POST /api/v1/orders/show": PLAYER,
    "POST /api/v1/orders/count": PLAYER,
    "POST /api/v1/orders/skip": PLAYER,
    "POST /api/v1/orders/next-deal": PLAYER,
    "POST /api/v1/orders/claim": PLAYER,
    "POST /api/v1/orders/move": PLAYER,
    "POST /api/v1/orders/settle": PLAYER,
    "POST /api/v1/orders/undo": PLAYER,
    "POST /api/v1/orders/redo": PLAYER,
    "POST /api/v1/orders/let-it-stand": KEEPER,
    "POST /api/v1/orders/correct": KEEPER,
    "POST /api/v1/hands/<movement>": PLAYER,
    "POST /api/v1/demo": PLAYER,
    "POST /api/v1/pairing/walk-in": OWNER,
    "GET /api/v1/phones": OWNER,
    "POST /api/v1/phones/<phone>/role": OWNER,
    "POST /api/v1/phones/<phone>/send-away": OWNER,
    # The display shows the code at the door, and the keys of a simulated board let in.
    "GET /oled.png": OWNER,
    "POST /api/v1/keys": OWNER,
}
"""Method and route -> the least role."""


def keep_roles(app: Flask, visitors: Visitors) -> None:
    """Look who asks, and turn away whoever may not. What is no route is told so later, by Flask."""

    @app.before_request
    def check() -> None:
        g.visitor = visitors.visitor(request)
        if request.url_rule is not None and request.method != "OPTIONS":
            check_role(request.method, request.url_rule.rule, g.visitor)


def check_role(method: str, route: str, visitor: Visitor) -> None:
    needed = NEEDED.get(f"{'GET' if method == 'HEAD' else method} {route}")
    if needed is None:
        raise Problem(HTTPStatus.FORBIDDEN, f"nobody may do this: {route} is in no list of rights")
    if visitor.role < needed:
        raise Problem(HTTPStatus.FORBIDDEN, refused_to(visitor, needed))


def refused_to(visitor: Visitor, needed: Role) -> str:
    got = visitor.role.name.lower()
    mend = "its owner can say so" if visitor.phone else "ask to be let in: on the board hold FN, then Phones"
    return f"expected a phone whose role is {needed.name.lower()}, got a {got}; {mend}"


def orders_of(role: Role) -> list[str]:
    """The orders that a role may give."""
    orders = "POST /api/v1/orders/"
    return [
        route.removeprefix(orders) for route, needed in NEEDED.items() if route.startswith(orders) and role >= needed
    ]


def asking() -> Visitor:
    """Who asks now."""
    visitor: Visitor = g.visitor
    return visitor
