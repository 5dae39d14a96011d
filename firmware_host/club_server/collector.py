"""Takes the results that boards send over MQTT, writes them, and answers with receipts. It also listens to how the
boards of the night are now (`live_boards.py`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic

from msgspec.structs import replace

from firmware_host.club import events as e
from firmware_host.club.board_results import (
    BoardResult,
    board_result,
    receive_result,
    refuse_old_result,
    waits_for_joining,
)
from firmware_host.club.history import event_in_words
from firmware_host.club.rule_errors import NoNight, TooManyUnmatched
from firmware_host.club.seating import boards_without_table, join_board, seating_of
from firmware_host.club.state import Club, Night
from firmware_host.club_server.live_boards import LiveBoards, live_topics
from firmware_host.club_server.output import Output
from firmware_host.club_server.store import ClubFile, ClubFileError, UnreadableEvent, open_club
from firmware_host.club_server.threads import background_thread
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.variants import options_of
from firmware_host.mqtt_messages.reading import MalformedMessage, UnknownVersion, as_payload
from firmware_host.mqtt_messages.result import ResultKey, key_of, read_result, receipt_payload
from firmware_host.mqtt_messages.seat import SeatBracket, SeatMessage, SeatState, read_join
from firmware_host.mqtt_messages.topics import JOIN, RECEIPT, RESULT, RETAINED, SEAT, VERSION, Topics, board_of
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.link import Link

WAIT_S = 0.5
"""How often the state of the connection is looked at."""
MAX_MESSAGES = 1_000
"""Messages that may wait; more are dropped, and the boards send them again."""
MOST_TOLD = 100
"""Boards of which is remembered that the organiser was told of them."""
MOST_WRONG_CODES = 20
MOST_OF_ONE_BOARD = 5
WRONG_CODES_S = 60.0
"""So many wrong codes of all boards, or of one, in so many seconds, and their codes are not looked at until that is
over. The limit of one board is lower, so that a single board keeps no other one out."""
OLDEST = timedelta(days=1)
"""A game that ended so long before the day of the night is none of it. The date of a night is local, and that of a
message is UTC."""

CANNOT_BE_STORED = "the club cannot store this result"
"""The reason in a receipt; the log of the collector has the details."""


class Collector:
    """Reads the results of all boards of a broker. Messages come on another thread; `step` handles them on the thread
    that opened the file. `expelled` names the boards whose messages the broker must not keep any longer. `live` gets
    how the boards are now, as long as `step` is called."""

    def __init__(
        self,
        file: ClubFile,
        broker: Broker,
        output: Output,
        expelled: Callable[[], frozenset[str]] = frozenset,
        live: LiveBoards | None = None,
    ) -> None:
        self._file = file
        self._output = output
        self._messages = SimpleQueue[tuple[str, bytes]]()
        self.link = Link(broker, [Topics("+").of(RESULT), Topics("+").of(JOIN)], self._keep)
        self._seated: Night | None = None
        self._wrong_codes = deque[tuple[float, str]](maxlen=MOST_WRONG_CODES)
        self._told_to_join = deque[str](maxlen=MOST_TOLD)
        self._live = live
        self._expelled = expelled
        self._forgotten = frozenset[str]()
        self._fault = ""

    def _keep(self, topic: str, payload: bytes, is_retained: bool) -> None:
        if topic in live_topics(board_of(topic)):  # the broker remembers subscriptions, also for one without `live`
            if self._live:
                self._live.receive(topic, payload, is_retained)
        elif self._messages.qsize() < MAX_MESSAGES:
            self._messages.put((topic, payload))

    def step(self, timeout_s: float = WAIT_S) -> None:
        """Handle one message, say what changed, and tell the boards who should sit at them. A result that cannot be
        written now gets no receipt, so that the board sends it again; one that never can is refused."""
        self._seat_boards()
        self._forget_expelled()
        if self._live:
            self._follow_boards(self._live)
        try:
            topic, payload = self._messages.get(timeout=timeout_s)
        except Empty:
            self._say_fault()
            return
        board = board_of(topic)
        if topic == Topics(board).of(JOIN):
            self._read_join(board, payload)
        else:
            self._read_result(board, payload)

    def _read_result(self, board: str, payload: bytes) -> None:
        """One of another version gets no receipt: the board sends it until the older program is updated."""
        try:
            result = board_result(board, read_result(board, payload))
        except UnknownVersion as fault:
            self._output.warn(f"{board}: message ignored: {fault}")
            return
        except MalformedMessage as fault:
            self._output.warn(f"{board}: message refused: {fault}")
            if key := key_of(payload):
                self._send_receipt(board, key, refusal=str(fault))
            return
        key = ResultKey(result.id, result.revision)
        if self._waits_for_joining(result):
            return
        try:
            while (event := self._file.change_if_needed(partial(receive, result))) is not None:
                self._output.say(event_in_words(self._file.club, event, self._output.tr))
        except UnreadableEvent as fault:
            self._output.warn(f"{board}: message refused: {fault}")
            self._send_receipt(board, key, refusal=CANNOT_BE_STORED)
        except TooManyUnmatched as fault:
            self._output.warn(f"{board}: message refused: {fault}")
            self._send_receipt(board, key, refusal=str(fault))
        except ClubFileError as fault:
            self._output.warn(str(fault))
        else:
            self._send_receipt(board, key)

    def _waits_for_joining(self, result: BoardResult) -> bool:
        """Whether the result gets no answer yet, because its board has not joined. The organiser hears of it once."""
        try:
            if not is_recent(self._file.club, result) or not waits_for_joining(self._file.club, result):
                return False
        except ClubFileError:
            return False  # taking the result says so
        if result.board not in self._told_to_join:
            self._told_to_join.append(result.board)
            text = self._output.tr("{board} has a result of tonight. Type the code of the room on it: then it counts.")
            self._output.warn(text.format(board=result.board))
        return True

    def _send_receipt(self, board: str, key: ResultKey, refusal: str = "") -> None:
        self.link.send(f"{key.id}.{key.revision}", Topics(board).to(RECEIPT), receipt_payload(key, refusal))

    def _read_join(self, board: str, payload: bytes) -> None:
        """A malformed message counts as a wrong code."""
        try:
            code = read_join(payload).code
        except UnknownVersion as fault:
            self._output.warn(f"{board}: message ignored: {fault}")
        except MalformedMessage:
            self._join(board, "")
        else:
            self._join(board, code)

    def _join(self, board: str, code: str) -> None:
        """A board that names the code of the room gets a table. After many wrong codes nobody joins for a while."""
        now_s = monotonic()
        recent = [by for at_s, by in self._wrong_codes if now_s - at_s < WRONG_CODES_S]
        if len(recent) == MOST_WRONG_CODES or recent.count(board) >= MOST_OF_ONE_BOARD:
            self._answer(board, SeatState.TOO_MANY_CODES)
            return
        try:
            event = self._file.change_if_needed(lambda club: join_board(club, board, code))
        except NoNight:
            return  # the board asks again
        except Refusal:
            self._wrong_codes.append((now_s, board))
            self._answer(board, SeatState.WRONG_CODE)
            return
        except ClubFileError as fault:
            self._output.warn(str(fault))
            return
        if isinstance(event, e.BoardJoined):
            tr = self._output.tr
            self._output.say(tr("{board} joins at table {table}.").format(board=board, table=event.table))
        self._seated = None  # a board that asks again needs its answer again

    def _answer(self, board: str, state: SeatState) -> None:
        self.link.send(f"{board}.{SEAT}", Topics(board).to(SEAT), as_payload(SeatMessage(VERSION, state)))

    def _seat_boards(self) -> None:
        """Publish, retained, who should sit at each board, when the night has changed."""
        with suppress(ClubFileError):
            club = self._file.club
            night = club.nights[-1] if club.nights else None
            if night is None or night is self._seated:
                return
            self._seated = night
            for board in night.boards:
                self.link.keep(Topics(board).to(SEAT), as_payload(seat_message(club, night, board)))
            for board, state in boards_without_table(club).items():
                self.link.keep(Topics(board).to(SEAT), as_payload(SeatMessage(VERSION, state)))

    def _follow_boards(self, live: LiveBoards) -> None:
        """Listen to the boards that have joined. A lost connection forgets them all before the next one subscribes, so
        that nothing old is shown."""
        boards: Collection[str] | None = None
        if self.link.is_connected:
            with suppress(ClubFileError):
                club = self._file.club
                boards = club.nights[-1].boards if club.nights else ()
        live.follow(boards)
        self.link.read_also([topic for board in boards or () for topic in live_topics(board)])

    def _forget_expelled(self) -> None:
        """Remove what the broker keeps of boards that may not connect any more."""
        expelled = self._expelled()
        for board in expelled - self._forgotten:
            for topic in _topics_kept_of(board):
                self.link.keep(topic, "")
        for board in self._forgotten - expelled:
            for topic in _topics_kept_of(board):
                self.link.release(topic)
        self._forgotten = expelled

    def _say_fault(self) -> None:
        if self.link.fault != self._fault:
            self._fault = self.link.fault
            if self._fault:
                self._output.warn(self._fault)


def _topics_kept_of(board: str) -> tuple[str, ...]:
    """The topics of a board on which the broker keeps a message."""
    topics = Topics(board)
    return (*map(topics.of, RETAINED), topics.to(SEAT))


def seat_message(club: Club, night: Night, board: str) -> SeatMessage:
    """What a board that has joined is told."""
    table, game = seating_of(night, board)
    waiting = SeatMessage(VERSION, SeatState.WAITING, night.number, table)
    if game is None:
        return waiting
    first, second = map(club.name, game.players)
    rules = night.settings.rules
    return replace(
        waiting,
        state=SeatState.SEATED,
        round=game.round,
        players=(first, second),
        scores=(max(0, game.head_start), max(0, -game.head_start)),
        variant=rules.variant,
        options=options_of(rules),
        target=rules.target,
        bracket=SeatBracket(game.bracket) if game.bracket else None,
    )


def receive(result: BoardResult, club: Club) -> e.Event | None:
    """The event of a message; None where it changes nothing."""
    return receive_result(club, result) if is_recent(club, result) else refuse_old_result(club, result)


def is_recent(club: Club, result: BoardResult) -> bool:
    """Whether the game may belong to the latest night. A message without a readable time may."""
    if not club.nights:
        return False
    try:
        ended = datetime.fromisoformat(result.ended_at).date()
    except ValueError:
        return True
    return ended >= datetime.fromisoformat(club.nights[-1].date).date() - OLDEST


@contextmanager
def collecting(
    file: ClubFile,
    broker: Broker,
    output: Output,
    expelled: Callable[[], frozenset[str]] = frozenset,
    live: LiveBoards | None = None,
) -> Iterator[Collector]:
    """A collector that is connected, or tries to, for the time of a block."""
    collector = Collector(file, broker, output, expelled, live)
    collector.link.start()
    try:
        yield collector
    finally:
        collector.link.stop()
        if live:
            live.follow(None)


@contextmanager
def collecting_in_background(
    club: Path,
    broker: Broker,
    output: Output,
    expelled: Callable[[], frozenset[str]] = frozenset,
    live: LiveBoards | None = None,
) -> Iterator[None]:
    """Takes the results of the boards on another thread, for the time of a block. `club` is the file."""

    def run(ends: Event) -> None:
        with open_club(club) as file, collecting(file, broker, output, expelled, live) as collector:
            while not ends.is_set():
                collector.step()

    with background_thread(run, "club-collector"):
        yield
