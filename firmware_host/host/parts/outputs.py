"""The lights and the display of one board. The game goes on without either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf

from board_drivers.ports import Board, Colour, DriverError, HoleLights
from firmware_host.board.plan import BoardPlan
from firmware_host.host.display import show_on
from firmware_host.host.health import LIGHTS, OLED, SENSORS
from firmware_host.host.parts.active_faults import ActiveFaults
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.lights.colours import LightColours
from firmware_host.ui.lights.lights import HoleSignal, light_frame, next_change_s

RETRY_S = 1.0
"""Seconds to wait before a display that failed is tried again."""
REFRESH_S = 1.0
"""Seconds after which an unchanged frame is written again, so that a light that received a wrong bit is corrected."""
UNREAD_BRIGHTNESS = 0.25
"""The share of their brightness that lights keep while the sensors cannot be read."""

OwnLights = Callable[[], Sequence[Colour]]
"""Returns one colour for each light of the chain."""


class Outputs:
    """Shows snapshots on one board, and reports to `faults` what could not be shown."""

    def __init__(self, plan: BoardPlan, board: Board, faults: ActiveFaults) -> None:
        self._board = board
        self._faults = faults
        self._lights = LightOutput(plan, board.lights)
        self._redraw_s = inf

    def show(self, snapshot: Snapshot, is_new: bool, own_lights: OwnLights | None, at_s: float) -> None:
        """Lights first and at every call, because they blink; then the display. `own_lights`: those of a calibration or
        of the set-up wizard, in place of those of the game."""
        if own_lights is None:
            can_read = not self._faults.sentence(SENSORS)
            show = partial(
                self._lights.show,
                can_read=can_read,
                brightness=snapshot.brightness / 100,
                colours=snapshot.look.light_colours,
            )
            self._try(LIGHTS, show, snapshot.signals, at_s)
        else:
            self._try(LIGHTS, partial(self._lights.show_own, is_new=is_new), own_lights, at_s)
        if is_new or at_s >= self._redraw_s:
            self._redraw_s = inf if self._draw(snapshot) else at_s + RETRY_S

    def _draw(self, snapshot: Snapshot) -> bool:
        return self._try(OLED, partial(show_on, self._board.scoreboard), snapshot)

    def _try(self, part: str, show: Callable[..., None], *what: object) -> bool:
        try:
            show(*what)
        except DriverError as error:
            self._faults.report(part, str(error))
            return False
        self._faults.report(part, "")
        return True


class LightOutput:
    """Writes a frame of lights when a signal changes, when one of them blinks, and every `REFRESH_S`."""

    def __init__(self, plan: BoardPlan, lights: HoleLights) -> None:
        self._plan = plan
        self._lights = lights
        self._shown: tuple[tuple[HoleSignal, ...], float, LightColours] | None = None
        self._next_s = inf

    def show(
        self,
        signals: tuple[HoleSignal, ...],
        at_s: float,
        *,
        can_read: bool,
        brightness: float = 1.0,
        colours: LightColours = LightColours.BOARD,
    ) -> None:
        """`can_read`: the sensors work; otherwise the lights are dimmed. `brightness`: 0 to 1. Raises DriverError; the
        next call then tries the same frame again."""
        brightness *= 1.0 if can_read else UNREAD_BRIGHTNESS
        if (signals, brightness, colours) == self._shown and at_s < self._next_s:
            return
        self._lights.show(light_frame(signals, self._plan, at_s, brightness, colours))
        blink_s = next_change_s(signals, at_s)
        self._shown = (signals, brightness, colours)
        self._next_s = at_s + REFRESH_S if blink_s is None else min(blink_s, at_s + REFRESH_S)

    def show_own(self, own_lights: OwnLights, at_s: float, *, is_new: bool) -> None:
        """The lights of a calibration or of the wizard, at a change and every `REFRESH_S`. Raises DriverError."""
        if is_new or at_s >= self._next_s:
            self._shown = None
            self._next_s = at_s
            self._lights.show(own_lights())
            self._next_s = at_s + REFRESH_S
