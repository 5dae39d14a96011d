"""The server over TLS: the same answers, and no request or answer in clear on the wire."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import threading
from contextlib import suppress
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from time import monotonic, sleep

import pytest

from firmware_host.startup.network import listen
from tests.web_panel.attackers import CLIENT_HELLO
from tests.web_panel.conftest import API, Rig
from tests.web_panel.recording_relay import RecordingRelay
from web_panel.security.identity import COOKIE
from web_panel.server.limits import ServerLimits
from web_panel.server.loop import Listener, PanelServer

PATIENCE_S = 60.0


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Key and certificate for localhost, in one file."""
    file, key = tmp_path / "board.pem", tmp_path / "key.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*command.split(), *names, "-keyout", key, "-out", file], check=True, capture_output=True)
    file.write_text(file.read_text() + key.read_text())
    return file


class TlsServer:
    """The panel behind the real server, over TLS."""

    def __init__(
        self, rig: Rig, certificate: Path, limits: ServerLimits | None = None, *, knows_everybody: bool = False
    ) -> None:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate)
        limits = limits or ServerLimits(handshake_s=0.5, sweep_s=0.1)
        listener = Listener(listen("127.0.0.1", 0, 1), rig.app.wsgi_app, tls)
        self._server = PanelServer([listener], lambda environ: knows_everybody, limits)
        self.port = self._server.effective_port
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self.trust = ssl.create_default_context(cafile=str(certificate))

    def __enter__(self) -> TlsServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()
        self._thread.join(PATIENCE_S)


def test_nothing_is_in_clear_over_tls(rig: Rig, certificate: Path) -> None:
    token = "TOKEN-IN-THE-COOKIE"
    with TlsServer(rig, certificate) as server:
        relay = RecordingRelay(server.port)
        line = HTTPSConnection("localhost", relay.port, timeout=PATIENCE_S, context=server.trust)
        for _ in range(2):  # on one connection
            line.request("GET", f"{API}/state", headers={"Cookie": f"{COOKIE}={token}"})
            state = line.getresponse().read()
            assert json.loads(state)["prompt"]
        line.close()
        relay.close()
    assert len(relay.bytes) > len(state)
    for secret in (token.encode(), b"prompt", COOKIE.encode(), API.encode()):
        assert secret not in relay.bytes


def test_a_long_answer_over_tls_is_complete(rig: Rig, certificate: Path) -> None:
    with TlsServer(rig, certificate) as server:
        line = HTTPSConnection("localhost", server.port, timeout=PATIENCE_S, context=server.trust)
        line.request("GET", "/static/css/pages.css")
        answer = line.getresponse()
        assert len(answer.read()) == int(answer.headers["Content-Length"]) > 20_000
        line.close()


def connect(server: TlsServer, sent: bytes) -> socket.socket:
    visitor = socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)
    visitor.sendall(sent)
    return visitor


def rest_of(visitor: socket.socket) -> bytes:
    """What the board sends until it closes the connection."""
    received = b""
    with visitor, suppress(ConnectionResetError):
        while data := visitor.recv(4096):
            received += data
    return received


def state_over_tls(server: TlsServer) -> float:
    """Ask for the state over TLS, and return how many seconds it took."""
    began_s = monotonic()
    line = HTTPSConnection("localhost", server.port, timeout=PATIENCE_S, context=server.trust)
    line.request("GET", f"{API}/state")
    assert json.loads(line.getresponse().read())["prompt"]
    line.close()
    return monotonic() - began_s


@pytest.mark.parametrize("sent", [b"", CLIENT_HELLO[:1], CLIENT_HELLO])
def test_a_handshake_that_is_not_finished_is_closed(rig: Rig, certificate: Path, sent: bytes) -> None:
    with TlsServer(rig, certificate) as server:
        began_s = monotonic()
        assert rest_of(connect(server, sent)) == b""
        assert 0.4 < monotonic() - began_s < PATIENCE_S


