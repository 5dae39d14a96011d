"""The board that is open: which one it is, and what reads and shows the game on it."""

from __future__ import annotations

import logging

from firmware_host.board.peg_source import PegSource
from firmware_host.errors import HostError
from firmware_host.host.parts.context import HostContext
from firmware_host.host.parts.keypad_session import KeypadSession
from firmware_host.host.parts.outputs import Outputs
from firmware_host.host.parts.peg_intake import PegIntake
from firmware_host.host.parts.peg_watcher import expected_frame
from firmware_host.ui.texts.fault_messages import cannot_save
from firmware_host.ui.translator import Message

log = logging.getLogger(__name__)


class OpenBoard:
    """Connects keypad, pegs and outputs to the board of the game. Only the host thread uses it."""

    def __init__(self, context: HostContext, keypad: KeypadSession, pegs: PegIntake) -> None:
        self._context = context
        self._keypad = keypad
        self._pegs = pegs
        self.outputs: Outputs
        self.attach()

    def attach(self) -> None:
        """Follows the present game on the board that is open, from the pegs that should stand there."""
        context = self._context
        context.setup.place_pegs(context.board, expected_frame(context.plan, context.table))
        self._pegs.attach()
        self._keypad.attach()
        self._move_unread_pegs()
        self.outputs = Outputs(context.plan, context.board, context.faults)

    def open_for_game(self) -> None:
        """Opens the board of the present game, unless it is open, and follows the game on it."""
        context = self._context
        plan = context.setup.plan_of(context.table)
        if plan is not context.plan:
            context.board.close()
            context.plan = plan
            context.board = context.setup.open_board(plan)
        self.attach()

    def show_turn(self, *, is_new_game: bool, is_rewritten: bool = False) -> None:
        """Follows the pegs of the game as it is after a turn. `is_rewritten`: people changed what was before it."""
        context = self._context
        table = context.table
        assert table is not None
        if not is_new_game:
            if is_rewritten and context.setup.keeps_pegs:
                context.setup.place_pegs(context.board, expected_frame(context.plan, table))
            self._pegs.watcher.set_table(table, context.clock())
            self._move_unread_pegs()
            return
        self.open_for_game()
        if context.trace and table.is_demo:
            context.trace.close()  # that of the players' game is continued afterwards
        elif context.trace:
            context.trace.start(context.plan.id, context.plan.tracks, table.rules.target)

    def _move_unread_pegs(self) -> None:
        """On a board that nothing reads, the pegs of a game that was begun on sensors stand where they should: people
        move them as the display says. The kit was changed while that game was on."""
        context = self._context
        table = context.table
        if table is None or table.is_by_hand or set(context.setup.peg_sources) != {PegSource.BY_HAND}:
            return
        course = context.plan.course(table.rules.target)
        is_taken_back = context.game.history.latest_is_undo_or_redo
        sides = table.sides[: table.sides_on_board]
        holes = [course.holes_of(side.pegs if is_taken_back else side.goal) for side in sides]
        context.setup.place_pegs(context.board, context.plan.frame_of(holes))

    def use_wiring(self, strip_order: tuple[int, ...] | None) -> None:
        """Uses and saves the wiring that a calibration found, and tells players the result."""
        self._context.notices.show(self._save_wiring(strip_order), self._context.clock())
        self.attach()

    def _save_wiring(self, strip_order: tuple[int, ...] | None) -> Message:
        context = self._context
        if not (strip_order and context.setup.save_wiring):
            return lambda tr: tr("Wiring not changed")
        try:
            context.setup, context.plan = context.setup.with_wiring(context.plan, strip_order)
        except HostError as error:
            log.warning("%s", error)
            return cannot_save
        return lambda tr: tr("Wiring saved")
