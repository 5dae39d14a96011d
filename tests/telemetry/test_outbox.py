"""Finished games at a real Mosquitto: sent until there is a receipt, whatever fails between."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

import pytest

from firmware_host.game import commands as c
from firmware_host.game.events import GameStarted, TurnUndone
from firmware_host.host.loop import Host
from firmware_host.host.parts import journal_maintenance
from firmware_host.storage.journal import Journal
from firmware_host.storage.journal_table import Row
from firmware_host.storage.receipts import Receipt
from firmware_host.telemetry import link, outbox
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.outbox import Outbox, parse_receipt
from firmware_host.telemetry.outgoing import MAX_REFUSALS, Outgoing
from firmware_host.telemetry.telemetry import Telemetry
from tests.stats.small_games import append, small_game
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import Mosquitto, Observer, needs_mosquitto, wait_until
from tests.telemetry.schemas import check

RECEIPTS = "cribboard/1/to/table-3/receipt"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "FIRST_RESEND_S", 0.0)
    monkeypatch.setattr(journal_maintenance, "RECEIPTS_S", 0.0)


@contextmanager
def sending(host: Host, port: int) -> Iterator[Telemetry]:
    path = host.journal_path
    assert path
    telemetry = Telemetry(host, Broker("127.0.0.1", port, "table-3"), "", lambda: closing(Journal.open_readonly(path)))
    telemetry.start()
    try:
        yield telemetry
    finally:
        telemetry.stop()


def stored(host: Host) -> tuple[Receipt, ...]:
    assert host.journal_path
    with closing(Journal.open_readonly(host.journal_path)) as journal:
        return journal.receipts()


def win(host: Host) -> None:
    host.submit(START)
    host.submit(c.CorrectScore(1, 85, "so far"))
    host.submit(c.CorrectScore(0, 121, "the end"))


def confirm(observer: Observer, result: dict[str, object], **changes: object) -> None:
    receipt = {"version": 1, "id": result["id"], "revision": result["revision"], "is_accepted": True} | changes
    check("receipt", receipt)
    observer.publish(RECEIPTS, receipt)


def test_the_same_game_begun_twice_has_two_ids_that_nobody_can_guess(host: Host) -> None:
    """All else in the first event is known to whoever sits at the table: names, rules, board and time."""
    nonces = set[str]()
    for _ in range(2):
        (first, *_) = [*host.submit(START).history.turns_back()][-1].events
        assert isinstance(first, GameStarted)
        assert len(bytes.fromhex(first.nonce)) == 16
        nonces.add(first.nonce)
    assert len(nonces) == 2


def test_true_is_no_revision() -> None:
    receipt = {"version": 1, "id": "ab", "revision": 1, "is_accepted": True}
    assert parse_receipt(json.dumps(receipt).encode()) == Receipt("ab", 1, True)
    assert parse_receipt(json.dumps(receipt | {"revision": True}).encode()) is None


@needs_mosquitto
def test_a_result_is_sent_until_its_receipt_and_never_again(host: Host, broker: Mosquitto, observer: Observer) -> None:
    with sending(host, broker.port):
        win(host)
        result = observer.wait_for("/result")
        check("result", result)
        names = [(side["players"], side["score"]) for side in result["sides"]]
        assert names == [(["Ann"], 121), (["Ben"], 85)]
        assert (result["winner"], result["margin"], result["revision"], result["game"]) == (0, "skunk", 1, 1)
        wait_until(lambda: len(observer.on("/result")) > 2)  # acknowledged by the broker, and sent again
        confirm(observer, result, revision=7)
        observer.publish(RECEIPTS, "{")
        assert observer.wait_for("/health", lambda health: health["results"] == {"waiting": 1, "refused": 0})
        confirm(observer, result)
        wait_until(lambda: stored(host) == (Receipt(result["id"], 1, True),))
        observer.wait_for("/health", lambda health: health["results"] == {"waiting": 0, "refused": 0})
    sent = len(observer.on("/result"))
    with sending(host, broker.port) as again:
        wait_until(lambda: again._outbox and not again._outbox.has_more)
        assert not again._outbox._waiting  # type: ignore[union-attr]
    assert len(observer.on("/result")) == sent


@needs_mosquitto
def test_a_result_outlives_a_broker_that_was_killed_and_a_restart(host: Host, broker: Mosquitto) -> None:
    with sending(host, broker.port) as telemetry:
        wait_until(lambda: telemetry.link.is_connected)
        broker.kill()
        win(host)
        wait_until(lambda: telemetry._outbox and telemetry._outbox.counts["waiting"] == 1)
    broker.start()
    late = Observer(broker.port)
    with sending(host, broker.port):
        assert late.wait_for("/result")["revision"] == 1
    late.close()


@needs_mosquitto
def test_an_undone_end_withdraws_the_result(host: Host, broker: Mosquitto, observer: Observer) -> None:
    with sending(host, broker.port):
        win(host)
        confirm(observer, observer.wait_for("/result"))
        wait_until(lambda: stored(host))
        host.submit(c.Undo())
        withdrawn = observer.wait_for("/result", lambda result: result["revision"] == 2)
        check("result", withdrawn)
        assert not withdrawn["is_final"] and withdrawn["winner"] is None
        host.submit(c.Redo())
        final = observer.wait_for("/result", lambda result: result["revision"] == 3)
        assert final["is_final"] and final["id"] == withdrawn["id"]


@needs_mosquitto
def test_a_refused_result_leaves_the_outbox_with_a_fault(host: Host, broker: Mosquitto, observer: Observer) -> None:
    with sending(host, broker.port) as telemetry:
        win(host)
        confirm(observer, observer.wait_for("/result"), is_accepted=False, reason="no such member\u0007")
        observer.wait_for("/health", lambda health: health["results"] == {"waiting": 0, "refused": 1})
        expected = "the club or league refused 1 games, at last because: no such member"
        wait_until(lambda: telemetry.fault == expected)


def test_receipts_that_cannot_be_written_wait_and_the_game_goes_on(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_maintenance, "RETRY_S", 0.0)
    failures = list[int]()

    def fill_disk() -> None:
        if host.snapshot.table is None and len(failures) < 3:
            failures.append(1)
            raise OSError(28, "No space left on device")

    host._context.game._journal.before_writing = fill_disk
    host.keep_receipts([Receipt("a", 1, True)])
    wait_until(lambda: stored(host) == (Receipt("a", 1, True),))
    assert len(failures) == 3
    win(host)


def test_many_games_are_sent_in_order_a_few_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    won, open_game, demo = ((121, 90), (30, 60), (121, 3))
    append(path, *(small_game(("Ann", "Ben"), won) for _ in range(25)), small_game(("Ann", "Ben"), open_game))
    append(path, small_game(("Rosa", "Bram"), demo, is_demo=True), small_game(("Ann", "Ben"), won))
    kept, sent, waiting = list[Receipt](), list[int](), list[dict[str, object]]()
    box = Outbox("table-3", lambda: closing(Journal.open_readonly(path)), kept.extend)

    def publish(key: str, payload: str) -> bool:
        waiting.append(json.loads(payload))
        return True

    for _ in range(10):
        waiting.clear()
        box.read(0.0)
        box.send(0.0, publish)
        assert len(waiting) <= outbox.WINDOW
        for result in waiting:
            check("result", result)
            sent.append(int(str(result["game"])))
            answer = {"version": 1, "id": result["id"], "revision": result["revision"], "is_accepted": True}
            box.receive(json.dumps(answer).encode())
    assert sent == [*range(1, 26), 28] and len({receipt.id for receipt in kept}) == 26


def test_a_broker_that_hangs_is_not_taken_for_one_that_refuses_a_topic() -> None:
    now_s = 0.0
    outgoing = Outgoing(lambda: now_s)
    for _ in range(2 * MAX_REFUSALS):
        outgoing.open("status", "online")
        message = outgoing.next()
        assert message
        outgoing.published(1, message)
        now_s += 2 * link.KEEPALIVE_S
        assert not outgoing.close(is_lost=True)
    assert not outgoing.refused


def strict_broker(listening: socket.socket, forbidden: bytes, accepted: set[bytes]) -> None:
    """Answers as RabbitMQ does: closes the connection when something is published on the forbidden topic."""
    while True:
        try:
            peer, _ = listening.accept()
        except OSError:
            return
        with peer, peer.makefile("rb") as stream:
            while head := stream.read(1):
                length, shift = 0, 0
                while (digit := stream.read(1)[0]) or not shift:
                    length |= (digit & 127) << shift
                    shift += 7
                    if digit < 128:
                        break
                body = stream.read(length)
                if head[0] >> 4 == 1:
                    peer.sendall(b"\x20\x02\x00\x00")
                if head[0] >> 4 == 3:
                    topic = body[2 : 2 + body[1]]
                    if topic.endswith(forbidden):
                        break
                    accepted.add(topic)
                    peer.sendall(b"\x40\x02" + body[2 + len(topic) :][:2])


def test_a_topic_that_the_broker_refuses_pauses_and_all_others_arrive(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "FIRST_RETRY_S", 0.01)
    monkeypatch.setattr(link, "LONGEST_RETRY_S", 0.01)
    accepted = set[bytes]()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        Thread(target=strict_broker, args=(listening, b"/faults", accepted), daemon=True).start()
        with sending(host, listening.getsockname()[1]) as telemetry:
            wait_until(lambda: "closes the connection when it gets" in telemetry.fault)
            assert "table-3/faults" in telemetry.fault
            win(host)
            wait_until(lambda: {topic.rsplit(b"/")[-1] for topic in accepted} >= {b"state", b"health", b"result"})
        listening.shutdown(socket.SHUT_RDWR)


def test_a_result_is_of_one_reading_of_a_game_that_is_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host writes a turn while the outbox reads: two readings would give the old result the new revision."""
    path, sent = tmp_path / "journal.sqlite3", list[dict[str, object]]()
    append(path, small_game(("Ann", "Ben"), (121, 85)))
    rows_of = Journal.rows_of
    with closing(Journal.open(path)) as written:

        def rows_before_an_undo(journal: Journal, game: int) -> list[Row]:
            rows = rows_of(journal, game)
            written.append((TurnUndone(),))
            return rows

        def publish(key: str, payload: str) -> bool:
            sent.append(json.loads(payload))
            return True

        monkeypatch.setattr(Journal, "rows_of", rows_before_an_undo)
        box = Outbox("table-3", lambda: closing(Journal.open_readonly(path)), lambda receipts: None)
        box.read(0.0)
        box.send(0.0, publish)
    assert [(result["revision"], result["is_final"]) for result in sent] == [(1, True)]
