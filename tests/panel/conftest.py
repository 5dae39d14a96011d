"""The panel before a real host on a simulated board. The test is the host's thread: it steps while a request waits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.archive import Archive
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.variants import rules_for
from firmware_host.host import Host
from firmware_host.house import House
from firmware_host.journal import Journal
from firmware_host.phones import Role
from firmware_host.plans import load_plan
from firmware_host.settings import Settings, Sources
from firmware_host.settings_desk import SettingsDesk
from firmware_host.table.door import CloseDoor, LetIn, OpenDoor
from tests.panel.browsing import browser as browser
from tests.panel.browsing import page as page
from tests.panel.browsing import program as program
from web_panel import create_panel
from web_panel.panel import Openness
from web_panel.visitors import COOKIE

API = "/api/v1"
NO_FILE = Path("/proc/nowhere/cribboard.toml")
"""Where nothing can be written."""


def told(answer: TestResponse) -> Any:
    """The JSON of an answer."""
    return json.loads(answer.text)


class FakeDemo:
    """A demo that only remembers whether it should run."""

    def __init__(self) -> None:
        self.is_running = False

    def start(self) -> None:
        self.is_running = True

    def stop(self) -> None:
        self.is_running = False


class SimulatedHands:
    """Fingers on whatever simulated board the host has open."""

    moves_pegs = True

    def __init__(self, host: Host) -> None:
        self._host = host

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host.board, name)


class Room:
    """A table with a board, a phone, and a clock that moves only when told."""

    def __init__(
        self,
        *,
        is_simulated: bool = True,
        openness: Openness | None = None,
        settings_file: Path = NO_FILE,
        journal: Journal | None = None,
    ) -> None:
        self.now_s = 0.0
        self.journal = journal or Journal.in_memory()
        plans = (load_plan("classic-61"), load_plan("continuous-121-2"))
        house = House(plans, self._open, self._set_out, (rules_for("six_card"),), ("Ann", "Ben"))
        self.host = Host(house, self.journal, clock=lambda: self.now_s)
        self.demo = FakeDemo()
        self.settings_taken_up: list[Settings] = []
        hands = SimulatedHands(self.host) if is_simulated else None
        demo = self.demo if is_simulated else None
        sources = Sources(settings_file, {"HOME": "/nowhere"}, {}, is_needed=False)
        self.desk = SettingsDesk(sources, sources.load(), self.settings_taken_up.append)
        self.archive = Archive(lambda: nullcontext(self.journal))
        self.app = create_panel(
            self.host,
            archive=self.archive,
            desk=self.desk,
            hands=hands,
            demo=demo,
            picture=self._picture,
            openness=openness,
        )
        self.phone = self.app.test_client()
        self.wait(0.1)

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
        """One POST to the API. A body given as `json` or `data` by name goes out as it is."""
        sent = sent if {"json", "data"} & sent.keys() else {"json": {} if body is None else body, **sent}
        with ThreadPoolExecutor(1) as caller:
            answer = caller.submit(lambda: (phone or self.phone).post(API + path, **sent))
            while not answer.done():
                self.host.step()
            return answer.result()

    def get(self, path: str, **headers: str) -> TestResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.phone.get(path, headers=named, buffered=True)

    def order(self, name: str, **body: object) -> Any:
        """An order that must be taken; the state that followed."""
        answer = self.post(f"/orders/{name}", body)
        assert answer.status_code == 200, answer.text
        return told(answer)

    def state(self) -> Any:
        self.host.step()
        return told(self.get(f"{API}/state"))

    def begin(self, **told: object) -> Any:
        """Ann and Ben on the classic board, Ann deals."""
        usual = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
        return self.order("new-game", **usual | told)

    def sensor(self, track: int, hole: int) -> int:
        return self.host.plan.at(track, Hole(hole)).sensor

    def leap(self, track: int, came_from: int, to: int, *, still_s: float = 0.6) -> None:
        """A peg moved by a finger on the page, that then holds still."""
        assert self.post("/hands/lift", {"sensor": self.sensor(track, came_from)}).status_code == 204
        self.wait(0.3)
        assert self.post("/hands/place", {"sensor": self.sensor(track, to)}).status_code == 204
        self.wait(still_s)


OWN_PAGE = {"Origin": "http://localhost"}


class Guest:
    """A phone in the room, with its own cookies; it says which page asks, as every browser does."""

    def __init__(self, room: Room) -> None:
        self.room, self.browser = room, room.app.test_client()

    def get(self, path: str) -> TestResponse:
        self.room.host.step()
        return self.browser.get(API + path, buffered=True)

    def post(self, path: str, body: object = None, **headers: str) -> TestResponse:
        return self.room.post(path, body, self.browser, headers=OWN_PAGE | headers)

    def order(self, name: str, **body: object) -> TestResponse:
        return self.post(f"/orders/{name}", body)

    def taken(self, name: str, **body: object) -> Any:
        """An order that must be taken; the state that followed."""
        answer = self.order(name, **body)
        assert answer.status_code == 200, answer.text
        return told(answer)

    def come_in(self, name: str, role: Role | None = None) -> Guest:
        """Knock, be let in at the board, and pick the token up."""
        porch = self.room.host.porch
        porch.do(OpenDoor())
        knock = told(self.post("/pairing/knock", {"name": name, "code": porch.door().code}))["knock"]
        porch.do(LetIn())
        porch.do(CloseDoor())
        me = told(self.post("/pairing/pick-up", {"knock": knock}))["phone"]
        if role:
            porch.book.entrust(me["id"], role)
        return self

    @property
    def token(self) -> str:
        cookie = self.browser.get_cookie(COOKIE)
        return cookie.value if cookie else ""


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room()
    yield room
    room.host.stop()


@pytest.fixture
def real_room() -> Iterator[Room]:
    """The same, as a board of wood looks to the panel: nobody can move its pegs by a call."""
    room = Room(is_simulated=False)
    yield room
    room.host.stop()
