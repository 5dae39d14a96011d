"""Messages that stay on the first line for a few seconds."""

from __future__ import annotations

from math import inf

from firmware_host.ui.translator import Message

NOTICE_S = 4.0
"""Seconds for which a notice stays."""


class Notices:
    """At most one notice at a time; a later one replaces an earlier one."""

    def __init__(self) -> None:
        self.current: Message | None = None
        self.revision = 0
        """Grows with every change of `current`."""
        self._until_s = -inf

    def show(self, message: Message, at_s: float) -> None:
        """Shows `message` until `at_s` + NOTICE_S."""
        self._set(message, at_s + NOTICE_S)

    def show_until_key_press(self, message: Message) -> None:
        """For what must not be missed, such as a recovered journal."""
        self._set(message, inf)

    def clear(self) -> None:
        """A key was pressed."""
        self._set(None, -inf)

    def expire(self, at_s: float) -> None:
        """Removes a notice whose time is over."""
        if self.current and at_s >= self._until_s:
            self.clear()

    def _set(self, message: Message | None, until_s: float) -> None:
        self.revision += message is not self.current
        self.current = message
        self._until_s = until_s
