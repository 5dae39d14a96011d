"""Dims the display and lets it sleep while nobody uses the board; wakes it at a peg, key, card or command."""

from __future__ import annotations

from firmware_host.host.parts.context import HostContext
from firmware_host.host.parts.keypad_session import KeypadSession
from firmware_host.host.parts.peg_intake import PegIntake
from firmware_host.host.parts.setup_session import SetupSession
from firmware_host.ui.display.rest import DisplayLight, display_light


class DisplayRest:
    """Follows what people do. Faults, notices and new pairing codes do not wake: they come while nobody is there.

    Only the host thread uses it.
    """

    def __init__(self, context: HostContext, keypad: KeypadSession, pegs: PegIntake, set_up: SetupSession) -> None:
        self._context = context
        self._keypad = keypad
        self._pegs = pegs
        self._set_up = set_up
        self._start_s = context.clock()
        self._used_s = self._start_s
        self._seen: object = None
        self.light = DisplayLight()
        """How the display is lit."""
        self.revision = 0
        """Grows with every change of `light`."""

    def wake(self) -> None:
        """Somebody did something."""
        self._used_s = self._context.clock()

    def advance(self, phone: str) -> None:
        """Wakes the display if somebody used the board since the last call, and lets it rest if nobody did. `phone`:
        which one asks to be added, if any."""
        keypad = self._keypad
        keys = (keypad.input_state, keypad.revision, keypad.edge_count)
        seen = (self._pegs.watcher.occupied, self._set_up.occupied(), keys, phone)
        if seen != self._seen:
            self._seen = seen
            self.wake()
        now_s = self._context.clock()
        light = display_light(now_s - self._used_s, now_s - self._start_s, self._context.setup.look.sleeps_after_s)
        self.revision += light != self.light
        self.light = light
