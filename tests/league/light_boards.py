"""Thousands of boards in one process: the product's own outbox and journal, and MQTT 3.1.1 over TLS without threads.

Each board connects as `telemetry/link.py` does: a persistent session, a last will, the retained state `online`, and a
subscription of its receipts with QoS 0. All boards share one journal file: board k of n has games k, k + n, k + 2n ...
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TypeVar, cast

from firmware_host.mqtt_messages.topics import RECEIPT, RESULT, STATUS, Topics
from firmware_host.storage.game_summary import GameSummary
from firmware_host.storage.journal import Journal
from firmware_host.storage.journal_table import Row
from firmware_host.storage.receipts import Receipt
from firmware_host.telemetry.link import FIRST_RETRY_S, KEEPALIVE_S, LONGEST_RETRY_S
from firmware_host.telemetry.outbox import Outbox

T = TypeVar("T")

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK, PINGREQ = 1, 2, 3, 4, 8, 9, 12
WITH_USER_AND_RETAINED_WILL = 0b11101100
"""Flags of CONNECT: user, password, a will that is retained and has QoS 1, and a session that is kept."""
CONNECTIONS_AT_ONCE = 100
"""Handshakes that may be under way, so that the servers are not asked for thousands at one moment."""


def text(value: str) -> bytes:
    encoded = value.encode()
    return struct.pack("!H", len(encoded)) + encoded


def packet(kind: int, flags: int, body: bytes) -> bytes:
    length, sizes = len(body), bytearray()
    while True:
        length, digit = divmod(length, 128)
        sizes.append(digit | (128 if length else 0))
        if not length:
            return bytes([kind << 4 | flags]) + bytes(sizes) + body


def packets_in(buffer: bytearray) -> Iterator[tuple[int, bytes]]:
    """Takes whole packets out of the buffer: kind and body."""
    while len(buffer) >= 2:
        length, at = 0, 1
        while True:
            if at >= len(buffer):
                return
            length |= (buffer[at] & 127) << 7 * (at - 1)
            at += 1
            if buffer[at - 1] < 128:
                break
        if len(buffer) < at + length:
            return
        kind, body = buffer[0] >> 4, bytes(buffer[at : at + length])
        del buffer[: at + length]
        yield kind, body


class PartOfJournal:
    """The games of one board in the journal of all boards, as far as they are over; what an Outbox reads."""

    def __init__(self, journal: Journal, board: int, boards: int) -> None:
        self._journal, self._board, self._boards = journal, board, boards
        self.last_game = 0

    def rows_and_summary(self, game: int) -> tuple[list[Row], GameSummary] | None:
        return self._journal.rows_and_summary(self._number(game))

    def receipts(self) -> Sequence[Receipt]:
        return ()

    def _number(self, game: int) -> int:
        return self._board + 1 + self._boards * (game - 1)


class Log:
    """When each result was published for the first time, and when its receipt came; times of day in seconds. Keys are
    those of the outbox."""

    def __init__(self) -> None:
        self.published, self.receipts = dict[str, float](), dict[str, float]()
        self.messages = self.refusals = self.lost_connections = self.acknowledgements = 0


class LightBoard:
    """`servers` are tried one after another, from one of its own on, as the addresses of a name are."""

    def __init__(self, name: str, password: str, part: PartOfJournal, log: Log) -> None:
        self.name, self.is_connected = name, False
        self._password, self._topics, self._part, self._log = password, Topics(name), part, log
        self.outbox = Outbox(name, lambda: nullcontext(cast(Journal, part)), self._keep)
        self._tls: ssl.SSLSocket | None = None
        self._read, self._unsent, self._message, self._heard_s = bytearray(), bytearray(), 0, 0.0
        self._lost = asyncio.Event()

    def finish_game(self) -> None:
        """The next game is over."""
        self._part.last_game += 1
        self.outbox.read_again()
        self.tick()

    def tick(self) -> None:
        """Send what is due."""
        now_s = time.monotonic()
        self.outbox.read(now_s)
        if self.is_connected:
            self.outbox.send(now_s, self._publish_result)
            if self.is_connected and now_s - self._heard_s > KEEPALIVE_S:
                self._heard_s = now_s
                self._send(packet(PINGREQ, 0, b""))

    def _publish_result(self, key: str, payload: str) -> bool:
        if not self.is_connected:
            return False  # the connection was lost while another result was sent
        self._log.published.setdefault(key, time.time())
        self._log.messages += 1
        self._publish(self._topics.of(RESULT), payload)
        return True

    def _publish(self, topic: str, payload: str, flags: int = 2) -> None:
        self._message = self._message % 65535 + 1
        self._send(packet(PUBLISH, flags, text(topic) + struct.pack("!H", self._message) + payload.encode()))

    def _keep(self, receipts: Iterable[Receipt]) -> None:
        for receipt in receipts:
            self._log.receipts[f"{receipt.id}.{receipt.revision}"] = time.time()
            self._log.refusals += not receipt.is_accepted

    async def run(self, servers: Sequence[tuple[str, int]], context: ssl.SSLContext, turn: asyncio.Semaphore) -> None:
        """Stay connected until this is cancelled."""
        pause_s, attempt = FIRST_RETRY_S, 0
        while True:
            try:
                async with turn, asyncio.timeout(60):
                    await self._connect(servers[attempt % len(servers)], context)
                pause_s = FIRST_RETRY_S
                await self._lost.wait()
                self._log.lost_connections += 1
            except (OSError, TimeoutError):
                pass
            finally:
                self._close()
            attempt += 1
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_RETRY_S)

    async def _connect(self, server: tuple[str, int], context: ssl.SSLContext) -> None:
        loop = asyncio.get_running_loop()
        plain = socket.socket()
        plain.setblocking(False)
        try:
            await loop.sock_connect(plain, server)
            self._tls = context.wrap_socket(plain, server_hostname=server[0], do_handshake_on_connect=False)
        except BaseException:
            plain.close()
            raise
        await _until_ready(self._tls, self._tls.do_handshake)
        self._lost.clear()
        self._read.clear()
        self._unsent.clear()
        will = text(self._topics.of(STATUS)) + text("offline")
        head = text("MQTT") + bytes([4, WITH_USER_AND_RETAINED_WILL]) + struct.pack("!H", KEEPALIVE_S)
        self._send(packet(CONNECT, 0, head + text(self.name) + will + text(self.name) + text(self._password)))
        await self._receive(CONNACK)
        self._send(packet(SUBSCRIBE, 2, struct.pack("!H", 1) + text(self._topics.to(RECEIPT)) + b"\0"))
        await self._receive(SUBACK)
        loop.add_reader(self._tls.fileno(), self._readable)
        self.is_connected, self._heard_s = True, time.monotonic()
        self._publish(self._topics.of(STATUS), "online", flags=3)
        self.outbox.connected(time.monotonic())
        self.tick()

    async def _receive(self, wanted: int) -> None:
        """Wait for a packet of this kind. Raises ConnectionError where the broker refuses or closes the connection."""
        while self._tls:
            for kind, body in packets_in(self._read):
                if kind == wanted:
                    if body[-1] not in (0, 1):
                        raise ConnectionRefusedError(f"{self.name}: code {body[-1]}")
                    return
            data = await _until_ready(self._tls, lambda: cast(ssl.SSLSocket, self._tls).recv(16384))
            if not data:
                raise ConnectionResetError(f"{self.name}: closed")
            self._read += data
        raise ConnectionResetError(f"{self.name}: closed")

    def _readable(self) -> None:
        assert self._tls
        try:
            while data := self._tls.recv(16384):
                self._read += data
            self._close()
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            for kind, body in packets_in(self._read):
                self._handle(kind, body)
        except OSError:
            self._close()

    def _handle(self, kind: int, body: bytes) -> None:
        if kind == PUBACK:
            self._log.acknowledgements += 1
        if kind == PUBLISH:
            (length,) = struct.unpack("!H", body[:2])
            self.outbox.receive(body[2 + length :])

    def _send(self, content: bytes) -> None:
        self._unsent += content
        self._write()

    def _write(self) -> None:
        """Send what the socket takes, and the rest when it takes more."""
        if self._tls is None:
            return
        loop = asyncio.get_running_loop()
        try:
            while self._unsent:
                del self._unsent[: self._tls.send(self._unsent)]
            loop.remove_writer(self._tls.fileno())
        except (ssl.SSLWantWriteError, ssl.SSLWantReadError):
            loop.add_writer(self._tls.fileno(), self._write)
        except OSError:
            self._close()

    def _close(self) -> None:
        self.is_connected = False
        self._lost.set()
        if self._tls:
            loop, number = asyncio.get_running_loop(), self._tls.fileno()
            if number >= 0:
                loop.remove_reader(number)
                loop.remove_writer(number)
            self._tls.close()
            self._tls = None


async def _until_ready(tls: ssl.SSLSocket, act: Callable[[], T]) -> T:
    """Repeat what the socket cannot do yet."""
    loop = asyncio.get_running_loop()
    while True:
        try:
            return act()
        except ssl.SSLWantReadError:
            add, remove = loop.add_reader, loop.remove_reader
        except ssl.SSLWantWriteError:
            add, remove = loop.add_writer, loop.remove_writer
        ready: asyncio.Future[None] = loop.create_future()
        add(tls.fileno(), _set, ready)
        try:
            await ready
        finally:
            remove(tls.fileno())


def _set(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


class LightBoards:
    """All boards of `passwords`, whose games are in `journal`. `run` connects them until it is cancelled."""

    def __init__(self, journal: Journal, passwords: Mapping[str, str]) -> None:
        self.log = Log()
        self.boards = [
            LightBoard(name, password, PartOfJournal(journal, number, len(passwords)), self.log)
            for number, (name, password) in enumerate(passwords.items())
        ]

    @property
    def connected(self) -> int:
        return sum(board.is_connected for board in self.boards)

    @property
    def waiting(self) -> int:
        """Results that have no receipt."""
        return sum(board.outbox.counts["waiting"] for board in self.boards)

    async def run(self, ports: Sequence[int], ca: str) -> None:
        """Connect every board to its own server, and to the next one where that fails."""
        context = ssl.create_default_context(cafile=ca)
        turn = asyncio.Semaphore(CONNECTIONS_AT_ONCE)
        async with asyncio.TaskGroup() as tasks:
            for number, board in enumerate(self.boards):
                servers = [("127.0.0.1", ports[(number + place) % len(ports)]) for place in range(len(ports))]
                tasks.create_task(board.run(servers, context, turn))
            tasks.create_task(self._tick())

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            for board in self.boards:
                board.tick()

    async def play(self, rate: float, first: int, count: int) -> None:
        """Finish `count` games in the order of the journal, from number `first` on, `rate` a second."""
        began_s = time.monotonic()
        for number in range(count):
            late_s = began_s + number / rate - time.monotonic()
            if late_s > 0:
                await asyncio.sleep(late_s)
            self.boards[(first + number) % len(self.boards)].finish_game()
