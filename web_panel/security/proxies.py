"""Requests that a proxy passes on. Only the proxies of the settings are believed; anybody can send their headers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from ipaddress import ip_address
from typing import Any

from msgspec import Struct

from web_panel.wsgi import Environ, WsgiApp


class TrustedProxies(Struct, frozen=True):
    """A WSGI application behind proxies. It sees the visitor's address and scheme, not those of a trusted proxy.

    A proxy must pass the Host header on, and set X-Forwarded-For and X-Forwarded-Proto.
    """

    app: WsgiApp
    addresses: Collection[str] = ()

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        self.apply(environ)
        answer: Iterable[bytes] = self.app(environ, start_response)
        return answer

    def apply(self, environ: Environ) -> None:
        """Set address and scheme of the visitor, if the request comes from a trusted proxy."""
        if environ["REMOTE_ADDR"] not in self.addresses:
            return
        for named in reversed(environ.get("HTTP_X_FORWARDED_FOR", "").split(",")):
            address = plain_address(named)
            if not address:
                break  # the rest was not written by a proxy
            environ["REMOTE_ADDR"] = address
            if address not in self.addresses:
                break
        scheme = environ.get("HTTP_X_FORWARDED_PROTO", "").rpartition(",")[2].strip().lower()
        if scheme in ("http", "https"):
            environ["wsgi.url_scheme"] = scheme


def plain_address(text: str) -> str:
    """The address in one item of X-Forwarded-For, without brackets; empty if it is none."""
    try:
        return str(ip_address(text.strip().strip("[]")))
    except ValueError:
        return ""
