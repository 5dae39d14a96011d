"""One request and its answer without a socket: what is accepted, what is refused, and how answers are framed."""

from __future__ import annotations

import json
from io import BytesIO

import h11
import pytest

from web_panel.server.exchange import Exchange, RequestRefused

HEADER_BYTES, BODY_BYTES = 400, 100
OPENING = "POST /api/v1/commands/undo?a=1 HTTP/1.1\r\nHost: localhost\r\n"


def exchange_of(sent: bytes, step: int = 0) -> Exchange:
    """An exchange that has received all of `sent` in pieces of `step` bytes, or at once. Raises RequestRefused."""
    exchange = Exchange(HEADER_BYTES, BODY_BYTES)
    pieces = BytesIO(sent)
    while not exchange.is_received and (piece := pieces.read(step or -1)):
        exchange.receive(piece)
    return exchange


ACCEPTED = {
    "no body": ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b""),
    "a body": (f"{OPENING}Content-Length: 4\r\n\r\na\nb\r", b"a\nb\r"),
    "an empty body": (f"{OPENING}Content-Length: 0\r\n\r\n", b""),
    "chunks": (f"{OPENING}Transfer-Encoding: Chunked\r\n\r\n2\r\n{{}}\r\n1;x=y\r\n\n\r\n0\r\n\r\n", b"{}\n"),
    "a trailer": (f"{OPENING}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\nX: y\r\n\r\n", b"{}"),
    "empty lines before": (f"\r\n\r\n{OPENING}\r\n", b""),
    "the same length twice": (f"{OPENING}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{{}}", b"{}"),
    "HTTP/1.0 without a host": ("GET / HTTP/1.0\r\n\r\n", b""),
    "a later version": ("GET / HTTP/1.2\r\nHost: localhost\r\n\r\n", b""),
    "a continued line": (f"{OPENING}X: a\r\n b\r\n\r\n", b""),
    "latin-1": (f"{OPENING}X: é\r\n\r\n", b""),
    "as many bytes as are allowed": (f"{OPENING}Content-Length: 100\r\n\r\n{'x' * 100}", b"x" * 100),
}


@pytest.mark.parametrize("step", [0, 1, 7])
@pytest.mark.parametrize(("sent", "body"), ACCEPTED.values(), ids=ACCEPTED)
def test_a_request_is_the_same_however_its_bytes_are_split(sent: str, body: bytes, step: int) -> None:
    exchange = exchange_of(sent.encode("latin-1"), step)
    assert exchange.is_received and exchange.body == body


