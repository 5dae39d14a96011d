"""Takes the results of all boards from the brokers, writes them into the ledger, and answers with receipts.

A durable consumer reads NATS's own stream of MQTT messages. Up to MOST_AT_ONCE messages are one transaction. After its
commit the receipts are published and the messages are acknowledged. After a failure before that, NATS delivers the
messages again or the boards send them again; the key of the ledger prevents a second row. Several collectors can run at
a time; each message goes to one of them.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from firmware_host.league.database import Database, LeagueError
from firmware_host.league.ledger import record
from firmware_host.league.nats_config import DELIVERY, DURABLE, RESULTS, STREAM, Access, subject
from firmware_host.league.result_message import LedgerResult, ledger_result
from firmware_host.mqtt_messages.reading import MalformedMessage, UnknownVersion
from firmware_host.mqtt_messages.result import ResultKey, key_of, read_result, receipt_payload
from firmware_host.mqtt_messages.topics import RECEIPT, Topics
from firmware_host.optional_packages import Option, install_command

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext

log = logging.getLogger(__name__)

MOST_AT_ONCE = 500
"""Messages in one transaction."""
MOST_UNACKNOWLEDGED = 5_000
"""Messages that may be with the collectors; the brokers keep all further ones."""
DELIVER_AGAIN_S = 30.0
"""A message that was not acknowledged is delivered again after this time."""
RETRY_S = 1.0


class Collector:
    """`run` works until it is cancelled."""

    def __init__(self, access: Access, address: str) -> None:
        self._access = access
        self._address = address
        self._database: Database | None = None
        self._waiting = dict[int, "Msg"]()
        self._has_message = asyncio.Event()
        """By their number in the stream: while the database is down, the same messages are delivered again."""

    async def run(self) -> None:
        """Collect until this is cancelled. Raises LeagueError if the modules are missing or the access is refused."""
        client = await self._connect()
        try:
            await _consume(client.jetstream())
            await client.subscribe(DELIVERY, queue=DURABLE, cb=self._keep)
            log.info("collecting")
            while True:
                await self._has_message.wait()
                batch = [self._waiting.pop(number) for number in list(self._waiting)[:MOST_AT_ONCE]]
                if not self._waiting:
                    self._has_message.clear()
                await self._collect(client, batch)
        finally:
            with suppress(Exception):  # the brokers may be gone
                await client.close()
            if self._database:
                self._database.close()

    async def _keep(self, message: Msg) -> None:
        self._waiting[message.metadata.sequence.stream] = message
        self._has_message.set()

    async def _collect(self, client: Client, batch: Sequence[Msg]) -> None:
        receipts = await self._commit([(message.subject.split(".")[5], message.data) for message in batch])
        for board, receipt in receipts:
            await client.publish(subject(Topics(board).to(RECEIPT)), receipt.encode())
        for message in batch:
            await message.ack()

    async def _commit(self, messages: Sequence[tuple[str, bytes]]) -> Sequence[tuple[str, str]]:
        """Write the results of these boards, however long that takes, and return the receipts."""
        while True:
            try:
                return await asyncio.to_thread(self._commit_once, messages)
            except LeagueError as fault:
                log.warning("%s", fault)
                if self._database:
                    self._database.close()
                self._database = None
                await asyncio.sleep(RETRY_S)

    def _commit_once(self, messages: Sequence[tuple[str, bytes]]) -> Sequence[tuple[str, str]]:
        if self._database is None:
            self._database = Database(self._address)
        return take(self._database, messages)

    async def _connect(self) -> Client:
        try:
            import nats
        except ImportError as fault:
            fix = f"run: {install_command(Option.LEAGUE)}"
            raise LeagueError("the module nats", "it is not installed", "brokers", fix) from fault
        access = self._access
        return await nats.connect(
            list(access.servers),
            user=access.user,
            password=access.password,
            tls=ssl.create_default_context(cafile=access.ca),
            allow_reconnect=True,
            max_reconnect_attempts=-1,
            reconnect_time_wait=RETRY_S,
            ping_interval=5,
            max_outstanding_pings=2,
            error_cb=_say_error,
        )


def take(database: Database, messages: Sequence[tuple[str, bytes]]) -> Sequence[tuple[str, str]]:
    """Write the results in messages, each with the board that sent it, in one transaction.

    Returns the receipts, each with its board; a message without an id and a revision, or of another version, gets none.
    Raises LeagueError, and then nothing was written.
    """
    results = list[LedgerResult]()
    receipts = list[tuple[str, str]]()
    for board, payload in messages:
        try:
            results.append(ledger_result(board, read_result(board, payload)))
        except UnknownVersion as fault:
            log.warning("%s: message ignored: %s", board, fault)
        except MalformedMessage as fault:
            log.warning("%s: message refused: %s", board, fault)
            if key := key_of(payload):
                receipts.append((board, receipt_payload(key, str(fault))))
    for result, refusal in zip(results, record(database, results), strict=True):
        receipts.append((result.board, receipt_payload(ResultKey(*result.key), refusal)))
    return receipts


async def _consume(stream: JetStreamContext) -> None:
    """Make the durable consumer, or use the one that is there. NATS makes the stream when the first board connects, and
    answers nothing while it elects a leader; so this tries until it succeeds."""
    from nats.errors import Error
    from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

    consumer = ConsumerConfig(
        durable_name=DURABLE,
        deliver_subject=DELIVERY,
        deliver_group=DURABLE,
        deliver_policy=DeliverPolicy.ALL,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=DELIVER_AGAIN_S,
        max_ack_pending=MOST_UNACKNOWLEDGED,
        filter_subject=RESULTS,
    )
    while True:
        try:
            await stream.add_consumer(STREAM, consumer)
            return
        except Error as fault:  # also no answer, no leader, no stream
            log.info("no consumer yet: %s", fault)
            await asyncio.sleep(RETRY_S)


async def _say_error(fault: Exception) -> None:
    log.warning("brokers: %s", fault or type(fault).__name__)
