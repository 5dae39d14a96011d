"""Runs the WSGI application (PEP 3333) for one request, and sends its answer."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from io import BytesIO
from types import TracebackType
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

from msgspec import Struct

from web_panel.server.exchange import NO_BODY, Exchange
from web_panel.wsgi import CONNECTION_MEMORY, OPEN_STREAM, Environ, EventSource, WsgiApp

WITHOUT_PREFIX = {"content-length", "content-type"}
"""Headers whose key in the environment does not begin with `HTTP_`."""

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None]

logger = logging.getLogger(__name__)


class VisitorLeft(OSError):
    """The connection is closed: the rest of the answer is for nobody."""


class ServerFacts(Struct, frozen=True):
    """What requests see of their server."""

    application: WsgiApp
    url_scheme: str
    port: int
    name: str = "cribboard"


class AnswerSink(Protocol):
    """Where the bytes of answers go."""

    @property
    def is_open(self) -> bool:
        """Whether the visitor is still there."""

    def write(self, data: bytes) -> None:
        """Send bytes in order; may wait until earlier ones are read. Raises VisitorLeft."""


class WsgiTask:
    """One request for the application, which may go on as a stream of events."""

    def __init__(
        self, server: ServerFacts, exchange: Exchange, sink: AnswerSink, peer: tuple[str, int], memory: Environ
    ) -> None:
        self._application = server.application
        self._exchange = exchange
        self._sink = sink
        self.stream: EventSource | None = None
        self.environ = environ_of(exchange, server, peer)
        self.environ[OPEN_STREAM] = self._open_stream
        self.environ[CONNECTION_MEMORY] = memory
        exchange.forget()
        self._status = ""
        self._headers = list[tuple[str, str]]()
        self._has_begun = self._has_body = False

    def _open_stream(self, source: EventSource) -> None:
        self.stream = source

    def framed(self, event: bytes) -> bytes:
        """The bytes to send for one event of the stream."""
        return self._exchange.content(event)

    def run(self) -> None:
        """Run the application, and answer its exceptions with status 500. Never raises."""
        with suppress(VisitorLeft):
            try:
                self._answer()
            except VisitorLeft:
                raise
            except Exception:
                logger.exception("Exception while serving %s", self._exchange.path)
                self._drop_stream()
                self._sink.write(self._exchange.refusal(HTTPStatus.INTERNAL_SERVER_ERROR))
        self.environ = {}  # a stream goes on for long

    def _answer(self) -> None:
        content = self._application(self.environ, self._start_response)
        try:
            for piece in content:
                if piece:
                    self._write(piece)
            if not self._has_begun:
                self._write(b"")
            if not self._has_body:
                self._drop_stream()
            if self.stream is None and (last := self._exchange.end()):
                self._sink.write(last)
        finally:
            if hasattr(content, "close"):
                content.close()

    def _drop_stream(self) -> None:
        """Nothing may be sent any more, as after HEAD or an error."""
        if self.stream:
            self.stream.close()
            self.stream = None

    def _start_response(
        self, status: str, headers: Sequence[tuple[str, str]], exc_info: ExceptionInfo | None = None
    ) -> Callable[[bytes], None]:
        if exc_info and self._has_begun:
            raise exc_info[1]
        if self._status and not exc_info:
            raise AssertionError("start_response was called again without an exception")
        self._status = status
        self._headers = list(headers)
        return self._write

    def _write(self, data: bytes) -> None:
        """Send a piece of the body, with the headers before the first one."""
        head = b"" if self._has_begun else self._begin()
        if self._has_body and data:
            self._sink.write(head + self._exchange.content(data))
        elif head:
            self._sink.write(head)

    def _begin(self) -> bytes:
        if not self._status:
            raise AssertionError("start_response was not called before the body")
        self._has_begun = True
        code = int(self._status[:3])
        self._has_body = code not in NO_BODY and self._exchange.method != "HEAD"
        if code in NO_BODY:
            self._headers = [(name, value) for name, value in self._headers if name.lower() != "content-length"]
        return self._exchange.begin(self._status, self._headers)


def environ_of(exchange: Exchange, server: ServerFacts, peer: tuple[str, int]) -> Environ:
    """The WSGI environment of a received request."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": exchange.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": "/" + unquote_to_bytes(exchange.path).decode("latin-1").lstrip("/"),
        "QUERY_STRING": exchange.query,
        "SERVER_NAME": server.name,
        "SERVER_PORT": str(server.port),
        "SERVER_PROTOCOL": f"HTTP/{exchange.version}",
        "REMOTE_ADDR": peer[0],
        "REMOTE_PORT": str(peer[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": server.url_scheme,
        "wsgi.input": BytesIO(exchange.body),
        "wsgi.input_terminated": True,  # it has an end, also when the request was sent in chunks
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in exchange.headers.items():
        key = name.upper().replace("-", "_")
        environ[key if name in WITHOUT_PREFIX else f"HTTP_{key}"] = value
    if environ.pop("HTTP_TRANSFER_ENCODING", None):
        environ["CONTENT_LENGTH"] = str(len(exchange.body))
    return environ
