"""The application factory: builds the panel from its blueprints, its request checks and its cache."""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import Path
from socket import socket
from ssl import SSLContext
from typing import TYPE_CHECKING, Any

from flask import Flask
from msgspec import Struct

from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.game.state import Table
from firmware_host.host.loop import Host
from web_panel.api.games import make_games
from web_panel.api.me import make_me
from web_panel.api.openapi import describe
from web_panel.api.pairing import make_pairing
from web_panel.api.routes import install_refusal_handler, make_api
from web_panel.api.stream import StreamLimits, Streams
from web_panel.board_input import BoardInput, Demo
from web_panel.compression import install_compression
from web_panel.errors import install_error_handlers
from web_panel.language import remember_language
from web_panel.lazy_rule import LazyRule
from web_panel.pages.board import make_board_pages
from web_panel.pages.device import DisplayPicture, make_device
from web_panel.pages.error_page import install_error_pages
from web_panel.pages.help import make_help
from web_panel.pages.on_demand import PagesOnDemand
from web_panel.pages.phones import make_phones
from web_panel.pages.style_sheets import make_style_sheets
from web_panel.security.allowed_hosts import LOOPBACK
from web_panel.security.hand_owners import HandOwners
from web_panel.security.https import install_https
from web_panel.security.identity import VisitorLookup
from web_panel.security.permissions import install_role_check
from web_panel.security.proxies import TrustedProxies
from web_panel.security.request_guard import install_request_guard
from web_panel.server.limits import ServerLimits
from web_panel.server.loop import Listener, PanelServer
from web_panel.template_cache import TemplateCache
from web_panel.views.cache import StateCache
from web_panel.wsgi import Environ

if TYPE_CHECKING:
    from firmware_host.stats.archive import Archive
    from firmware_host.stats.learners_file import LearnersFile
    from firmware_host.stats.people_file import PeopleFile
    from web_panel.pages.trust import Authority

VISITORS = "cribboard.visitors"
"""Key of the panel's VisitorLookup among the extensions of the application."""
PROXIES = "cribboard.trusted_proxies"
"""Key of the addresses of trusted proxies there."""


class AccessPolicy(Struct, frozen=True):
    """What the panel allows to whom, apart from roles."""

    hosts: Container[str] = LOOPBACK
    """Host names that the panel answers to."""
    is_watching_open: Callable[[], bool] = lambda: True
    """Whether unpaired visitors may watch. Called for each request."""
    is_history_open: Callable[[], bool] = lambda: True
    """Whether those who watch may also see past games. Called for each request."""
    is_seatless_play_open: Callable[[], bool] = lambda: False
    """Whether a phone without a seat may play while others have seats. Called for each command."""
    gives_advice: Callable[[Table | None], bool] = lambda table: True
    """Whether this game allows discard advice."""
    trusted_proxies: frozenset[str] = frozenset()
    """Addresses of proxies. With any, a browser on the board's own computer must be paired as well: a proxy there may
    pass on what strangers send."""
    is_own_user: Callable[[dict[str, Any]], bool] = lambda environ: True
    """Whether a request from this computer was sent by the user of this program."""
    authority: Authority | None = None
    """The authority that phones must trust, where the server has HTTPS. Then almost nothing is answered in clear."""


def open_server(
    panel: Flask, listening: socket, limits: ServerLimits | None = None, tls: SSLContext | None = None
) -> PanelServer:
    """A server for the panel on a bound socket; with `tls` it has HTTPS. Its `run` serves until it is closed."""
    visitors: VisitorLookup = panel.extensions[VISITORS]
    app = TrustedProxies(panel.wsgi_app, panel.extensions[PROXIES])

    def is_known(environ: Environ) -> bool:
        app.apply(environ)
        return visitors.is_known(environ)

    return PanelServer([Listener(listening, app, tls)], is_known, limits, app.addresses)


def create_panel(
    host: Host,
    *,
    archive: Callable[[], Archive],
    people_file: Callable[[], PeopleFile],
    learners_file: Callable[[], LearnersFile],
    settings_editor: SettingsEditor | None = None,
    board_input: BoardInput | None = None,
    picture: DisplayPicture | None = None,
    demo: Demo | None = None,
    stream_limits: StreamLimits | None = None,
    access_policy: AccessPolicy | None = None,
    voice_fault: Callable[[], str] | None = None,
    telemetry_fault: Callable[[], str] | None = None,
    template_folder: Path | None = None,
) -> Flask:
    """Build the panel of `host` as a WSGI application.

    `archive` reads past games, `people_file` has the merged names, `learners_file` the progress of learners. The three
    are made when they are first needed, and each call has to return the same. `settings_editor` changes the settings
    file, `picture` renders the display as PNG. `voice_fault` is why the board cannot be heard, `telemetry_fault` why
    the MQTT broker does not get everything.
    `template_folder` keeps compiled templates for the next start.
    `board_input` is given only where keys and OLED are on the screen. The page then shows them (and pegs to drag,
    unless the pegs are real), and visitors on the board's own computer need no pairing.
    `panel.extensions[VISITORS]` tells the server who is known: see `open_server`.
    """
    app = Flask("web_panel")
    policy = access_policy or AccessPolicy()
    app.url_rule_class = LazyRule
    if template_folder:
        app.jinja_env.bytecode_cache = TemplateCache(template_folder)
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = None  # revalidate each time; unchanged files are answered with 304
    cache = StateCache(host, board_input)
    install_request_guard(app, policy.hosts)
    if policy.authority:
        install_https(app)
    has_no_proxy = not policy.trusted_proxies
    visitors = VisitorLookup(
        host.pairing.registry,
        has_no_proxy and board_input is not None,
        policy.is_watching_open,
        lambda: has_no_proxy and is_first_start(host),
        policy.is_own_user,
    )
    install_role_check(app, visitors, policy.is_history_open)
    app.extensions[VISITORS], app.extensions[PROXIES] = visitors, policy.trusted_proxies
    remember_language(app)
    install_error_pages(app)
    install_compression(app)
    install_error_handlers(app)
    install_refusal_handler(app)
    owners = HandOwners(host.pairing.registry)
    streams = Streams(cache, stream_limits or StreamLimits())
    app.register_blueprint(make_pairing(host))
    app.register_blueprint(make_api(host, cache, streams, board_input, demo, owners, policy.is_seatless_play_open))
    app.register_blueprint(make_phones(host, visitors.last_seen))
    app.register_blueprint(make_me(host, policy.gives_advice, owners))
    app.register_blueprint(make_style_sheets())
    app.register_blueprint(make_board_pages(host, cache, board_input, settings_editor))
    app.register_blueprint(make_games(host, archive))
    app.register_blueprint(make_help(board_input))
    app.register_blueprint(make_device(host, picture, voice_fault, telemetry_fault))
    on_demand = PagesOnDemand(
        host,
        archive,
        people_file,
        learners_file,
        settings_editor,
        board_input,
        policy.gives_advice,
        policy.authority,
    )
    for pages in on_demand.blueprints():
        app.register_blueprint(pages)
    describe(app)
    return app


def is_first_start(host: Host) -> bool:
    """Whether the board is being set up before its first game. Its own computer may then do it without a phone."""
    return host.snapshot.wizard is not None and host.snapshot.table is None
