"""Sends each finished game to a club or league until it is confirmed.

A game is sent until the application confirms it, after its own commit, by a receipt. An acknowledgement of the broker
(PUBACK) clears nothing: brokers acknowledge messages that they lose when they fail over. What has no receipt is read
from the journal itself (`storage/receipts.py`), the oldest game first, WINDOW at a time.

An application refuses what it can never accept by a receipt that says so. Such a game leaves the outbox with a fault.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager

from firmware_host.mqtt_messages.reading import MalformedMessage
from firmware_host.mqtt_messages.result import read_receipt
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.receipts import Receipt
from firmware_host.telemetry.results import Result, result_of

log = logging.getLogger(__name__)

WINDOW = 20
"""Games that wait for a receipt at one time."""
GAMES_AT_ONCE = 20
"""Past games read in one go, so that other threads are not kept waiting."""
FIRST_RESEND_S = 10.0
LONGEST_RESEND_S = 600.0
"""A game without a receipt is sent again after this time, which doubles each time."""
NO_RECEIPT_S = 900.0
"""A game that has waited this long is a fault: nobody reads the topic."""

OpenJournal = Callable[[], AbstractContextManager[Journal]]


class _Waiting:
    """A result and when to send it."""

    def __init__(self, result: Result, at_s: float) -> None:
        self.result = result
        self.since_s = at_s
        self.due_s = at_s
        self.pause_s = FIRST_RESEND_S


class Outbox:
    """Not thread-safe. `open_journal` opens it for reading; `store` keeps receipts. Times are monotonic seconds."""

    def __init__(self, board: str, open_journal: OpenJournal, store: Callable[[Iterable[Receipt]], None]) -> None:
        self._board = board
        self._open_journal = open_journal
        self._store = store
        self._waiting = dict[str, _Waiting]()
        """By id."""
        self._receipts: dict[str, Receipt] | None = None
        """The receipt of the highest revision of each id; None before the journal was read."""
        self._next_game = 1
        self.has_more = True
        """Whether the journal has games that were not looked at."""
        self.read_fault = ""

    def read_again(self) -> None:
        """A game ended, or its end was undone: read the latest game again."""
        self._next_game = max(1, self._next_game - 1)
        self.has_more = True

    def read(self, at_s: float) -> None:
        """Look for games without a receipt. An error of the disk is kept in `read_fault`, and the next call tries
        again."""
        if not self.has_more or len(self._waiting) >= WINDOW:
            return
        try:
            with self._open_journal() as journal:
                if self._receipts is None:
                    self._receipts = {}
                    self._note(journal.receipts())
                self._read_games(journal, at_s)
        except JournalError as fault:
            self.read_fault = str(fault)
        else:
            self.read_fault = ""

    def _read_games(self, journal: Journal, at_s: float) -> None:
        for _ in range(GAMES_AT_ONCE):
            if self._next_game > journal.last_game or len(self._waiting) >= WINDOW:
                break
            self._read_game(journal, self._next_game, at_s)
            self._next_game += 1
        self.has_more = self._next_game <= journal.last_game

    def _read_game(self, journal: Journal, game: int, at_s: float) -> None:
        found = journal.rows_and_summary(game)
        result = result_of(*found, self._board) if found else None
        if result and not self._has_answer(result):
            self._waiting[result.id] = _Waiting(result, at_s)

    def _has_answer(self, result: Result) -> bool:
        answer = (self._receipts or {}).get(result.id)
        return answer is not None and answer.revision >= result.revision

    def _note(self, receipts: Iterable[Receipt]) -> None:
        assert self._receipts is not None
        for receipt in receipts:
            before = self._receipts.get(receipt.id)
            if before is None or before.revision <= receipt.revision:
                self._receipts[receipt.id] = receipt

    def connected(self, at_s: float) -> None:
        """There is a new connection: everything that waits is due now."""
        for waiting in self._waiting.values():
            waiting.due_s = at_s
            waiting.pause_s = FIRST_RESEND_S

    def send(self, at_s: float, publish: Callable[[str, str], bool]) -> None:
        """Publish what is due. `publish` gets the key and the payload; False: not now."""
        for waiting in self._waiting.values():
            if at_s >= waiting.due_s and publish(waiting.result.key, waiting.result.payload):
                waiting.due_s = at_s + waiting.pause_s
                waiting.pause_s = min(2 * waiting.pause_s, LONGEST_RESEND_S)

    def receive(self, payload: bytes) -> None:
        """A message on the topic of receipts. One that is malformed, or about nothing that waits, is ignored."""
        receipt = parse_receipt(payload)
        waiting = self._waiting.get(receipt.id) if receipt else None
        if receipt is None or waiting is None or waiting.result.revision != receipt.revision:
            log.debug("receipt ignored: %r", payload[:200])
            return
        del self._waiting[receipt.id]
        self._note((receipt,))
        self._store((receipt,))
        if not receipt.is_accepted:
            log.warning("game %d was refused: %s", waiting.result.game, receipt.reason)

    def fault(self, at_s: float) -> str:
        """What keeps results from arriving, in one sentence; empty while nothing does."""
        if self.read_fault:
            return self.read_fault
        refused = [receipt for receipt in (self._receipts or {}).values() if not receipt.is_accepted]
        if refused:
            return (
                f"the club or league refused {len(refused)} games, at last because: {refused[-1].reason or 'no reason'}"
            )
        if any(at_s - waiting.since_s > NO_RECEIPT_S for waiting in self._waiting.values()):
            return f"{len(self._waiting)} games wait for a receipt; start the program of the club or league"
        return ""

    @property
    def counts(self) -> Mapping[str, int]:
        """Games that wait for a receipt, as far as they were read, and games that were refused."""
        refused = sum(not receipt.is_accepted for receipt in (self._receipts or {}).values())
        return {"waiting": len(self._waiting), "refused": refused}


def parse_receipt(payload: bytes) -> Receipt | None:
    """The receipt in a payload; None for anything else."""
    try:
        message = read_receipt(payload)
    except MalformedMessage:
        return None
    return Receipt(message.id, message.revision, message.is_accepted, message.reason)
