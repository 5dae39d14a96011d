"""Builds the pages of a club, and the server for them: the same request guard and the same server as the panel's."""

from __future__ import annotations

from collections.abc import Container, Mapping
from http import HTTPStatus
from socket import socket
from ssl import SSLContext

from flask import Flask, Response, json, request

from firmware_host.club_server.accounts import Accounts
from firmware_host.club_server.live_boards import LiveBoards
from firmware_host.club_server.store import ClubFile
from firmware_host.config.languages import translator
from firmware_host.ui.translator import Translator
from web_panel.api.routes import install_refusal_handler
from web_panel.club.access import COOKIE, WRONG_PASSWORD, Sessions, install_access_check
from web_panel.club.api import make_club_api
from web_panel.club.computer import Computer, make_computer
from web_panel.club.nights import make_nights
from web_panel.club.pages import ClubPages, make_pages
from web_panel.club.papers import make_papers
from web_panel.club.players import PHONE_COOKIE, make_player_api
from web_panel.club.rendering import render_club
from web_panel.club.shared_club import SharedClub
from web_panel.compression import install_compression
from web_panel.errors import PROBLEM_TYPE, install_error_handlers
from web_panel.language import language_now, remember_language
from web_panel.lazy_rule import LazyRule
from web_panel.pages.error_page import wants_page
from web_panel.pages.style_sheets import make_style_sheets
from web_panel.pages.trust import Authority, make_trust
from web_panel.security.allowed_hosts import LOOPBACK
from web_panel.security.https import install_https
from web_panel.security.identity import is_from_own_user
from web_panel.security.local_sockets import is_own_user
from web_panel.security.request_guard import install_request_guard
from web_panel.server.loop import Listener, PanelServer
from web_panel.wsgi import Environ

ROOM = frozenset({"/", "/room"})
"""Paths of the screen of the room. It shows the same to everybody, so it is answered in clear too: phones that do not
trust the club's certificate can watch."""


def create_club(
    file: ClubFile,
    accounts: Accounts,
    address: str,
    hosts: Container[str] = LOOPBACK,
    authority: Authority | None = None,
    computer: Computer | None = None,
    live: LiveBoards | None = None,
) -> Flask:
    """The pages of the club in `file`. `address` is shown on the screen of the room; `hosts` are the host names that
    are answered. `authority`: what phones must trust where the server has HTTPS. Accounts are then used over HTTPS
    alone. `computer`: where backups are made and restored. `live`: how the boards are now; without it none is heard."""
    app = Flask("web_panel")
    app.url_rule_class = LazyRule
    pages = ClubPages(SharedClub(file), Sessions(accounts), address, live or LiveBoards())
    app.extensions[COOKIE] = pages
    install_request_guard(app, hosts, {COOKIE, PHONE_COOKIE})
    if authority:
        install_https(app, also_in_clear=ROOM)
    install_access_check(app, pages.sessions)
    remember_language(app)
    install_error_pages(app, pages.shared)
    install_compression(app)
    install_error_handlers(app)
    install_refusal_handler(app)
    app.register_blueprint(make_style_sheets())
    app.register_blueprint(make_trust(authority))
    app.register_blueprint(make_pages(pages))
    app.register_blueprint(make_papers(pages.shared))
    app.register_blueprint(make_club_api(pages.shared, pages.sessions))
    app.register_blueprint(make_player_api(pages.shared))
    app.register_blueprint(make_computer(pages.shared, accounts, computer))
    app.register_blueprint(make_nights(pages.shared))
    return app


def open_club_server(app: Flask, listening: socket, tls: SSLContext | None = None) -> PanelServer:
    """A server on a bound socket; with `tls` it has HTTPS too. Its `run` serves until it is closed."""
    pages: ClubPages = app.extensions[COOKIE]

    def is_known(environ: Environ) -> bool:
        return pages.sessions.is_known(environ) or is_from_own_user(environ, is_own_user)

    return PanelServer([Listener(listening, app.wsgi_app, tls)], is_known)


def close_club(app: Flask) -> None:
    """Close the file of the pages, after their server has ended."""
    pages: ClubPages = app.extensions[COOKIE]
    pages.shared.close()


def install_error_pages(app: Flask, shared: SharedClub) -> None:
    """Turn problem details into a page wherever a browser asked for one, and add a sentence to the others."""

    @app.after_request
    def to_page(response: Response) -> Response:
        if response.mimetype != PROBLEM_TYPE:
            return response
        problem = json.loads(response.get_data())
        sentence = sentence_of(problem, translator(language_now()))
        if not wants_page():
            response.set_data(json.dumps({**problem, "localized": problem.get("localized", sentence)}))
            return response
        status = problem["status"]
        template = "club_login.html" if status == HTTPStatus.FORBIDDEN else "club_error.html"
        response.set_data(
            render_club(template, shared.club, status=status, sentence=sentence, then=request.full_path.rstrip("?"))
        )
        response.mimetype = "text/html"
        response.headers["Cache-Control"] = "no-store"
        return response


def sentence_of(problem: Mapping[str, str | int], tr: Translator) -> str:
    """What happened, for the person."""
    match problem["status"]:
        case HTTPStatus.FORBIDDEN if problem.get("kind") == WRONG_PASSWORD:
            return tr("Wrong name or password.")
        case HTTPStatus.FORBIDDEN:
            return tr("Log in with an account that may do this.")
        case HTTPStatus.NOT_FOUND:
            return tr("Page not found.")
        case HTTPStatus.TOO_MANY_REQUESTS:
            return tr("Too many wrong attempts. Wait a minute.")
    return tr("Something went wrong. All results that were entered are kept. Try again.")
