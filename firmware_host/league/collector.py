"""Takes the results of all boards from the brokers, writes them into the ledger, and answers with receipts.

A durable consumer reads NATS's own stream of MQTT messages. Up to MOST_AT_ONCE messages are one transaction. After its
commit the messages are acknowledged and the receipts are published. After a failure before that, NATS delivers the
messages again or the boards send them again; the key of the ledger prevents a second row. Several collectors can run at
a time; each message goes to one of them.

Where the operator keeps a second copy of the database, receipts wait for it (`Receipts`): a board forgets a result once
it has the receipt. Only the receipts wait. While nothing receives the copy, results are written as ever, and the boards
send them again now and then.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.league.brokers import RETRY_S, Sayings, connect_for_good
from firmware_host.league.database import Database, LeagueError
from firmware_host.league.ledger import MALFORMED, count_refusals, record
from firmware_host.league.nats_config import DELIVERY, DURABLE, RESULTS, STREAM, Access, subject
from firmware_host.league.replication import copied_position, written_position
from firmware_host.league.result_message import LedgerResult, ledger_result
from firmware_host.mqtt_messages.reading import MalformedMessage, UnknownVersion
from firmware_host.mqtt_messages.result import ResultKey, key_of, read_result, receipt_payload
from firmware_host.mqtt_messages.topics import RECEIPT, Topics

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext

    from firmware_host.league.metrics import Metrics

log = logging.getLogger(__name__)

MOST_AT_ONCE = 500
"""Messages in one transaction."""
MOST_UNACKNOWLEDGED = 5_000
"""Messages that may be with the collectors; the brokers keep all further ones."""
DELIVER_AGAIN_S = 30.0
"""A message that was not acknowledged is delivered again after this time."""
MOST_HELD = 10_000
"""Batches whose receipts wait for the copy of the database. Those of older ones are dropped: the boards ask again."""
LOOK_AT_COPY_S = 0.02


class Taken(Struct, frozen=True):
    """What became of a batch of messages."""

    receipts: tuple[tuple[str, str], ...]
    """Board and payload."""
    stored: int
    """Results that the ledger has now, also those that it had before."""
    refused: Counter[tuple[str, str]]
    """Board and reason -> messages."""
    position: int = 0
    """Of its end in the write-ahead log; 0: nothing waits for a copy of it."""


class Held(Struct, frozen=True):
    """Receipts that are sent when the copy of the database has reached `position`."""

    position: int
    receipts: tuple[tuple[str, str], ...]


class Collector:
    """`run` works until it is cancelled. `replica` is the application name of the program that copies the database, for
    which receipts wait; empty: they do not."""

    def __init__(self, access: Access, address: str, metrics: Metrics | None = None, replica: str = "") -> None:
        self._access = access
        self._address = address
        self._metrics = metrics
        self._replica = replica
        self._held = deque[Held](maxlen=MOST_HELD)
        self._database: Database | None = None
        self._sayings = Sayings()
        self._of_copy = Sayings()
        self._waiting = dict[int, "Msg"]()
        """By their number in the stream: while the database is down, the same messages are delivered again."""
        self._has_message = asyncio.Event()

    async def run(self) -> None:
        """Collect until this is cancelled. Raises LeagueError if a module is missing."""
        client = await connect_for_good(self._access)
        try:
            await _consume(client.jetstream())
            await client.subscribe(DELIVERY, queue=DURABLE, cb=self._keep)
            log.info("collecting")
            while True:
                await self._send_copied(client)
                if not await self._has_messages():
                    continue
                batch = [self._waiting.pop(number) for number in list(self._waiting)[:MOST_AT_ONCE]]
                if not self._waiting:
                    self._has_message.clear()
                await self._collect(client, batch)
        finally:
            with suppress(Exception):  # the brokers may be gone
                await client.close()
            if self._database:
                self._database.close()

    async def _has_messages(self) -> bool:
        """Wait for messages; while receipts are held, only until it is time to look after them."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._has_message.wait(), LOOK_AT_COPY_S if self._held else None)
        return self._has_message.is_set()

    async def _keep(self, message: Msg) -> None:
        self._waiting[message.metadata.sequence.stream] = message
        self._has_message.set()

    async def _collect(self, client: Client, batch: Sequence[Msg]) -> None:
        taken = await self._commit([(message.subject.split(".")[5], message.data) for message in batch])
        for message in batch:
            await message.ack()
        if taken.position:
            self._held.append(Held(taken.position, taken.receipts))
        else:
            await _publish(client, taken.receipts)

    async def _send_copied(self, client: Client) -> None:
        """Publish the receipts of what the copy of the database has by now."""
        if not self._held:
            return
        try:
            copied = await asyncio.to_thread(self._copied)
        except LeagueError as fault:
            self._sayings.say(str(fault))
            self._close_database()
            return
        if copied:
            self._of_copy.forget(f"{self._replica} copies the database again")
        else:
            self._of_copy.say(
                f"receipts wait: {self._replica} does not copy the database, or this user lacks the role pg_monitor"
            )
        while self._held and self._held[0].position <= copied:
            await _publish(client, self._held.popleft().receipts)
        if self._metrics:
            self._metrics.held.set(sum(len(held.receipts) for held in self._held))

    def _copied(self) -> int:
        """The position up to which the copy is complete; 0 while nothing receives it."""
        return copied_position(self._opened(), self._replica)

    async def _commit(self, messages: Sequence[tuple[str, bytes]]) -> Taken:
        """Write the results of these boards, however long that takes."""
        while True:
            began_s = monotonic()
            try:
                taken = await asyncio.to_thread(self._commit_once, messages)
            except LeagueError as fault:
                self._sayings.say(str(fault))
                self._close_database()
                if self._metrics:
                    self._metrics.failures.inc()
                await asyncio.sleep(RETRY_S)
                continue
            self._sayings.forget("the database answers again")
            if self._metrics:
                self._count(self._metrics, taken, monotonic() - began_s)
            return taken

    def _commit_once(self, messages: Sequence[tuple[str, bytes]]) -> Taken:
        taken = take(self._opened(), messages)
        return replace(taken, position=written_position(self._opened())) if self._replica else taken

    @staticmethod
    def _count(metrics: Metrics, taken: Taken, took_s: float) -> None:
        metrics.commit_s.observe(took_s)
        metrics.stored.inc(taken.stored)
        for (_, reason), number in taken.refused.items():
            metrics.refused.labels(reason).inc(number)
        if taken.stored:
            metrics.last_at.set_to_current_time()

    def _opened(self) -> Database:
        if self._database is None:
            self._database = Database(self._address)
        return self._database

    def _close_database(self) -> None:
        if self._database:
            self._database.close()
        self._database = None


