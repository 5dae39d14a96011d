"""The club moves to another computer by the pages alone, while a broker runs on both: the boards notice nothing."""

from __future__ import annotations

import ssl
from base64 import b64encode
from contextlib import closing
from datetime import UTC, datetime
from http.cookiejar import CookieJar
from pathlib import Path
from socket import create_connection
from threading import Event
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

import msgspec
import pytest
from click.testing import CliRunner
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from firmware_host.cli import main
from firmware_host.club import decide as d
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club_server.store import ClubFile
from firmware_host.mqtt_messages.topics import RECEIPT, RESULT, Topics
from tests.free_port import free_port
from tests.league.messages import message as league_message
from tests.telemetry.mosquitto import PATIENCE_S, needs_mosquitto, wait_until
from tests.telemetry.test_local_broker import answers
from tests.web_panel.club_process import Server, running
from web_panel.pages.restores import CHUNK_BYTES

pytestmark = [needs_mosquitto, pytest.mark.slow]

BOARD = "table-3"
RESEND_S = 0.5


class Organiser:
    """A browser without a screen: requests as the pages' own script sends them."""

    def __init__(self, server: Server, password: str, language: str = "en") -> None:
        self._server = server
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self._opener.addheaders = [("Accept-Language", language)]
        assert self.post("login", name="organiser", password=password) == (204, "")

    def get(self, path: str) -> bytes:
        content: bytes = self._opener.open(f"{self._server.address}{path}").read()
        return content

    def post(self, command: str, **fields: object) -> tuple[int, str]:
        """The status, and the sentence for the organiser."""
        headers = {"Content-Type": "application/json", "Origin": self._server.address.rstrip("/")}
        request = Request(f"{self._server.address}api/v1/{command}", msgspec.json.encode(fields), headers)
        try:
            return self._opener.open(request).status, ""
        except HTTPError as refused:
            with refused:
                return refused.code, msgspec.json.decode(refused.read())["localized"]

    def restore(self, backup: bytes) -> tuple[int, str]:
        """Upload a file in chunks, and restore it."""
        chunks = [backup[at : at + CHUNK_BYTES] for at in range(0, len(backup), CHUNK_BYTES)]
        for number, chunk in enumerate(chunks):
            assert self.post("backup/chunk", number=number, chunk=b64encode(chunk).decode()) == (204, "")
        return self.post("backup/restore", chunks=len(chunks))


class Board:
    """A board with the files that the club gave it."""

    def __init__(self, stick: Path, port: int) -> None:
        self._receipt = Event()
        self._is_subscribed = Event()
        self._client = Client(CallbackAPIVersion.VERSION2, BOARD, protocol=MQTTProtocolVersion.MQTTv311)
        self._client.username_pw_set(BOARD, (stick / "mqtt-password").read_text().strip())
        self._client.tls_set(str(stick / "club-ca.pem"))
        self._client.on_message = lambda *_: self._receipt.set()
        self._client.on_subscribe = lambda *_: self._is_subscribed.set()
        self._client.connect("localhost", port)
        self._client.subscribe(Topics(BOARD).to(RECEIPT), qos=1)
        self._client.loop_start()
        assert self._is_subscribed.wait(PATIENCE_S)

    def send_result(self, winner: str, loser: str, revision: int) -> None:
        """Send a result again and again until the club has answered, as a board does."""
        sides = [{"players": [winner], "score": 121}, {"players": [loser], "score": 95}]
        changes: dict[str, Any] = {"sides": sides, "winner": 0, "match_points": [2, 0], "spread": [26, -26]}
        changes |= {"revision": revision}
        body = league_message(board=BOARD, ended_at=datetime.now(UTC).isoformat(), **changes).body
        for _ in range(round(PATIENCE_S / RESEND_S)):
            self._client.publish(Topics(BOARD).of(RESULT), msgspec.json.encode(body), qos=1)
            if self._receipt.wait(RESEND_S):
                return
        raise AssertionError("no receipt")

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def trusts(stick: Path, port: int) -> bool:
    """Whether a board with these files connects to the broker at all."""
    context = ssl.create_default_context(cafile=stick / "club-ca.pem")
    with create_connection(("localhost", port)) as connection:
        try:
            context.wrap_socket(connection, server_hostname="localhost").close()
        except ssl.SSLCertVerificationError:
            return False
    return True


def begin_night(folder: Path) -> None:
    """Ann and Ben, and the first of two rounds between them, today."""
    with closing(ClubFile.open(folder / "club.sqlite3")) as file:
        for name in ("Ann", "Ben"):
            file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
        today = datetime.now(UTC).date().isoformat()
        file.change(lambda club: d.create_night(club, today, NightSettings(games=2)))
        members = (MemberId(1), MemberId(2))
        file.change_all(lambda club: [d.enter_player(club, club.nights[-1], member) for member in members])
        file.change(lambda club: d.pair_round(club, club.nights[-1]))


def test_the_boards_find_the_club_on_the_computer_to_which_it_moved(tmp_path: Path) -> None:
    one, other, stick = (tmp_path / name for name in ("one", "other", "stick"))
    stick.mkdir()
    port = free_port()
    begin_night(one)
    options = ["club", "--state-folder", str(one), "board", "add", BOARD, "--host", "localhost", "--port", str(port)]
    added = CliRunner().invoke(main, [*options, "--into", str(stick)])
    assert added.exit_code == 0, added.output
    broker = ("--broker", "--broker-port", str(port))
    with running(one, *broker) as first:
        wait_until(lambda: answers(port))
        with closing(Board(stick, port)) as sender:
            sender.send_result("Ann", "Ben", 1)
        (game,) = first.night.rounds[0].games
        backup = Organiser(first, first.password).get("club.zip")
        password, before = first.password, first.club
        first.end()
    with running(other, *broker) as second:
        wait_until(lambda: answers(port))
        assert not trusts(stick, port)
        organiser = Organiser(second, second.password, "fr")
        status, said = organiser.restore(backup[:-100])
        assert (status, said) == (409, "Ce fichier n’est pas une sauvegarde de club. Rien n’a changé.")
        assert organiser.restore(backup) == (204, "")
        assert second.club == before and trusts(stick, port)
        Organiser(second, password)  # the accounts came along
        with closing(Board(stick, port)) as sender:
            sender.send_result("Ben", "Ann", 2)
        assert second.night.rounds[0].games[0].scores == game.scores[::-1]
        second.end()
