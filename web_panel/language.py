"""The language of a request: `?lang=`, else the cookie, else the best match of Accept-Language."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response, request

from firmware_host.config.languages import LANGUAGES

LANGUAGE_NAMES: Mapping[str, str] = {"en": "English", "fr": "Français", "ru": "Русский", "pl": "Polski"}
"""Language -> its name in that language, for people who cannot read the present one."""

LANGUAGE_KEY = "lang"
"""Name of the query parameter, and of the cookie that remembers it."""

COOKIE_AGE_S = 365 * 24 * 3600

DECIMAL_COMMA = frozenset({"fr", "ru", "pl"})


def language_now() -> str:
    """The language of the current request, one of LANGUAGES."""
    for requested in (request.args.get(LANGUAGE_KEY), request.cookies.get(LANGUAGE_KEY)):
        if requested in LANGUAGES:
            return requested
    return request.accept_languages.best_match(LANGUAGES, LANGUAGES[0])


def remember_language(app: Flask) -> None:
    """Keep a language chosen by `?lang=` in a cookie, so that the next page has it too."""

    @app.after_request
    def set_language_cookie(response: Response) -> Response:
        requested = request.args.get(LANGUAGE_KEY)
        if requested in LANGUAGES and response.mimetype == "text/html":
            response.set_cookie(LANGUAGE_KEY, requested, max_age=COOKIE_AGE_S, samesite="Strict", httponly=True)
        return response


def format_number(number: float, language: str, places: int = 1) -> str:
    """The number with `places` decimals and the decimal sign of the language: 4.8, or 4,8."""
    text = f"{number:.{places}f}"
    return text.replace(".", ",") if language in DECIMAL_COMMA else text