def take(database: Database, messages: Sequence[tuple[str, bytes]]) -> Taken:
    """Write the results in messages, each with the board that sent it, in one transaction.

    A message without an id and a revision, or of another version, gets no receipt. Raises LeagueError, and then no
    result was written.
    """
    results = list[LedgerResult]()
    receipts = list[tuple[str, str]]()
    refused = Counter[tuple[str, str]]()
    for board, payload in messages:
        try:
            results.append(ledger_result(board, read_result(board, payload)))
        except UnknownVersion as fault:
            log.warning("%s: message ignored: %s", board, fault)
        except MalformedMessage as fault:
            log.warning("%s: message refused: %s", board, fault)
            refused[board, MALFORMED] += 1
            if key := key_of(payload):
                receipts.append((board, receipt_payload(key, str(fault))))
    stored = 0
    for result, refusal in zip(results, record(database, results), strict=True):
        receipts.append((result.board, receipt_payload(ResultKey(*result.key), refusal)))
        if refusal:
            log.warning("%s: result %s refused: %s", result.board, result.id, refusal)
            refused[result.board, refusal] += 1
        else:
            stored += 1
    count_refusals(database, refused)
    return Taken(tuple(receipts), stored, refused)


async def _publish(client: Client, receipts: Sequence[tuple[str, str]]) -> None:
    for board, receipt in receipts:
        await client.publish(subject(Topics(board).to(RECEIPT)), receipt.encode())


async def _consume(stream: JetStreamContext) -> None:
    """Make the durable consumer, or use the one that is there. NATS makes the stream when the first board connects, and
    answers nothing while it elects a leader; so this tries until it succeeds."""
    from nats.errors import Error
    from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy
    from nats.js.errors import NotFoundError

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
    said = ""
    while True:
        try:
            await stream.add_consumer(STREAM, consumer)
            return
        except NotFoundError:
            saying = "no board has connected yet"
        except Error as fault:  # also no answer, no leader
            saying = f"no consumer yet: {fault}"
        if saying != said:
            log.info("%s", saying)
            said = saying
        await asyncio.sleep(RETRY_S)  # not longer: NATS drops what nobody consumes, and the boards must send it again
