"""The sixteen keys and the card reader: reads them, keeps what was entered so far, and submits commands."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from board_drivers.ports import CardReader, DriverError
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.game.state import Table
from firmware_host.host.parts.board_sounds import BoardSounds
from firmware_host.host.parts.context import HostContext
from firmware_host.host.parts.key_presses import KeyPresses
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.keys.card_scan import scan_card
from firmware_host.ui.keys.keypad import press
from firmware_host.ui.sounds.sounds import Sound
from firmware_host.ui.texts.error_messages import error_message
from firmware_host.ui.texts.fault_messages import cannot_save, stuck_key_message

log = logging.getLogger(__name__)

CONFIRM_AFTER_S = 0.7
"""How long a question that ENTER confirms must be on the display before a key answers it: a second press of ENTER was
not meant as the answer."""


class CommandExecutor(Protocol):
    """Carries out what the keys ask for, and knows what they mean now."""

    def execute(self, command: k.UserCommand) -> None:
        """Carries a command out. Raises Refusal or HostError; both are shown as a notice."""

    def input_context(self) -> k.InputContext:
        """The state on which the meaning of a key depends."""


class KeypadSession:
    """What the keys of one board have entered so far, and what they ask for. Only the host thread uses it."""

    def __init__(self, context: HostContext, sounds: BoardSounds) -> None:
        self._context = context
        self._notices = context.notices
        self._sounds = sounds
        self._presses: KeyPresses
        self.input_state: k.InputState = k.Idle()
        self._confirms_from_s = 0.0
        self.revision = 0
        """Grows whenever a key or a card was handled."""
        self.press_counts: Mapping[str, int] = {}
        """Key -> how often it was pressed. Keys that type cards for advice are private and not counted."""

    def attach(self) -> None:
        """Reads the keypad of the open board from now on, without the keys that are down."""
        self._presses = KeyPresses(self._context.board.keypad)

    @property
    def edge_count(self) -> int:
        """How many keys went down or came up on the keypad that is attached."""
        return self._presses.edge_count

    def reset(self) -> None:
        """Drops what was entered so far."""
        self.input_state = k.Idle()

    def ask(self, input_state: k.InputState, at_s: float) -> None:
        """Shows a question that the host has, or takes it away."""
        self.input_state = input_state
        self.revision += 1
        self._confirms_from_s = at_s + CONFIRM_AFTER_S

    def pressed_keys(self, at_s: float) -> list[str]:
        """The keys pressed since the last call, for what takes the keypad over, such as a wiring calibration."""
        return list(self._presses.read(at_s))

    def read_keys(self, commands: CommandExecutor, is_passed_on: Callable[[str], bool] = lambda key: True) -> None:
        """Handles the keys pressed since the last call. `is_passed_on` takes each first, and may keep it."""
        at_s = self._context.clock()
        for key in self._presses.read(at_s):
            # A key that was on its way when a phone's question appeared was meant for the game, not as the answer.
            if not self._context.pairing.ignores_keys and is_passed_on(key):
                self._press(key, commands, at_s)
        for key in self._presses.newly_stuck(at_s):
            self._notices.show(partial(stuck_key_message, key), at_s)

    def read_cards(self, reader: CardReader, commands: CommandExecutor) -> None:
        """Handles the tags read since the last call. Without its reader the game goes on: cards can be typed."""
        at_s = self._context.clock()
        try:
            tags = reader.tags()
        except DriverError as error:
            log.warning("%s", error)
            return
        for tag in tags:
            try:
                card = self._context.setup.card_of(tag)
            except Refusal as unknown_tag:
                self.revision += 1
                self._refuse(unknown_tag, at_s)
            else:
                self._handle(scan_card(self.input_state, card, commands.input_context()), commands, at_s)

    def _press(self, key: str, commands: CommandExecutor, at_s: float) -> None:
        if key == k.ENTER and at_s < self._confirms_from_s and self._question() is not None:
            return
        if not isinstance(self.input_state, k.TypingDeal):
            self.press_counts = {**self.press_counts, key: self.press_counts.get(key, 0) + 1}
        self._handle(press(self.input_state, key, commands.input_context()), commands, at_s)

    def _handle(self, result: k.KeyResult, commands: CommandExecutor, at_s: float) -> None:
        before = self._question()
        self._carry_out(result, commands, at_s)
        if self._question() != before:
            self._confirms_from_s = at_s + CONFIRM_AFTER_S

    def _question(self) -> object:
        """What ENTER would confirm, if that has to be on the display for some time first; None: nothing."""
        match self.input_state:
            case k.ConfirmingNextDeal() | k.SeatOffered():
                return self.input_state
            case k.Idle():
                table = self._context.table
                return table and table.to_confirm
        return None

    def _carry_out(self, result: k.KeyResult, commands: CommandExecutor, at_s: float) -> None:
        self.input_state = result.input_state
        self.revision += 1
        self._notices.clear()
        if result.command is None:
            return
        try:
            commands.execute(result.command)
        except (Refusal, HostError) as error:
            self.reset()
            self._refuse(error, at_s)
        else:
            if result.attempt:
                self._context.setup.on_count(result.attempt)

    def _refuse(self, error: Refusal | HostError, at_s: float) -> None:
        """For people at the board; a phone shows refusals on its own page."""
        if isinstance(error, HostError):
            log.warning("%s", error)
        self._notices.show(partial(error_message, error) if isinstance(error, Refusal) else cannot_save, at_s)
        self._sounds.play(Sound.REFUSED)


def expected_input(table: Table | None) -> object:
    """What the keypad input depends on: phase, hand to count, deal. A peg move does not change it."""
    return table and (table.phase, table.to_count, table.deal and table.deal.number)
