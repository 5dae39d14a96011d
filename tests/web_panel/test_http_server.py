"""HTTP/1.1 and WSGI (PEP 3333) over real sockets, with applications of a few lines."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from io import BytesIO
from selectors import EVENT_WRITE
from threading import Event, Thread
from typing import Any
from wsgiref.validate import validator

import pytest

from firmware_host.startup.network import listen
from web_panel.server.connection import Connection
from web_panel.server.limits import ServerLimits
from web_panel.server.loop import Listener, PanelServer
from web_panel.wsgi import OPEN_STREAM, Environ, WsgiApp

PATIENCE_S = 60.0
Start = Callable[..., Any]


@contextmanager
def served(app: WsgiApp, *, is_known: bool = False) -> Iterator[int]:
    """The port of a server that runs until the block ends."""
    server = PanelServer([Listener(listen("127.0.0.1", 0, 1), app)], lambda environ: is_known, ServerLimits())
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server.effective_port
    finally:
        server.close()
        thread.join(PATIENCE_S)


@contextmanager
def connected(port: int, opening: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as visitor:
        visitor.sendall(opening)
        yield visitor


def answers_to(port: int, sent: bytes) -> bytes:
    """All that the server answers until it closes the connection."""
    with connected(port, sent) as visitor:
        return b"".join(iter(lambda: visitor.recv(1 << 16), b""))


def echo(environ: Environ, start_response: Start) -> list[bytes]:
    """Answers with the body of the request."""
    body: bytes = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]


def nothing(environ: Environ, start_response: Start) -> list[bytes]:
    """Answers without a body."""
    environ["wsgi.input"].read()
    start_response("204 No Content", [])
    return []


def test_two_thousand_answers_without_a_body_keep_one_connection() -> None:
    """A backup is restored in thousands of pieces, and a new connection for each runs into the limit of an address."""
    with served(nothing, is_known=True) as port:
        line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        line.connect()
        first = line.sock
        for _ in range(2000):
            line.request("POST", "/", b"{}")
            answer = line.getresponse()
            assert answer.status == 204 and answer.read() == b"" and line.sock is first
        line.close()


def test_the_server_keeps_to_pep_3333() -> None:
    """`validator` checks the environment, the calls, and that what is returned is closed."""
    checked = validator(_plain)
    with served(checked) as port:
        line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        for method, body in (("GET", None), ("HEAD", None), ("POST", b"1 = 1")):
            line.request(method, "/a%20b?c=%20", body)
            answer = line.getresponse()
            assert answer.status == 200 and answer.headers["X-Path"] == "/a b c=%20"
            assert answer.read() == (b"" if method == "HEAD" else body or b"-")
        line.close()


def _plain(environ: Environ, start_response: Start) -> list[bytes]:
    body = environ["wsgi.input"].read(-1) or b"-"
    path = f"{environ['PATH_INFO']} {environ['QUERY_STRING']}"
    start_response("200 OK", [("Content-Type", "text/plain"), ("X-Path", path), ("Content-Length", str(len(body)))])
    return [body]


def test_a_stop_in_the_middle_of_a_close_ends_the_server_cleanly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal's exception arrives between any two steps: here, when a line is closed and the selector does not know it
    any more, while the lists of the server still do."""
    server = PanelServer([Listener(listen("127.0.0.1", 0, 1), echo)], lambda environ: True, ServerLimits())
    stopped = list[str]()

    def close_half(closing: PanelServer, connection: Connection) -> None:
        closing._selector.unregister(connection.sock)
        connection.close()
        raise KeyboardInterrupt

    def run() -> None:
        try:
            server.run()
        except KeyboardInterrupt:
            stopped.append("by the signal")

    monkeypatch.setattr(PanelServer, "_close", close_half)
    thread = Thread(target=run, daemon=True)
    thread.start()
    answers_to(server.effective_port, b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    thread.join(PATIENCE_S)
    assert stopped == ["by the signal"]


def test_a_body_in_chunks_is_read_like_any_other() -> None:
    with served(echo) as port:
        line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        for _ in range(3):
            line.request(
                "POST", "/", iter([b"one, ", b"two"]), encode_chunked=True, headers={"Transfer-Encoding": "chunked"}
            )
            assert line.getresponse().read() == b"one, two"
        line.close()


def test_a_body_is_sent_after_it_was_asked_for() -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n"
    with served(echo) as port, connected(port, head) as visitor:
        assert visitor.recv(1 << 16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        visitor.sendall(b"{}")
        assert b"".join(iter(lambda: visitor.recv(1 << 16), b"")).endswith(b"\r\n\r\n{}")


def test_a_body_that_is_too_long_is_not_asked_for() -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\nExpect: 100-continue\r\n\r\n"
    with served(echo) as port:
        assert answers_to(port, head).startswith(b"HTTP/1.1 413 ")


def test_http_1_0_is_answered_and_the_connection_closed() -> None:
    with served(_pieces) as port:
        answer = answers_to(port, b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n") and answer.endswith(b"\r\n\r\nonetwo")
    assert b"\r\nConnection: close\r\n" in answer


def _pieces(environ: Environ, start_response: Start) -> Iterator[bytes]:
    start_response("200 OK", [])
    yield from (b"one", b"", b"two")


def test_requests_that_arrive_while_one_is_answered_wait_for_their_turn() -> None:
    began, goes_on, asked = Event(), Event(), list[str]()

    def slow(environ: Environ, start_response: Start) -> Iterable[bytes]:
        asked.append(environ["PATH_INFO"])
        began.set()
        assert goes_on.wait(PATIENCE_S)
        return echo(environ, start_response)

    with served(slow) as port, connected(port, b"GET /1 HTTP/1.1\r\nHost: a\r\n\r\n") as visitor:
        assert began.wait(PATIENCE_S)
        visitor.sendall(b"GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        visitor.sendall(b"GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert answers_to(port, b"\n").startswith(b"HTTP/1.1 400 ")  # the server has seen both in the meantime
        assert asked == ["/1"]
        goes_on.set()
        received = b"".join(iter(lambda: visitor.recv(1 << 16), b""))
    assert asked == ["/1", "/2", "/3"] and received.count(b"HTTP/1.1 200 OK") == 3


def broken(environ: Environ, start_response: Start) -> Iterator[bytes]:
    """Fails at a place that the path names."""
    if environ["PATH_INFO"] == "/no-start":
        yield b"x"
    if environ["PATH_INFO"] == "/at-once":
        raise RuntimeError("broken")
    length = [("Content-Length", "2")] if environ["PATH_INFO"] in ("/short", "/long") else []
    start_response("200 OK\r\nX: y" if environ["PATH_INFO"] == "/status" else "200 OK", length)
    if environ["PATH_INFO"] == "/twice":
        start_response("200 OK", [])
    yield b"123" if environ["PATH_INFO"] == "/long" else b"1"
    if environ["PATH_INFO"] == "/later":
        raise RuntimeError("broken")


@pytest.mark.parametrize("path", ["/no-start", "/at-once", "/twice", "/status"])
def test_an_application_that_fails_is_answered_with_500(path: str, caplog: pytest.LogCaptureFixture) -> None:
    with served(broken) as port, caplog.at_level(logging.ERROR):
        answer = answers_to(port, f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 500 ") and answer.count(b"HTTP/1.1") == 1
    assert f"Exception while serving {path}" in caplog.text


@pytest.mark.parametrize("path", ["/later", "/short", "/long"])
def test_an_answer_that_fails_later_ends_broken(path: str, caplog: pytest.LogCaptureFixture) -> None:
    """So that the visitor does not take a part for the whole."""
    with served(broken) as port, caplog.at_level(logging.ERROR):
        answer = answers_to(port, f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    assert answer.count(b"HTTP/1.1") <= 1 and not answer.endswith((b"0\r\n\r\n", b"\r\n\r\n12"))
    assert f"Exception while serving {path}" in caplog.text


def test_an_error_page_may_replace_an_answer_that_has_not_begun() -> None:
    def replaced(environ: Environ, start_response: Start) -> list[bytes]:
        start_response("200 OK", [("X-Is", "lost")])
        try:
            raise RuntimeError("broken")
        except RuntimeError as error:
            start_response("503 Service Unavailable", [("Content-Length", "0")], (RuntimeError, error, None))
        return [b""]

    with served(replaced) as port:
        answer = answers_to(port, b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 503 ") and b"lost" not in answer


def test_the_body_is_closed_when_the_visitor_leaves() -> None:
    began, closed = Event(), Event()

    def long(environ: Environ, start_response: Start) -> Iterator[bytes]:
        start_response("200 OK", [])
        began.set()
        try:
            yield from [b"x" * (1 << 20)] * 20
        finally:
            closed.set()

    with served(long) as port:
        with connected(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"):
            assert began.wait(PATIENCE_S)
        assert closed.wait(4 * PATIENCE_S)


def test_a_header_with_an_underscore_is_not_taken_for_another() -> None:
    seen = list[Environ]()

    def app(environ: Environ, start_response: Start) -> list[bytes]:
        seen.append(environ)
        return nothing(environ, start_response)

    with served(app) as port:
        answers_to(port, b"GET / HTTP/1.1\r\nHost: a\r\nX_Forwarded_For: 10.0.0.1\r\nConnection: close\r\n\r\n")
    assert not [key for key in seen[0] if "FORWARDED" in key]


class FakeSource:
    """An event each time, until the stream is closed."""

    def __init__(self) -> None:
        self.closed = Event()

    def take(self) -> bytes | None:
        return b"data: x\n\n"

    def on_news(self, wake: Callable[[], None]) -> None:
        wake()

    def close(self) -> None:
        self.closed.set()


def test_a_stream_that_nobody_may_read_is_closed(caplog: pytest.LogCaptureFixture) -> None:
    """The answer to HEAD has no body, and after an error there is no stream."""
    sources = {"HEAD": FakeSource(), "GET": FakeSource()}

    def app(environ: Environ, start_response: Start) -> Iterator[bytes]:
        environ[OPEN_STREAM](sources[environ["REQUEST_METHOD"]])
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        yield b"retry: 1\n\n"
        if environ["REQUEST_METHOD"] == "GET":
            raise RuntimeError("broken")

    with served(app) as port, caplog.at_level(logging.CRITICAL):
        for method, source in sources.items():
            with connected(port, f"{method} / HTTP/1.1\r\nHost: a\r\n\r\n".encode()) as visitor:
                assert visitor.recv(1 << 16).startswith(b"HTTP/1.1 200 OK\r\n")
                assert source.closed.wait(PATIENCE_S)
        assert answers_to(port, b"\n").startswith(b"HTTP/1.1 400 ")  # the server still runs


def test_the_server_rests_while_an_application_works() -> None:
    """The selector would return at once, again and again, if it watched for room to send with nothing to send."""
    goes_on = Event()

    def app(environ: Environ, start_response: Start) -> Iterator[bytes]:
        start_response("200 OK", [])
        yield b"x" * (1 << 19)
        assert goes_on.wait(PATIENCE_S)
        yield b"the end"

    server = PanelServer([Listener(listen("127.0.0.1", 0, 1), app)], lambda environ: True)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    with socket.socket() as visitor:
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # or the kernel would take all at once
        visitor.settimeout(PATIENCE_S)
        visitor.connect(("127.0.0.1", server.effective_port))
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        received = b""
        while received.count(b"x") < 1 << 19:
            received += visitor.recv(1 << 16)
        answers_to(server.effective_port, b"\n")  # so the server has seen that all is sent
        assert [
            connection.watched_events & EVENT_WRITE for connection in server._connections if connection.is_busy
        ] == [0]
        goes_on.set()
        while not received.endswith(b"the end\r\n0\r\n\r\n"):
            received += visitor.recv(1 << 16)
    server.close()
    thread.join(PATIENCE_S)


def test_a_file_is_read_to_its_end() -> None:
    content = bytes(range(256)) * 2000

    def file(environ: Environ, start_response: Start) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", str(len(content)))])
        opened = BytesIO(content)
        return iter(lambda: opened.read(8192), b"")

    with served(file, is_known=True) as port:
        answer = answers_to(port, b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert answer.partition(b"\r\n\r\n")[2] == content
