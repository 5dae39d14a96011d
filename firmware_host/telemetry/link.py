"""The connection to the MQTT broker: one thread, which alone touches the network.

Other threads only put payloads into memory (`outgoing.py`), so a broker that hangs makes nobody wait. Each attempt
makes a new paho client, so nothing that was not acknowledged is kept by paho, which would resend for ever a message
that the broker answers by closing the connection. What has to arrive, the outbox sends again until there is a receipt.
"""

from __future__ import annotations

import logging
import select
import socket
import ssl
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from firmware_host.mqtt_messages.topics import OFFLINE, ONLINE, STATUS, Topics
from firmware_host.optional_packages import Option, install_command
from firmware_host.telemetry.broker import Broker, LinkError, TlsContext, password_of, tls_context_of
from firmware_host.telemetry.outgoing import Message, Outgoing

if TYPE_CHECKING:
    from paho.mqtt.client import Client

log = logging.getLogger(__name__)

KEEPALIVE_S = 30
CONNECT_TIMEOUT_S = 10.0
"""For TCP, for TLS and for the broker's answer, each."""
FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 60.0
STEADY_S = 60.0
"""A connection that lasted this long is no reason to wait longer for the next one."""
GOODBYE_S = 1.0
"""How long a stop waits for the broker."""


class Link:
    """Publishes on the topics of a board and reads `subscriptions`. `on_message` gets topic, payload and whether it
    was retained, on the thread of the link, and must return at once.

    The last will is `offline` on the topic `status`, retained. A board that is leaving the broker for good leaves that
    topic empty.
    """

    def __init__(
        self,
        broker: Broker,
        subscriptions: Sequence[str],
        on_message: Callable[[str, bytes, bool], None],
        clock: Callable[[], float] = monotonic,
        *,
        is_leaving: bool = False,
    ) -> None:
        self.broker = broker
        self._greeting = "" if is_leaving else ONLINE
        self._farewell = "" if is_leaving else OFFLINE
        self.topics = Topics(broker.board)
        self._subscriptions = tuple(subscriptions)
        self._also_wanted = frozenset[str]()
        self._also_subscribed = frozenset[str]()
        self._on_message = on_message
        self._clock = clock
        self._outgoing = Outgoing(clock)
        self._client: Client | None = None
        self._tls: TlsContext | None = None
        self._fault = "not connected yet"
        self._refusal = ""
        """Why the broker did not accept this connection."""
        self._was_acknowledged = False
        self._is_stopping = Event()
        self.connections = 0
        """How often the broker accepted the board."""
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._wake_reader.setblocking(False)
        self._wake_writer.setblocking(False)
        self._thread = Thread(target=self._run, name="mqtt", daemon=True)

    # For every thread.

    def start(self) -> None:
        """Connect, and stay connected, on a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Disconnect and end the thread; waits a few seconds at most."""
        self._is_stopping.set()
        self._wake()
        if self._thread.ident is None:
            self._close_wake()
        else:
            self._thread.join(GOODBYE_S + 1)

    def _close_wake(self) -> None:
        self._wake_reader.close()
        self._wake_writer.close()

    @property
    def fault(self) -> str:
        """Why nothing, or not everything, reaches the broker, in one sentence; empty if all does."""
        refused = self._outgoing.refused
        return self._fault or (self._sentence_on_refused(refused) if refused else "")

    @property
    def is_connected(self) -> bool:
        """Whether the broker accepted the board."""
        return self._outgoing.is_open

    @property
    def is_settled(self) -> bool:
        """Whether the broker has acknowledged the newest message of every retained topic."""
        return self._outgoing.is_settled

    def read_also(self, topics: Collection[str]) -> None:
        """Read these topics besides `subscriptions`, and none that an earlier call named. The broker sends what it
        keeps of each new one."""
        self._also_wanted = frozenset(topics)
        self._wake()

    def keep(self, topic: str, payload: str) -> None:
        """Publish a retained message now, or with the next connection; replaces an earlier one that still waits."""
        self._outgoing.keep(topic, payload)
        self._wake()

    def release(self, topic: str) -> None:
        """Publish the retained message of this topic no more; what the broker has of it stays."""
        self._outgoing.release(topic)

    def publish_again(self) -> None:
        """Publish every retained topic again: a reader has lost them."""
        self._outgoing.publish_again()
        self._wake()

    def send(self, key: str, topic: str, payload: str) -> bool:
        """Publish a message once. False: not now, because there is no connection, too much waits, or the broker refused
        this `key` before."""
        if not self._outgoing.send(Message(key, topic, payload)):
            return False
        self._wake()
        return True

    def _wake(self) -> None:
        with suppress(BlockingIOError, OSError):  # it is awake anyway, or has ended
            self._wake_writer.send(b"\0")

    # The thread of the link.

    def _run(self) -> None:
        pause_s = FIRST_RETRY_S
        while not self._is_stopping.is_set():
            began_s = self._clock()
            self._was_acknowledged = False
            try:
                self._serve()
            except LinkError as error:
                self._report(str(error))
            except Exception as error:  # a bug here must not end the thread for ever
                log.exception("MQTT connection failed")
                self._report(f"{type(error).__name__}: {error}")
            self._lost()
            if self._was_acknowledged or self._clock() - began_s > STEADY_S:
                pause_s = FIRST_RETRY_S
            self._is_stopping.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_RETRY_S)
        self._close_wake()

    def _serve(self) -> None:
        """One connection, from its beginning to its end. Raises LinkError."""
        self._refusal = ""
        client = self._client = self._new_client()
        self._connect(client)
        deadline_s = self._clock() + CONNECT_TIMEOUT_S
        while not self._is_stopping.is_set():
            self._turn(client, 1.0)
            if not self.is_connected and self._clock() > deadline_s:
                raise LinkError(f"{self._where}: the broker accepts connections but does not answer; restart it")
            self._change_subscriptions(client)
            self._publish_next(client)
        self._say_goodbye(client)

    def _turn(self, client: Client, timeout_s: float) -> None:
        """Wait for the network or for another thread, and handle what came. Raises LinkError without a connection."""
        from paho.mqtt.enums import MQTTErrorCode

        own: Any = client.socket()
        if own is None:
            raise self._ended()
        poll = select.poll()
        poll.register(own, select.POLLIN | (select.POLLOUT if client.want_write() else 0))
        poll.register(self._wake_reader, select.POLLIN)
        has_more = isinstance(own, ssl.SSLSocket) and own.pending()
        ready = dict(poll.poll(0 if has_more else timeout_s * 1000))
        if self._wake_reader.fileno() in ready:
            with suppress(BlockingIOError):
                self._wake_reader.recv(4096)
        results = []
        if has_more or ready.get(own.fileno(), 0) & ~select.POLLOUT:
            results.append(client.loop_read())
        if client.want_write():
            results.append(client.loop_write())
        results.append(client.loop_misc())
        if any(result is not MQTTErrorCode.MQTT_ERR_SUCCESS for result in results):
            raise self._ended()

    def _ended(self) -> LinkError:
        if self.is_connected:
            return LinkError(f"{self._where}: the connection was lost")
        fix = "check mqtt_port, mqtt_tls and mqtt_certificate"
        return LinkError(self._refusal or f"{self._where}: the connection was closed without an answer; {fix}")

    @property
    def _where(self) -> str:
        return f"{self.broker.host}:{self.broker.port}"

    def _new_client(self) -> Client:
        try:
            from paho.mqtt.client import Client
            from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
        except ImportError as error:
            raise LinkError(f"paho-mqtt 2 is not installed; run: {install_command(Option.MQTT)}") from error
        version = MQTTProtocolVersion.MQTTv311  # RabbitMQ 3.10 and NATS refuse MQTT 5
        client = Client(CallbackAPIVersion.VERSION2, self.broker.board, clean_session=False, protocol=version)
        client.connect_timeout = CONNECT_TIMEOUT_S
        client.max_inflight_messages_set(0)  # MAX_IN_FLIGHT is our limit
        client.will_set(self.topics.of(STATUS), self._farewell, qos=1, retain=True)
        if self.broker.user:
            client.username_pw_set(self.broker.user, password_of(self.broker))
        if self.broker.tls:
            self._tls = tls_context_of(self.broker)
            client.tls_set_context(self._tls)
        client.on_connect = self._on_connect
        client.on_publish = self._on_publish
        client.on_message = lambda client, _, message: self._on_message(
            message.topic, bytes(message.payload), message.retain
        )
        return client

    def _connect(self, client: Client) -> None:
        try:
            client.connect(self.broker.host, self.broker.port, KEEPALIVE_S)
        except ssl.SSLCertVerificationError as error:
            fix = "check mqtt_host and mqtt_ca, and the board's clock"
            raise LinkError(f"{self._where}: its certificate is not accepted: {error.verify_message}; {fix}") from error
        except ssl.SSLError as error:
            raise LinkError(f"{self._where}: no TLS: {error}; check mqtt_tls and mqtt_port") from error
        except socket.gaierror as error:
            raise LinkError(f"{self.broker.host}: no such name on this network; check mqtt_host") from error
        except (OSError, ValueError) as error:
            got = getattr(error, "strerror", None) or str(error)
            raise LinkError(f"{self._where}: no broker: {got}; check mqtt_host and mqtt_port") from error

    def _on_connect(self, client: Client, _: object, flags: object, reason: Any, properties: object) -> None:
        if reason.is_failure:
            self._refusal = f"{self._where}: refused: {reason}; check mqtt_user, mqtt_password_file and mqtt_board"
            return
        log.info("connected to the MQTT broker %s", self._where)
        self._fault = ""
        self._outgoing.open(self.topics.of(STATUS), self._greeting)
        self.connections += 1
        if self._subscriptions:
            client.subscribe([(topic, 0) for topic in self._subscriptions])
        self._also_subscribed = frozenset()

    def _change_subscriptions(self, client: Client) -> None:
        wanted = self._also_wanted
        if not self.is_connected or wanted == self._also_subscribed:
            return
        if gone := self._also_subscribed - wanted:
            client.unsubscribe(sorted(gone))
        if new := wanted - self._also_subscribed:
            client.subscribe([(topic, 0) for topic in sorted(new)])
        self._also_subscribed = wanted

    def _on_publish(self, client: Client, _: object, mid: int, reason: object, properties: object) -> None:
        if self._outgoing.acknowledged(mid):
            self._was_acknowledged = True

    def _publish_next(self, client: Client) -> None:
        """Publish what waits, as far as the broker has acknowledged what went before."""
        while message := self._outgoing.next():
            published = client.publish(message.topic, message.payload, qos=1, retain=message.is_retained)
            self._outgoing.published(published.mid, message)
        if client.want_write():
            client.loop_write()

    def _lost(self) -> None:
        """The connection has ended. Counts it against what the broker had not acknowledged."""
        client = self._client
        self._client = None
        for own in (client and client.socket(), self._tls and self._tls.latest):
            if own:
                own.close()
        for key in self._outgoing.close(is_lost=not self._is_stopping.is_set()):
            log.warning("MQTT: %s", self._sentence_on_refused(key))

    def _sentence_on_refused(self, key: str) -> str:
        return f"{self._where}: the broker closes the connection when it gets {key}; check its rights"

    def _report(self, fault: str) -> None:
        if fault != self._fault:
            log.warning("MQTT: %s", fault)
        self._fault = fault

    def _say_goodbye(self, client: Client) -> None:
        """The broker publishes the will only for a connection that was lost, so the same is published here."""
        if not self.is_connected:
            return
        farewell = Message(STATUS, self.topics.of(STATUS), self._farewell, is_retained=True)
        mid = client.publish(farewell.topic, farewell.payload, qos=1, retain=True).mid
        until_s = self._clock() + GOODBYE_S
        self._outgoing.published(mid, farewell)
        with suppress(LinkError):
            while self._outgoing.is_in_flight(mid) and self._clock() < until_s:
                self._turn(client, 0.1)
            client.disconnect()
            if client.want_write():
                client.loop_write()
