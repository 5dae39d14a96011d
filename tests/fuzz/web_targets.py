"""Fuzz targets for HTTP: its bytes, any request, the bodies of commands, and changes of the settings file."""

from __future__ import annotations

import json
from contextlib import nullcontext
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import unquote_to_bytes

from werkzeug.exceptions import HTTPException
from werkzeug.test import run_wsgi_app

from board_drivers.simulated import SimulatedBoard
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.config.settings import SENTENCES
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_sources import Sources
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.host.loop import Host
from firmware_host.host.parts.call_queue import Call, CallQueue
from firmware_host.host.setup import HostSetup
from firmware_host.host.snapshot import Snapshot
from firmware_host.pairing.registry import Phone, Role, hash_token
from firmware_host.startup.board_screen import ScreenInput
from firmware_host.startup.boards import place_pegs
from firmware_host.stats.archive import Archive
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.journal import Journal
from tests.fuzz.file_targets import IN_MEMORY
from tests.fuzz.target import CARDS, JSON, TOML, Target
from web_panel.api.commands import COMMANDS
from web_panel.api.json_body import read_body
from web_panel.app import create_panel
from web_panel.errors import Problem
from web_panel.pages.settings import Changes
from web_panel.security.identity import COOKIE
from web_panel.security.permissions import REQUIRED_ROLES
from web_panel.server.exchange import Exchange, RequestRefused
from web_panel.server.limits import ServerLimits
from web_panel.server.wsgi_task import ServerFacts, environ_of
from web_panel.views.state import state_view

RULES = rules_for("six_card", {})
TOKEN = "token"
PHONES = (
    Phone("1", "Ann's", Role.OWNER, hash_token(TOKEN), None),
    Phone("2", "Ben's", Role.VIEWER, hash_token("2"), None),
)
SETTINGS = "names = ['Ann', 'Ben']  # comment\n"
DEFAULT_ENVIRON = {
    "REQUEST_METHOD": "GET",
    "HTTP_HOST": "localhost",
    "REMOTE_ADDR": "127.0.0.1",
    "SERVER_NAME": "localhost",
}
LIMITS = ServerLimits()
SERVER = ServerFacts(lambda environ, start_response: [], "http", 80)
MAX_HEADER = 2000
"""As long as the server accepts a header."""


class DirectCalls(CallQueue):
    """Runs each call at once: the host has no thread here."""

    def __init__(self, host: Host) -> None:
        super().__init__(lambda: None)
        self._publish = host._publish

    def call(self, call: Call) -> Snapshot:
        call()
        return self._publish()