def test_a_byte_now_and_then_does_not_prolong_a_handshake(rig: Rig, certificate: Path) -> None:
    with TlsServer(rig, certificate) as server, connect(server, CLIENT_HELLO) as visitor:
        deadline_s = monotonic() + PATIENCE_S
        with suppress(BrokenPipeError, ConnectionResetError):
            while monotonic() < deadline_s:
                visitor.sendall(b"x")
                sleep(0.05)
        assert monotonic() < deadline_s


@pytest.mark.parametrize("sent", [b"\x16" + b"x" * 4000, b"\x16\x03\x01\xff\xff" + b"\0" * 70_000])
def test_a_broken_handshake_is_closed_and_the_next_one_works(rig: Rig, certificate: Path, sent: bytes) -> None:
    with TlsServer(rig, certificate) as server:
        for _ in range(20):  # the numbers of closed sockets are used again
            with suppress(ConnectionResetError, BrokenPipeError):
                assert b"HTTP" not in rest_of(connect(server, sent))
            state_over_tls(server)


def test_unfinished_handshakes_delay_nobody(rig: Rig, certificate: Path) -> None:
    with TlsServer(rig, certificate, ServerLimits(handshake_s=60)) as server:
        held = [connect(server, sent) for sent in [b"", CLIENT_HELLO[:1], CLIENT_HELLO] * 15]
        assert max(state_over_tls(server) for _ in range(10)) < PATIENCE_S / 2
        for visitor in held:
            visitor.close()


def test_a_slow_handshake_in_small_pieces_succeeds(rig: Rig, certificate: Path) -> None:
    """As on a very bad line: each byte of the phone arrives alone."""
    with TlsServer(rig, certificate, ServerLimits(handshake_s=60)) as server, connect(server, b"") as visitor:
        to_phone, to_board = ssl.MemoryBIO(), ssl.MemoryBIO()
        phone = server.trust.wrap_bio(to_phone, to_board, server_hostname="localhost")
        while True:
            try:
                phone.do_handshake()
            except ssl.SSLWantReadError:
                send_bytewise(visitor, to_board)
                to_phone.write(visitor.recv(1 << 14))
            else:
                break
        phone.write(b"GET /help HTTP/1.1\r\nHost: localhost\r\n\r\n")
        send_bytewise(visitor, to_board)
        to_phone.write(visitor.recv(1 << 14))
        assert receive(phone, visitor, to_phone).startswith(b"HTTP/1.1 200")


def send_bytewise(visitor: socket.socket, waiting: ssl.MemoryBIO) -> None:
    visitor.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in waiting.read():
        visitor.sendall(bytes([byte]))


def receive(phone: ssl.SSLObject, visitor: socket.socket, incoming: ssl.MemoryBIO) -> bytes:
    """The first decrypted bytes."""
    while True:
        try:
            return phone.read(1 << 14)
        except ssl.SSLWantReadError:
            incoming.write(visitor.recv(1 << 14))


def test_the_same_port_answers_in_clear(rig: Rig, certificate: Path) -> None:
    """What it answers there is the application's decision: see test_https.py."""
    with TlsServer(rig, certificate) as server:
        visitor = connect(server, b"GET /help HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert rest_of(visitor).startswith(b"HTTP/1.1 200")
        state_over_tls(server)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_both_versions_of_tls(rig: Rig, certificate: Path, version: ssl.TLSVersion) -> None:
    with TlsServer(rig, certificate) as server:
        server.trust.minimum_version = server.trust.maximum_version = version
        state_over_tls(server)


def test_a_stream_over_tls_tells_of_changes(rig: Rig, certificate: Path) -> None:
    with TlsServer(rig, certificate) as server:
        line = HTTPSConnection("localhost", server.port, timeout=PATIENCE_S, context=server.trust)
        line.request("GET", f"{API}/stream")
        stream = line.getresponse()
        assert "No game" in read_event(stream)
        rig.begin()
        assert "No game" not in read_event(stream)
        line.close()


def read_event(stream: HTTPResponse) -> str:
    """The data of the next event that has a state."""
    while not (text := stream.readline().decode()).startswith("data: {"):
        pass
    return text
