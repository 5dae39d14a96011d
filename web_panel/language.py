"""Which language a page speaks: the one asked for, else the one chosen before, else what the browser prefers."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response, request

from firmware_host.languages import LANGUAGES

OWN_NAMES: Mapping[str, str] = {"en": "English", "fr": "Français", "ru": "Русский", "pl": "Polski"}
"""Each language as its speakers call it: who looks for it cannot read the page yet."""

CHOSEN = "lang"
"""The name of the question in an address, and of the cookie that remembers the answer."""

REMEMBERED_S = 365 * 24 * 3600

DECIMAL_COMMA = frozenset({"fr", "ru", "pl"})


def language_now() -> str:
    """The language of the request that is being answered."""
    for told in (request.args.get(CHOSEN), request.cookies.get(CHOSEN)):
        if told in LANGUAGES:
            return told
    return request.accept_languages.best_match(LANGUAGES, LANGUAGES[0])


def remember_language(app: Flask) -> None:
    """Who asks for a language by ?lang= gets it on the next page too."""

    @app.after_request
    def remember(response: Response) -> Response:
        asked = request.args.get(CHOSEN)
        if asked in LANGUAGES and response.mimetype == "text/html":
            response.set_cookie(CHOSEN, asked, max_age=REMEMBERED_S, samesite="Strict", httponly=True)
        return response


def in_figures(number: float, language: str, places: int = 1) -> str:
    """A number as it is written in the language: 4.8, or 4,8."""
    text = f"{number:.{places}f}"
    return text.replace(".", ",") if language in DECIMAL_COMMA else text