class World:
    """A game, a web panel, two phones and a settings file."""

    def __init__(self) -> None:
        folder = Path(mkdtemp(dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
        self.file = folder / "cribboard.toml"
        journal = Journal.in_memory()
        plans = (load_plan("classic-61"), load_plan("continuous-121-2"))
        setup = HostSetup(plans, open_board, place_pegs, (RULES,), ("Ann", "Ben"))
        self.host = Host(setup, journal, clock=lambda: 0.0)
        self.host._calls = DirectCalls(self.host)
        self.sources = Sources(self.file, {}, {"state_folder": folder}, is_needed=False)
        self.file.write_text(SETTINGS, encoding="utf-8")
        self.app = create_panel(
            self.host,
            archive=cache(lambda: Archive(lambda: nullcontext(journal))),
            people_file=cache(PeopleFile),
            learners_file=cache(LearnersFile),
            settings_editor=SettingsEditor(self.sources, self.sources.load(), lambda settings: None),
            board_input=ScreenInput(self.host),
            picture=lambda: b"",
        )
        self.app.testing = True  # raise exceptions instead of answering 500
        self._version = -1

    def reset(self) -> World:
        """Restore the state in which every input is read."""
        if self.host.snapshot.version != self._version:
            self.host.submit(StartGame(RULES, ("Ann", "Ben"), "classic-61", dealer=RULES.seats[0]))
            self._version = self.host.snapshot.version
        self.host.pairing.registry.phones = PHONES
        if self.file.read_bytes() != SETTINGS.encode():
            self.file.write_text(SETTINGS, encoding="utf-8")
        return self


def open_board(plan: BoardPlan) -> SimulatedBoard:
    return SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: 0.0)


world = cache(World)


def http_request(data: bytes) -> None:
    """A request: method and path, one header per line, an empty line, a body. The status must be below 500."""
    head, _, body = data.partition(b"\n\n")
    first, *headers = head.decode("latin-1").split("\n")
    method, _, target = first.partition(" ")
    path, _, query = target.partition("?")
    environ: dict[str, object] = dict(DEFAULT_ENVIRON)
    for line in headers:
        name, _, value = line[:MAX_HEADER].partition(": ")
        environ["REMOTE_ADDR" if name == "From" else f"HTTP_{name.upper().replace('-', '_')}"] = value
    environ |= {"REQUEST_METHOD": method or "GET", "PATH_INFO": unquote_to_bytes(path).decode("latin-1")}
    environ |= {"SCRIPT_NAME": "", "QUERY_STRING": query, "SERVER_PORT": "80", "wsgi.url_scheme": "http"}
    environ |= {"CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body), "SERVER_PROTOCOL": "HTTP/1.1"}
    environ |= {"CONTENT_TYPE": environ.get("HTTP_CONTENT_TYPE", "application/json"), "wsgi.errors": None}
    content, status, response_headers = run_wsgi_app(world().reset().app, environ)
    try:
        assert int(status.split()[0]) < 500, status
        if method != "HEAD" and response_headers.get("Content-Type", "").startswith("application/json"):
            assert json.loads(b"".join(content)) is not None
    finally:
        close = getattr(content, "close", None)
        if close:
            close()


def request_bytes(data: bytes) -> None:
    """The bytes of a connection, up to the end of one request. It must not depend on how they are split."""
    results = []
    for step in (len(data) + 1, 1):
        exchange = Exchange(LIMITS.header_bytes, LIMITS.body_bytes)
        pieces, refusal = BytesIO(data), None
        try:
            while not exchange.is_received and (piece := pieces.read(step)):
                exchange.receive(piece)
        except RequestRefused as refused:
            refusal = refused.status
            assert exchange.refusal(refused.status)
        environ = environ_of(exchange, SERVER, ("192.168.1.7", 50000))
        results.append((refusal, exchange.is_received, environ["REQUEST_METHOD"], environ["PATH_INFO"], exchange.body))
    assert results[0] == results[1]


def command_body(data: bytes) -> None:
    """The first byte chooses a command, the rest is its body. The resulting state must be printable in every
    language."""
    name = tuple(COMMANDS)[data[0] % len(COMMANDS)] if data else ""
    if name:
        body = read_body(data[1:], COMMANDS[name])
        host = world().reset().host
        host.submit(body.command(None))
        for language in LANGUAGES:
            assert json.dumps(state_view(host.snapshot, translator(language)))


def settings_changes(data: bytes) -> None:
    """A settings file, a NUL, and changes as JSON. All changes are written, or none and the file is unchanged."""
    text, _, body = data.partition(b"\0")
    changes = read_body(body, Changes).changes or {}
    here = world()
    here.file.write_bytes(text)
    desk = SettingsEditor(here.sources, here.sources.load(), lambda settings: None)
    try:
        desk.change(changes)
    except SettingsError:
        assert here.file.read_bytes() == text
        raise
    changed = desk.file_values
    assert all(key not in changed for key, value in changes.items() if value is None)
    assert desk.next_settings


_ROUTES = tuple(sorted({route.split("<")[0] for route in REQUIRED_ROLES}))
_HTTP = (
    "\r\n",
    "\n",
    "\r",
    " HTTP/1.1\r\n",
    "HTTP/1.0",
    "Host: a\r\n",
    "Content-Length: 2\r\n",
    "Expect: 100-continue\r\n",
)
_CHUNKS = ("Transfer-Encoding: chunked\r\n", "0\r\n\r\n", "2\r\n{}\r\n", ";x=y", "http://", "Connection: close\r\n")
_FIELDS = ("cards", "card", "names", "variant", "options", "target", "side", "points", "seat", "changes", "board")

ON_THE_WEB = (
    Target(
        http_request,
        (),
        (*_ROUTES, *JSON, *CARDS, *_FIELDS, f"Cookie: {COOKIE}={TOKEN}", "From: 192.168.1.7", "%", "?"),
        is_slow=True,
    ),
    Target(request_bytes, (), (*_HTTP, *_CHUNKS, *JSON)),
    Target(command_body, (Refusal, HTTPException, Problem), (*JSON, *CARDS, *_FIELDS)),
    Target(settings_changes, (SettingsError, Problem), (*TOML, *JSON, '\0{"changes":{', *SENTENCES)),
)
