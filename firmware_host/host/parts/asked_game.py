"""The new game that a player asks the others for, while it waits for their answer."""

from __future__ import annotations

from math import inf

from firmware_host.cribbage.rules import Seat
from firmware_host.game.commands import StartGame
from firmware_host.game.rule_errors import NothingAsked
from firmware_host.ui.keys.input_state import AskForGame

ANSWER_S = 60.0
"""Seconds in which somebody may agree; then the game simply goes on."""


class AskedGame:
    """At most one at a time; a later one replaces an earlier one. Begins with nothing asked."""

    def __init__(self) -> None:
        self.current: AskForGame | None = None
        self.revision = 0
        """Grows with every change of `current`."""
        self._until_s = -inf

    def ask(self, asked: AskForGame, at_s: float) -> None:
        """Somebody asks, until `at_s` + ANSWER_S."""
        self._set(asked, at_s + ANSWER_S)

    def agreed(self, seat: Seat | None) -> StartGame:
        """The game, for a player who agrees. Raises NothingAsked, also for the player who asks."""
        if self.current is None or self.current.seat == seat:
            raise NothingAsked("a new game that another player asks for", "none")
        return self.current.start

    def end(self) -> None:
        """Another game has begun."""
        self._set(None, -inf)

    def expire(self, at_s: float) -> None:
        """Ends the question if nobody has agreed in time."""
        if at_s >= self._until_s:
            self.end()

    def _set(self, asked: AskForGame | None, until_s: float) -> None:
        self.revision += asked is not self.current
        self.current = asked
        self._until_s = until_s
