"""Publishes a running board: follows the host's snapshots as a phone does, so that the host never waits for it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.game.history import Turn
from firmware_host.game.state import Phase
from firmware_host.host.health import Health
from firmware_host.host.snapshot import Snapshot
from firmware_host.mqtt_messages.reading import as_payload
from firmware_host.mqtt_messages.topics import (
    CONTROLS,
    EVENT,
    FAULTS,
    HEALTH,
    JOIN,
    RECEIPT,
    RESULT,
    SEAT,
    SET,
    STATE,
    Topics,
)
from firmware_host.storage.receipts import Receipt
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.club_seat import ClubSeat
from firmware_host.telemetry.commands import NAMES, command_of
from firmware_host.telemetry.discovery import BIRTH, Device, configurations, discovery_topics
from firmware_host.telemetry.event_finder import EventFinder
from firmware_host.telemetry.link import Link
from firmware_host.telemetry.outbox import OpenJournal, Outbox
from firmware_host.telemetry.payloads import controls_message, faults_message, health_message, state_message
from firmware_host.telemetry.withdrawal import Published, PublishedFile
from firmware_host.ui.club_night import ClubNight, FollowClub
from firmware_host.ui.keys.input_state import UserCommand

log = logging.getLogger(__name__)

WAIT_S = 0.5
"""How often a wait for the host is interrupted, to handle messages and a stop."""
MAX_MESSAGES = 100
"""Messages of the broker that may wait; more are dropped."""
HEALTH_S = 2.0
"""How often faults and health are compared with those published; a change is published."""


class Options(Struct, frozen=True):
    """What the owner switched on."""

    home_assistant: bool = False
    """The board appears in Home Assistant by itself."""
    commands: bool = False
    """Commands over MQTT are accepted."""
    club_code: str = ""
    """The code of a club night, for a board where nobody types it: it begins the games of its table without a question.
    Empty: the code is typed on the board."""


ALL_OFF = Options()


class FollowedHost(Protocol):
    """A host."""

    @property
    def snapshot(self) -> Snapshot: ...

    @property
    def health(self) -> Health: ...

    def wait_for_change(self, version: int, timeout_s: float) -> Snapshot:
        """The first snapshot later than `version`, or the current one after `timeout_s`."""

    def submit(self, command: UserCommand) -> Snapshot:
        """Executes a command. Raises Refusal, HostError or TimeoutError."""

    def keep_receipts(self, receipts: Iterable[Receipt]) -> None:
        """Writes receipts into the journal, later."""


class Telemetry:
    """Publishes the snapshots of a host to a broker. `program` is the version of cribboard. `open_journal` opens the
    journal for reading; without it finished games are not sent. `page` is the address of the board's pages, if other
    computers reach them. `published` remembers what the broker keeps of the board."""

    def __init__(
        self,
        host: FollowedHost,
        broker: Broker,
        program: str,
        open_journal: OpenJournal | None = None,
        options: Options = ALL_OFF,
        page: str = "",
        published: PublishedFile | None = None,
    ) -> None:
        self._host = host
        self._page = page
        self._published = published
        self._program = program
        self._options = options
        topics = Topics(broker.board)
        self._outbox = Outbox(broker.board, open_journal, host.keep_receipts) if open_journal else None
        self._messages = SimpleQueue[tuple[str, bytes]]()
        self._set_topics = {topics.to(f"{SET}/{name}"): name for name in NAMES} if options.commands else {}
        self._club = ClubSeat(options.club_code) if self._outbox or options.club_code else None
        self._shown_club = ClubNight()
        read = [topics.to(RECEIPT)] if self._outbox else []
        read += [topics.to(SEAT)] if self._club else []
        read += [*self._set_topics, *((BIRTH,) if options.home_assistant else ())]
        self.link = Link(broker, read, self._received)
        self._club_connections = 0
        self._connections = 0
        self._outbox_fault = ""
        self._ended: Turn | None = None
        """The last turn of the game that was over at the last look."""
        self._moments = EventFinder()
        self._is_withdrawing = False
        self._is_stopping = Event()
        self._thread = Thread(target=self._run, name="telemetry", daemon=True)

    def start(self) -> None:
        """Begin to publish. Returns at once, whether or not there is a broker."""
        if self._published:
            self._remember(self._published)
        self.link.start()
        self._thread.start()

    def _remember(self, published: PublishedFile) -> None:
        """Remember the broker; where Home Assistant was switched off since the last start, remove its device."""
        broker = self.link.broker
        was_announced = any(place.home_assistant for place in published.load() if place.is_at(broker))
        published.add(Published(broker, was_announced or self._options.home_assistant))
        self._is_withdrawing = was_announced and not self._options.home_assistant
        for topic in discovery_topics(broker.board) if self._is_withdrawing else ():
            self.link.keep(topic, "")

    def stop(self) -> None:
        """Disconnect from the broker and end both threads; waits a few seconds at most."""
        self._is_stopping.set()
        self.link.stop()
        self._thread.join(2 * WAIT_S)

    @property
    def fault(self) -> str:
        """Why nothing, or not everything, reaches the broker, in one sentence; empty if all does."""
        return self.link.fault or self._outbox_fault or (self._club.fault if self._club else "")

    def _received(self, topic: str, payload: bytes, is_retained: bool) -> None:
        """A message of the broker, on the thread of the link. A command that was retained is ignored: it would come
        again with each connection."""
        if (not is_retained or topic == self.link.topics.to(SEAT)) and self._messages.qsize() < MAX_MESSAGES:
            self._messages.put((topic, payload))

    # In the thread that follows the host.

    def _run(self) -> None:
        version = -1
        checked_s = 0.0
        while not self._is_stopping.is_set():
            snapshot = self._host.wait_for_change(version, WAIT_S)
            try:
                if snapshot.version != version:
                    self._publish_game(snapshot)
                self._handle_messages()
                if self._club:
                    self._follow_club(self._club, snapshot)
                if self._outbox:
                    self._deliver(self._outbox, snapshot)
                if snapshot.version != version or monotonic() - checked_s > HEALTH_S:
                    checked_s = monotonic()
                    self._publish_health(snapshot)
                if self._published and self._is_withdrawing and self.link.is_settled:
                    self._is_withdrawing = False
                    self._published.add(Published(self.link.broker))
            except Exception:  # a bug here must not end the telemetry: the next snapshot is published
                log.exception("a snapshot was not published")
            version = snapshot.version

    def _publish_game(self, snapshot: Snapshot) -> None:
        self._keep(STATE, state_message(snapshot))
        self._keep(CONTROLS, controls_message(snapshot))
        if self._options.home_assistant:
            self._announce(snapshot)
        for moment in self._moments.new_events(snapshot.history, snapshot.referee_mode):
            self.link.send(EVENT, self.link.topics.of(EVENT), as_payload(moment))

    def _handle_messages(self) -> None:
        while True:
            try:
                topic, payload = self._messages.get_nowait()
            except Empty:
                return
            if topic in self._set_topics:
                self._execute(self._set_topics[topic], payload)
            elif self._club and topic == self.link.topics.to(SEAT):
                self._club.receive(payload)
            elif topic == BIRTH:
                self.link.publish_again()
            elif self._outbox:
                self._outbox.receive(payload)

    def _execute(self, name: str, payload: bytes) -> None:
        command = command_of(name, payload, self._host.snapshot)
        if command is None:
            log.info("MQTT command %s ignored: %r", name, payload[:40])
            return
        try:
            self._host.submit(command)
        except (Refusal, HostError, TimeoutError) as error:
            log.info("MQTT command %s refused: %s", name, error)

    def _follow_club(self, club: ClubSeat, snapshot: Snapshot) -> None:
        """Join the night, show who should sit at the board, and begin the game of the table where nobody is asked."""
        club.follow(snapshot.input_context.club, monotonic())
        if self.link.connections != self._club_connections:
            self._club_connections = self.link.connections
            club.connected()
        if self.link.is_connected and (payload := club.join_payload(monotonic())):
            self.link.send(JOIN, self.link.topics.of(JOIN), payload)
        club.check_answer(monotonic())
        night = replace(club.night, start=None) if club.begins_alone else club.night
        if night != self._shown_club and self._submit(FollowClub(night)):
            self._shown_club = night
        if start := club.game_to_begin(snapshot):
            self._submit(start)

    def _submit(self, command: UserCommand) -> bool:
        """Whether the host has executed it."""
        try:
            self._host.submit(command)
        except (Refusal, HostError, TimeoutError) as error:
            log.warning("the board does not follow the club: %s", error)
            return False
        return True

    def _deliver(self, outbox: Outbox, snapshot: Snapshot) -> None:
        """One round of the outbox."""
        now_s = monotonic()
        table = snapshot.table
        is_over = table is not None and table.phase is Phase.OVER and not table.is_demo
        ended = snapshot.history.last if is_over else None
        if ended is not self._ended:  # another game may have begun and ended since the last look
            self._ended = ended
            outbox.read_again()
        outbox.read(now_s)
        if self.link.connections != self._connections:
            self._connections = self.link.connections
            outbox.connected(now_s)
        topic = self.link.topics.of(RESULT)
        outbox.send(now_s, lambda key, payload: self.link.send(key, topic, payload))
        self._outbox_fault = outbox.fault(now_s)

    def _announce(self, snapshot: Snapshot) -> None:
        """Home Assistant removes an entity when its configuration becomes empty."""
        device = Device(self._program, self._page)
        found = configurations(self.link.broker.board, snapshot, device, has_commands=self._options.commands)
        for topic, config in found.items():
            self.link.keep(topic, as_payload(config) if config else "")

    def _publish_health(self, snapshot: Snapshot) -> None:
        health = self._host.health
        results = self._outbox.counts if self._outbox else {}
        self._keep(FAULTS, faults_message(health))
        self._keep(HEALTH, health_message(snapshot, health, self._program, results))

    def _keep(self, name: str, message: Struct) -> None:
        self.link.keep(self.link.topics.of(name), as_payload(message))
