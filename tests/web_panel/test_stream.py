"""The stream over a real socket: the newest state, never a queue, and limits on number and life."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse, IncompleteRead
from itertools import islice
from typing import Any

import pytest
from flask import Flask

from firmware_host.pairing.registry import Role
from firmware_host.startup.network import listen
from tests.web_panel.conftest import API, Rig, SimulatedInput
from web_panel.api.stream import HEARTBEAT, Stream, StreamLimits, Streams, Watcher
from web_panel.app import AccessPolicy, open_server
from web_panel.security.identity import COOKIE
from web_panel.server.limits import ServerLimits
from web_panel.views.cache import StateCache
from web_panel.wsgi import StreamOver

PATIENCE_S = 60.0


class Server:
    """The panel behind the real server, with the host in its own thread."""

    def __init__(self, rig: Rig, limits: ServerLimits | None = None, app: Flask | None = None) -> None:
        self.rig = rig
        stream_limits = StreamLimits(streams=2, heartbeat_s=0.2)
        board_input = SimulatedInput(rig.host) if rig.is_simulated else None
        app = app or rig.panel(board_input=board_input, stream_limits=stream_limits)
        self._server = open_server(app, listen("127.0.0.1", 0, 1), limits)
        self.port: int = self._server.effective_port
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self.open: list[HTTPConnection] = []

    def __enter__(self) -> Server:
        self.rig.host.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self.open:
            connection.close()
        self._server.close()
        self._thread.join(PATIENCE_S)

    @property
    def connections(self) -> int:
        """How many are open."""
        return self._server._connections.count

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        self.open.append(connection)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/json"
        connection.request(method, API + path, None if body is None else json.dumps(body), sent)
        return connection.getresponse()


@pytest.fixture
def server(rig: Rig) -> Iterator[Server]:
    with Server(rig) as server:
        yield server


def events(stream: HTTPResponse) -> Iterator[dict[str, str]]:
    """Parse the bytes as a browser does: each event as its fields."""
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


def test_a_stream_sends_the_state_at_once_and_at_each_change(server: Server) -> None:
    received = states(server.ask("GET", "/stream"))
    assert next(received)["game"] is None
    assert server.ask("POST", "/commands/new-game", BEGIN).status == 200
    assert next(received)["game"]["phase"] == "deal"


def test_a_stream_sends_retry_and_heartbeats(server: Server) -> None:
    received = events(server.ask("GET", "/stream"))
    assert next(received) == {"retry": "1000"}
    assert next(received)["event"] == "state"
    assert next(received)["event"] == "heartbeat"


def test_a_reconnected_page_gets_the_whole_state(server: Server) -> None:
    assert next(states(server.ask("GET", "/stream", Last_Event_ID="99999")))["prompt"]


def test_streams_are_limited_and_released(server: Server) -> None:
    one, other = server.ask("GET", "/stream"), server.ask("GET", "/stream")
    assert next(states(one)) and next(states(other))
    full = server.ask("GET", "/stream")
    assert full.status == 503 and int(full.headers["Retry-After"]) > 0
    one.close()
    server.open[0].close()
    beats = islice(events(other), 20)  # each one also tries to write to the closed stream
    assert any(server.ask("GET", "/stream").status == 200 for _ in beats)


def test_a_stream_ends_after_its_life(rig: Rig) -> None:
    now_s = 0.0
    stream = Stream(Streams(StateCache(rig.host, None), StreamLimits(heartbeat_s=10.0), lambda: now_s), Watcher())
    assert len(list(stream.first_events())) == 2 and stream.take() is None
    now_s = 899.0
    assert stream.take() == HEARTBEAT.encode() and stream.take() is None
    now_s = 900.0
    with pytest.raises(StreamOver):
        stream.take()


def test_a_slow_client_gets_only_the_newest_state(rig: Rig) -> None:
    cache = StateCache(rig.host, None)
    stream = Stream(Streams(cache, StreamLimits()), Watcher())
    assert len(list(stream.first_events())) == 2
    rig.begin()
    for card in ("5H", "6H", "7H"):
        rig.command("starter", card=card)
        cache.now()
        rig.command("undo")
        cache.now()
    rig.command("starter", card="8H")
    cache.now()
    assert '"starter":"8♥"' in (stream.take() or b"").decode()
    assert stream.take() is None


def test_an_unread_stream_is_released(rig: Rig) -> None:
    streams = Streams(StateCache(rig.host, None), StreamLimits(streams=1))
    streams.open().close()
    assert streams.open().status_code == 200


def test_strangers_leave_streams_for_paired_phones(rig: Rig) -> None:
    streams = Streams(StateCache(rig.host, None), StreamLimits(streams=2, streams_of_strangers=1))
    assert [streams.open().status_code for _ in range(2)] == [200, 503]
    assert streams.open(Watcher(is_known=True)).status_code == 200


def test_a_stream_that_nobody_reads_is_closed(rig: Rig) -> None:
    """Its bytes wait in the kernels of both sides: no error tells that the other side reads nothing. A heartbeat is due
    later than the time in which something must be read, as it is by default."""
    rig.begin()
    limits = ServerLimits(unread_s=0.1, sweep_s=0.05, send_buffer_bytes=2048)
    with Server(rig, limits) as server, socket.socket() as visitor:
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        visitor.connect(("127.0.0.1", server.port))
        visitor.sendall(f"GET {API}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        deadline_s = time.monotonic() + PATIENCE_S
        while [server.ask("GET", "/stream").status for _ in range(2)] != [200, 200]:
            assert time.monotonic() < deadline_s, "the unread stream is still open"
            for connection in server.open[:]:
                connection.close()
            time.sleep(0.1)


def ends(stream: HTTPResponse) -> bool:
    """Whether the server ends the stream."""
    try:
        with suppress(IncompleteRead):  # it ends without a last chunk
            for _ in events(stream):
                pass
    except TimeoutError:
        return False
    return True


def paired_stream(rig: Rig, server: Server) -> tuple[str, HTTPResponse]:
    """The id of a new phone, and a stream that it has open."""
    phone, token = rig.host.pairing.registry.add_phone("Ann's")
    stream = server.ask("GET", "/stream", Cookie=f"{COOKIE}={token}")
    assert next(states(stream))
    return phone.id, stream


def test_a_stream_ends_when_its_phone_is_removed(real_rig: Rig) -> None:
    with Server(real_rig) as server:
        phone, stream = paired_stream(real_rig, server)
        real_rig.host.pairing.registry.remove(phone)
        assert ends(stream)


def test_a_stream_ends_when_the_role_of_its_phone_changes(real_rig: Rig) -> None:
    with Server(real_rig) as server:
        phone, stream = paired_stream(real_rig, server)
        real_rig.host.pairing.registry.set_role(phone, Role.VIEWER)
        assert ends(stream)


def test_a_strangers_stream_ends_when_watching_is_closed() -> None:
    is_open = [True]
    rig = Rig(is_simulated=False, access_policy=AccessPolicy(is_watching_open=lambda: is_open[0]))
    with Server(rig, app=rig.app) as server:
        stream = server.ask("GET", "/stream")
        assert next(states(stream))
        is_open[0] = False
        assert ends(stream)
    rig.host.stop()
