"""The boards of a night as they are now: online or not, and the score of the game that is on.

Boards publish this of themselves (`mqtt_messages/board.py`). The thread of the link receives it, the collector says
which boards have joined, and the pages read it. It is kept in memory only, and bounded: of each board that has joined,
names and scores of its newest message. The program reads no card.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime
from threading import Lock
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.mqtt_messages.board import StateMessage, read_state
from firmware_host.mqtt_messages.reading import MalformedMessage
from firmware_host.mqtt_messages.topics import OFFLINE, ONLINE, STATE, STATUS, Topics, board_of

STATUSES = {OFFLINE.encode(): False, ONLINE.encode(): True, b"": False}
"""A board that leaves the broker for good empties its topics."""


class LiveBoard(Struct, frozen=True):
    """A board that has joined."""

    is_online: bool = False
    since: datetime | None = None
    """When it came or went, in local time. None: before the program listened."""
    scores: Mapping[str, int] = MappingProxyType({})
    """Name of a side to its score in holes; empty without a game that is on."""


class LiveBoards:
    """What is known of the boards that have joined. Every method may be called from any thread."""

    def __init__(self, now: Callable[[], datetime] = datetime.now) -> None:
        self._now = now
        self._lock = Lock()
        self._boards: Mapping[str, LiveBoard] | None = None

    @property
    def boards(self) -> Mapping[str, LiveBoard] | None:
        """By their names; None while no broker is connected."""
        return self._boards

    def follow(self, boards: Collection[str] | None) -> None:
        """Know these boards and forget all others; None: no broker is connected, so forget all."""
        with self._lock:
            known = self._boards or {}
            self._boards = None if boards is None else {each: known.get(each, LiveBoard()) for each in boards}

    def receive(self, topic: str, payload: bytes, is_retained: bool) -> None:
        """A message on one of `live_topics`. One that is malformed, or of a board that is not followed, is ignored."""
        name = board_of(topic)
        with self._lock:
            if self._boards is None or name not in self._boards:
                return
            board = self._boards[name]
            with suppress(MalformedMessage):
                changed = self._after(board, topic == Topics(name).of(STATUS), payload, is_retained)
                self._boards = {**self._boards, name: changed}

    def _after(self, board: LiveBoard, is_status: bool, payload: bytes, is_retained: bool) -> LiveBoard:
        """The board after a message. Raises MalformedMessage."""
        if not is_status:
            return replace(board, scores=scores_of(read_state(payload)) if payload else {})
        is_online = STATUSES.get(payload, board.is_online)
        if is_online == board.is_online:
            return board
        return replace(board, is_online=is_online, since=None if is_retained else self._now())


def live_topics(board: str) -> tuple[str, str]:
    """The topics on which a board publishes what LiveBoards receives."""
    return Topics(board).of(STATUS), Topics(board).of(STATE)


def scores_of(message: StateMessage) -> dict[str, int]:
    """The score of each side of the game that is on; empty without one."""
    return {side.name: side.score for side in message.sides} if message.is_on else {}
