"""Who sends a request: a paired phone, somebody on the board's own computer, or a stranger.

A phone proves itself with the token in its cookie, which no script can read and no other site can send.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from ipaddress import ip_address
from typing import Any

from flask import Request, Response, g, request
from msgspec import Struct, field
from werkzeug.sansio.http import parse_cookie

from firmware_host.cribbage.rules import Seat
from firmware_host.pairing.registry import Phone, PhoneRegistry, Role
from web_panel.security.allowed_hosts import LOOPBACK, name_of
from web_panel.wsgi import CONNECTION_MEMORY, Environ

COOKIE = "cribboard"
COOKIE_AGE_S = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""

RELAY_KEYS = frozenset(("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_VIA"))
"""Keys of the WSGI environment for headers that a proxy adds to a request of somebody else."""


class Visitor(Struct, frozen=True):
    """The sender of the current request."""

    role: Role
    phone: Phone | None = None
    is_local: bool = False
    """On the computer of a simulated board: needs no pairing, and is its owner."""
    is_current: Callable[[], bool] = lambda: True
    """Whether the sender may still do the same: asked again and again while a stream is open."""

    @property
    def is_known(self) -> bool:
        """Whether it is a paired phone, or the board's own computer."""
        return self.is_local or self.phone is not None

    @property
    def seat(self) -> Seat | None:
        """The seat that the visitor's phone holds."""
        return self.phone.seat if self.phone else None


class VisitorLookup(Struct, frozen=True):
    """Finds the visitor of a request."""

    registry: PhoneRegistry
    trusts_own_computer: bool
    """True only where the board's keys are on the screen."""
    is_watching_open: Callable[[], bool]
    """Whether unpaired visitors may watch."""
    is_first_start: Callable[[], bool] = lambda: False
    """Whether the board is being set up before its first game. Its own computer may do everything then."""
    is_own_user: Callable[[dict[str, Any]], bool] = lambda environ: True
    """Whether the request of a WSGI environment was sent by the user of this program."""
    last_seen: dict[str, datetime] = field(default_factory=dict)
    """Phone -> when it last sent a request, in UTC. Since the start of the program: the memory card is spared."""

    def visitor(self, request: Request) -> Visitor:
        """The sender, by its token cookie and its address."""
        phone = self.registry.phone_with_token(request.cookies.get(COOKIE, ""))
        if phone:
            self.last_seen[phone.id] = datetime.now(UTC)
        if self._is_local(request.environ):
            return Visitor(Role.OWNER, phone, is_local=True)
        if phone:
            return Visitor(phone.role, phone, is_current=partial(self._has_role, phone))
        if self.is_first_start() and is_from_own_computer(request.environ):
            return Visitor(Role.OWNER, is_current=self.is_first_start)
        role = Role.VIEWER if self.is_watching_open() else Role.STRANGER
        return Visitor(role, is_current=self.is_watching_open)

    def _has_role(self, phone: Phone) -> bool:
        """Whether the phone is still paired, with the same role."""
        return any(now.id == phone.id and now.role is phone.role for now in self.registry.phones)

    def is_known(self, environ: dict[str, Any]) -> bool:
        """Whether the request is that of a paired phone or of the board's own computer. Never raises."""
        if self.registry.phone_with_token(parse_cookie(environ.get("HTTP_COOKIE")).get(COOKIE, "")):
            return True
        return self._is_local(environ)

    def _is_local(self, environ: Environ) -> bool:
        return self.trusts_own_computer and is_from_own_user(environ, self.is_own_user)


def is_from_own_user(environ: Environ, is_own_user: Callable[[Environ], bool]) -> bool:
    """Whether the request comes from this computer, and by `is_own_user` from the user of this program. To look that up
    takes milliseconds, so the connection remembers it."""
    if not is_from_own_computer(environ):
        return False
    memory: dict[str, bool] = environ.get(CONNECTION_MEMORY, {})
    if "is_own_user" not in memory:
        memory["is_own_user"] = is_own_user(environ)
    return memory["is_own_user"]


def is_from_own_computer(environ: Environ) -> bool:
    """Whether the request comes from this computer, to a loopback name, and names no proxy."""
    with suppress(ValueError):
        is_near = is_loopback_address(environ.get("REMOTE_ADDR", ""))
        is_own_name = name_of(environ.get("HTTP_HOST", "")) in LOOPBACK
        return is_near and is_own_name and RELAY_KEYS.isdisjoint(environ)
    return False


@lru_cache(maxsize=64)
def is_loopback_address(address: str) -> bool:
    """Whether an address is one of this computer alone. Raises ValueError if it is none."""
    return ip_address(address).is_loopback


def is_forgotten_phone(registry: PhoneRegistry) -> bool:
    """Whether the current request is of a phone that a board without an owner has forgotten: its list of phones was
    deleted. It may become the owner again, as the first phone that is added."""
    visitor: Visitor | None = g.get("visitor")
    is_unknown = visitor is not None and not visitor.is_known and visitor.role < Role.OWNER
    return is_unknown and COOKIE in request.cookies and not registry.has_owner


def current_token() -> str:
    """The token of the phone that sent the current request; empty if it is no paired phone."""
    visitor: Visitor | None = g.get("visitor")
    return request.cookies.get(COOKIE, "") if visitor and visitor.phone else ""


def set_token_cookie(response: Response, token: str) -> Response:
    """Send a phone its token, in place of any older one. Over HTTPS it is for HTTPS alone."""
    is_secure = request.is_secure
    response.set_cookie(
        COOKIE, token, max_age=COOKIE_AGE_S, path="/", httponly=True, samesite="Strict", secure=is_secure
    )
    return response


def clear_token_cookie(response: Response) -> Response:
    """Delete the token from the phone that gets this response."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="Strict")
    return response


def phone_id(phone: Phone | None) -> str:
    """The id of a phone; empty for the board's own computer."""
    return phone.id if phone else ""
