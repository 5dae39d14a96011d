"""The first gate: every request passes here before any page or order sees it.

The panel is safe from other sites only if it answers to its own names alone (a foreign name that points here is how a
page elsewhere would reach it), takes orders only from its own page, and as JSON only.
"""

from __future__ import annotations

from collections.abc import Container
from http import HTTPStatus

from flask import Flask, Response, request

from web_panel.names import LOOPBACK, name_of
from web_panel.problems import Problem
from web_panel.visitors import COOKIE

LARGEST_BODY = 16 * 1024
"""Bytes. The longest order, a new game with every agreement named, is a tenth of this."""

LONGEST_NAME_SHOWN = 60

READING = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def hang_doors(app: Flask, names: Container[str] = LOOPBACK) -> None:
    """Put the gate before `app`, which from then on answers to these host names only."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY

    @app.before_request
    def let_in() -> None:
        check_question()
        check_name(request.environ.get("HTTP_HOST", ""), names)
        if request.method not in READING:
            check_sender()
            check_parcel()

    @app.after_request
    def seal(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response


def check_name(host: str, names: Container[str]) -> None:
    if (name := name_of(host)) not in names:
        got = name[:LONGEST_NAME_SHOWN] or "none"
        sentence = f"expected a name of this board, got {got}; open it by its address, or add the name to names_on_lan"
        raise Problem(HTTPStatus.BAD_REQUEST, sentence)


def check_question() -> None:
    """What follows the ? in an address. A browser writes it in ASCII; nothing can be read in other bytes."""
    if not request.query_string.isascii():
        request.query_string = b""  # whoever looks at the answer looks at the question too
        raise Problem(HTTPStatus.BAD_REQUEST, "expected an address in ASCII, got other bytes after the ?")


def check_sender() -> None:
    """A browser says which page asks. What says nothing is no browser: it may speak for nobody's phone."""
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    own = f"{request.scheme}://{request.environ.get('HTTP_HOST', '')}"
    origin = request.headers.get("Origin", "nobody" if COOKIE in request.cookies else own)
    if site != "same-origin" or origin.lower() != own.lower():
        got = ascii(origin)[1:-1][:LONGEST_NAME_SHOWN]
        raise Problem(HTTPStatus.FORBIDDEN, f"expected an order from the panel's own page, got one from {got}")


def check_parcel() -> None:
    if request.mimetype != "application/json":
        got = request.mimetype or "no type"
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"expected application/json, got {got}")
    if (request.content_length or 0) > LARGEST_BODY:
        sentence = f"expected {LARGEST_BODY} bytes at most, got {request.content_length}"
        raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)
