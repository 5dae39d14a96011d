"""What the collector keeps and says while the database or its copy is away."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from firmware_host.league import collector as collector_module
from firmware_host.league.collector import Collector, Held, Taken
from firmware_host.league.database import LeagueError
from firmware_host.league.nats_config import DELIVERY, DURABLE, STREAM, Access


def delivered(number: int, times: int) -> Msg:
    reply = f"$JS.ACK.{STREAM}.{DURABLE}.{times}.{number}.{number}.1764090000000000000.0"
    return Msg(Client(), subject=DELIVERY, reply=reply, data=b"")


def test_a_message_that_is_delivered_again_waits_once() -> None:
    collector = Collector(Access((), "", "", ""), "")

    async def deliver() -> None:
        for times in (1, 2, 3):
            for number in (1, 2):
                await collector._keep(delivered(number, times))

    asyncio.run(deliver())
    assert [message.metadata.num_delivered for message in collector._waiting.values()] == [3, 3]


class Broker(Client):
    """Keeps what is published."""

    def __init__(self) -> None:
        super().__init__()
        self.published: list[tuple[str, bytes]] = []

    async def publish(self, subject: str, payload: bytes = b"", *args: object, **options: object) -> None:
        self.published.append((subject, payload))


def test_receipts_wait_for_the_copy_and_that_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    positions = iter((0, 0, 6, 7))
    monkeypatch.setattr(collector_module, "copied_position", lambda database, replica: next(positions))
    collector = Collector(Access((), "", "", ""), f"sqlite:///{tmp_path}/league.sqlite3", replica="copy")
    collector._held.append(Held(7, (("table-1", "{}"),)))
    broker = Broker()
    published = []
    for _ in range(4):
        asyncio.run(collector._send_copied(broker))
        published.append(len(broker.published))
    collector._close_database()
    assert published == [0, 0, 0, 1]
    assert [message.split(":")[0] for message in caplog.messages] == ["receipts wait", "copy copies the database again"]


def test_a_database_that_is_away_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    answers = iter([LeagueError("a database", "none", "here", "start it")] * 3)
    taken = Taken((), 1, Counter())

    def commit(self: Collector, messages: object) -> Taken:
        if fault := next(answers, None):
            raise fault
        return taken

    monkeypatch.setattr(Collector, "_commit_once", commit)
    monkeypatch.setattr(collector_module, "RETRY_S", 0)
    assert asyncio.run(Collector(Access((), "", "", ""), "")._commit([])) is taken
    assert caplog.messages == ["here: expected a database, got none; start it", "the database answers again"]
