"""The front of a board, its lights and its display. The game goes on in the dark, and without its display."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

from board_drivers.ports import Board, DriverFault
from firmware_host.board.plan import BoardPlan
from firmware_host.health import LIGHTS, OLED, SENSORS
from firmware_host.lamps import Lamps
from firmware_host.lesson import Lesson
from firmware_host.snapshot import Snapshot
from firmware_host.troubles import Troubles

RETRY_S = 1.0
"""How long to leave a display alone that would not do as asked."""


class Front:
    """Shows snapshots on one board; tells `troubles` what could not be shown."""

    def __init__(self, plan: BoardPlan, board: Board, troubles: Troubles) -> None:
        self._board, self._troubles = board, troubles
        self._lamps = Lamps(plan, board.lights)
        self._draw_again_s = inf

    def show(self, fresh: Snapshot, is_new: bool, lesson: Lesson | None, at_s: float) -> None:
        """Lights at once, for they also blink by themselves, then the display; a lesson has the lights for itself."""
        if not lesson:
            self._try(LIGHTS, partial(self._lamps.show, is_read=not self._troubles.of(SENSORS)), fresh.signals, at_s)
        elif is_new:
            self._try(LIGHTS, self._board.lights.show, lesson.lights())
        if is_new or at_s >= self._draw_again_s:
            self._draw_again_s = inf if self._draw(fresh) else at_s + RETRY_S

    def _draw(self, fresh: Snapshot) -> bool:
        display = self._board.scoreboard
        if fresh.doorplate:
            return self._try(OLED, display.show_picture, fresh.doorplate)
        return self._try(OLED, display.show, fresh.page)

    def _try(self, part: str, show: Callable[..., None], *what: object) -> bool:
        try:
            show(*what)
        except DriverFault as fault:
            self._troubles.hear(part, str(fault))
            return False
        self._troubles.hear(part, "")
        return True
