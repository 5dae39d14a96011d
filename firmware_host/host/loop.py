"""The host: one thread that scans the board, decides, journals and shows. It is the only writer of the game.

Other threads submit commands (`Host.submit`) and read frozen snapshots (`Host.snapshot`). An event is durable before
anybody sees it as final; a leap that has not held still yet may be shown at once as pending.

One step, in this order:

    1. calls     commands that other threads submitted, each answered with the snapshot that follows
    2. input     keys and tagged cards (`KeypadSession`), then pegs (`PegIntake`); or a wiring calibration or the set-up
                 wizard instead (`SetupSession`)
    3. timers    notices, the score check of a silent referee, the light test, the sleep of the display
    4. publish   lights and display first (`Outputs`), then a new snapshot for all who wait

Commands come before pegs, so that a phone's answer never waits for a scan. Anything that changes what people see raises
a revision; a new snapshot is made only when a revision grew.

The parts stand in `host/parts`: `HostCommands` carries out what people ask for, `GameSession` takes turns, and
`take_snapshot` reads what all of them are now. They share a `HostContext`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from pathlib import Path

from board_drivers.ports import Board
from firmware_host.board.plan import BoardPlan
from firmware_host.host.health import INSIDE, Health
from firmware_host.host.parts.assembly import assemble
from firmware_host.host.parts.call_queue import CallQueue
from firmware_host.host.parts.commands import HostCommands
from firmware_host.host.parts.journal_maintenance import repaired
from firmware_host.host.parts.present_snapshot import take_snapshot
from firmware_host.host.setup import HostSetup
from firmware_host.host.snapshot import Snapshot
from firmware_host.host.trace_log import TraceLog
from firmware_host.pairing.pairing import Pairing
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.storage.deferred_game import DeferredGame
from firmware_host.storage.journal import Journal
from firmware_host.storage.receipts import Receipt
from firmware_host.storage.recovery import RecoveryReport
from firmware_host.storage.restore import OnGame, ignore_game, prepared_restore
from firmware_host.ui.keys.input_state import UserCommand
from firmware_host.ui.texts.fault_messages import internal_error

log = logging.getLogger(__name__)

PAUSE_AFTER_FAILURE_S = 1.0
"""Seconds to wait after a step that raised an unexpected exception."""


class Host:
    """One game on one board. `start` runs `step` on a thread of its own; tests call `step` themselves."""

    def __init__(
        self,
        setup: HostSetup,
        journal: Journal,
        clock: Callable[[], float],
        phones: PhoneRegistry | None = None,
        trace: TraceLog | None = None,
        recovery: RecoveryReport | None = None,
        deferred: DeferredGame | None = None,
    ) -> None:
        """`clock` returns monotonic seconds. `recovery` reports games that were lost or recovered when `journal` was
        opened; it is shown until a key is pressed. `deferred`: the journal could not be opened, and `journal` is one in
        memory."""
        self.recovery = recovery
        self._clock = clock
        self._parts = assemble(setup, journal, clock, phones, trace, deferred)
        self._context = self._parts.context
        self._commands = HostCommands(self._parts)

        self._wake = threading.Event()
        self._changed = threading.Condition()
        self._is_stopping = False
        self._calls = CallQueue(self._wake.set)
        self._thread: threading.Thread | None = None

        if trace and self._context.table:
            trace.resume()
        if recovery:
            self._context.notices.show_until_key_press(repaired)
        self._pairing_state = self.pairing.pairing_state()
        self.snapshot = self._take_snapshot(version=0)
        self._published = -1  # differs from every revision: the first step publishes

    # For every thread.

    @property
    def setup(self) -> HostSetup:
        """The boards and settings in use."""
        return self._context.setup

    @property
    def pairing(self) -> Pairing:
        """The phones of this board. It has a lock of its own."""
        return self._context.pairing

    @property
    def plan(self) -> BoardPlan:
        """The plan of the board that is open."""
        return self._context.plan

    @property
    def board(self) -> Board:
        """The board that is open. Only the host thread reads and writes it."""
        return self._context.board

    @property
    def journal_path(self) -> Path | None:
        """None for a journal in memory."""
        return self._context.game.path

    @property
    def turn_count(self) -> int:
        """How many turns the game of the players has had, those that undo or redo included."""
        return self._context.game.players_history.count

    @property
    def health(self) -> Health:
        """The state of the board's parts since the host was made."""
        parts = self._parts
        faults = self._context.faults
        wizard = parts.set_up.wizard.wizard
        hole_faults = (*wizard.hole_faults(self.plan), *parts.pegs.watcher.hole_faults)
        return Health(faults.sentences, faults.counts, parts.keypad.press_counts, hole_faults)

    def submit(self, command: UserCommand, moment: int | None = None) -> Snapshot:
        """Executes a command on the host thread and returns the snapshot that follows; its events are then durable.

        `moment`: the number of turns in the snapshot that the sender saw; None: whatever has happened since. Raises
        MomentIsOver if there were others since, other refusals, HostError, or TimeoutError.
        """
        return self._calls.call(partial(self.execute, command, moment))

    def reconfigure(self, setup: HostSetup) -> None:
        """Uses another setup with the same boards from now on: other games, names, language."""
        self._calls.call(partial(self._use_setup, setup))

    def restore(self, backup: Path, on_game: OnGame = ignore_game) -> Snapshot:
        """Replaces all games by those of a backup. Raises JournalError or TimeoutError, and then nothing has changed.

        The backup is checked by the calling thread, which may take minutes; the board plays on meanwhile. `on_game` is
        called before each game, and may raise to end it."""
        path = self.journal_path
        assert path, "a journal in memory cannot be replaced"
        with prepared_restore(path, backup, on_game):
            return self._calls.call(self._parts.game.restore)

    def keep_receipts(self, receipts: Iterable[Receipt]) -> None:
        """Writes what a club or league has confirmed, later, when nobody moves a peg. Returns at once."""
        self._parts.maintenance.keep_receipts(receipts)

    def leave_demo(self) -> Snapshot:
        """Returns from the demonstration to the game of the players; does nothing without one. Raises TimeoutError."""
        return self._calls.call(self._parts.game.leave_demo)

    def wait_for_change(self, version: int, timeout_s: float) -> Snapshot:
        """The first snapshot later than `version`, or the current one after `timeout_s`."""
        with self._changed:
            self._changed.wait_for(lambda: self.snapshot.version > version, timeout_s)
        return self.snapshot

    def start(self) -> None:
        """Runs the host on a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="host", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread and closes the board and the journal. Nothing needs saving: every turn is durable."""
        self._is_stopping = True
        self._wake.set()
        if self._thread:
            self._thread.join()
        self.board.close()
        self._parts.set_up.save(inf)
        self._context.game.close()
        if self._context.trace:
            self._context.trace.close()

    # The host thread.

    def execute(self, command: UserCommand, moment: int | None = None) -> None:
        """Decides a command, and makes its events durable. Raises Refusal or HostError, and then nothing has changed.
        Only on the host thread; other threads call `submit`. `moment`: as there."""
        self._commands.execute(command, moment)

    def _use_setup(self, setup: HostSetup) -> None:
        self._parts.preferences.follow(self.setup, setup)
        self._context.setup = setup
        self._context.revision += 1

    def _run(self) -> None:
        while not self._is_stopping:
            try:
                self.step()
                self.setup.on_step()
            except Exception:  # a bug must not end the game: log it, show it, go on
                log.exception("host step failed")
                self._context.faults.report(INSIDE, internal_error())
                self._wake.wait(PAUSE_AFTER_FAILURE_S)
            self._wake.wait(self._pause_s())
            self._wake.clear()

    def _pause_s(self) -> float:
        """Until the next scan, or until a pending leap settles, whichever is first."""
        pegs = self._parts.pegs
        due_s = pegs.scanned_s + self.setup.scan_s
        if pegs.watcher.deadline_s is not None:
            due_s = min(due_s, pegs.watcher.deadline_s)
        return max(0.0, due_s - self._clock())

    def step(self) -> None:
        """One round of calls, input, timers and output."""
        self._calls.run_pending(self._publish)
        if self._parts.set_up.is_open:
            self._set_up_board()
        else:
            self._read_keys()
            if self.setup.card_reader:
                self._parts.keypad.read_cards(self.setup.card_reader, self._commands)
            self._parts.game.read_pegs()
        self._run_timers()
        self._publish()
        self._context.faults.report(INSIDE, "")  # only a whole step shows that the program has recovered

    def _set_up_board(self) -> None:
        """One round of the calibration or the wizard."""
        set_up = self._parts.set_up
        set_up.step(self._commands, self._pairing_state)
        calibration = set_up.calibration
        if not calibration:
            self._commands.resume_after_wizard(was_open=True)
        elif calibration.is_done:
            set_up.calibration = None
            self._parts.board.use_wiring(calibration.strip_order)

    def _read_keys(self) -> None:
        """A lesson gets the keys first, unless they answer a phone."""
        keypad = self._parts.keypad
        lesson = self._parts.lesson
        if lesson.lesson is None or self._pairing_state.requested_by:
            keypad.read_keys(self._commands)
            return
        keypad.read_keys(self._commands, lesson.take_key)
        if lesson.lesson is None:
            self._parts.game.leave_demo()

    def _run_timers(self) -> None:
        parts = self._parts
        context = self._context
        now_s = self._clock()
        context.notices.expire(now_s)
        if context.asked_game.current:
            context.asked_game.expire(now_s)
        parts.set_up.save(now_s)
        parts.game.shuffle()
        if context.table and context.table.opponents:
            self.setup.call_opponent()
        self.recovery = parts.maintenance.run_due(now_s) or self.recovery
        parts.settings_warning.run_due(now_s)
        parts.views.advance(context.plan, now_s)
        parts.lesson.follow_game(context.table, parts.pegs.watcher.peg_faults)
        self._ask_who_sits_here(now_s)
        parts.display_rest.advance(self._pairing_state.requested_by)

    def _ask_who_sits_here(self, now_s: float) -> None:
        """Shows the seat of a club night while no game is on, and nothing else is typed."""
        parts = self._parts
        if parts.set_up.is_open or parts.lesson.lesson:
            return
        asked = parts.club.asked(parts.keypad.input_state, self._context.table)
        if asked is not parts.keypad.input_state:
            parts.keypad.ask(asked, now_s)

    def _publish(self) -> Snapshot:
        """Shows the present state: on the board at once, and to phones if anything changed."""
        parts = self._parts
        state = self.pairing.pairing_state()
        self._context.revision += state != self._pairing_state
        self._pairing_state = state
        is_new = parts.revision != self._published
        snapshot = self._take_snapshot(self.snapshot.version + 1) if is_new else self.snapshot
        # Read again: what a snapshot reads may itself have changed a part, and must not be published twice.
        self._published = parts.revision
        parts.board.outputs.show(snapshot, is_new, parts.set_up.own_lights(), self._clock())
        parts.sounds.guide(snapshot)
        if is_new:
            with self._changed:
                self.snapshot = snapshot
                self._changed.notify_all()
        return snapshot

    def _take_snapshot(self, version: int) -> Snapshot:
        return take_snapshot(self._parts, version, self._commands.input_context(), self._pairing_state)
