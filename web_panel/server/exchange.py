"""One request and its answer, without sockets and threads: bytes in, a request out; an answer in, bytes out.

h11 parses and frames HTTP/1.1. What it leaves open is decided here, so that neither a proxy before the board nor the
application behind it takes a request for another one. The sections are those of RFC 9112:

| received                                                    | answer | because                                    |
|-------------------------------------------------------------|--------|--------------------------------------------|
| outside of a body, a control character or LF without CR     | 400    | 2.2: others see other lines                |
| Transfer-Encoding with Content-Length, or in HTTP/1.0       | 400    | 6.1: others see another end                |
| a target that is neither a path nor the address of a page   | 400    | 3.2: the others are for proxies            |
| a method with small letters                                 | 400    | werkzeug takes `post` for POST             |
| a version that is not 1.x                                   | 505    | h11 takes any                              |
| more than `header_bytes` outside of the body                | 431    | h11 limits incomplete lines only, and many |
|                                                             |        | small chunks cost much time                |
| more than `body_bytes` of body                              | 413    | at once if Content-Length tells it         |
| empty lines before the request                              |        | 2.2: they are ignored                      |
| a header with an underscore in its name                     |        | ignored: CGI has one name for `_` and `-`  |

Each exchange has a `h11.Connection` of its own: an idle connection has none in memory. `rest` is for the next exchange.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from time import time

import h11

from web_panel.errors import PROBLEM_TYPE, problem_body

TEXT = bytes(byte for byte in range(256) if byte == 0x09 or byte >= 0x20 and byte != 0x7F)
"""What a line may consist of: everything but control characters, of which HTAB is allowed."""
END_OF_HEAD = b"\r\n\r\n"
EMPTY_LINES = re.compile(rb"(?:\r\n)*")
TARGET = re.compile(r"(?:https?://(?P<host>[^/?#@]+))?(?P<path>/[^?#]*)?(?:\?(?P<query>[^#]*))?", re.IGNORECASE)
NO_BODY = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


class RequestRefused(Exception):
    """The request is to be answered with `status`, and the connection closed."""

    def __init__(self, status: int) -> None:
        super().__init__(HTTPStatus(status).phrase)
        self.status = status


class Exchange:
    """One request and its answer. One thread at a time may use it."""

    def __init__(self, header_bytes: int, body_bytes: int) -> None:
        self._header_bytes = header_bytes
        self._body_bytes = body_bytes
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=header_bytes)
        self._opening = b""
        """The beginning of an empty line before the request."""
        self._has_begun = False
        self._last_cr = b""
        self._line_bytes = 0
        self._ahead = b""
        self.has_head = False
        """Whether the head of the request is here."""
        self.is_received = False
        """Whether the whole request is here."""
        self.method = self.version = self.path = self.query = ""
        """The path begins with a slash, and is still percent-encoded. The version is `1.0` or `1.1`."""
        self.headers = dict[str, str]()
        """By their names in small letters. Repeated ones are joined with commas."""
        self.body = bytearray()

    # The request.

    def receive(self, data: bytes) -> None:
        """Take bytes of the request. Raises RequestRefused."""
        if not self._has_begun:
            data = self._opening + data
            empty = EMPTY_LINES.match(data)
            data = data[empty.end() :] if empty else data
            self._has_begun = data not in (b"", b"\r")
            self._opening = b"" if self._has_begun else data
        if self._has_begun:
            self._take(data)

    def _take(self, data: bytes) -> None:
        """Requests that are sent ahead stay out of h11, whose buffer would double them in memory."""
        head, end_of_head, after = (data, b"", b"") if self.has_head else data.partition(END_OF_HEAD)
        self._http.receive_data(head + end_of_head)
        self._take_events()
        if self.is_received:
            self._ahead = after
        elif after:
            self._http.receive_data(after)
            self._take_events()

    def _take_events(self) -> None:
        while not self.is_received:
            event, lines = self._next_event()
            if isinstance(event, h11.Request):
                self.method = event.method.decode("ascii")
                self.version = event.http_version.decode("ascii")
            if lines:
                self._check_lines(lines)
            match event:
                case h11.Request():
                    self._take_head(event)
                case h11.Data():
                    self.body += event.data
                    self._check_body(len(self.body))
                case h11.EndOfMessage():
                    self.is_received = True
                case _:
                    return

    def _next_event(self) -> tuple[object, bytes]:
        """The next event of h11, and the lines that it was read from."""
        before, _ = self._http.trailing_data
        try:
            event = self._http.next_event()
        except h11.RemoteProtocolError as error:
            raise RequestRefused(error.error_status_hint) from error
        if not before:
            return event, b""
        after, _ = self._http.trailing_data
        content = len(event.data) if isinstance(event, h11.Data) else 0
        return event, before[: len(before) - len(after) - content]

    def _check_lines(self, lines: bytes) -> None:
        """Refuse control characters, and too many bytes. Of the end of a chunk h11 may have taken CR alone."""
        self._line_bytes += len(lines)
        if self._line_bytes > self._header_bytes:
            raise RequestRefused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        lines = self._last_cr + lines
        self._last_cr = b"\r" if lines.endswith(b"\r") else b""
        if lines.removesuffix(b"\r").replace(b"\r\n", b"").translate(None, TEXT):
            raise RequestRefused(HTTPStatus.BAD_REQUEST)

    def _take_head(self, request: h11.Request) -> None:
        if not self.version.startswith("1."):
            raise RequestRefused(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED)
        target = TARGET.fullmatch(request.target.decode("latin-1"))
        if not target or not (target["host"] or target["path"]) or self.method != self.method.upper():
            raise RequestRefused(HTTPStatus.BAD_REQUEST)
        self.path = target["path"] or "/"
        self.query = target["query"] or ""
        self._take_headers(request)
        if target["host"]:
            self.headers["host"] = target["host"]  # 3.2.2: it counts more than the header
        self.has_head = True

    def _take_headers(self, request: h11.Request) -> None:
        headers = self.headers
        for raw_name, raw_value in request.headers.raw_items():
            name = raw_name.decode("ascii").lower()
            value = raw_value.decode("latin-1")
            if "_" not in name:
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
        if "transfer-encoding" in headers and ("content-length" in headers or self.version == "1.0"):
            raise RequestRefused(HTTPStatus.BAD_REQUEST)
        self._check_body(int(headers.get("content-length", "0")))

    def _check_body(self, length: int) -> None:
        if length > self._body_bytes:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    @property
    def waits_for_continue(self) -> bool:
        """Whether the visitor sends the body only after `100 Continue`."""
        return self.has_head and self._http.they_are_waiting_for_100_continue

    def forget(self) -> None:
        """Drop headers and body, which the application has now."""
        self.headers.clear()
        self.body.clear()

    # The answer: each function returns the bytes to send. They raise h11.LocalProtocolError if the order is wrong, or
    # the content differs from the headers.

    def go_on(self) -> bytes:
        """Ask for the body."""
        return self._http.send(h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue"))

    def begin(self, status: str, headers: Sequence[tuple[str, str]]) -> bytes:
        """Begin the answer. `status` is a code and its phrase. Without Content-Length the body may have any length.

        Raises ValueError if the status is none.
        """
        code, _, reason = status.partition(" ")
        if not reason.isprintable():  # h11 does not look at it
            raise ValueError(f"expected a status of one line, got {status!r}")
        fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        if not any(name.lower() == b"date" for name, _ in fields):  # Flask dates the files that it sends
            fields.append((b"Date", date_of(int(time()))))
        return self._http.send(h11.Response(status_code=int(code), reason=reason.encode("latin-1"), headers=fields))

    def content(self, data: bytes) -> bytes:
        """A piece of the body."""
        return self._http.send(h11.Data(data=data))

    def end(self) -> bytes:
        """End the answer."""
        return self._http.send(h11.EndOfMessage())

    def refusal(self, status: int) -> bytes:
        """A whole answer, in problem details, that ends the connection; empty if another answer has begun."""
        if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return b""
        phrase = HTTPStatus(status).phrase
        is_too_long = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        detail = f"expected {self._body_bytes} bytes at most, got more" if is_too_long else phrase
        body = problem_body(status, detail).encode()
        length = ("Content-Length", str(len(body)))
        headers = (("Content-Type", PROBLEM_TYPE), length, ("Connection", "close"))
        answer = self.begin(f"{status} {phrase}", headers)
        if self.method != "HEAD":
            answer += self.content(body)
        return answer + self.end()

    @property
    def is_reusable(self) -> bool:
        """Whether request and answer have ended, and another request may follow on the connection."""
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE

    @property
    def rest(self) -> bytes:
        """What was received after the request."""
        return self._http.trailing_data[0] + self._ahead


@lru_cache(maxsize=1)
def date_of(second: int) -> bytes:
    """The Date header for a time in seconds since 1970."""
    return formatdate(second, usegmt=True).encode("ascii")
