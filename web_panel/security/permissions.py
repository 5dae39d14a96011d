"""Which role each route needs: one table with every route. A route that is not in the table is refused to everybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus

from flask import Flask, g, request

from firmware_host.pairing.registry import Role
from web_panel.errors import Problem
from web_panel.security.identity import Visitor, VisitorLookup

STRANGER, VIEWER, PLAYER, KEEPER, OWNER = Role

REQUIRED_ROLES: Mapping[str, Role] = {
    "GET /": STRANGER,
    "GET /static/<path:filename>": STRANGER,
    "GET /styles/<names>.css": STRANGER,
    "GET /in/<code>": STRANGER,
    "GET /IN/<code>": STRANGER,
    "POST /api/v1/pairing/request": STRANGER,
    "POST /api/v1/pairing/token": STRANGER,
    "POST /api/v1/pairing/cancel": STRANGER,
    "GET /api/v1/openapi.json": STRANGER,
    "GET /api/v1/me": STRANGER,
    "POST /api/v1/me/leave": STRANGER,
    "GET /help": STRANGER,
    # In clear too: a phone that does not trust the board yet can open nothing else.
    "GET /trust": STRANGER,
    "GET /trust/cribboard.crt": STRANGER,
    # A visitor may look at a board and at the short game, even where strangers may not watch the players.
    "GET /boards/<board>/<int:target>/<orientation>.svg": STRANGER,
    "GET /cards.svg": STRANGER,
    "GET /api/v1/games/watched": STRANGER,
    "GET /api/v1/games/<game>/replay": VIEWER,
    "GET /api/v1/games/<game>/result": VIEWER,
    "GET /review": VIEWER,
    "GET /deals/<game>": VIEWER,
    "GET /deals/<game>/<int:deal>.txt": VIEWER,
    "GET /big": VIEWER,
    "GET /score-chart.svg": VIEWER,
    "GET /history": VIEWER,
    "GET /history/<int:game>": VIEWER,
    "GET /player": VIEWER,
    "GET /head-to-head": VIEWER,
    "GET /history.csv": VIEWER,
    "GET /history.json": VIEWER,
    "GET /scorecards": VIEWER,
    "GET /scorecards.csv": VIEWER,
    "GET /scorecards.json": VIEWER,
    "POST /api/v1/people/merge": OWNER,
    "POST /api/v1/people/unmerge": OWNER,
    "GET /players.csv": VIEWER,
    "GET /score-breakdown": VIEWER,
    "GET /backups": KEEPER,
    "GET /cribboard.sqlite3": KEEPER,
    "POST /api/v1/backup/chunks": OWNER,
    "POST /api/v1/backup/restore": OWNER,
    "GET /api/v1/backup/restore": OWNER,
    "POST /api/v1/backup/cancel": OWNER,
    "GET /advice": PLAYER,
    # Progress is kept for players, and read by them alone and by keepers: see learner_access.py.
    "GET /coach": VIEWER,
    "POST /api/v1/coach/hand": VIEWER,
    "GET /coach/play": VIEWER,
    "GET /coach/discard": VIEWER,
    "GET /new-game": PLAYER,
    "GET /device": KEEPER,
    "GET /settings": OWNER,
    "GET /api/v1/settings": OWNER,
    "POST /api/v1/settings": OWNER,
    "GET /api/v1/device": KEEPER,
    "POST /api/v1/device/lights": KEEPER,
    "POST /api/v1/device/voice": KEEPER,
    "GET /phones": OWNER,
    "GET /setup": OWNER,
    "GET /api/v1/setup": OWNER,
    "POST /api/v1/setup/open": OWNER,
    "POST /api/v1/setup/close": OWNER,
    "POST /api/v1/setup/step": OWNER,
    "POST /api/v1/setup/repeat": OWNER,
    "POST /api/v1/setup/answer": OWNER,
    "POST /api/v1/setup/hole": OWNER,
    "POST /api/v1/setup/sound": OWNER,
    "POST /api/v1/setup/wiring": OWNER,
    "POST /api/v1/setup/club": OWNER,
    "GET /api/v1/state": VIEWER,
    "GET /api/v1/stream": VIEWER,
    "POST /api/v1/me/seat": PLAYER,
    "GET /api/v1/me/hand": PLAYER,
    "GET /api/v1/me/hand/<seat>": PLAYER,
    "GET /api/v1/me/advice": PLAYER,
    "POST /api/v1/hand": PLAYER,
    "POST /api/v1/commands/new-game": PLAYER,
    "POST /api/v1/commands/agree-to-game": PLAYER,
    "POST /api/v1/commands/dealer": PLAYER,
    "POST /api/v1/commands/deal-cards": PLAYER,
    "POST /api/v1/commands/turn-starter": PLAYER,
    "POST /api/v1/commands/deal": PLAYER,
    "POST /api/v1/commands/discard": PLAYER,
    "POST /api/v1/commands/misdeal": PLAYER,
    "POST /api/v1/commands/bid": PLAYER,
    "POST /api/v1/commands/starter": PLAYER,
    "POST /api/v1/commands/play": PLAYER,
    "POST /api/v1/commands/go": PLAYER,
    "POST /api/v1/commands/show": PLAYER,
    "POST /api/v1/commands/count": PLAYER,
    "POST /api/v1/commands/skip": PLAYER,
    "POST /api/v1/commands/next-deal": PLAYER,
    "POST /api/v1/commands/claim": PLAYER,
    "POST /api/v1/commands/move": PLAYER,
    "POST /api/v1/commands/confirm-result": PLAYER,
    "POST /api/v1/commands/settle": PLAYER,
    "POST /api/v1/commands/penalty": PLAYER,
    "POST /api/v1/commands/undo": PLAYER,
    "POST /api/v1/commands/redo": PLAYER,
    "POST /api/v1/commands/accept-pegs": KEEPER,
    "POST /api/v1/commands/correct": KEEPER,
    "POST /api/v1/pegs/<movement>": PLAYER,
    "POST /api/v1/demo": PLAYER,
    "POST /api/v1/pairing/local": OWNER,
    "POST /api/v1/pairing/open": OWNER,
    "POST /api/v1/pairing/answer": OWNER,
    "GET /api/v1/phones": OWNER,
    "POST /api/v1/phones/<phone>/role": OWNER,
    "POST /api/v1/phones/<phone>/remove": OWNER,
    # The display shows the pairing code, and the keys of a simulated board accept phones.
    "GET /oled.png": OWNER,
    "POST /api/v1/keys": OWNER,
}
"""Method and route -> the lowest role that may use it."""


HISTORY_ROUTES = frozenset(
    {
        "GET /review",
        "GET /history",
        "GET /history/<int:game>",
        "GET /player",
        "GET /head-to-head",
        "GET /history.csv",
        "GET /history.json",
        "GET /players.csv",
        "GET /scorecards",
        "GET /scorecards.csv",
        "GET /scorecards.json",
    }
)
"""Pages of past games: for paired phones, and for others only where the owner allows it."""


def install_role_check(app: Flask, visitors: VisitorLookup, is_history_open: Callable[[], bool] = lambda: True) -> None:
    """Look up the visitor of each request of `app`, and answer 403 to a role that is too low.

    A path without a route passes: Flask answers 404.
    """

    @app.before_request
    def check() -> None:
        g.visitor = visitors.visitor(request)
        g.sees_history = g.visitor.phone is not None or g.visitor.is_local or is_history_open()
        if request.url_rule is not None and request.method != "OPTIONS":
            check_role(request.method, request.url_rule.rule, g.visitor)
            check_history(request.method, request.url_rule.rule, (request.view_args or {}).get("game"))


def check_role(method: str, route: str, visitor: Visitor) -> None:
    """Raises Problem (403) if the visitor's role is too low, or the route is not in the table."""
    required = REQUIRED_ROLES.get(f"{'GET' if method == 'HEAD' else method} {route}")
    if required is None:
        raise Problem(HTTPStatus.FORBIDDEN, f"nobody may do this: {route} has no required role")
    if visitor.role < required:
        role = required.name.lower()
        raise Problem(HTTPStatus.FORBIDDEN, role_message(visitor, required), required_role=role)


