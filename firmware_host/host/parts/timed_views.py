"""What the board shows for some seconds because somebody asked: points that are due, and the light test."""

from __future__ import annotations

from firmware_host.board.plan import BoardPlan
from firmware_host.ui.lights.lights import HoleSignal, light_test
from firmware_host.ui.referee_mode import RefereeMode

SCORE_CHECK_S = 10.0
"""Seconds for which points that are due are shown after CheckScore, whatever the referee mode."""


class TimedViews:
    """Times are monotonic seconds."""

    def __init__(self) -> None:
        self.revision = 0
        """Grows with every change of what is shown."""
        self._score_check_ends_s: float | None = None
        self._light_test_since_s: float | None = None
        self._test_signals: tuple[HoleSignal, ...] = ()

    def check_score(self, now_s: float) -> None:
        """Shows the points that are due."""
        self._score_check_ends_s = now_s + SCORE_CHECK_S

    def test_lights(self, now_s: float) -> None:
        """Shows every light in every colour."""
        self._light_test_since_s = now_s

    def end_light_test(self) -> None:
        """Ends the light test, because the game needs the lights."""
        self._light_test_since_s = None

    def advance(self, plan: BoardPlan, now_s: float) -> None:
        """Ends what has been shown long enough, and goes on with the light test."""
        if self._score_check_ends_s is not None and now_s >= self._score_check_ends_s:
            self._score_check_ends_s = None
            self.revision += 1
        if self._light_test_since_s is not None:
            signals = self.test_signals(plan, now_s)
            self.revision += signals != self._test_signals
            self._test_signals = signals or ()
            if not signals:
                self._light_test_since_s = None

    def referee_mode(self, mode: RefereeMode) -> RefereeMode:
        """`mode`, or the one that shows points that are due."""
        return mode if self._score_check_ends_s is None else RefereeMode.TEACHER

    def test_signals(self, plan: BoardPlan, now_s: float) -> tuple[HoleSignal, ...] | None:
        """The lights of the test; None without one."""
        return None if self._light_test_since_s is None else light_test(plan, now_s - self._light_test_since_s)
