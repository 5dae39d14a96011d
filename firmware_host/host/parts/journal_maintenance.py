"""Maintains the journal between turns: writes a game that waits for the disk, checks past games while nobody plays,
and writes the receipts of finished games."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from math import inf

from firmware_host.errors import HostError
from firmware_host.host.health import STORAGE
from firmware_host.host.parts.active_faults import ActiveFaults
from firmware_host.host.parts.notices import Notices
from firmware_host.storage.active_game import ActiveGame
from firmware_host.storage.journal import JournalError
from firmware_host.storage.receipts import Receipt
from firmware_host.storage.recovery import RecoveryReport
from firmware_host.ui.translator import Translator, untranslated

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""Seconds between two attempts to write a game that is kept in memory."""
REST_S = 120.0
"""Seconds without a turn after which past games are checked."""
SCRUB_S = 30.0
"""Seconds between two past games: 10,000 games are checked in four days, at a few milliseconds each."""

RECEIPTS_S = 2.0
"""Seconds without a turn after which receipts are written: no peg waits for that write."""


def repaired(tr: Translator = untranslated) -> str:
    """The journal was damaged, and rebuilt."""
    return tr("Game file repaired")


def was_deleted(tr: Translator = untranslated) -> str:
    """The state folder was deleted or replaced while the board ran."""
    return tr("Game file was deleted")


class JournalMaintenance:
    """The journal of `game` on the host thread. Times are monotonic seconds."""

    def __init__(
        self, game: ActiveGame, faults: ActiveFaults, notices: Notices, save_phones: Callable[[], object]
    ) -> None:
        """`save_phones` writes the paired phones again, which were in the folder too. Raises HostError."""
        self._game = game
        self._save_phones = save_phones
        self._has_phones_to_save = False
        self._faults = faults
        self._notices = notices
        self._retry_s = -inf
        self._scrub_s = inf
        self._receipts_s = -inf
        self._receipts = deque[Receipt]()
        self._times_deleted = 0
        if not game.is_stored:
            self._report_unstored("the journal cannot be opened")

    def turn_taken(self, at_s: float) -> None:
        """Notes a turn, accepted or refused: somebody plays."""
        self._scrub_s = at_s + REST_S
        self._receipts_s = max(self._receipts_s, at_s + RECEIPTS_S)
        if self._game.times_deleted != self._times_deleted:
            self._times_deleted = self._game.times_deleted
            self._notices.show_until_key_press(was_deleted)
            self._has_phones_to_save = True
        if self._has_phones_to_save and self._game.is_stored:
            self._write_phones()
        if not self._game.is_stored and not self._faults.sentence(STORAGE):
            self._report_unstored("the journal cannot be opened")

    def _write_phones(self) -> None:
        """Without them the owner would be a stranger after the next start. If it fails, the next turn tries again."""
        try:
            self._save_phones()
        except HostError as fault:
            log.warning("the paired phones were not written: %s", fault)
        else:
            self._has_phones_to_save = False

    def keep_receipts(self, receipts: Iterable[Receipt]) -> None:
        """Receipts to write when nobody moves a peg. For every thread."""
        self._receipts.extend(receipts)

    def run_due(self, at_s: float) -> RecoveryReport | None:
        """Do what is due. Returns a report if the journal was repaired."""
        if not self._game.is_stored:
            return self._store(at_s) if at_s >= self._retry_s else None
        if self._receipts and at_s >= self._receipts_s:
            self._write_receipts(at_s)
        if self._scrub_s == inf:
            self._scrub_s = at_s + REST_S
        return self._scrub(at_s) if at_s >= self._scrub_s else None

    def _store(self, at_s: float) -> RecoveryReport | None:
        self._retry_s = at_s + RETRY_S
        loss, error = self._game.try_to_store()
        if error:
            self._report_unstored(error)
        else:
            self._faults.report(STORAGE, "")
        return self._shown(loss)

    def _write_receipts(self, at_s: float) -> None:
        """Those that cannot be written wait. Without them the games are only sent again after a start."""
        receipts = tuple(self._receipts)
        try:
            self._game.add_receipts(receipts)
        except JournalError as fault:
            log.warning("receipts were not written: %s", fault)
            self._receipts_s = at_s + RETRY_S
        else:
            for _ in receipts:
                self._receipts.popleft()

    def _scrub(self, at_s: float) -> RecoveryReport | None:
        self._scrub_s = at_s + SCRUB_S
        try:
            return self._shown(self._game.scrub())
        except JournalError as fault:
            log.warning("past games were not checked: %s", fault)
            return None

    def _shown(self, loss: RecoveryReport | None) -> RecoveryReport | None:
        if loss:
            self._notices.show_until_key_press(repaired)
        return loss

    def _report_unstored(self, why: str) -> None:
        self._faults.report(STORAGE, f"the game is kept in memory and lost without power: {why}")