def check_history(method: str, route: str, game: object) -> None:
    """Raises Problem (403) for a past game, if the visitor may not see any. `game` is the one in the path, if any."""
    is_past = game is not None and game != "current"
    if g.sees_history or not (is_past or f"{'GET' if method == 'HEAD' else method} {route}" in HISTORY_ROUTES):
        return
    detail = "expected a phone that was added at the board, got another; the owner can allow it in the settings"
    raise Problem(HTTPStatus.FORBIDDEN, detail, required_role="viewer")


def role_message(visitor: Visitor, required: Role) -> str:
    """Why the visitor was refused, and who can change that."""
    got = visitor.role.name.lower()
    fix = "the owner can change it" if visitor.phone else "pair this phone: on the board hold FN, then Phones"
    return f"expected a phone whose role is {required.name.lower()}, got a {got}; {fix}"


def commands_of(role: Role) -> list[str]:
    """The names of the commands that a role may send."""
    prefix = "POST /api/v1/commands/"
    return [
        route.removeprefix(prefix)
        for route, required in REQUIRED_ROLES.items()
        if route.startswith(prefix) and role >= required
    ]


def may_open(path: str) -> bool:
    """Whether the visitor of the current request may open a page. `path` is its route, such as `/settings`."""
    route = f"GET {path}"
    sees = g.get("sees_history", False) or route not in HISTORY_ROUTES
    return sees and current_visitor().role >= REQUIRED_ROLES[route]


def current_visitor() -> Visitor:
    """The visitor of the current request. Only inside a request that passed the role check."""
    visitor: Visitor = g.visitor
    return visitor
