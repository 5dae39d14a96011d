"""What comes by HTTP: any request at all, the bodies of orders, and changes of the settings file."""

from __future__ import annotations

import json
import logging
from contextlib import nullcontext
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import unquote_to_bytes

from werkzeug.exceptions import HTTPException
from werkzeug.test import run_wsgi_app

from board_drivers.simulated import SimulatedBoard
from firmware_host.archive import Archive
from firmware_host.assemble import HandsOnScreen, set_out_pegs
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.variants import rules_for
from firmware_host.errands import Errand, Errands
from firmware_host.host import Host
from firmware_host.house import House
from firmware_host.journal import Journal
from firmware_host.languages import LANGUAGES, words
from firmware_host.phones import Phone, Role, hash_of
from firmware_host.plans import load_plan
from firmware_host.settings import SENTENCES, SettingsFault, Sources
from firmware_host.settings_desk import SettingsDesk
from firmware_host.snapshot import Snapshot
from firmware_host.table.orders import StartGame
from tests.fuzz.on_disk import IN_MEMORY
from tests.fuzz.target import CARDS, JSON, TOML, Target
from web_panel import create_panel
from web_panel.body import Body
from web_panel.present import present
from web_panel.problems import Problem
from web_panel.roles import NEEDED
from web_panel.visitors import COOKIE
from web_panel.wishes import WISHES

RULES = rules_for("six_card", {})
TOKEN = "token"
PHONES = (Phone("1", "Ann's", Role.OWNER, hash_of(TOKEN), None), Phone("2", "Ben's", Role.VIEWER, hash_of("2"), None))
SETTINGS = "names = ['Ann', 'Ben']  # ours\n"
USUAL = {"REQUEST_METHOD": "GET", "HTTP_HOST": "localhost", "REMOTE_ADDR": "127.0.0.1", "SERVER_NAME": "localhost"}
LONGEST_LINE = 2000
"""The server takes no longer heads either."""


class OnTheSpot(Errands):
    """Whoever asks does it at once: the host has no thread of its own here."""

    def __init__(self, host: Host) -> None:
        super().__init__(lambda: None)
        self._publish = host._publish

    def ask(self, errand: Errand) -> Snapshot:
        errand()
        return self._publish()


class World:
    """A game, a panel, two phones and a settings file, as they are before every reading."""

    def __init__(self) -> None:
        logging.disable(logging.CRITICAL)
        folder = Path(mkdtemp(dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
        self.file = folder / "cribboard.toml"
        journal = Journal.in_memory()
        plans = (load_plan("classic-61"), load_plan("continuous-121-2"))
        house = House(plans, open_board, set_out_pegs, (RULES,), ("Ann", "Ben"))
        self.host = Host(house, journal, clock=lambda: 0.0)
        self.host._errands = OnTheSpot(self.host)
        self.sources = Sources(self.file, {}, {"state_folder": folder}, is_needed=False)
        self.file.write_text(SETTINGS, encoding="utf-8")
        self.app = create_panel(
            self.host,
            archive=Archive(lambda: nullcontext(journal)),
            desk=SettingsDesk(self.sources, self.sources.load(), lambda settings: None),
            hands=HandsOnScreen(self.host),
            picture=lambda: b"",
        )
        self.app.testing = True  # what it stumbles over is raised
        self._known = -1

    def as_it_was(self) -> World:
        if self.host.snapshot.version != self._known:
            self.host.submit(StartGame(RULES, ("Ann", "Ben"), "classic-61", dealer=RULES.seats[0]))
            self._known = self.host.snapshot.version
        self.host.porch.book.phones = PHONES
        if self.file.read_bytes() != SETTINGS.encode():
            self.file.write_text(SETTINGS, encoding="utf-8")
        return self


def open_board(plan: BoardPlan) -> SimulatedBoard:
    return SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: 0.0)


world = cache(World)


def http(given: bytes) -> None:
    """A request: method and path, a header a line, an empty line, a body. There is an answer, and it is no fault."""
    head, _, body = given.partition(b"\n\n")
    first, *headers = head.decode("latin-1").split("\n")
    method, _, target = first.partition(" ")
    path, _, query = target.partition("?")
    environ: dict[str, object] = dict(USUAL)
    for line in headers:
        name, _, value = line[:LONGEST_LINE].partition(": ")
        environ["REMOTE_ADDR" if name == "From" else f"HTTP_{name.upper().replace('-', '_')}"] = value
    environ |= {"REQUEST_METHOD": method or "GET", "PATH_INFO": unquote_to_bytes(path).decode("latin-1")}
    environ |= {"SCRIPT_NAME": "", "QUERY_STRING": query, "SERVER_PORT": "80", "wsgi.url_scheme": "http"}
    environ |= {"CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body), "SERVER_PROTOCOL": "HTTP/1.1"}
    environ |= {"CONTENT_TYPE": environ.get("HTTP_CONTENT_TYPE", "application/json"), "wsgi.errors": None}
    answer, status, told = run_wsgi_app(world().as_it_was().app, environ)
    try:
        assert int(status.split()[0]) < 500, status
        if method != "HEAD" and told.get("Content-Type", "").startswith("application/json"):
            assert json.loads(b"".join(answer)) is not None
    finally:
        close = getattr(answer, "close", None)
        if close:
            close()


def orders(given: bytes) -> None:
    """The body of an order, which one is told by the first byte; what it leads to can be shown in every language."""
    name = tuple(WISHES)[given[0] % len(WISHES)] if given else ""
    if name:
        body, host = Body.of_text(given[1:]), world().as_it_was().host
        wish = WISHES[name](body, None)
        body.finish()
        host.submit(wish)
        for language in LANGUAGES:
            assert json.dumps(present(host.snapshot, words(language)))


def desk(given: bytes) -> None:
    """A settings file, a zero, and changes as JSON: all of them are written, or none and the file is as it was."""
    text, _, told = given.partition(b"\0")
    changes = Body.of_text(told).table_if_told("changes")
    here = world()
    here.file.write_bytes(text)
    desk = SettingsDesk(here.sources, here.sources.load(), lambda settings: None)
    try:
        desk.change(changes)
    except SettingsFault:
        assert here.file.read_bytes() == text
        raise
    said = desk.said
    assert all(key not in said for key, value in changes.items() if value is None)
    assert desk.written


_ROUTES = tuple(sorted({route.split("<")[0] for route in NEEDED}))
_FIELDS = ("cards", "card", "names", "variant", "options", "target", "side", "points", "seat", "changes", "board")

ON_THE_WEB = (
    Target(
        http,
        (),
        (*_ROUTES, *JSON, *CARDS, *_FIELDS, f"Cookie: {COOKIE}={TOKEN}", "From: 192.168.1.7", "%", "?"),
        is_slow=True,
    ),
    Target(orders, (Refusal, HTTPException, Problem), (*JSON, *CARDS, *_FIELDS)),
    Target(desk, (SettingsFault, Problem), (*TOML, *JSON, '\0{"changes":{', *SENTENCES)),
)
