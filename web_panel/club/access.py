"""Who sends a request to the pages of a club: an organiser, a scorekeeper, or a spectator without an account.

After the password was right a browser gets a random token in a cookie, which no script can read and no other site can
send. Of a token only the hash is kept, in memory: after a restart everybody logs in again. Players
need no account: see `players`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from hashlib import sha256
from http import HTTPStatus
from threading import Lock
from time import monotonic

from flask import Flask, Request, Response, g, request
from msgspec import Struct

from firmware_host.club_server.accounts import Account, AccountRole, Accounts
from firmware_host.cribbage.names import name_key
from web_panel.club.attempts import Attempts
from web_panel.errors import Problem
from web_panel.wsgi import Environ

COOKIE = "cribboard-club"
SESSION_S = 16 * 3600.0
"""How long a log-in lasts: a long evening, and the morning after."""
MOST_SESSIONS = 200
WRONG_PASSWORD = "wrong_password"
"""The `kind` of the answer to one."""

SPECTATOR = None
SCOREKEEPER = AccountRole.SCOREKEEPER
ORGANISER = AccountRole.ORGANISER

REQUIRED_ROLES: Mapping[str, AccountRole | None] = {
    "GET /": SPECTATOR,
    "GET /room": SPECTATOR,
    "GET /static/<path:filename>": SPECTATOR,
    "GET /styles/<names>.css": SPECTATOR,
    "GET /trust": SPECTATOR,
    "GET /trust/cribboard.crt": SPECTATOR,
    "GET /me": SPECTATOR,
    "GET /me/part": SPECTATOR,
    "POST /api/v1/player/<name>": SPECTATOR,
    "GET /login": SPECTATOR,
    "POST /api/v1/login": SPECTATOR,
    "POST /api/v1/logout": SPECTATOR,
    "GET /organiser": SCOREKEEPER,
    "GET /play-offs": SCOREKEEPER,
    "GET /papers": SCOREKEEPER,
    "GET /papers/<name>": SCOREKEEPER,
    "POST /api/v1/results/<name>": SCOREKEEPER,
    "GET /nights": SCOREKEEPER,
    "GET /nights/<int:number>": SCOREKEEPER,
    "GET /members": ORGANISER,
    "GET /audit": ORGANISER,
    "GET /night.csv": ORGANISER,
    "GET /night.json": ORGANISER,
    "GET /computer": ORGANISER,
    "GET /club.zip": ORGANISER,
    "POST /api/v1/night/<name>": ORGANISER,
    "POST /api/v1/accounts/add": ORGANISER,
    "POST /api/v1/accounts/password": ORGANISER,
    "POST /api/v1/accounts/remove": ORGANISER,
    "POST /api/v1/backup/chunk": ORGANISER,
    "POST /api/v1/backup/restore": ORGANISER,
}
"""Method and route -> the lowest role that may use it; None: everybody. A route that is missing is refused to all."""


class Session(Struct, frozen=True):
    """A log-in. `account` is the one whose password was right; it ends when that account changes."""

    account: Account
    ends_s: float


class Sessions:
    """Log-ins of browsers. `clock` returns seconds. Every method may be called from any thread."""

    def __init__(self, accounts: Accounts, clock: Callable[[], float] = monotonic) -> None:
        self._accounts = accounts
        self._clock = clock
        self._lock = Lock()
        self._sessions = dict[str, Session]()
        self._attempts = Attempts(clock)

    def log_in(self, name: str, password: str, address: str) -> str:
        """The token of a new session. Raises Problem: 403 for a wrong name or password, 429 after too many."""
        with self._attempts.guess(name_key(name), address):
            account = self._accounts.check(name, password)
            if account is None:
                detail = "expected the name and password of an account, got others"
                raise Problem(HTTPStatus.FORBIDDEN, detail, kind=WRONG_PASSWORD)
        token = secrets.token_urlsafe(32)
        with self._lock:
            now_s = self._clock()
            self._sessions = {key: each for key, each in self._sessions.items() if each.ends_s > now_s}
            while len(self._sessions) >= MOST_SESSIONS:
                del self._sessions[next(iter(self._sessions))]
            self._sessions[hash_of(token)] = Session(account, now_s + SESSION_S)
        return token

    def log_out(self, token: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(hash_of(token), None)

    def account(self, token: str) -> Account | None:
        """Who has this token; None for nobody, and after the account was changed or removed."""
        session = self._sessions.get(hash_of(token)) if token else None
        if session is None or session.ends_s <= self._clock():
            return None
        now = self._accounts.all().get(name_key(session.account.name))
        return now if now == session.account else None

    def is_known(self, environ: Environ) -> bool:
        """Whether the request is that of somebody with an account. Never raises."""
        session = self._sessions.get(hash_of(Request(environ).cookies.get(COOKIE, "")))
        return session is not None and session.ends_s > self._clock()


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode()).hexdigest()


def install_access_check(app: Flask, sessions: Sessions) -> None:
    """Look up the account of each request of `app`, and answer 403 to a role that is too low."""

    @app.before_request
    def check() -> None:
        g.account = sessions.account(request.cookies.get(COOKIE, ""))
        if request.url_rule is None or request.method == "OPTIONS":
            return
        route = f"{'GET' if request.method == 'HEAD' else request.method} {request.url_rule.rule}"
        if route not in REQUIRED_ROLES:
            raise Problem(HTTPStatus.FORBIDDEN, f"nobody may do this: {route} has no required role")
        if not may(REQUIRED_ROLES[route]):
            raise Problem(HTTPStatus.FORBIDDEN, "expected an account that may do this; log in at /login")


def may(role: AccountRole | None) -> bool:
    """Whether the sender of the current request has this role, or a higher one."""
    account: Account | None = g.get("account")
    return role is None or (account is not None and account.role >= role)


def set_session_cookie(response: Response, token: str) -> Response:
    """Send a browser its token; an empty one deletes it."""
    age_s = int(SESSION_S) if token else 0
    response.set_cookie(COOKIE, token, age_s, path="/", httponly=True, samesite="Strict", secure=request.is_secure)
    return response
