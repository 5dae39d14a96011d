"""What a board publishes: what is kept for the broker, what waits, and what the broker has not acknowledged yet.

What is kept is bounded:

| kind | while the broker does not answer |
|---|---|
| retained (`keep`) | the newest payload of each topic |
| single (`send`) | refused by `send` without a connection, or once MAX_WAITING wait |

Retained topics are published again after each connection, for a broker may have lost what it had retained.

A broker may answer a message by closing the connection (RabbitMQ: a forbidden topic; NATS: an invalid one). So topics
that were published shortly before a connection was lost are then published one by one; after MAX_REFUSALS lost
connections in a row a topic pauses for REFUSED_PAUSE_S.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock

from msgspec import Struct

MAX_IN_FLIGHT = 10
"""Messages that may wait for an acknowledgement of the broker."""
MAX_WAITING = 50
"""Single messages that may wait to be published."""
MAX_REFUSALS = 5
REFUSAL_S = 10.0
"""A message is taken for the reason of a lost connection only if it was published less than this before."""
REFUSED_PAUSE_S = 3600.0


class Message(Struct, frozen=True):
    """A message to publish. `key` names it for acknowledgements: its topic, or the id of an entry of the outbox."""

    key: str
    topic: str
    payload: str
    is_retained: bool = False


class Outgoing:
    """The messages of one board. `clock` gives seconds, and never goes back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._kept = dict[str, Message]()
        self._published = dict[str, Message]()
        self._acknowledged = dict[str, Message]()
        self._waiting = deque[Message]()
        self._in_flight = dict[int, tuple[Message, float]]()
        """Message id of MQTT -> what was published, and when."""
        self._refusals = dict[str, int]()
        self._paused_until = dict[str, float]()
        self._refused = ""
        self._is_open = False

    # For every thread.

    @property
    def is_open(self) -> bool:
        """Whether there is a connection."""
        return self._is_open

    @property
    def is_settled(self) -> bool:
        """Whether the broker has acknowledged the newest message of every retained topic."""
        with self._lock:
            return self._is_open and self._acknowledged == self._kept

    @property
    def refused(self) -> str:
        """The key of the latest message that the broker answers by closing the connection; empty: there is none."""
        return self._refused

    def keep(self, topic: str, payload: str) -> None:
        """Publish a retained message now, or with the next connection; replaces an earlier one that still waits."""
        with self._lock:
            self._kept[topic] = Message(topic, topic, payload, is_retained=True)

    def release(self, topic: str) -> None:
        """Publish the retained message of this topic no more; what the broker has of it stays."""
        with self._lock:
            for messages in (self._kept, self._published, self._acknowledged):
                messages.pop(topic, None)

    def publish_again(self) -> None:
        """Publish every retained topic again: a reader has lost them."""
        with self._lock:
            self._published.clear()

    def send(self, message: Message) -> bool:
        """Publish a single message. False: not now, because there is no connection, too much waits, or the broker
        refused this `key` before."""
        with self._lock:
            is_paused = self._clock() < self._paused_until.get(message.key, 0.0)
            if not self._is_open or is_paused or len(self._waiting) >= MAX_WAITING:
                return False
            self._waiting.append(message)
            return True

    # For the thread of the connection.

    def open(self, topic: str, payload: str) -> None:
        """The broker accepted the board. The first message of the connection is this one, retained."""
        with self._lock:
            self._acknowledged.clear()
            self._published.clear()
            self._kept[topic] = Message(topic, topic, payload, is_retained=True)
            self._is_open = True

    def next(self) -> Message | None:
        """What to publish now, as far as the broker has acknowledged what went before."""
        limit = 1 if self._refusals else MAX_IN_FLIGHT
        if not self._is_open or len(self._in_flight) >= limit:
            return None
        now_s = self._clock()
        with self._lock:
            for topic, message in self._kept.items():
                if self._published.get(topic) != message and now_s >= self._paused_until.get(topic, 0.0):
                    self._published[topic] = message
                    return message
            return self._waiting.popleft() if self._waiting else None

    def published(self, mid: int, message: Message) -> None:
        """The message was given to the network as number `mid`."""
        self._in_flight[mid] = (message, self._clock())

    def acknowledged(self, mid: int) -> bool:
        """The broker has the message with this number. Returns whether it was one of this connection."""
        if mid not in self._in_flight:
            return False
        message, _ = self._in_flight.pop(mid)
        with self._lock:
            self._acknowledged |= {message.topic: message} if message.is_retained else {}
        self._refusals.pop(message.key, None)
        if self._paused_until.pop(message.key, None) is not None and not self._paused_until:
            self._refused = ""
        return True

    def is_in_flight(self, mid: int) -> bool:
        """Whether the broker has still to acknowledge the message with this number."""
        return mid in self._in_flight

    def close(self, *, is_lost: bool) -> list[str]:
        """The connection has ended; `is_lost`: not by this board. Returns the keys that pause from now on, because the
        broker seems to close the connection when it gets them."""
        with self._lock:
            was_open = self._is_open
            self._is_open = False
            self._waiting.clear()
        refused = self._count_refusals() if was_open and is_lost else []
        self._in_flight.clear()
        return refused

    def _count_refusals(self) -> list[str]:
        since_s = self._clock() - REFUSAL_S
        suspected = {message.key for message, at_s in self._in_flight.values() if at_s > since_s}
        for key in suspected:
            self._refusals[key] = self._refusals.get(key, 0) + 1
        refused = sorted(key for key in suspected if self._refusals[key] >= MAX_REFUSALS)
        for key in refused:
            del self._refusals[key]
            self._paused_until[key] = self._clock() + REFUSED_PAUSE_S
            self._refused = key
        return refused
