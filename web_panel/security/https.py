"""What the panel does where its server has HTTPS: requests in clear are led to it, and browsers remember to use it.

| request in clear                            | answer                                                      |
|---------------------------------------------|-------------------------------------------------------------|
| the trust page, the authority, static files | as over HTTPS; none of them is secret                       |
| from the board's own computer               | as over HTTPS; nothing leaves that computer                 |
| a page, of a phone that was never here      | 307 to the trust page, which leads on to the page           |
| anything else that only reads               | 307 to the same address over HTTPS                          |
| a command                                   | 403; its body was in clear already                          |

A phone that opened a page over HTTPS has the cookie VISITED, which says no more than that and is sent in clear too.
"""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import quote, urlencode

from flask import Flask, Response, redirect, request
from flask.typing import ResponseReturnValue

from web_panel.errors import Problem
from web_panel.security.allowed_hosts import LOOPBACK, name_of
from web_panel.security.identity import (
    COOKIE,
    COOKIE_AGE_S,
    current_token,
    is_from_own_computer,
    set_token_cookie,
)
from web_panel.security.request_guard import SAFE_METHODS

TRUST_PAGE = "/trust"
AUTHORITY = "/trust/cribboard.crt"
IN_CLEAR = frozenset({TRUST_PAGE, AUTHORITY})
STATIC = ("/static/", "/styles/")

VISITED = "https"
"""Name of a cookie: this browser has opened a page over HTTPS."""
HSTS = f"max-age={7 * 24 * 3600}"
"""For how long a browser asks this host for HTTPS alone. A week, so that a board whose HTTPS was switched off can be
opened again; without subdomains."""


def install_https(app: Flask, also_in_clear: Collection[str] = ()) -> None:
    """Lead requests in clear to HTTPS, but not those for the paths `also_in_clear`. To be installed after the check of
    host names, whose Host header it repeats."""

    @app.before_request
    def lead_to_https() -> ResponseReturnValue | None:
        if request.is_secure or request.path in also_in_clear or is_allowed_in_clear():
            return None
        if request.method not in SAFE_METHODS:
            raise Problem(HTTPStatus.FORBIDDEN, "expected a command over https, got one over http; open the page again")
        answer = redirect(way_to_https(), HTTPStatus.TEMPORARY_REDIRECT)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @app.after_request
    def remember_https(response: Response) -> Response:
        if not request.is_secure:
            return response
        if is_host_name(name_of(request.environ.get("HTTP_HOST", ""))):
            response.headers["Strict-Transport-Security"] = HSTS
        if response.mimetype == "text/html":
            if VISITED not in request.cookies:
                response.set_cookie(VISITED, "1", max_age=COOKIE_AGE_S, samesite="Lax", httponly=True)
            protect_token(response)
        return response


def is_allowed_in_clear() -> bool:
    """Whether the current request may be answered in clear."""
    return request.path in IN_CLEAR or request.path.startswith(STATIC) or is_from_own_computer(request.environ)


def way_to_https() -> str:
    """Where a request in clear is led: the same address over HTTPS, or the trust page if the phone may not trust the
    board yet."""
    path = quote(request.path)
    if request.query_string:
        path += f"?{request.query_string.decode('ascii')}"
    if VISITED in request.cookies or "text/html" not in request.headers.get("Accept", ""):
        return f"https://{request.environ['HTTP_HOST']}{path}"
    return f"{TRUST_PAGE}?{urlencode({'next': path})}"


def is_host_name(name: str) -> bool:
    """Whether browsers remember HTTPS for this name: not for addresses. Other programs use the loopback names too."""
    try:
        ip_address(name)
    except ValueError:
        return bool(name) and name not in LOOPBACK
    return False


def protect_token(response: Response) -> None:
    """Send a phone its token again, for HTTPS alone: it may have got it before HTTPS was switched on."""
    token = current_token()
    if token and not any(header.startswith(f"{COOKIE}=") for header in response.headers.getlist("Set-Cookie")):
        set_token_cookie(response, token)
