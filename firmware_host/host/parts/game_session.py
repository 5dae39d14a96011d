"""Takes commands and peg moves into the game, and follows each turn on the board."""

from __future__ import annotations

import logging
from secrets import token_hex

from msgspec.structs import replace

from firmware_host.errors import HostError
from firmware_host.game.clashes import has_clash
from firmware_host.game.commands import AcceptPegs, Command, CorrectScore, DealPack, Observation, Redo, StartGame, Undo
from firmware_host.game.known_scores import questioned_sides
from firmware_host.game.state import Table
from firmware_host.host.parts.board_sounds import BoardSounds
from firmware_host.host.parts.context import HostContext
from firmware_host.host.parts.journal_maintenance import JournalMaintenance
from firmware_host.host.parts.keypad_session import KeypadSession, expected_input
from firmware_host.host.parts.open_board import OpenBoard
from firmware_host.host.parts.pack_dealer import PackDealer
from firmware_host.host.parts.peg_intake import PegIntake
from firmware_host.host.parts.preferences import Preferences
from firmware_host.host.parts.programs_turns import is_programs
from firmware_host.host.parts.timed_views import TimedViews
from firmware_host.storage.journal import JournalError
from firmware_host.ui.sounds.sounds import sound_of
from firmware_host.ui.texts.fault_messages import cannot_save, cards_clash

log = logging.getLogger(__name__)

NONCE_BYTES = 16
"""Of a game: see `StartGame.nonce`."""


class GameSession:
    """The game on the open board. Only the host thread uses it."""

    def __init__(
        self,
        context: HostContext,
        board: OpenBoard,
        keypad: KeypadSession,
        pegs: PegIntake,
        sounds: BoardSounds,
        maintenance: JournalMaintenance,
        preferences: Preferences,
        views: TimedViews,
    ) -> None:
        self._context = context
        self._game = context.game
        self._board = board
        self._keypad = keypad
        self._pegs = pegs
        self._sounds = sounds
        self._maintenance = maintenance
        self._preferences = preferences
        self._views = views
        self._dealer = PackDealer(context)
        self._stored = self._game.history.last
        """The last turn of the game that was resumed."""
        context.pairing.registry.begin_seats(self._game.history.turn_of_deal)

    @property
    def is_stored(self) -> bool:
        """Whether the game was on at the last stop, and nobody has gone on with it yet."""
        return self._stored is not None and self._game.history.last is self._stored

    def read_pegs(self) -> None:
        """Scans the board once and takes the settled moves."""
        self._pegs.read(self)

    def take(self, command: Command | Observation) -> None:
        """Decides a command or an observation and makes its events durable. Raises Refusal or JournalError, and then
        nothing has changed."""
        self._views.end_light_test()
        before = self._game.table
        try:
            events = self._game.take(self._addressed(command), self._pegs.evidence)
        finally:
            self._maintenance.turn_taken(self._context.clock())
        if not events:
            return
        after = self._game.table
        assert after is not None
        if expected_input(before) != expected_input(after):
            self._keypad.reset()  # what was entered so far is input for an earlier phase
        is_rewritten = isinstance(command, Undo | Redo | CorrectScore)
        self._board.show_turn(is_new_game=isinstance(command, StartGame), is_rewritten=is_rewritten)
        self._check_hands(before, after)
        self._sounds.play(sound_of(events, self._preferences.referee_mode, after))

    def _addressed(self, command: Command | Observation) -> Command | Observation:
        return self._dealer.addressed(command) if isinstance(command, DealPack) else command

    def shuffle(self) -> None:
        """Shuffles the pack of a deal that waits for it, where the program deals."""
        table = self._game.table
        if table is None or not table.awaits_pack:
            return
        try:
            self._dealer.shuffle(self.take)
            self._context.revision += 1
        except JournalError as error:
            log.info("the pack is shuffled later: %s", error)

    def take_in_order(self, command: Command | Observation) -> None:
        """As `take`, after every peg move that came before it and still waits for the disk."""
        self._pegs.save(self)
        self.take(command)

    def check_moment(self, moment: int) -> None:
        """Raises MomentIsOver unless there were `moment` turns so far, peg moves that wait for the disk included."""
        self._pegs.save(self)
        self._game.history.check_moment(moment)

    def undo(self) -> None:
        """Undoes the last turn of people, and those of the program after it. Raises Refusal or JournalError."""
        is_answer = True
        while is_answer:
            last = self._game.history.last
            is_answer = last is not None and is_programs(last)
            self.take_in_order(Undo())
            is_answer = is_answer and self._game.history.can_undo

    def start(self, command: StartGame) -> None:
        """Begins a game on a board that it fits. Raises GameDoesNotFitBoard, Refusal or JournalError."""
        self._pegs.save(self)
        before = self._game.players_table
        fitting = self._context.setup.fit_to_board(command, self._context.plan)
        self.take(replace(fitting, nonce=token_hex(NONCE_BYTES)))
        if not command.is_demo:
            self._move_seats(before)

    def settle_now(self) -> None:
        """Accepts the pegs as they are. Confirming a pending leap also confirms its points."""
        before = questioned_sides(self._game.table)
        self._pegs.settle_now(self)
        for side in questioned_sides(self._game.table) - before:
            self.take(AcceptPegs(side))

    def restore(self) -> None:
        """Opens the journal again after a backup has replaced it, and follows its latest game."""
        before = self._game.players_table
        self._game.restore()
        self._move_seats(before)
        self._context.pairing.registry.begin_seats(self._game.history.count)
        self._stored = self._game.history.last
        self._follow_game()

    def leave_demo(self) -> None:
        """Returns from the demonstration to the game of the players; does nothing without one."""
        if not self._game.leave_demo():
            return
        self._follow_game()
        if self._context.trace and self._game.table:
            self._context.trace.resume()

    def _follow_game(self) -> None:
        """Another game than before is shown: drop what was typed or moved for the one before."""
        self._keypad.reset()
        self._pegs.drop_unsaved()
        self._board.open_for_game()
        self._context.revision += 1

    def _check_hands(self, before: Table | None, table: Table) -> None:
        """Says that one card was shown in two hands. Before both are shown it would reveal what somebody holds."""
        if has_clash(table) and not (before and has_clash(before)):
            log.warning("one card was entered for two hands")
            self._context.notices.show(cards_clash, self._context.clock())
            self._context.revision += 1

    def _move_seats(self, before: Table | None) -> None:
        """Another game is on: each phone keeps the seat of its player, or loses it."""
        table = self._game.table
        try:
            self._context.pairing.registry.move_to_game(before.names if before else (), table.names if table else ())
        except HostError as error:
            log.warning("%s", error)
            self._context.notices.show(cannot_save, self._context.clock())
