"""The lights of one board: a frame is written when a signal changes, or when one of them blinks."""

from __future__ import annotations

from board_drivers.ports import HoleLights
from firmware_host.board.plan import BoardPlan
from firmware_host.table.lights import HoleSignal, light_frame, next_change_s

UNREAD = 0.25
"""The share of their brightness that lights keep while nobody knows where the pegs are."""


class Lamps:
    def __init__(self, plan: BoardPlan, lights: HoleLights) -> None:
        self._plan, self._lights = plan, lights
        self._shown: tuple[tuple[HoleSignal, ...], bool] | None = None
        self._blink_s: float | None = None

    def show(self, signals: tuple[HoleSignal, ...], at_s: float, *, is_read: bool) -> None:
        """`is_read`: the sensors tell where the pegs are. Raises DriverFault; the frame is then tried again with the
        next call."""
        if (signals, is_read) == self._shown and (self._blink_s is None or at_s < self._blink_s):
            return
        self._lights.show(light_frame(signals, self._plan, at_s, 1.0 if is_read else UNREAD))
        self._shown, self._blink_s = (signals, is_read), next_change_s(signals, at_s)