CHUNKED = f"{OPENING}Transfer-Encoding: chunked\r\n"
REFUSED = {
    "no request": ("\n", 400),
    "TLS": ("\x16\x03\x01", 400),
    "no version": ("GET /\r\n\r\n", 400),
    "another protocol": ("GET / RTSP/1.0\r\nHost: localhost\r\n\r\n", 400),
    "HTTP/2": ("PRI * HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
    "HTTP/0.9": ("GET / HTTP/0.9\r\nHost: localhost\r\n\r\n", 505),
    "two spaces": ("GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "a tab": ("GET\t/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "a space in the target": ("GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "a fragment": ("GET /a#b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "no slash": ("GET help HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "only a query": ("GET ?a=1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "another scheme": ("GET ftp://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "a user name": ("GET http://localhost@evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "a tunnel": ("CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "the whole server": ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "small letters": ("get / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "no host": ("GET / HTTP/1.1\r\n\r\n", 400),
    "two hosts": (f"{OPENING}Host: localhost\r\n\r\n", 400),
    "a line end without CR": ("GET / HTTP/1.1\nHost: localhost\n\n", 400),
    "one line end without CR": (f"{OPENING}X: a\nY: b\r\n\r\n", 400),
    "an end without CR": (f"{OPENING}\n", 400),
    "CR in a header": (f"{OPENING}X: a\rb\r\n\r\n", 400),
    "CR CR LF": (f"{OPENING}X: a\r\r\n\r\n", 400),
    "NUL in a header": (f"{OPENING}X: a\x00b\r\n\r\n", 400),
    "a control character in a header": (f"{OPENING}X: a\x01b\r\n\r\n", 400),
    "DEL in a header": (f"{OPENING}X: a\x7fb\r\n\r\n", 400),
    "a control character in the target": ("GET /\x01 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "a space before the colon": (f"{OPENING}Transfer-Encoding : chunked\r\n\r\n", 400),
    "a space before the first header": ("GET / HTTP/1.1\r\n Host: localhost\r\n\r\n", 400),
    "no colon": (f"{OPENING}X\r\n\r\n", 400),
    "no name": (f"{OPENING}: x\r\n\r\n", 400),
    "length and chunks": (f"{CHUNKED}Content-Length: 5\r\n\r\n0\r\n\r\n", 400),
    "chunks in HTTP/1.0": ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    "two lengths": (f"{OPENING}Content-Length: 2\r\nContent-Length: 3\r\n\r\n", 400),
    "two lengths in one": (f"{OPENING}Content-Length: 2, 3\r\n\r\n", 400),
    "a signed length": (f"{OPENING}Content-Length: +2\r\n\r\n", 400),
    "a negative length": (f"{OPENING}Content-Length: -2\r\n\r\n", 400),
    "a hexadecimal length": (f"{OPENING}Content-Length: 0x2\r\n\r\n", 400),
    "a length in other digits": (f"{OPENING}Content-Length: ²\r\n\r\n", 400),
    "no length": (f"{OPENING}Content-Length:\r\n\r\n", 400),
    "an endless length": (f"{OPENING}Content-Length: {'9' * 21}\r\n\r\n", 400),
    "another coding": (f"{OPENING}Transfer-Encoding: gzip\r\n\r\n", 501),
    "two codings": (f"{OPENING}Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
    "chunks of chunks": (f"{OPENING}Transfer-Encoding: chunked, chunked\r\n\r\n", 501),
    "chunked twice": (f"{CHUNKED}Transfer-Encoding: chunked\r\n\r\n", 501),
    "a coding like chunked": (f"{OPENING}Transfer-Encoding: xchunked\r\n\r\n", 501),
    "chunked with VT": (f"{OPENING}Transfer-Encoding: \x0bchunked\r\n\r\n", 400),
    "a chunk without a size": (f"{CHUNKED}\r\n\r\n{{}}\r\n0\r\n\r\n", 400),
    "a chunk size with a prefix": (f"{CHUNKED}\r\n0x2\r\n{{}}\r\n0\r\n\r\n", 400),
    "a signed chunk size": (f"{CHUNKED}\r\n+2\r\n{{}}\r\n0\r\n\r\n", 400),
    "a chunk size with an underscore": (f"{CHUNKED}\r\n1_0\r\n{{}}\r\n0\r\n\r\n", 400),
    "a chunk longer than its size": (f"{CHUNKED}\r\n2\r\n{{}}x\r\n0\r\n\r\n", 400),
    "a chunk line without CR": (f"{CHUNKED}\r\n2\n{{}}\r\n0\r\n\r\n", 400),
    "a chunk end without CR": (f"{CHUNKED}\r\n2\r\n{{}}\n0\r\n\r\n", 400),
    "CR in a chunk extension": (f"{CHUNKED}\r\n2;\rx\r\n{{}}\r\n0\r\n\r\n", 400),
    "LF in a chunk extension": (f"{CHUNKED}\r\n2;\nx\r\n{{}}\r\n0\r\n\r\n", 400),
    "a last chunk without CR": (f"{CHUNKED}\r\n2\r\n{{}}\r\n0\r\n\n", 400),
    "a malformed trailer": (f"{CHUNKED}\r\n2\r\n{{}}\r\n0\r\nX : y\r\n\r\n", 400),
    "a long head": (f"{OPENING}X: {'x' * HEADER_BYTES}\r\n\r\n", 431),
    "a head without an end": (f"{OPENING}X: {'x' * HEADER_BYTES}", 431),
    "a chunk line without an end": (f"{CHUNKED}\r\n2;{'x' * HEADER_BYTES}", 431),
    "chunks of one byte": (CHUNKED + "\r\n" + "1\r\nx\r\n" * 90, 431),
    "a long body": (f"{OPENING}Content-Length: 101\r\n\r\n", 413),
    "many chunks": (CHUNKED + "\r\n" + f"33\r\n{'x' * 51}\r\n" * 2, 413),
    "a long chunk": (f"{CHUNKED}\r\nfffff\r\n{'x' * 101}", 413),
}


@pytest.mark.parametrize("step", [0, 1, 7])
@pytest.mark.parametrize(("sent", "status"), REFUSED.values(), ids=REFUSED)
def test_a_request_that_others_could_read_otherwise_is_refused(sent: str, status: int, step: int) -> None:
    with pytest.raises(RequestRefused) as refused:
        exchange_of(sent.encode("latin-1"), step)
    assert refused.value.status == status


def test_the_rest_of_the_input_is_for_the_next_request() -> None:
    exchange = exchange_of(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}\r\nGET / HTTP/1.1\r\n")
    assert exchange.body == b"{}" and exchange.rest == b"\r\nGET / HTTP/1.1\r\n"


def test_target_and_headers_are_taken_apart() -> None:
    headers = b"Host: evil.example\r\nX-Y: 1\r\nx-y: 2\r\nX_Z: 3\r\n\r\n"
    exchange = exchange_of(b"GET http://cards.local:8080/a%20b?c=%20?d HTTP/1.1\r\n" + headers)
    assert (exchange.method, exchange.version) == ("GET", "1.1")
    assert (exchange.path, exchange.query) == ("/a%20b", "c=%20?d")
    assert exchange.headers == {"host": "cards.local:8080", "x-y": "1, 2"}


def test_a_body_is_asked_for_once() -> None:
    exchange = exchange_of(f"{OPENING}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n".encode())
    assert exchange.waits_for_continue and exchange.go_on() == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert not exchange.waits_for_continue
    exchange.receive(b"{}")
    assert exchange.is_received and exchange.body == b"{}"


def answer_to(sent: str, status: str, *headers: tuple[str, str]) -> tuple[Exchange, bytes]:
    """An exchange, and the head of an answer without its Date header."""
    exchange = exchange_of(f"{sent}\r\nHost: localhost\r\n\r\n".encode())
    lines = exchange.begin(status, headers).split(b"\r\n")
    return exchange, b"\r\n".join(line for line in lines if not line.startswith(b"Date: "))


def test_an_answer_of_known_length_keeps_the_connection() -> None:
    exchange, head = answer_to("GET / HTTP/1.1", "200 OK", ("Content-Length", "2"))
    assert head == b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
    assert exchange.content(b"{}") + exchange.end() == b"{}"
    assert exchange.is_reusable


def test_an_answer_has_one_date() -> None:
    """Flask dates the files that it sends."""
    for given in ((), (("Date", "Fri, 27 Nov 2026 04:57:26 GMT"),)):
        exchange = exchange_of(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert exchange.begin("200 OK", (("Content-Length", "0"), *given)).lower().count(b"date:") == 1


def test_an_answer_of_unknown_length_is_chunked_and_keeps_the_connection() -> None:
    exchange, head = answer_to("GET / HTTP/1.1", "200 OK")
    assert head == b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert exchange.content(b"{}") + exchange.end() == b"2\r\n{}\r\n0\r\n\r\n"
    assert exchange.is_reusable


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
def test_an_answer_without_a_body_keeps_the_connection(status: str) -> None:
    exchange, head = answer_to("GET / HTTP/1.1", status)
    assert head == f"HTTP/1.1 {status}\r\n\r\n".encode()
    assert exchange.end() == b"" and exchange.is_reusable


def test_http_1_0_gets_no_chunks_and_the_connection_is_closed() -> None:
    exchange, head = answer_to("GET / HTTP/1.0", "200 OK")
    assert head == b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
    assert exchange.content(b"{}") + exchange.end() == b"{}"
    assert not exchange.is_reusable


def test_a_connection_that_the_visitor_wants_closed_is_closed() -> None:
    exchange, head = answer_to("GET / HTTP/1.1\r\nConnection: close", "204 No Content")
    assert b"\r\nConnection: close\r\n" in head
    assert exchange.end() == b"" and not exchange.is_reusable


@pytest.mark.parametrize("body", [b"1", b"123"])
def test_a_body_of_another_length_is_an_error(body: bytes) -> None:
    exchange, _ = answer_to("GET / HTTP/1.1", "200 OK", ("Content-Length", "2"))
    with pytest.raises(h11.LocalProtocolError):
        exchange.content(body)
        exchange.end()
    assert not exchange.is_reusable


@pytest.mark.parametrize("name", ["X\r\nSet-Cookie", "X:", ""])
@pytest.mark.parametrize("value", ["a\r\nSet-Cookie: b=c", "a\nb", "a\x00"])
def test_an_answer_with_an_invalid_header_is_an_error(name: str, value: str) -> None:
    for header in ((name, "x"), ("X", value)):
        with pytest.raises(h11.LocalProtocolError):
            answer_to("GET / HTTP/1.1", "200 OK", header)


def test_a_refusal_is_a_whole_answer() -> None:
    exchange = Exchange(HEADER_BYTES, BODY_BYTES)
    with pytest.raises(RequestRefused):
        exchange.receive(b"HEAD / HTTP/1.1\nHost: localhost\n\n")
    head, _, body = exchange.refusal(400).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n") and b"\r\nConnection: close" in head
    assert body == b"" and not exchange.is_reusable
    assert exchange.refusal(408) == b""


@pytest.mark.parametrize(
    "status, detail",
    [(413, f"expected {BODY_BYTES} bytes at most, got more"), (400, "Bad Request"), (503, "Service Unavailable")],
)
def test_a_refusal_has_problem_details(status: int, detail: str) -> None:
    exchange = exchange_of(b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    head, _, body = exchange.refusal(status).partition(b"\r\n\r\n")
    assert b"\r\nContent-Type: application/problem+json\r\n" in head
    assert (json.loads(body)["status"], json.loads(body)["detail"]) == (status, detail)
