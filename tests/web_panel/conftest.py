"""The panel with a real host and a simulated board. The test is the host's thread: it steps while a request waits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.test import TestResponse

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.course import Hole
from firmware_host.board.peg_source import PegSource
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.config.settings_sources import Sources
from firmware_host.cribbage.variants import rules_for
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.pairing.registry import Role
from firmware_host.simulation.autoplay import Demo
from firmware_host.stats.archive import Archive
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.journal import Journal
from firmware_host.storage.recovery import RecoveryReport
from firmware_host.ui.pairing_prompt import AcceptPhone, ClosePairing, OpenPairing
from tests.web_panel.browsing import browser as browser
from tests.web_panel.browsing import page as page
from tests.web_panel.browsing import program as program
from tests.web_panel.compiled_once import TEMPLATES, share_compiled_routes
from web_panel.app import AccessPolicy, create_panel
from web_panel.security.identity import COOKIE

share_compiled_routes()

API = "/api/v1"
PEG_SOURCES = (PegSource.DRAWN, PegSource.BY_HAND)
"""As on a board of the page alone."""
NO_FILE = Path("/proc/nowhere/cribboard.toml")
"""A settings file that cannot be written."""


def json_of(answer: TestResponse) -> Any:
    """The JSON of a response."""
    return json.loads(answer.text)


class SimulatedInput:
    """Input for the simulated board that the host has open."""

    moves_pegs = True

    def __init__(self, host: Host) -> None:
        self._host = host

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host.board, name)


class Rig:
    """A host, a simulated board, the panel with a test client, and a clock that moves only by `wait`."""

    def __init__(
        self,
        *,
        is_simulated: bool = True,
        access_policy: AccessPolicy | None = None,
        settings_file: Path = NO_FILE,
        journal: Journal | None = None,
        recovery: RecoveryReport | None = None,
    ) -> None:
        self.now_s, self.is_simulated = 0.0, is_simulated
        self.journal = journal or Journal.in_memory()
        plans = (load_plan("classic-61"), load_plan("continuous-121-2"))
        games = (rules_for("six_card"),)
        setup = HostSetup(plans, self._open, self._set_out, games, ("Ann", "Ben"), peg_sources=PEG_SOURCES)
        setup = replace(setup, keeps_pegs=is_simulated)
        self.host = Host(setup, self.journal, clock=lambda: self.now_s, recovery=recovery)
        self.demo = Demo(self.host, rules_for("six_card"), Random(1))
        self.applied_settings: list[Settings] = []
        board_input = SimulatedInput(self.host) if is_simulated else None
        demo = self.demo if is_simulated else None
        sources = Sources(settings_file, {"HOME": "/proc/nowhere"}, {}, is_needed=False)
        self.settings_editor = SettingsEditor(sources, sources.load(), self.applied_settings.append)
        self.archive = Archive(lambda: nullcontext(self.journal))
        self.people_file, self.learners_file = PeopleFile(), LearnersFile()
        self.app = self.panel(
            settings_editor=self.settings_editor,
            board_input=board_input,
            demo=demo,
            picture=self._picture,
            access_policy=access_policy,
        )
        self.app.jinja_env.bytecode_cache = TEMPLATES
        self.client = self.app.test_client()
        self.wait(0.1)

    def panel(self, **options: Any) -> Flask:
        """A panel of this host, with its past games and people."""
        return create_panel(
            self.host,
            archive=lambda: self.archive,
            people_file=lambda: self.people_file,
            learners_file=lambda: self.learners_file,
            **options,
        )

    def _open(self, plan: BoardPlan) -> SimulatedBoard:
        self.board = SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: self.now_s)
        return self.board

    def _set_out(self, board: Board, standing: SensorFrame) -> None:
        self.board.set_pegs(standing)

    def _picture(self) -> bytes:
        return self.board.oled_png()

    def wait(self, seconds: float) -> None:
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s += 0.02
            self.host.step()

    def post(self, path: str, body: object = None, phone: FlaskClient | None = None, **sent: Any) -> TestResponse:
        """One POST to the API. A body given by name as `json` or `data` is sent unchanged."""
        sent = sent if {"json", "data"} & sent.keys() else {"json": {} if body is None else body, **sent}
        with ThreadPoolExecutor(1) as caller:
            answer = caller.submit(lambda: (phone or self.client).post(API + path, **sent))
            while not answer.done():
                self.host.step()
                wait([answer], timeout=0.0005)
            return answer.result()

    def get(self, path: str, **headers: str) -> TestResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.get(path, headers=named, buffered=True)

    def command(self, name: str, **body: object) -> Any:
        """Send a command that must be accepted; the state that follows."""
        answer = self.post(f"/commands/{name}", body)
        assert answer.status_code == 200, answer.text
        return json_of(answer)

    def state(self) -> Any:
        self.host.step()
        return json_of(self.get(f"{API}/state"))

    def begin(self, **game: object) -> Any:
        """Ann and Ben on the classic board, Ann deals."""
        usual = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
        return self.command("new-game", **usual | game)

    def sensor(self, track: int, hole: int) -> int:
        return self.host.plan.at(track, Hole(hole)).sensor

    def leap(self, track: int, came_from: int, to: int, *, still_s: float = 0.6) -> None:
        """Move a peg on the page, then wait until it is settled."""
        assert self.post("/pegs/lift", {"sensor": self.sensor(track, came_from)}).status_code == 204
        self.wait(0.3)
        assert self.post("/pegs/place", {"sensor": self.sensor(track, to)}).status_code == 204
        self.wait(still_s)


OWN_PAGE = {"Origin": "http://localhost"}


class PhoneClient:
    """A phone with its own cookies. It sends the Origin header, as every browser does."""

    def __init__(self, rig: Rig) -> None:
        self.rig, self.client = rig, rig.app.test_client()

    def get(self, path: str) -> TestResponse:
        self.rig.host.step()
        return self.client.get(API + path, buffered=True)

    def post(self, path: str, body: object = None, **headers: str) -> TestResponse:
        return self.rig.post(path, body, self.client, headers=OWN_PAGE | headers)

    def send(self, name: str, **body: object) -> TestResponse:
        """Send a command, accepted or not."""
        return self.post(f"/commands/{name}", body)

    def command(self, name: str, **body: object) -> Any:
        """Send a command that must be accepted; the state that follows."""
        answer = self.send(name, **body)
        assert answer.status_code == 200, answer.text
        return json_of(answer)

    def pair(self, name: str, role: Role | None = None) -> PhoneClient:
        """Request pairing, be accepted at the board, and fetch the token."""
        pairing = self.rig.host.pairing
        pairing.do(OpenPairing())
        answer = self.post("/pairing/request", {"name": name, "code": pairing.pairing_state().code})
        secret = json_of(answer)["secret"]
        pairing.do(AcceptPhone())
        pairing.do(ClosePairing())
        me = json_of(self.post("/pairing/token", {"secret": secret}))["phone"]
        if role:
            pairing.registry.set_role(me["id"], role)
        return self

    @property
    def token(self) -> str:
        cookie = self.client.get_cookie(COOKIE)
        return cookie.value if cookie else ""


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.host.stop()


@pytest.fixture
def real_rig() -> Iterator[Rig]:
    """The same with a real board: its pegs and keys cannot be moved by the API."""
    rig = Rig(is_simulated=False)
    yield rig
    rig.host.stop()
