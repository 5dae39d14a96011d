"""The stream: real bytes over a real socket, the newest state and never a queue, and an end to everything."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from itertools import islice
from typing import Any

import pytest

from firmware_host.assemble import listen
from tests.panel.conftest import API, Room, SimulatedHands
from web_panel import create_panel
from web_panel.news import News
from web_panel.serving import IDLE_S, open_server
from web_panel.stream import HEARTBEAT, Pace, Streams

PATIENCE_S = 5.0


class Server:
    """The panel behind the real server, with the host in its own thread."""

    def __init__(self, room: Room, idle_s: int = IDLE_S) -> None:
        self.room = room
        pace = Pace(streams=2, heartbeat_s=0.2)
        app = create_panel(room.host, archive=room.archive, hands=SimulatedHands(room.host), pace=pace)
        self._server = open_server(app, listen("127.0.0.1", 0, 1), pace.streams, idle_s=idle_s)
        self.port: int = self._server.effective_port
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self.open: list[HTTPConnection] = []

    def __enter__(self) -> Server:
        self.room.host.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self.open:
            connection.close()
        self._server.task_dispatcher.shutdown(timeout=PATIENCE_S)
        self._server.trigger.pull_trigger(self._server.close)  # in its own loop, which else looks up once a second
        self._thread.join(PATIENCE_S)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        self.open.append(connection)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/json"
        connection.request(method, API + path, None if body is None else json.dumps(body), sent)
        return connection.getresponse()


@pytest.fixture
def server(room: Room) -> Iterator[Server]:
    with Server(room) as server:
        yield server


def events(stream: HTTPResponse) -> Iterator[dict[str, str]]:
    """What a browser would make of the bytes: each event as its fields."""
    event: dict[str, str] = {}
    while line := stream.readline().decode():
        name, colon, value = line.rstrip("\n").partition(": ")
        if name and colon:
            event[name] = value
        elif not name and not colon and event:
            yield event
            event = {}


def states(stream: HTTPResponse) -> Iterator[Any]:
    for event in events(stream):
        if event.get("event") == "state":
            yield json.loads(event["data"])


BEGIN = {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0}


def test_a_stream_tells_all_at_once_and_then_what_changes(server: Server) -> None:
    told = states(server.ask("GET", "/stream"))
    assert next(told)["game"] is None
    assert server.ask("POST", "/orders/new-game", BEGIN).status == 200
    assert next(told)["game"]["phase"] == "deal"


def test_a_stream_says_how_to_come_back_and_that_it_lives(server: Server) -> None:
    told = events(server.ask("GET", "/stream"))
    assert next(told) == {"retry": "1000"}
    assert next(told)["event"] == "state"
    assert next(told)["event"] == "heartbeat"


def test_a_page_that_comes_back_gets_the_whole_state(server: Server) -> None:
    assert next(states(server.ask("GET", "/stream", Last_Event_ID="99999")))["prompt"]


def test_streams_are_few_and_given_back(server: Server) -> None:
    one, other = server.ask("GET", "/stream"), server.ask("GET", "/stream")
    assert next(states(one)) and next(states(other))
    full = server.ask("GET", "/stream")
    assert full.status == 503 and int(full.headers["Retry-After"]) > 0
    one.close()
    server.open[0].close()
    beats = islice(events(other), 20)  # each is also a try to write to the stream that nobody reads any more
    assert any(server.ask("GET", "/stream").status == 200 for _ in beats)


def test_a_stream_ends_when_its_life_is_over(room: Room) -> None:
    clock = iter([0.0, 899.0, 900.0])
    streams = Streams(News(room.host, None, None), Pace(heartbeat_s=0.0), clock=lambda: next(clock))
    told = list(streams.open().response)
    assert len(told) == 3 and told[-1] == HEARTBEAT


def test_whoever_falls_behind_gets_the_newest_state_only(room: Room) -> None:
    told = iter(Streams(News(room.host, None, None), Pace(heartbeat_s=0.0)).open().response)
    assert next(told) and next(told)
    room.begin()
    for card in ("5H", "6H", "7H"):
        room.order("starter", card=card)
        room.order("undo")
    room.order("starter", card="8H")
    assert '"starter":"8♥"' in str(next(told))
    assert next(told) == HEARTBEAT


def test_a_stream_that_was_never_read_is_given_back_too(room: Room) -> None:
    streams = Streams(News(room.host, None, None), Pace(streams=1))
    streams.open().close()
    assert streams.open().status_code == 200
