"""The host: one thread that scans the board, decides, journals and shows. It is the only writer of the game.

Other threads submit commands (`Host.submit`) and read frozen snapshots (`Host.snapshot`). An event is durable before
anybody sees it as final; a leap that has not held still yet may be shown at once as pending.

One step, in this order:

    1. calls     commands that other threads submitted, each answered with the snapshot that follows
    2. input     keys and tagged cards (`KeypadSession`), then pegs (`PegIntake`); or a wiring calibration or the set-up
                 wizard instead
    3. timers    notices, the score check of a silent referee, the light test
    4. publish   lights and display first (`Outputs`), then a new snapshot for whoever waits

Commands come before pegs, so that a phone's answer never waits for a scan. Anything that changes what people see raises
a revision; a new snapshot is made only when a revision grew.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from pathlib import Path

from firmware_host.errors import HostError
from firmware_host.game import commands as c
from firmware_host.game.clashes import has_clash
from firmware_host.game.known_scores import questioned_sides
from firmware_host.game.state import Table
from firmware_host.host.health import INSIDE, Health
from firmware_host.host.parts.active_faults import ActiveFaults
from firmware_host.host.parts.board_display import fault_message, first_fault, with_display
from firmware_host.host.parts.board_sounds import BoardSounds
from firmware_host.host.parts.call_queue import CallQueue
from firmware_host.host.parts.club_session import ClubSession
from firmware_host.host.parts.keypad_session import KeypadSession, expected_input
from firmware_host.host.parts.lesson_session import LessonSession, practice_game
from firmware_host.host.parts.notices import Notices
from firmware_host.host.parts.outputs import Outputs
from firmware_host.host.parts.peg_intake import PegIntake
from firmware_host.host.parts.peg_watcher import expected_frame
from firmware_host.host.parts.preferences import Preferences
from firmware_host.host.parts.setup_session import SetupSession
from firmware_host.host.parts.storage_care import StorageCare, repaired
from firmware_host.host.parts.timed_views import TimedViews
from firmware_host.host.parts.wiring_calibration import WiringCalibration
from firmware_host.host.parts.wizard_session import WizardSession
from firmware_host.host.setup import HostSetup
from firmware_host.host.snapshot import Snapshot
from firmware_host.host.trace_log import TraceLog
from firmware_host.pairing.pairing import Pairing
from firmware_host.pairing.qr_code import Picture, pairing_picture
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.storage.active_game import ActiveGame
from firmware_host.storage.deferred_game import DeferredGame
from firmware_host.storage.journal import Journal
from firmware_host.storage.receipts import Receipt
from firmware_host.storage.recovery import RecoveryReport, prepare_restore
from firmware_host.ui import input_state as k
from firmware_host.ui.club_night import DeclineSeat, FollowClub, JoinClub
from firmware_host.ui.fault_messages import (
    cannot_save,
    cards_clash,
    internal_error,
)
from firmware_host.ui.lights import HoleSignal, signals
from firmware_host.ui.pairing_prompt import AcceptPhone, ClosePairing, OpenPairing, RejectPhone, RemovePhone
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.side_names import default_names
from firmware_host.ui.sounds import sound_of
from firmware_host.ui.spoken_input import key_in_words
from firmware_host.ui.translator import Message
from firmware_host.ui.voice import AskVoice, NameKey, SetVoice, VoiceRequest
from firmware_host.ui.wizard_commands import OpenWizard, WizardCommand

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
        self.setup = setup
        self._clock = clock
        self._trace = trace
        self.recovery = recovery
        self.pairing = Pairing(phones or PhoneRegistry(), clock)
        self._game = ActiveGame(journal, {plan.id for plan in setup.plans}, deferred)
        self._stored = self._game.history.last
        """The last turn of the game that was resumed."""
        self.pairing.registry.begin_seats(self._game.history.turn_of_deal)
        self._faults = ActiveFaults()
        self._notices = Notices()
        self._board_notices = Notices()
        """For the display alone."""
        self._storage = StorageCare(self._game, self._faults, self._notices)
        self._sounds = BoardSounds(lambda: self.setup.has_sound)
        self._keypad = KeypadSession(
            self.execute,
            self._input_context,
            lambda: self.pairing.ignores_keys,
            self._notices,
            self._sounds.play,
            lambda attempt: self.setup.on_count(attempt),
        )
        self._pegs = PegIntake(self._take_turn, lambda: self._game.table, self._faults, self._notices, trace)
        self._preferences = Preferences(setup)
        self._views = TimedViews()
        self._lesson = LessonSession()
        self._club = ClubSession(self._notices)

        self._wake = threading.Event()
        self._changed = threading.Condition()
        self._is_stopping = False
        self._calls = CallQueue(self._wake.set)
        self._thread: threading.Thread | None = None

        self.plan = setup.plan_of(self._game.table)
        self.board = setup.open_board(self.plan)
        wizard = WizardSession(self.plan, setup, self._sounds.play_test, has_begun_games=journal.last_game > 0)
        self._set_up = SetupSession(wizard, self._keypad, self._pegs, self.pairing, self._faults, self._notices)
        self._attach_board()
        if trace and self._game.table:
            trace.resume()
        if recovery:
            self._notices.show_until_key_press(repaired)
        self._revision = 0
        self._pairing_state = self.pairing.pairing_state()
        self.snapshot = self._take_snapshot(version=0)
        self._published = -1  # differs from every revision: the first step publishes

    # For every thread.

    @property
    def journal_path(self) -> Path | None:
        """None for a journal in memory."""
        return self._game.path

    @property
    def turn_count(self) -> int:
        """How many turns the game of the players has had, those that undo or redo included."""
        return self._game.players_history.count

    @property
    def health(self) -> Health:
        """The state of the board's parts since the host was made."""
        hole_faults = (*self._set_up.wizard.wizard.hole_faults(self.plan), *self._pegs.watcher.hole_faults)
        return Health(self._faults.sentences, self._faults.counts, self._keypad.press_counts, hole_faults)

    def submit(self, command: k.UserCommand) -> Snapshot:
        """Executes a command on the host thread and returns the snapshot that follows; its events are then durable.

        Raises Refusal, HostError, or TimeoutError.
        """
        return self._calls.call(partial(self.execute, command))

    def reconfigure(self, setup: HostSetup) -> None:
        """Uses another setup with the same boards from now on: other games, names, language."""
        self._calls.call(partial(self._use_setup, setup))

    def restore(self, backup: Path) -> Snapshot:
        """Replaces all games by those of a backup. Raises JournalError, and then nothing has changed.

        The backup is checked by the calling thread, which may take minutes; the board plays on meanwhile."""
        assert self._game.path, "a journal in memory cannot be replaced"
        prepare_restore(self._game.path, backup)
        return self._calls.call(self._restore)

    def keep_receipts(self, receipts: Iterable[Receipt]) -> None:
        """Writes what a club or league has confirmed, later, when nobody moves a peg. Returns at once."""
        self._storage.keep_receipts(receipts)

    def leave_demo(self) -> Snapshot:
        """Returns from the demonstration to the game of the players; does nothing without one. Raises TimeoutError."""
        return self._calls.call(self._leave_demo)

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
        self._set_up.save(self.plan, inf)
        self._game.close()
        if self._trace:
            self._trace.close()

    # The host thread.

    def _run(self) -> None:
        while not self._is_stopping:
            try:
                self.step()
                self.setup.on_step()
            except Exception:  # a bug must not end the game: log it, show it, go on
                log.exception("host step failed")
                self._faults.report(INSIDE, internal_error())
                self._wake.wait(PAUSE_AFTER_FAILURE_S)
            self._wake.wait(self._pause_s())
            self._wake.clear()

    def _pause_s(self) -> float:
        """Until the next scan, or until a pending leap settles, whichever is first."""
        due_s = self._pegs.scanned_s + self.setup.scan_s
        if self._pegs.watcher.deadline_s is not None:
            due_s = min(due_s, self._pegs.watcher.deadline_s)
        return max(0.0, due_s - self._clock())

    def step(self) -> None:
        """One round of calls, input, timers and output."""
        self._calls.run_pending(self._publish)
        if self._set_up.is_open:
            self._set_up_board()
        else:
            self._read_keys()
            if self.setup.card_reader:
                self._keypad.read_cards(self.setup.card_reader, self.setup.card_of, self._clock())
            self._pegs.read(self._clock(), self.setup.translator)
        self._run_timers()
        self._publish()
        self._faults.report(INSIDE, "")

    def _read_keys(self) -> None:
        """A lesson gets the keys first, unless they answer a phone."""
        if self._lesson.lesson is None or self._pairing_state.requested_by:
            self._keypad.read_keys(self._clock())
            return
        self._keypad.read_keys(self._clock(), self._lesson.take_key)
        if self._lesson.lesson is None:
            self._leave_demo()

    def _begin_lesson(self) -> None:
        """Whoever asks for it wants to hear it."""
        names = (*self.setup.names, *default_names(self.setup.translator))
        self.execute(practice_game(self.plan, names))
        self._lesson.begin()
        self._preferences.take(AskVoice(VoiceRequest.REPEAT))

    def _run_timers(self) -> None:
        now_s = self._clock()
        self._notices.expire(now_s)
        self._set_up.save(self.plan, now_s)
        self._board_notices.expire(now_s)
        self.recovery = self._storage.attend(now_s) or self.recovery
        self._views.advance(self.plan, now_s)
        self._lesson.look(self._game.table, self._pegs.watcher.peg_faults)
        self._ask_who_sits_here(now_s)

    def _ask_who_sits_here(self, now_s: float) -> None:
        """Shows the seat of a club night while no game is on, and nothing else is typed."""
        if self._set_up.is_open or self._lesson.lesson:
            return
        asked = self._club.asked(self._keypad.input_state, self._game.table)
        if asked is not self._keypad.input_state:
            self._keypad.ask(asked, now_s)

    # Commands.

    def execute(self, command: k.UserCommand) -> None:
        """Decides a command, and makes its events durable. Raises Refusal or HostError, and then nothing has changed.
        Only on the host thread; other threads call `submit`."""
        if isinstance(command, WizardCommand):
            self._follow_wizard(command)
            return
        match command:
            case k.SettleNow():
                self._settle_now()
            case k.SetRefereeMode() | k.SetAsksCounts() | k.SetBrightness() | SetVoice() | AskVoice():
                self._preferences.take(command)
            case NameKey(key):
                self._notices.show(partial(key_in_words, key), self._clock())
            case k.CheckScore():
                self._views.check_score(self._clock())
            case k.TestLights():
                self._views.test_lights(self._clock())
            case OpenPairing() | ClosePairing() | AcceptPhone() | RejectPhone() | RemovePhone():
                self.pairing.do(command)
            case JoinClub() | DeclineSeat() | FollowClub():
                self._club.do(command, self._clock())
            case k.CalibrateWiring():
                self._set_up.calibration = WiringCalibration(self.plan)
            case k.BeginLesson():
                self._begin_lesson()
            case c.StartGame():
                self._lesson.end()
                self._pegs.save(self._clock())
                before = self._game.players_table
                self._take_turn(self.setup.fit_to_board(command, self.plan))
                was_open = self._set_up.wizard.is_open
                self._set_up.wizard.game_began()
                self._follow_again(was_open)
                if not command.is_demo:
                    self._move_seats(before)
            case _:
                self._pegs.save(self._clock())
                self._take_turn(command)
        self._revision += 1

    def _settle_now(self) -> None:
        """Accepts the pegs as they are. Whoever confirms a pending leap need not confirm its points again."""
        before = questioned_sides(self._game.table)
        self._pegs.settle_now(self._clock())
        for side in questioned_sides(self._game.table) - before:
            self._take_turn(c.AcceptPegs(side))

    def _take_turn(self, command: c.Command | c.Observation) -> None:
        self._views.end_light_test()
        before = self._game.table
        try:
            events = self._game.take(command)
        finally:
            self._storage.turn_taken(self._clock())
        if not events:
            return
        if expected_input(before) != expected_input(self._game.table):
            self._keypad.reset()  # what was entered so far is input for an earlier phase
        self._show_on_board(is_new_game=isinstance(command, c.StartGame))
        assert self._game.table is not None
        self._check_hands(before, self._game.table)
        self._sounds.play(sound_of(events, self._preferences.referee_mode, self._game.table))

    def _check_hands(self, before: Table | None, table: Table) -> None:
        """Tells the board alone that one card is in two hands. Phones must not learn it: whoever entered a card would
        know that somebody else has it."""
        if has_clash(table) and not (before and has_clash(before)):
            log.warning("one card was entered for two hands")
            self._board_notices.show(cards_clash, self._clock())
            self._revision += 1

    def _move_seats(self, before: Table | None) -> None:
        """Another game is on: each phone keeps the seat of its player, or loses it."""
        table = self._game.table
        try:
            self.pairing.registry.move_to_game(before.names if before else (), table.names if table else ())
        except HostError as error:
            log.warning("%s", error)
            self._notices.show(cannot_save, self._clock())

    def _restore(self) -> None:
        before = self._game.players_table
        self._game.restore()
        self._move_seats(before)
        self.pairing.registry.begin_seats(self._game.history.count)
        self._stored = self._game.history.last
        self._follow_game()

    def _leave_demo(self) -> None:
        if not self._game.leave_demo():
            return
        self._follow_game()
        if self._trace and self._game.table:
            self._trace.resume()

    def _follow_game(self) -> None:
        """Another game than before is shown: drop what was typed or moved for the one before."""
        self._keypad.reset()
        self._pegs.drop_unsaved()
        self._open_board_of_game()
        self._revision += 1

    def _use_setup(self, setup: HostSetup) -> None:
        self._preferences.follow(self.setup, setup)
        self.setup = setup
        self._revision += 1

    # Wiring calibration and the set-up wizard.

    def _set_up_board(self) -> None:
        """One round of the calibration or the wizard."""
        self._set_up.step(
            self.plan, self.board.sensors, self._pairing_state, self._clock(), is_reachable=self.setup.is_reachable
        )
        if not (calibration := self._set_up.calibration):
            self._follow_again(was_open=True)
        elif calibration.is_done:
            self._set_up.calibration = None
            self._notices.show(self._save_wiring(calibration.strip_order), self._clock())
            self._attach_board()

    def _save_wiring(self, strip_order: tuple[int, ...] | None) -> Message:
        """Uses and saves the wiring that was found. Returns the result for players."""
        if not (strip_order and self.setup.save_wiring):
            return lambda tr: tr("Wiring not changed")
        try:
            self.setup, self.plan = self.setup.with_wiring(self.plan, strip_order)
        except HostError as error:
            log.warning("%s", error)
            return cannot_save
        return lambda tr: tr("Wiring saved")

    def _follow_wizard(self, command: WizardCommand) -> None:
        wizard = self._set_up.wizard
        was_open = wizard.is_open
        if isinstance(command, OpenWizard):
            self._leave_demo()
        wizard.do(command, self.plan)
        if wizard.is_open and not was_open:
            self._views.end_light_test()
            self._keypad.reset()
        self._follow_again(was_open)

    def _follow_again(self, was_open: bool) -> None:
        """Follows the pegs of the game again if the wizard was closed."""
        if was_open and not self._set_up.wizard.is_open:
            self._set_up.wizard.close_pairing(self.pairing)
            self._attach_board()

    # The board that is open.

    def _show_on_board(self, *, is_new_game: bool) -> None:
        """Follows the pegs of the game as it is now."""
        table = self._game.table
        assert table is not None
        if is_new_game:
            self._open_board_of_game()
            if self._trace and table.is_demo:
                self._trace.close()  # that of the players' game is continued afterwards
            elif self._trace:
                self._trace.start(self.plan.id, self.plan.tracks, table.rules.target)
        else:
            self._pegs.watcher.set_table(table, self._clock())

    def _open_board_of_game(self) -> None:
        plan = self.setup.plan_of(self._game.table)
        if plan is not self.plan:
            self.board.close()
            self.plan = plan
            self.board = self.setup.open_board(plan)
        self._attach_board()

    def _attach_board(self) -> None:
        """Connects keypad, pegs and outputs to the board that is open, for the present game."""
        self.setup.place_pegs(self.board, expected_frame(self.plan, self._game.table))
        self._pegs.attach(self.plan, self.board.sensors, self.setup.timing, self._clock())
        self._keypad.attach(self.board.keypad)
        self._sounds.attach(self.board.sounder)
        self._outputs = Outputs(self.plan, self.board, self._faults)

    def _input_context(self) -> k.InputContext:
        """What the meaning of a key depends on."""
        table = self._game.table
        playing = table.names if table else ()
        return k.InputContext(
            table,
            has_pending=bool(self._pegs.watcher.pending),
            offers=tuple(k.OfferedBoard(plan.id, plan.tracks, plan.targets) for plan in self.setup.plans),
            games=self.setup.games,
            names=(*playing, *self.setup.names[len(playing) :]),
            pairing_state=self.pairing.pairing_state(),
            referee_mode=self._preferences.referee_mode,
            can_calibrate_wiring=self.setup.save_wiring is not None,
            voice=self._preferences.voice,
            asks_counts=self._preferences.asks_counts,
            club=self._club.night,
        )

    # Snapshots.

    def _publish(self) -> Snapshot:
        """Shows the present state: on the board at once, and to phones if anything changed."""
        state = self.pairing.pairing_state()
        self._revision += state != self._pairing_state
        self._pairing_state = state
        is_new = self._total_revision() != self._published
        snapshot = self._take_snapshot(self.snapshot.version + 1) if is_new else self.snapshot
        self._published = self._total_revision()
        self._outputs.show(snapshot, is_new, self._set_up.own_lights(self.plan), self._clock())
        self._sounds.guide(snapshot)
        if is_new:
            with self._changed:
                self.snapshot = snapshot
                self._changed.notify_all()
        return snapshot

    def _total_revision(self) -> int:
        """Grows with every change that a snapshot shows: each part counts its own changes, and none ever falls."""
        shown = (self._faults, self._notices, self._board_notices, self._views, self._lesson, self._club)
        return self._revision + sum(part.revision for part in (*shown, self._keypad, self._pegs, self._set_up))

    def _take_snapshot(self, version: int) -> Snapshot:
        watcher = self._pegs.watcher
        faults = self._faults
        set_up = self._set_up
        chosen = RefereeMode.TEACHER if self._lesson.lesson else self._preferences.referee_mode
        mode = self._views.referee_mode(chosen)
        in_wizard = set_up.occupied(self.plan)
        snapshot = Snapshot(
            version=version,
            plan=self.plan,
            history=self._game.history,
            is_stored=self._stored is not None and self._game.history.last is self._stored,
            input_state=self._keypad.input_state,
            input_context=self._input_context(),
            key_presses=self._keypad.revision,
            asked=self._preferences.asked,
            lesson=self._lesson.lesson,
            occupied=watcher.occupied if in_wizard is None else in_wizard,
            pending=watcher.pending,
            peg_faults=watcher.peg_faults,
            signals=self._signals(mode),
            referee_mode=mode,
            fault=first_fault(faults),
            fault_message=fault_message(faults, self._pegs.unread_device),
            notice=self._notices.current,
            own_notice=self._board_notices.current,
            brightness=self._preferences.brightness,
            pairing_state=self._pairing_state,
            pairing_picture=self._pairing_picture(),
            calibration=set_up.calibration.message if set_up.calibration else None,
            wizard=set_up.wizard.wizard if set_up.wizard.is_open else None,
        )
        return with_display(snapshot, self.setup, set_up.calibration)

    def _pairing_picture(self) -> Picture:
        """The pairing code as a picture while it is valid and no phone waits for an answer; else empty."""
        is_shown = self._pairing_state.code and not self._pairing_state.requested_by
        if self._set_up.wizard.is_open and self._notices.current:
            is_shown = False  # somebody pressed a key: the display says for a moment how to leave
        return pairing_picture(self.setup.address, self._pairing_state.code) if is_shown else ()

    def _signals(self, mode: RefereeMode) -> tuple[HoleSignal, ...]:
        if (test := self._views.test_signals(self.plan, self._clock())) is not None:
            return test
        if self._set_up.wizard.is_open:
            return ()
        table = self._game.table
        watcher = self._pegs.watcher
        if table is None or not table.sides_on_board:
            return ()
        course = self.plan.course(table.rules.target)
        return signals(table, course, watcher.occupied, watcher.pending, watcher.peg_faults, mode)
