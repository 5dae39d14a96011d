"""The page that explains how a phone trusts this board, and the download for it. Where HTTPS is off there is none."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from flask import Blueprint, Response, request

from firmware_host.https.certificate import fingerprint
from web_panel.errors import Problem
from web_panel.rendering import render
from web_panel.security.https import AUTHORITY, TRUST_PAGE

Authority = Callable[[], bytes]
"""Returns the certificate of the board's authority, in DER. Raises HostError if it cannot be read."""


SYSTEMS = {
    "iPhone": ("iPhone, iPad",),
    "Macintosh": ("iPhone, iPad", "macOS"),  # Safari of an iPad says that it is a Mac
    "Android": ("Android",),
    "Windows": ("Windows",),
}
"""Part of a User-Agent header -> names on the page."""


def make_trust(authority: Authority | None) -> Blueprint:
    """The page /trust and the certificate that it offers, for everybody. `authority` None: HTTPS is off."""
    pages = Blueprint("trust", __name__)

    @pages.get(TRUST_PAGE)
    def trust_page() -> str:
        return render(
            "trust.html",
            fingerprint=fingerprint(certificate_of(authority)),
            goes_on=goes_on(),
            own_systems=systems_of(request.user_agent.string),
        )

    @pages.get(AUTHORITY)
    def certificate() -> Response:
        headers = {"Content-Disposition": 'attachment; filename="cribboard.crt"'}
        return Response(certificate_of(authority), mimetype="application/x-x509-ca-cert", headers=headers)

    return pages


def certificate_of(authority: Authority | None) -> bytes:
    """The certificate in DER. Raises Problem (404) where HTTPS is off."""
    if authority is None:
        raise Problem(HTTPStatus.NOT_FOUND, "expected a board with https = true, got one without")
    return authority()


def systems_of(user_agent: str) -> tuple[str, ...]:
    """The systems that a browser may run on, as the page names them; none if it is another one."""
    found = (systems for mark, systems in SYSTEMS.items() if mark in user_agent)
    return next(found, ())


def goes_on() -> str:
    """Where the page leads on: the page that was asked for in clear, over HTTPS."""
    path = request.args.get("next", "/")
    return f"https://{request.environ['HTTP_HOST']}{path if path.startswith('/') else '/'}"
