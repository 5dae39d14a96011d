"""The server over TLS: the same answers, and no request or answer in clear on the wire."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import threading
from contextlib import suppress
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from firmware_host.app import listen
from tests.web_panel.conftest import API, Rig
from web_panel.security.identity import COOKIE
from web_panel.server.limits import ServerLimits
from web_panel.server.loop import Listener, PanelServer

PATIENCE_S = 5.0


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

    def __init__(self, rig: Rig, certificate: Path) -> None:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate)
        limits = ServerLimits(handshake_s=0.5, sweep_s=0.1)
        listener = Listener(listen("127.0.0.1", 0, 1), rig.app.wsgi_app, tls)
        self._server = PanelServer([listener], lambda environ: False, limits)
        self.port = self._server.effective_port
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self.trust = ssl.create_default_context(cafile=str(certificate))

    def __enter__(self) -> TlsServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()
        self._thread.join(PATIENCE_S)


class RecordingRelay:
    """Passes one connection on to a port, and keeps every byte of both directions."""

    def __init__(self, port: int) -> None:
        self.bytes = b""
        self._port, self._listening = port, listen("127.0.0.1", 0, 1)
        self.port: int = self._listening.getsockname()[1]
        self.thread = threading.Thread(target=self._relay, daemon=True)
        self.thread.start()

    def _relay(self) -> None:
        near, _ = self._listening.accept()
        self._listening.close()
        with near, socket.create_connection(("127.0.0.1", self._port), PATIENCE_S) as far:
            both = [threading.Thread(target=self._copy, args=ends, daemon=True) for ends in ((near, far), (far, near))]
            for thread in both:
                thread.start()
            for thread in both:
                thread.join(PATIENCE_S)

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):  # one side has closed already
            while data := source.recv(1 << 16):
                self.bytes += data
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


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
        relay.thread.join(PATIENCE_S)
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


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n\r\n"])
def test_a_connection_without_a_handshake_is_closed(rig: Rig, certificate: Path, sent: bytes) -> None:
    with TlsServer(rig, certificate) as server:
        visitor = socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)
        received = b""
        with visitor, suppress(ConnectionResetError):
            visitor.sendall(sent)
            while data := visitor.recv(4096):
                received += data
        assert b"HTTP" not in received
