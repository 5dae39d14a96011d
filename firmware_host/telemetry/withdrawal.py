"""Takes back what a broker keeps of this board, where the board leaves it: MQTT was switched off, the board renamed, or
another broker set.

Retained messages outlive whoever published them: Home Assistant would show the old board for ever, `online` or
`offline`. So a board remembers in its state folder to which broker it published, and under which name. A start whose
settings differ connects there once more, and publishes an empty message on each topic, which removes it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from threading import Event, Lock, Thread

import msgspec
from msgspec import Struct

from firmware_host.mqtt_messages.topics import RETAINED, Topics
from firmware_host.storage.checked_file import UNREADABLE, prepare_file, read_checked, write_checked
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.discovery import discovery_topics
from firmware_host.telemetry.link import Link

log = logging.getLogger(__name__)

LOOK_S = 0.5
"""How often is looked whether all is taken back."""


class Published(Struct, frozen=True):
    """Where this board has retained messages, without a secret: `Broker` names files of passwords and keys only."""

    broker: Broker
    home_assistant: bool = False
    """Whether the configurations of Home Assistant's discovery are among them."""

    def is_at(self, broker: Broker | None) -> bool:
        """Whether they are at this broker under this name."""
        here = self.broker
        return broker is not None and (here.host, here.port, here.board) == (broker.host, broker.port, broker.board)


class PublishedDocument(Struct, frozen=True):
    """The file."""

    places: tuple[Published, ...]


class PublishedFile:
    """The places where this board has retained messages: usually one, and one more for each broker or name that it has
    left and that has not answered since. Any thread may call. A fault of the file is logged, and no more than that:
    the README says how to remove what then stays."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()

    def load(self) -> tuple[Published, ...]:
        """The places; none where the file is missing or cannot be read."""
        try:
            prepare_file(self._path, parse_published)
            return read_checked(self._path, parse_published).places
        except FileNotFoundError:
            return ()
        except (OSError, *UNREADABLE) as error:
            log.warning("expected the brokers of earlier starts in %s, got %s", self._path, error)
            return ()

    def add(self, published: Published) -> None:
        """Replaces what is known of the same place."""
        self._change(published.broker, (published,))

    def remove(self, broker: Broker) -> None:
        """Nothing of the board is left at this broker under this name."""
        self._change(broker, ())

    def _change(self, broker: Broker, new: tuple[Published, ...]) -> None:
        with self._lock:
            before = self.load()
            after = (*(place for place in before if not place.is_at(broker)), *new)
            try:
                if after != before:
                    write_checked(self._path, msgspec.json.encode(PublishedDocument(after)))
            except OSError as error:
                log.warning("the brokers of this start were not saved in %s: %s", self._path, error)


def parse_published(text: str) -> PublishedDocument:
    """The content of the file. Raises ValueError."""
    return msgspec.json.decode(text, type=PublishedDocument)


class Withdrawal:
    """Empties the topics of a board at the places that it has left, and ends. It goes on trying until each broker has
    answered, or `stop`: the next start tries again what `file` still names."""

    def __init__(self, places: Iterable[Published], file: PublishedFile) -> None:
        self._file = file
        self._links = [_leaving(place) for place in places]
        self._is_stopping = Event()
        self._thread = Thread(target=self._run, name="withdrawal", daemon=True)

    def start(self) -> None:
        """Begin. Returns at once, whether or not there is a broker."""
        for link in self._links:
            link.start()
        self._thread.start()

    def stop(self) -> None:
        """End, also where a broker did not answer; waits a few seconds at most."""
        self._is_stopping.set()
        self._thread.join(2 * LOOK_S)
        for link in self._links:
            link.stop()

    def _run(self) -> None:
        waiting = list(self._links)
        while waiting and not self._is_stopping.wait(LOOK_S):
            for link in [link for link in waiting if link.is_settled]:
                log.info("what %s kept of %s is removed", link.broker.host, link.broker.board)
                self._file.remove(link.broker)
                link.stop()
                waiting.remove(link)


def _leaving(place: Published) -> Link:
    """A connection that will empty every topic of the place."""
    topics = Topics(place.broker.board)
    link = Link(place.broker, (), lambda topic, payload, is_retained: None, is_leaving=True)
    for topic in (*map(topics.of, RETAINED), *(discovery_topics(topics.board) if place.home_assistant else ())):
        link.keep(topic, "")
    return link
