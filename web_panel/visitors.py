"""Who asks: a phone that was let in, somebody on this very computer, or a stranger.

A phone proves itself with the token in its cookie, which no script can read and no other site can send.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address

from flask import Request, Response

from firmware_host.cribbage.rules import Seat
from firmware_host.phones import Phone, PhoneBook, Role
from web_panel.names import LOOPBACK, name_of

COOKIE = "cribboard"
COOKIE_AGE_S = 400 * 24 * 3600
"""As long as a browser keeps one."""

RELAYED = ("Forwarded", "X-Forwarded-For", "Via")
"""Headers of somebody who asks for another."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """`is_newcomer`: let in without ceremony, because the board is a simulated one on the visitor's own computer."""

    role: Role
    phone: Phone | None = None
    is_newcomer: bool = False

    @property
    def seat(self) -> Seat | None:
        return self.phone.seat if self.phone else None


@dataclass(frozen=True, slots=True)
class Visitors:
    """Tells them apart. `welcomes_newcomers`: only at a simulated board; `is_watching_open`: strangers may watch."""

    book: PhoneBook
    welcomes_newcomers: bool
    is_watching_open: Callable[[], bool]

    def visitor(self, request: Request) -> Visitor:
        phone = self.book.holder_of(request.cookies.get(COOKIE, ""))
        if self.welcomes_newcomers and is_at_home(request):
            return Visitor(Role.OWNER, phone, is_newcomer=True)
        if phone:
            return Visitor(phone.role, phone)
        return Visitor(Role.VIEWER if self.is_watching_open() else Role.STRANGER)


def is_at_home(request: Request) -> bool:
    """Whether the visitor sits at this computer, and nobody relays what somebody else asks."""
    with suppress(ValueError):
        is_near = ip_address(request.remote_addr or "").is_loopback
        is_own_name = name_of(request.environ.get("HTTP_HOST", "")) in LOOPBACK
        return is_near and is_own_name and not any(header in request.headers for header in RELAYED)
    return False


def hand_over(answer: Response, token: str) -> Response:
    """Give a phone its token, in place of whatever it may have had."""
    answer.set_cookie(COOKIE, token, max_age=COOKIE_AGE_S, path="/", httponly=True, samesite="Strict")
    return answer


def take_away(answer: Response) -> Response:
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="Strict")
    return answer
