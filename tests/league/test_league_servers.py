"""Real NATS servers, PostgreSQL and the collector: nothing is lost or doubled, and a board acts for itself alone."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from firmware_host.game.commands import CorrectScore
from firmware_host.league.boards import boards_of, expel_board
from firmware_host.league.check import compare
from firmware_host.league.standings import standings
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.telemetry import Telemetry
from tests.league.league_load import League, Run
from tests.league.messages import message
from tests.league.servers import needs_servers, server_folder, wait_until
from tests.telemetry.conftest import START, running_host

pytestmark = [pytest.mark.slow, needs_servers]

FAULT_S = 15.0
"""The time of load with each fault or upgrade, in seconds. What was killed is down for half of it."""
GAMES = 500
"""In the journal of all boards."""


@pytest.fixture
def league() -> Iterator[League]:
    with server_folder() as folder, ExitStack() as opened:
        yield League(folder, boards=50, games=GAMES, opened=opened)


def test_with_a_node_killed_and_postgresql_lost_every_result_is_in_the_ledger_once(league: League) -> None:
    run = Run(league, rate=10, fault_s=FAULT_S)
    asyncio.run(run.everything(5, faults=("n1 killed", "copy killed", "PostgreSQL killed"), idle_s=1))
    print(json.dumps(run.figures, indent=2))
    assert run.figures["results_in_all"] == run.figures["check_rows"] == run.played
    assert run.figures["without_receipt"] == run.figures["refused"] == 0
    for check in ("check", "check_after_restore"):
        assert run.figures[f"{check}_lost"] == 0
        assert run.figures[check] == f"{run.played} games: 0 missing, 0 different, 0 unknown"


def test_a_broker_and_the_collector_are_upgraded_while_boards_play(league: League) -> None:
    run = Run(league, rate=10, fault_s=FAULT_S)
    asyncio.run(run.everything(2, faults=(), idle_s=1, upgrades=("n1", "collector")))
    assert run.figures["results_in_all"] == run.figures["check_rows"] == run.played
    assert run.figures["without_receipt"] == run.figures["refused"] == run.figures["check_lost"] == 0
    assert run.figures["check"] == f"{GAMES} games: {GAMES - run.played} missing, 0 different, 0 unknown", "not played"


def test_a_whole_board_sends_a_game_and_gets_its_receipt(league: League, tmp_path: Path) -> None:
    (tmp_path / "password").write_text(league.passwords["board-0001"])
    path = tmp_path / "journal.sqlite3"
    host = running_host(Journal.open(path))
    broker = Broker(
        "127.0.0.1",
        league.nats.nodes[2].mqtt_port,
        "board-0001",
        tls=True,
        ca=str(league.nats.folder / "ca.crt"),
        user="board-0001",
        password_file=str(tmp_path / "password"),
    )
    telemetry = Telemetry(host, broker, "", lambda: closing(Journal.open_readonly(path)))
    telemetry.start()
    try:
        for command in (START, CorrectScore(1, 85, "so far"), CorrectScore(0, 121, "the end")):
            host.submit(command)
        wait_until(lambda: results_of(league), "the result is in the ledger")
        with closing(Journal.open_readonly(path)) as journal:
            wait_until(journal.receipts, "the board has the receipt")
            assert [receipt.is_accepted for receipt in journal.receipts()] == [True]
        assert not telemetry.fault
    finally:
        telemetry.stop()
        host.stop()
    with league.database() as database:
        assert compare(database, [path]).missing == compare(database, [path]).different == ()
        assert [row.name for row in standings(database)] == ["Ann", "Ben"]


class Board:
    """A board by another MQTT library, with TLS; `client_id` may be that of another board."""

    def __init__(self, league: League, user: str, client_id: str = "", password: str = "", will: str = "") -> None:
        self.seen, self.granted, self.is_connected = list[MQTTMessage](), list[int](), False
        self.refused = self.lost = 0
        client = Client(CallbackAPIVersion.VERSION2, client_id or user, protocol=MQTTProtocolVersion.MQTTv311)
        client.username_pw_set(user, password or league.passwords[user])
        client.tls_set_context(ssl.create_default_context(cafile=str(league.nats.folder / "ca.crt")))
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_message = lambda _client, _, got: self.seen.append(got)
        client.on_subscribe = lambda _client, _, _mid, codes, _properties: self.granted.extend(c.value for c in codes)
        if will:
            client.will_set(will, "a will", qos=1)
        client.reconnect_delay_set(1, 1)
        client.connect("127.0.0.1", league.nats.nodes[0].mqtt_port)
        client.loop_start()
        self.client = client

    def _connected(self, _client: Client, _data: object, _flags: object, reason: object, _properties: object) -> None:
        self.is_connected = not getattr(reason, "is_failure", True)
        self.refused += not self.is_connected

    def _disconnected(self, *_: object) -> None:
        self.is_connected = False
        self.lost += 1

    def ready(self) -> Board:
        wait_until(lambda: self.is_connected, "the board is connected")
        return self

    def publish(self, topic: str, payload: bytes | str) -> None:
        sent = self.client.publish(topic, payload, qos=1)
        sent.wait_for_publish(30)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def boards(league: League) -> Iterator[tuple[Board, Board]]:
    both = (Board(league, "board-0001").ready(), Board(league, "board-0002").ready())
    yield both
    for board in both:
        board.close()


def results_of(league: League) -> list[tuple[str, str]]:
    with league.database() as database:
        return [(str(name), str(board)) for name, board in database.execute("SELECT id, board FROM result ORDER BY id")]


def send(league: League, board: Board, name: str, number: int) -> None:
    board.publish(f"cribboard/1/from/{name}/result", message(number, board=name).payload)


def test_no_board_publishes_reads_or_leaves_a_will_for_another(league: League, boards: tuple[Board, Board]) -> None:
    first, second = boards
    second.client.subscribe([("cribboard/1/to/board-0001/receipt", 0), ("cribboard/1/from/+/result", 0)])
    second.client.subscribe([("#", 0), ("$MQTT/msgs/#", 0), ("cribboard/league/results", 0)])
    second.client.subscribe("cribboard/1/to/board-0002/receipt")
    wait_until(lambda: len(second.granted) == 6)
    assert second.granted == [128] * 5 + [0]
    first.client.subscribe("cribboard/1/to/board-0001/receipt")
    wait_until(lambda: first.granted)
    send(league, second, "board-0001", 1)  # is acknowledged, and dropped
    second.publish("cribboard/1/to/board-0001/receipt", "{}")
    second.publish("$JS/API/STREAM/DELETE/$MQTT_msgs", "")
    with_will = Board(league, "board-0003", will="cribboard/1/from/board-0001/result").ready()
    with_will.client._sock.close()  # type: ignore[union-attr]  # a connection that is lost, so that the will is due
    send(league, first, "board-0001", 2)
    send(league, second, "board-0002", 3)
    wait_until(lambda: len(results_of(league)) == 2)
    assert results_of(league) == [(f"{number:032x}", f"board-{number - 1:04}") for number in (2, 3)]
    wait_until(lambda: first.seen and second.seen)
    time.sleep(1)
    for board, number in ((first, 2), (second, 3)):
        (receipt,) = [json.loads(got.payload) for got in board.seen]
        assert (receipt["id"], receipt["is_accepted"]) == (f"{number:032x}", True)
    with_will.close()


def test_a_wrong_password_and_an_unknown_board_are_refused(league: League) -> None:
    for user in ("board-0001", "board-9999"):
        stranger = Board(league, user, password="wrong")
        wait_until(lambda stranger=stranger: stranger.refused or stranger.lost)  # type: ignore[misc]
        assert not stranger.is_connected
        stranger.close()


def test_a_board_with_the_client_id_of_another_can_only_disturb_it(league: League, boards: tuple[Board, Board]) -> None:
    first, _ = boards
    first.client.subscribe("cribboard/1/to/board-0001/receipt")
    wait_until(lambda: first.granted)
    taker = Board(league, "board-0002", client_id="board-0001").ready()
    send(league, taker, "board-0001", 1)
    taker.close()
    first.ready()
    send(league, first, "board-0001", 2)
    wait_until(lambda: results_of(league))
    assert results_of(league) == [(f"{2:032x}", "board-0001")]
    assert not taker.seen


def test_an_expelled_board_is_cut_off_and_all_others_and_the_servers_go_on(
    league: League, boards: tuple[Board, Board]
) -> None:
    first, second = boards
    for board, name in ((first, "board-0001"), (second, "board-0002")):  # retained, as the state of a board is
        board.client.publish(f"cribboard/1/from/{name}/status", "online", qos=1, retain=True).wait_for_publish(30)
        board.lost = 0
    for _ in range(2):  # without rights for a user, NATS 2.9 crashed at the second reload at the latest
        with league.database() as database:
            expel_board(database, "board-0002")
            league.nats.configure(boards_of(database))
        league.nats.reload()
        wait_until(lambda: second.lost and not second.is_connected, "the expelled board is cut off")
        time.sleep(3)  # it tries again each second
    assert not second.is_connected and not first.lost
    assert [process.poll() for process in league.nats.processes.values()] == [None] * 3
    send(league, first, "board-0001", 1)
    wait_until(lambda: results_of(league))
