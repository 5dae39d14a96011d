"""The first check of every request: host name, origin, content type and size.

The panel is safe from other sites only if it answers to its own names alone (a foreign name pointed at this machine
would let another page reach it), and takes commands only from its own page and only as JSON.
"""

from __future__ import annotations

from collections.abc import Collection, Container
from http import HTTPStatus

from flask import Flask, Response, request

from web_panel.errors import Problem
from web_panel.security.allowed_hosts import LOOPBACK, name_of
from web_panel.security.identity import COOKIE

MAX_BODY_BYTES = 16 * 1024
"""The longest command, a new game that names every house rule, is a tenth of this."""

MAX_NAME_SHOWN = 60

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Security headers of every response. One that does not say how it may be stored must not be: pages have names."""


def install_request_guard(
    app: Flask, hosts: Container[str] = LOOPBACK, cookies: Collection[str] = frozenset({COOKIE})
) -> None:
    """Check every request of `app` before any other handler, and add HEADERS to every response.

    `hosts` are the host names that the panel answers to. `cookies` are those that prove who sends a request.
    """
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES

    @app.before_request
    def check() -> None:
        check_query_string()
        check_host(request.environ.get("HTTP_HOST", ""), hosts)
        if request.method not in SAFE_METHODS:
            check_origin(cookies)
            if request.url_rule is not None:  # else Flask answers 404 or 405: no body would be right
                check_body()

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def check_host(host: str, hosts: Container[str]) -> None:
    """Raises Problem (400) for a Host header that names another machine."""
    if (name := name_of(host)) not in hosts:
        got = name[:MAX_NAME_SHOWN] or "none"
        detail = f"expected a name of this board, got {got}; open it by its address, or add the name to names_on_lan"
        raise Problem(HTTPStatus.BAD_REQUEST, detail)


def check_query_string() -> None:
    """Raises Problem (400) for a query string that is not ASCII: browsers send ASCII, other bytes cannot be decoded."""
    if not request.query_string.isascii():
        request.query_string = b""  # the error handlers read the query string too
        raise Problem(HTTPStatus.BAD_REQUEST, "expected an address in ASCII, got other bytes after the ?")


def check_origin(cookies: Collection[str]) -> None:
    """Raises Problem (403) for a request from another page.

    A browser names the page that sends a request. A request without Origin is not from a browser, so it may not use a
    phone's cookie.
    """
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    own = f"{request.scheme}://{request.environ.get('HTTP_HOST', '')}"
    origin = request.headers.get("Origin", own if request.cookies.keys().isdisjoint(cookies) else "nobody")
    if site != "same-origin" or origin.lower() != own.lower():
        got = ascii(origin)[1:-1][:MAX_NAME_SHOWN]
        raise Problem(HTTPStatus.FORBIDDEN, f"expected a request from the panel's own page, got one from {got}")


def check_body() -> None:
    """Raises Problem for a body that is not JSON (415) or too large (413)."""
    if request.mimetype != "application/json":
        got = request.mimetype or "no type"
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"expected application/json, got {got}")
    if (request.content_length or 0) > MAX_BODY_BYTES:
        detail = f"expected {MAX_BODY_BYTES} bytes at most, got {request.content_length}"
        raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)
