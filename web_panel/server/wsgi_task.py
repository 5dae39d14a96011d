"""Runs the WSGI application for one request. HTTP is parsed and written by waitress, without its server and sockets."""

from __future__ import annotations

import logging
from typing import Protocol

from msgspec import Struct
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.parser import HTTPRequestParser
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import BadRequest, Error, InternalServerError

from web_panel.server.limits import ServerLimits
from web_panel.wsgi import CONNECTION_MEMORY, OPEN_STREAM, Environ, EventSource, WsgiApp

FILE_CHUNK_BYTES = 64 << 10

logger = logging.getLogger(__name__)


class VisitorLeft(OSError):
    """The connection is closed: the rest of the answer is for nobody. A task ends quietly at an OSError."""


class RequestTimeout(Error):  # type: ignore[misc]  # waitress has no types
    """The request did not arrive in time."""

    code = 408
    reason = "Request Timeout"


class Adjustments(Struct, frozen=True):
    """The settings that waitress's parser and tasks read."""

    max_request_header_size: int
    max_request_body_size: int
    inbuf_overflow: int
    url_scheme: str
    url_prefix: str = ""
    ident: str | None = None
    log_socket_errors: bool = False

    @classmethod
    def of(cls, limits: ServerLimits, url_scheme: str) -> Adjustments:
        return cls(limits.header_bytes, limits.body_bytes, 2 * limits.body_bytes, url_scheme)


class ServerFacts(Struct, frozen=True):
    """What waitress's tasks read of their server."""

    application: WsgiApp
    adj: Adjustments
    effective_port: int
    server_name: str = "cribboard"


class AnswerSink(Protocol):
    """Where the bytes of answers go."""

    @property
    def is_open(self) -> bool:
        """Whether the visitor is still there."""

    def write(self, data: bytes) -> None:
        """Send bytes in order; may wait until earlier ones are read. Raises VisitorLeft."""


class Channel:
    """What waitress's tasks need of a connection."""

    def __init__(self, server: ServerFacts, sink: AnswerSink, peer: tuple[str, int], memory: Environ) -> None:
        self.server = server
        self.adj = server.adj
        self.addr = peer
        self.memory = memory
        self._sink = sink

    def write_soon(self, data: bytes | ReadOnlyFileBasedBuffer) -> int:
        """Called by the task for each piece of the answer, and once for a whole file."""
        if not isinstance(data, ReadOnlyFileBasedBuffer):
            self._sink.write(data)
            return len(data)
        try:
            while chunk := data.get(FILE_CHUNK_BYTES, skip=True):
                self._sink.write(chunk)
        finally:
            data.close()
        return 0

    def check_client_disconnected(self) -> bool:
        """Whether nobody waits for the answer any more."""
        return not self._sink.is_open


class PanelTask(WSGITask):  # type: ignore[misc]  # waitress has no types
    """One request for the application, which may go on as a stream of events."""

    stream: EventSource | None = None

    def get_environment(self) -> Environ:
        """The WSGI environment, with a function to open a stream."""
        environ: Environ = super().get_environment()  # waitress keeps it for the next call
        environ[OPEN_STREAM] = self._open_stream
        environ[CONNECTION_MEMORY] = self.channel.memory
        return environ

    def _open_stream(self, source: EventSource) -> None:
        self.stream = source

    def finish(self) -> None:
        """Ends the answer, unless it goes on as a stream."""
        if self.stream is None:
            super().finish()

    def framed(self, event: bytes) -> bytes:
        """The bytes to send for one event of the stream."""
        if not self.chunked_response:
            return event
        return b"%X\r\n%b\r\n" % (len(event), event)

    def run(self) -> None:
        """Run the application, and answer its exceptions with status 500. Never raises."""
        try:
            self.service()
        except Exception:
            logger.exception("Exception while serving %s", self.request.path)
            self.close_on_finish = True
            if not self.wrote_header:
                answer_error(self.channel, self.request, InternalServerError("The panel failed; see its log."))


def answer_error(channel: Channel, request: HTTPRequestParser, error: Error | None = None) -> None:
    """Send `error`, or the one that the parser found. The connection is to be closed afterwards."""
    request.error = error or request.error
    ErrorTask(channel, request).service()


def parse(parser: HTTPRequestParser, data: bytes) -> int:
    """Feed the parser of one request. Returns how many bytes it used; `parser.completed` tells whether it has all."""
    try:
        used: int = parser.received(data)
    except ValueError as error:  # waitress lets some malformed addresses through to urllib, which raises this
        parser.error = BadRequest(str(error))
        parser.completed = True
        return len(data)
    return used
