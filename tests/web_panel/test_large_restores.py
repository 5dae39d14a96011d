"""A large backup is restored over HTTPS by the real server, while the line breaks."""

from __future__ import annotations

import json
import shutil
import sqlite3
import ssl
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from firmware_host.pairing.registry import Role
from firmware_host.storage.journal import Journal
from tests.web_panel.conftest import API, PhoneClient, Rig
from tests.web_panel.test_backups import GOLDEN
from tests.web_panel.test_backups import file_rig as file_rig
from tests.web_panel.test_tls import PATIENCE_S, TlsServer
from tests.web_panel.test_tls import certificate as certificate
from web_panel.pages.restores import CHUNK_BYTES
from web_panel.security.identity import COOKIE

MEGABYTE = 1_000_000
BREAKS = 5
"""How often the line breaks, each time just after a chunk was sent: its answer is lost."""


def padded_backup(file: Path, size: int) -> Path:
    """A backup of at least so many bytes: most of its pages are free ones."""
    shutil.copyfile(GOLDEN, file)
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE padding (page BLOB)")
        database.execute("INSERT INTO padding VALUES (zeroblob(?))", (size,))
        database.execute("DROP TABLE padding")
        database.commit()
    assert file.stat().st_size >= size
    return file


class BadLine:
    """An owner's connection by HTTPS, which can be broken after a request was sent and before its answer came."""

    def __init__(self, port: int, trust: ssl.SSLContext, token: str) -> None:
        self._port, self._trust, self._headers = port, trust, {"Cookie": f"{COOKIE}={token}"}
        self._connection = self._connect()

    def _connect(self) -> HTTPSConnection:
        return HTTPSConnection("localhost", self._port, timeout=12 * PATIENCE_S, context=self._trust)

    def send(self, path: str, body: object, *, breaks: bool = False) -> int:
        """Send a request, and again where its answer was lost. Returns the status."""
        origin = {"Origin": f"https://localhost:{self._port}", "Content-Type": "application/json"}
        for is_broken in (True, False) if breaks else (False,):
            self._connection.request("POST", f"{API}{path}", json.dumps(body), self._headers | origin)
            if is_broken:
                self._connection.close()
                self._connection = self._connect()
        answer = self._connection.getresponse()
        answer.read()
        return answer.status

    def close(self) -> None:
        self._connection.close()


@pytest.mark.slow
def test_a_hundred_megabytes_are_restored_over_https_and_a_line_that_breaks(
    file_rig: Rig, certificate: Path, tmp_path: Path
) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    file = padded_backup(tmp_path / "backup.sqlite3", 100 * MEGABYTE)
    chunks = -(-file.stat().st_size // CHUNK_BYTES)
    with TlsServer(file_rig, certificate, knows_everybody=True) as server, file.open("rb") as content:
        line = BadLine(server.port, server.trust, owner.token)
        for number in range(chunks):
            chunk = b64encode(content.read(CHUNK_BYTES)).decode()
            breaks = number % (chunks // BREAKS) == 1
            assert line.send("/backup/chunks", {"number": number, "chunk": chunk}, breaks=breaks) == 204
        with ThreadPoolExecutor(1) as caller:
            answer = caller.submit(line.send, "/backup/restore", {"chunks": chunks})
            while not answer.done():
                file_rig.host.step()
                wait([answer], timeout=0.0005)
        assert answer.result() in (200, 202, 204)
        line.close()
    with closing(Journal.open_readonly(GOLDEN)) as golden, file_rig.archive.open_reader() as restored:
        assert restored.turns_of(1) == golden.turns_of(1)
