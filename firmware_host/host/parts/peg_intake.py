"""From sensor frames to turns of the game: scans the board, and keeps peg moves until they are durable.

A command can be refused. An observation cannot, because the pegs have already moved. While the disk cannot be written,
moves wait here in order, and are tried again every RETRY_SAVE_S.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf

from board_drivers.ports import DriverError, PegSensors
from firmware_host.board.plan import BoardPlan
from firmware_host.game.commands import Observation
from firmware_host.game.state import Table
from firmware_host.host.health import DISK, MAGNET, SENSORS
from firmware_host.host.parts.active_faults import ActiveFaults
from firmware_host.host.parts.notices import Notices
from firmware_host.host.parts.peg_watcher import GameReading, PegWatcher, observation_of
from firmware_host.host.trace_log import TraceLog
from firmware_host.storage.journal import JournalError
from firmware_host.tracking.timing import Timing
from firmware_host.ui.fault_messages import magnet_too_close, peg_fault_message
from firmware_host.ui.translator import Translator

RETRY_SAVE_S = 1.0
"""Seconds to wait before a failed write is tried again."""


class PegIntake:
    """The pegs of the board that is open.

    `observe` takes an observation into the game and makes it durable, or raises JournalError. `table` is the game it
    belongs to.
    """

    def __init__(
        self,
        observe: Callable[[Observation], None],
        table: Callable[[], Table | None],
        faults: ActiveFaults,
        notices: Notices,
        trace: TraceLog | None,
    ) -> None:
        self._observe = observe
        self._table = table
        self._faults = faults
        self._notices = notices
        self._trace = trace
        self._unsaved: list[GameReading] = []
        self._retry_save_s = -inf
        self.watcher: PegWatcher
        self.unread_device = ""
        """The device that failed when the sensors last could not be read; the message to players names it."""
        self.scanned_s = -inf
        """When the sensors were last read."""
        self.revision = 0
        """Grows with every change of what the sensors show."""

    def attach(self, plan: BoardPlan, sensors: PegSensors, timing: Timing, at_s: float) -> None:
        """Reads this board from now on: it was opened, or a game began on it."""
        self._plan = plan
        self.watcher = PegWatcher(plan, sensors, self._table(), timing, at_s)

    def drop_unsaved(self) -> None:
        """Drops moves that are not durable: all games were replaced by a backup."""
        self._unsaved = []

    def read(self, at_s: float, translator: Translator) -> None:
        """Scans once and passes the settled moves on to the game."""
        self.scanned_s = at_s
        known_hole_faults = len(self.watcher.hole_faults)
        try:
            has_changed, moves = self.watcher.scan(at_s)
        except DriverError as error:
            self.sensors_failed(error)
            return
        self._faults.report(SENSORS, "")
        self._faults.report(MAGNET, magnet_too_close(translator) if self.watcher.is_saturated else "")
        self.revision += has_changed
        if self._trace and has_changed:
            self._trace.record(at_s, self.watcher.occupied)
        self.take(moves, at_s)
        for hole_fault in self.watcher.hole_faults[known_hole_faults:]:
            self._notices.show(partial(peg_fault_message, self._plan, hole_fault), at_s)

    def sensors_failed(self, error: DriverError) -> None:
        """Reports that the sensors cannot be read now."""
        self.unread_device = error.device
        self._faults.report(SENSORS, str(error))

    def settle_now(self, at_s: float) -> None:
        """Accepts the pegs as they are, without waiting for them to hold still."""
        self.take(self.watcher.settle_now(at_s), at_s)

    def take(self, moves: Sequence[GameReading], at_s: float) -> None:
        """Passes moves on to the game. Those that cannot be saved now wait, and are tried again later."""
        self._unsaved += moves
        if moves or at_s >= self._retry_save_s:
            with suppress(JournalError):
                self.save(at_s)

    def save(self, at_s: float) -> None:
        """Makes every waiting move durable, oldest first. Raises JournalError; the rest then still waits."""
        while self._unsaved:
            table = self._table()
            assert table is not None
            try:
                self._observe(observation_of(self._unsaved[0], table))
            except JournalError as error:
                self._retry_save_s = at_s + RETRY_SAVE_S
                self._faults.report(DISK, str(error))
                raise
            del self._unsaved[0]
            self.revision += 1
        self._faults.report(DISK, "")
