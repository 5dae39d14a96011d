"""The current game and the journal it is written to. Nothing counts before it is durable.

Two exceptions. A demonstration is not written, and the game of the players waits unchanged until it is left. And where
the journal cannot be opened at all, the game is kept in memory and written when it can be (deferred_game.py);
`is_stored` is false meanwhile, and the host says so.
"""

from __future__ import annotations

import logging
from collections.abc import Container, Sequence
from pathlib import Path

from firmware_host.game.commands import Command, Observation
from firmware_host.game.events import Event
from firmware_host.game.evidence import ENTERED, Evidence
from firmware_host.game.history import History
from firmware_host.game.state import Table
from firmware_host.storage.deferred_game import DeferredGame, save_deleted
from firmware_host.storage.journal import Journal, JournalCorrupt, JournalError, JournalGone
from firmware_host.storage.receipts import Receipt
from firmware_host.storage.recovery import RecoveryReport, rebuild
from firmware_host.storage.restore import exchange_into
from firmware_host.storage.scrub import Finding, Scrub

log = logging.getLogger(__name__)


class ActiveGame:
    """Resumes the game that was on at the last stop, if its board is one of `boards` (ids of board plans).

    `history` is the state after all durable turns. `deferred` is given where the journal could not be opened.
    """

    def __init__(self, journal: Journal, boards: Container[str], deferred: DeferredGame | None = None) -> None:
        self._journal = journal
        self._boards = boards
        self._deferred = deferred
        self._path = deferred.path if deferred else journal.path
        self._scrub = Scrub()
        self.history = resumed_history(journal, boards)
        self._waiting = History()
        """The game of the players while a demonstration is on."""
        self.times_deleted = 0
        """How often the file was found deleted or replaced."""

    @property
    def table(self) -> Table | None:
        """The state of the game; None before the first one."""
        return self.history.table

    @property
    def path(self) -> Path | None:
        """The file of the journal; None for one in memory."""
        return self._path

    @property
    def is_stored(self) -> bool:
        """Whether the turns are on the disk; False while they are kept in memory."""
        return self._deferred is None

    def take(self, command: Command | Observation, evidence: Evidence = ENTERED) -> Sequence[Event]:
        """Decide a command or observation, write its events, then apply them. Returns the events, which may be none.

        Events of a demonstration are only applied.
        Raises Refusal for a command that the rules forbid, and JournalError if the journal cannot be written. Then the
        game is unchanged.
        """
        decided = self.history.decide(command, evidence)
        if decided.events:
            if not decided.table.is_demo:
                self._write(decided.events)  # raises before `history` changes: what is shown is never ahead of the disk
            elif not self.is_demo:
                self._waiting = self.history
            self.history = self.history.after(decided)
        return decided.events

    def _write(self, turn: tuple[Event, ...]) -> None:
        """Append a turn to the journal. A journal that turns out corrupt is rebuilt first, with the game that is on;
        one that was deleted is written again."""
        try:
            self._append(turn)
        except JournalGone as fault:
            log.error("%s", fault)
            self._replace_deleted()
            self._append(turn)  # on the disk again, or in memory: the turn has happened on the board
        except JournalCorrupt:
            played = self._journal.current_game()
            self._rebuild()
            if self._journal.current_game() != played:
                raise  # turns of this game were lost: the next start reports it
            self._append(turn)

    def _append(self, turn: tuple[Event, ...]) -> None:
        self._journal.append(turn)
        if self._deferred:
            self._deferred.waiting.append(turn)

    def _replace_deleted(self) -> None:
        """Write the games again after the state folder was deleted or replaced, or keep this one in memory."""
        assert self._path
        self.times_deleted += 1
        lost = self._journal
        played = self._journal.current_game()
        try:
            save_deleted(lost)
        except JournalError as fault:
            log.error("%s", fault)
        lost.close()
        self._defer(DeferredGame(self._path, lost.clock, played))
        self.try_to_store()

    def _defer(self, deferred: DeferredGame) -> None:
        self._journal = deferred.in_memory()
        self._deferred = deferred

    def try_to_store(self) -> tuple[RecoveryReport | None, str]:
        """Open the journal and write the turns that wait. Returns what was recovered, and the error if they still
        wait."""
        if self._deferred is None:
            return None, ""
        try:
            opened = self._deferred.store()
        except JournalError as fault:
            log.info("%s", fault)
            return None, str(fault)
        self._journal.close()  # the one in memory
        self._journal = opened.journal
        self._deferred = None
        return opened.loss, ""

    def _rebuild(self) -> RecoveryReport:
        """Rebuild a damaged journal. If it cannot be written, the game goes on in memory. Raises JournalError."""
        assert self._path
        played = self._journal.current_game()
        clock = self._journal.clock
        try:
            self._journal, report = rebuild(self._journal)
        except JournalError:
            self._defer(DeferredGame(self._path, clock, played))
            raise
        return report

    def add_receipts(self, receipts: Sequence[Receipt]) -> None:
        """Write what a club or league has confirmed. Raises JournalError, and then nothing was written."""
        self._journal.add_receipts(receipts)

    def scrub(self) -> RecoveryReport | None:
        """Compare one past game of journal and replica, and repair what is damaged; for a board where nobody plays.
        Returns a report if the journal was rebuilt. Raises JournalError."""
        if self._path is None or self._deferred or self._scrub.step(self._journal) is not Finding.JOURNAL_DAMAGED:
            return None
        return self._rebuild()

    @property
    def is_demo(self) -> bool:
        """Whether a demonstration is on."""
        return self.table is not None and self.table.is_demo

    @property
    def players_history(self) -> History:
        """The game of the players, also while it waits for the end of a demonstration."""
        return self._waiting if self.is_demo else self.history

    @property
    def players_table(self) -> Table | None:
        """Its state; None before the first game."""
        return self.players_history.table

    def leave_demo(self) -> bool:
        """Return from a demonstration to the game of the players. False: no demonstration is on."""
        if not self.is_demo:
            return False
        self.history = self._waiting
        self._waiting = History()
        return True

    def restore(self) -> None:
        """Replace all games by those of the backup that `restore.prepare_restore` checked, and resume its last game.

        Raises JournalError, and then the game is unchanged.
        """
        assert self._path
        if self._deferred:
            raise JournalError("a journal that can be written", "games in memory", str(self._path), "check the disk")
        played = self._journal.current_game()
        clock = self._journal.clock
        try:
            self._journal, refused = exchange_into(self._journal)
        except JournalError:
            self._defer(DeferredGame(self._path, clock, played))
            raise
        if refused:
            raise refused
        self.history = resumed_history(self._journal, self._boards)
        self._waiting = History()

    def close(self) -> None:
        """Try once more to write what waits, and close the journal."""
        self.try_to_store()
        self._journal.close()


def resumed_history(journal: Journal, boards: Container[str]) -> History:
    """The history of the last game of the journal; an empty one if there is none to resume.

    A demonstration, which older versions wrote, is not resumed, nor is a game whose board is not in `boards`. Both stay
    in the journal. Raises JournalCorrupt and UnsoundGame, which a start has ruled out.
    """
    history = journal.current_history()
    table = history.table
    return history if table and not table.is_demo and table.board in boards else History()
