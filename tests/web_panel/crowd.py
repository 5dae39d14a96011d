"""Many clients of the stream at once, read by one thread: the newest state of each, and when it arrived."""

from __future__ import annotations

import json
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.request import Request, urlopen

from msgspec import Struct, field

PATIENCE_S = 60.0
OPENING = b"GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
STATE = b"event: state\ndata: "


class Watcher(Struct):
    """One client: the bytes after its last complete event, its newest state, and when that arrived."""

    unread: bytes = b""
    state: bytes = b""
    received_s: float = 0.0
    versions: list[tuple[int, float]] = field(default_factory=list)
    """Each state that came: its version, and when it came."""

    def receive(self, data: bytes) -> None:
        *whole, self.unread = (self.unread + data).split(b"\n\n")
        events = [event for event in whole if STATE in event]
        if events:
            self.state, self.received_s = events[-1].partition(STATE)[2], time.monotonic()
            self.versions += [(version_of(event), self.received_s) for event in events]

    def has_from_s(self, version: int) -> float:
        """When the first state came that is at least as new."""
        return next(received_s for received, received_s in self.versions if received >= version)


class Crowd:
    def __init__(self, port: int, size: int, opened: ExitStack) -> None:
        self.port = port
        self._selector = opened.enter_context(selectors.DefaultSelector())
        self.watchers = [Watcher() for _ in range(size)]
        for number, watcher in enumerate(self.watchers):
            source = (f"127.0.5.{number + 1}", 0)
            line = opened.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S, source))
            line.sendall(OPENING)
            line.setblocking(False)
            self._selector.register(line, selectors.EVENT_READ, watcher)
        self.wait_for(b'"prompt"')

    def receive_while(self, is_going_on: Callable[[], bool]) -> None:
        """Read whatever comes."""
        while is_going_on():
            self._receive()

    def wait_for(self, word: bytes) -> None:
        """Read until every watcher's newest state has the word. Raises TimeoutError."""
        self._wait(lambda watcher: word in watcher.state, word.decode())

    def wait_for_version(self, version: int) -> None:
        """Read until every watcher has this state or a newer one. Raises TimeoutError."""
        self._wait(lambda watcher: watcher.versions[-1][0] >= version, f"version {version}")

    def _wait(self, has_it: Callable[[Watcher], bool], what: str) -> None:
        patience_s = time.monotonic() + PATIENCE_S
        while lacking := sum(not has_it(watcher) for watcher in self.watchers):
            if time.monotonic() > patience_s:
                raise TimeoutError(f"expected {what} for everybody, {lacking} have something else")
            self._receive()

    def _receive(self) -> None:
        for key, _ in self._selector.select(0.05):
            assert isinstance(key.fileobj, socket.socket)
            key.data.receive(key.fileobj.recv(1 << 16))

    def delays_s(self, command: str, body: object, word: bytes) -> list[float]:
        """How long after a command each watcher has the state that follows, the quickest first."""
        sent_s = time.monotonic()
        post(self.port, f"commands/{command}", body)
        self.wait_for(word)
        return sorted(watcher.received_s - sent_s for watcher in self.watchers)


def version_of(event: bytes) -> int:
    """The number in the line `id: 7`."""
    return int(event.partition(b"id: ")[2].partition(b"\n")[0])


@contextmanager
def crowd(port: int, size: int) -> Iterator[Crowd]:
    with ExitStack() as opened:
        yield Crowd(port, size, opened)


def post(port: int, path: str, body: object) -> Any:
    sent = json.dumps(body).encode()
    url = f"http://127.0.0.1:{port}/api/v1/{path}"
    with urlopen(Request(url, sent, {"Content-Type": "application/json"})) as answer:
        return json.load(answer)
