"""Says that the settings file is wrong, until it is right: the board runs with other settings meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

from firmware_host.host.health import SETTINGS
from firmware_host.host.parts.context import HostContext
from firmware_host.host.setup import SettingsFault
from firmware_host.ui.texts.fault_messages import settings_are_right, wrong_setting
from firmware_host.ui.translator import Message

CHECK_S = 10.0
"""Seconds between two looks at the file."""
QUIET_S = 120.0
"""Seconds without a key or a turn after which the display says it again: players see their game meanwhile."""


class SettingsWarning:
    """Only the host thread uses it. Does nothing on a board that started with its settings."""

    def __init__(self, context: HostContext, activity: Callable[[], object]) -> None:
        """`activity` returns another value whenever somebody has done something."""
        self._context = context
        self._activity = activity
        self._fault: SettingsFault | None = None
        self._message: Message | None = None
        self._seen = activity()
        self._check_s = -inf
        self._say_s = -inf

    def run_due(self, at_s: float) -> None:
        """Do what is due. Called in every step."""
        if (find_fault := self._context.setup.find_settings_fault) is None:
            return
        if at_s >= self._check_s:
            self._check_s = at_s + CHECK_S
            self._take(find_fault())
        if self._fault is None:
            return
        if (activity := self._activity()) != self._seen:
            self._seen = activity
            self._say_s = at_s + QUIET_S
            self._withdraw()
        if at_s >= self._say_s and self._context.notices.current is None:
            self._message = partial(wrong_setting, self._fault.line, self._fault.name)
            self._context.notices.show_until_key_press(self._message)

    def _withdraw(self) -> None:
        if self._message and self._context.notices.current is self._message:
            self._context.notices.clear()

    def _take(self, found: SettingsFault | None) -> None:
        if found == self._fault:
            return
        self._fault = found
        self._context.faults.report(SETTINGS, found.sentence if found else "")
        self._say_s = -inf
        self._withdraw()
        if found is None:
            self._context.notices.show_until_key_press(settings_are_right)
