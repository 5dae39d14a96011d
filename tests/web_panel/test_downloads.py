"""Downloads of past games: their memory does not grow with the games, and few are sent at once."""

from __future__ import annotations

import csv
import io
import json
import socket
from collections.abc import Iterator
from itertools import pairwise

import pytest
from flask.testing import FlaskClient

from firmware_host.stats import running_totals
from firmware_host.stats.past_game import PastGame, decode
from firmware_host.storage.journal import JournalError
from tests.stats.small_games import small_game
from tests.web_panel.conftest import PhoneClient, Rig, json_of
from tests.web_panel.test_stream import Server
from web_panel.app import AccessPolicy
from web_panel.pages import downloads
from web_panel.server.limits import ServerLimits

FILES = ("/history.csv", "/history.json", "/scorecards.csv", "/scorecards.json")
FEW, MANY = 90, 270


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "GAMES_AT_ONCE", 20)


def rig_of(games: int, access_policy: AccessPolicy | None = None, *, is_simulated: bool = True) -> Rig:
    rig = Rig(access_policy=access_policy, is_simulated=is_simulated)
    for _ in range(games):
        for turn in small_game(("Ann", "Ben"), (121, 90), hands=(8, 4)):
            rig.journal.append(turn)
    rig.archive.query(lambda past: None)  # stores the figures
    return rig


@pytest.fixture(scope="module")
def rigs() -> tuple[Rig, Rig]:
    return rig_of(FEW), rig_of(MANY)


@pytest.mark.parametrize("path", FILES)
def test_a_download_is_made_in_pieces(path: str, rigs: tuple[Rig, Rig], monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece is as large after many games as after few, and no more games are read for it."""
    read = 0

    def counted(game: int, body: str) -> PastGame:
        nonlocal read
        read += 1
        return decode(game, body)

    monkeypatch.setattr(running_totals, "decode", counted)
    sizes, games_read = [], []
    for rig in rigs:
        with rig.client.get(path) as answer:
            pieces = [(len(piece), read) for piece in answer.response]
        sizes.append([size for size, _ in pieces])
        games_read.append([after - before for (_, before), (_, after) in pairwise([(0, 0), *pieces])])
        read = 0
    of_few, of_many = sizes
    assert sum(of_many) > 2.5 * sum(of_few) and max(of_many) < 1.05 * max(of_few)
    assert max(games_read[1]) == max(games_read[0]) < FEW + 9


@pytest.mark.parametrize("path", FILES)
def test_all_games_are_in_the_download_once(path: str, rigs: tuple[Rig, Rig]) -> None:
    text = rigs[1].get(path).text
    if path.endswith("json"):
        content = json.loads(text)
        rows = content["games"] if "games" in content else [row for card in content["cards"] for row in card["games"]]
    else:
        rows = list(csv.DictReader(io.StringIO(text)))
    numbers = [int(row["game"]) for row in rows]
    assert sorted(numbers) == sorted([*range(1, MANY + 1)] * 2)


def test_a_board_without_games_has_empty_downloads(rig: Rig) -> None:
    assert json_of(rig.get("/history.json")) == {"games": [], "players": [], "head_to_heads": []}
    assert json_of(rig.get("/scorecards.json")) == {"players": [], "cards": []}
    assert rig.get("/history.csv").text.count("\n") == rig.get("/scorecards.csv").text.count("\n") == 1


def test_one_download_at_a_time_for_each_address(rigs: tuple[Rig, Rig]) -> None:
    client = rigs[1].client
    first = client.get("/history.json")
    assert [client.get(path).status_code for path in (*FILES, "/players.csv", "/cribboard.sqlite3")] == [429] * 6
    first.close()  # the visitor leaves
    assert client.get("/history.json", buffered=True).status_code == 200


def from_address(client: FlaskClient, number: int) -> int:
    """The status of a download that is begun at an address and not read."""
    return client.get("/history.json", environ_overrides={"REMOTE_ADDR": f"192.168.1.{number}"}).status_code


def test_strangers_leave_downloads_for_paired_phones() -> None:
    rig = rig_of(FEW, AccessPolicy(is_history_open=lambda: True), is_simulated=False)
    phone = PhoneClient(rig).pair("Ann")
    assert [from_address(rig.app.test_client(), number) for number in (1, 2, 3)] == [200, 429, 429]
    assert [from_address(phone.client, number) for number in (4, 5, 6, 7)] == [200, 200, 200, 429]


def test_a_refused_download_is_not_counted(rig: Rig) -> None:
    for _ in range(3):
        assert rig.get("/scorecards.json?player=Nobody").status_code == 404
    assert rig.get("/scorecards.json").status_code == 200


def test_a_download_ends_broken_when_names_are_merged_meanwhile(rigs: tuple[Rig, Rig]) -> None:
    rig = rigs[1]
    answer = rig.client.get("/history.json")
    pieces = iter(answer.response)
    next(pieces)
    rig.people_file.replace(lambda people: people.merge("Ann", "Ben"))
    try:
        with pytest.raises(JournalError):
            next(pieces)
    finally:
        answer.close()
        rig.people_file.replace(lambda people: people.unmerge("Ben"))


def test_a_strangers_download_waits_for_its_reader() -> None:
    """It is not cut off for being longer than what may be unread, and other strangers are answered meanwhile."""
    rig = rig_of(MANY, AccessPolicy(is_history_open=lambda: True), is_simulated=False)
    most = 4 << 10
    limits = ServerLimits(
        unread_bytes_of_strangers_connection=most, unread_bytes=8 * most, send_buffer_bytes=2 << 10, unread_s=5.0
    )
    with Server(rig, limits, rig.app) as server, socket.create_connection(("127.0.0.1", server.port)) as visitor:
        visitor.sendall(b"GET /history.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = received(visitor)
        assert next(answer).startswith(b"HTTP/1.1 200")
        assert server.ask("GET", "/state").status == 200
        body = b"".join(answer)
    assert len(body) > 8 * most and body.endswith(b"0\r\n\r\n")


def received(visitor: socket.socket) -> Iterator[bytes]:
    while data := visitor.recv(2048):
        yield data
