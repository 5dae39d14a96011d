"""From sensor frames to turns of the game: scans the board, and keeps peg moves until they are durable.

A command can be refused. An observation cannot, because the pegs have already moved. While the disk cannot be written,
moves wait here in order, and are tried again every RETRY_SAVE_S.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import Protocol

from board_drivers.ports import DriverError
from firmware_host.game.commands import Observation
from firmware_host.game.evidence import Evidence
from firmware_host.host.health import DISK, MAGNET, SENSORS
from firmware_host.host.parts.context import HostContext
from firmware_host.host.parts.peg_watcher import GameReading, PegWatcher, observation_of
from firmware_host.storage.journal import JournalError
from firmware_host.ui.texts.fault_messages import magnet_too_close, peg_fault_message

RETRY_SAVE_S = 1.0
"""Seconds to wait before a failed write is tried again."""


class TakesObservations(Protocol):
    """The game that the pegs belong to."""

    def take(self, command: Observation) -> None:
        """Takes an observation into the game and makes it durable. Raises JournalError."""


class PegIntake:
    """The pegs of the board that is open. Only the host thread uses it."""

    def __init__(self, context: HostContext) -> None:
        self._context = context
        self._faults = context.faults
        self._unsaved: list[GameReading] = []
        self._is_read = True
        self._retry_save_s = -inf
        self.watcher: PegWatcher
        self.unread_device = ""
        """The device that failed when the sensors last could not be read; the message to players names it."""
        self.scanned_s = -inf
        """When the sensors were last read."""
        self.revision = 0
        """Grows with every change of what the sensors show."""

    def attach(self) -> None:
        """Follows the present game on the open board from now on: it was opened, or a game began on it."""
        context = self._context
        timing = context.setup.timing
        self.watcher = PegWatcher(context.plan, context.board.sensors, context.table, timing, context.clock())

    @property
    def evidence(self) -> Evidence:
        """What is known of the pegs of the game that is on: all are in doubt while the sensors cannot be read."""
        evidence = self.watcher.evidence(self._context.clock())
        return evidence if self._is_read else Evidence(evidence.sensed, doubtful=evidence.sensed)

    def drop_unsaved(self) -> None:
        """Drops moves that are not durable: all games were replaced by a backup."""
        self._unsaved = []

    def read(self, game: TakesObservations) -> None:
        """Scans once and passes the settled moves on to the game."""
        context = self._context
        at_s = context.clock()
        self.scanned_s = at_s
        known_hole_faults = len(self.watcher.hole_faults)
        try:
            has_changed, moves = self.watcher.scan(at_s)
        except DriverError as error:
            self.sensors_failed(error)
            return
        self._faults.report(SENSORS, "")
        self._is_read = True
        self._faults.report(MAGNET, magnet_too_close(context.setup.translator) if self.watcher.is_saturated else "")
        self.revision += has_changed
        if context.trace and has_changed:
            context.trace.record(at_s, self.watcher.occupied)
        self._take(moves, game, at_s)
        for hole_fault in self.watcher.hole_faults[known_hole_faults:]:
            context.notices.show(partial(peg_fault_message, context.plan, hole_fault), at_s)

    def sensors_failed(self, error: DriverError) -> None:
        """Reports that the sensors cannot be read now."""
        self.unread_device = error.device
        self._is_read = False
        self._faults.report(SENSORS, str(error))

    def settle_now(self, game: TakesObservations) -> None:
        """Accepts the pegs as they are, without waiting for them to hold still."""
        at_s = self._context.clock()
        self._take(self.watcher.settle_now(at_s), game, at_s)

    def _take(self, moves: Sequence[GameReading], game: TakesObservations, at_s: float) -> None:
        """Passes moves on to the game. Those that cannot be saved now wait, and are tried again later."""
        self._unsaved += moves
        if moves or at_s >= self._retry_save_s:
            with suppress(JournalError):
                self.save(game)

    def save(self, game: TakesObservations) -> None:
        """Makes every waiting move durable, oldest first. Raises JournalError; the rest then still waits."""
        while self._unsaved:
            table = self._context.table
            assert table is not None
            try:
                game.take(observation_of(self._unsaved[0], table))
            except JournalError as error:
                self._retry_save_s = self._context.clock() + RETRY_SAVE_S
                self._faults.report(DISK, str(error))
                raise
            del self._unsaved[0]
            self.revision += 1
        self._faults.report(DISK, "")
