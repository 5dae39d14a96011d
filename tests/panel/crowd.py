"""Many phones on the stream at once, followed by one thread: what each had last, and when it had it."""

from __future__ import annotations

import json
import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

PATIENCE_S = 10.0
OPENING = b"GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
STATE = b"event: state\ndata: "


@dataclass
class Watcher:
    """One phone: the bytes since its last whole state, that state, and when it came."""

    unread: bytes = b""
    state: bytes = b""
    had_s: float = 0.0

    def hear(self, heard: bytes) -> None:
        *whole, self.unread = (self.unread + heard).split(b"\n\n")
        states = [event.partition(STATE)[2] for event in whole if STATE in event]
        if states:
            self.state, self.had_s = states[-1], time.monotonic()


class Crowd:
    def __init__(self, port: int, size: int, opened: ExitStack) -> None:
        self.port = port
        self._selector = opened.enter_context(selectors.DefaultSelector())
        self.watchers = [Watcher() for _ in range(size)]
        for watcher in self.watchers:
            line = opened.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
            line.sendall(OPENING)
            line.setblocking(False)
            self._selector.register(line, selectors.EVENT_READ, watcher)
        self.listen_until(b'"prompt"')

    def listen_until(self, word: bytes) -> None:
        """Until every watcher's newest state holds the word. Raises TimeoutError."""
        patience_s = time.monotonic() + PATIENCE_S
        while not all(word in watcher.state for watcher in self.watchers):
            if time.monotonic() > patience_s:
                lacking = sum(word not in watcher.state for watcher in self.watchers)
                raise TimeoutError(f"expected {word.decode()} for everybody, {lacking} have something else")
            for key, _ in self._selector.select(0.05):
                assert isinstance(key.fileobj, socket.socket)
                key.data.hear(key.fileobj.recv(1 << 16))

    def delays_s(self, order: str, body: object, word: bytes) -> list[float]:
        """How long after an order each watcher has what followed from it, the quickest first."""
        given_s = time.monotonic()
        post(self.port, f"orders/{order}", body)
        self.listen_until(word)
        return sorted(watcher.had_s - given_s for watcher in self.watchers)


@contextmanager
def crowd(port: int, size: int) -> Iterator[Crowd]:
    with ExitStack() as opened:
        yield Crowd(port, size, opened)


def post(port: int, path: str, body: object) -> Any:
    sent = json.dumps(body).encode()
    url = f"http://127.0.0.1:{port}/api/v1/{path}"
    with urlopen(Request(url, sent, {"Content-Type": "application/json"})) as answer:
        return json.load(answer)
