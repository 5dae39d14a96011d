"""Wiring calibration on a real board: the display names a hole, a person touches it with a peg, the strip lights up.

ENTER skips a hole that does not react, UNDO ends the calibration. No game is followed meanwhile.
"""

from __future__ import annotations

from functools import partial

from board_drivers.ports import Colour, SensorFrame
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import BITS_PER_STRIP, FIRST_HOLE_BIT, HOLES_PER_STRIP
from firmware_host.board.wiring_discovery import TouchResult, WiringDiscovery
from firmware_host.ui.display.oled_page import Page, wrap_text
from firmware_host.ui.keys.input_state import ENTER, UNDO
from firmware_host.ui.translator import Message, Translator

DARK = (0, 0, 0)
FOUND = (0, 12, 0)
TOUCHED = (60, 60, 60)
"""Colours of a strip that is not found yet, of one that is, and of the hole touched last."""


class WiringCalibration:
    """Takes sensor frames and keys, and gives the page and the lights to show."""

    def __init__(self, plan: BoardPlan) -> None:
        self._discovery = WiringDiscovery(plan)
        self._frame: SensorFrame | None = None
        self._last_touch: tuple[TouchResult, int] | None = None
        self._is_cancelled = False

    @property
    def is_done(self) -> bool:
        """Every strip is found or skipped, or UNDO was pressed."""
        return self._is_cancelled or self._discovery.next_hole is None

    @property
    def strip_order(self) -> tuple[int, ...] | None:
        """The result: see `WiringDiscovery.order`. None: cancelled, or not enough is known."""
        return None if self._is_cancelled else self._discovery.order

    def press(self, key: str) -> None:
        """Handles one key."""
        if key == UNDO:
            self._is_cancelled = True
        elif key == ENTER and self._discovery.next_hole:
            self._discovery = self._discovery.skip_hole()

    def see(self, frame: SensorFrame) -> bool:
        """Takes a frame and returns whether a peg touched a hole. Pegs in the first frame are ignored."""
        touched = frame - self._frame if self._frame is not None else frozenset()
        self._frame = frame
        for sensor in sorted(touched):
            self._discovery, result = self._discovery.touched(sensor)
            self._last_touch = result, sensor
        return bool(touched)

    @property
    def message(self) -> Message:
        """What to do next. It is bound to the present step, so any thread may call it later."""
        return partial(next_step, self._discovery)

    def page(self, tr: Translator) -> Page:
        """The whole display."""
        count = len(self._discovery.found)
        plan = self._discovery.plan
        result = ""
        if self._last_touch:
            touch, sensor = self._last_touch
            result = touch_message(touch, tr).format(strip=sensor // BITS_PER_STRIP + 1)
        keys = (tr("ENTER: skip"), tr("UNDO: cancel"))
        progress = tr("{found} of {strips} strips").format(found=count, strips=plan.strip_count)
        return (*wrap_text(self.message(tr), 2), ("", 1), (progress, 1), (result, 1), *((line, 1) for line in keys))

    def lights(self) -> list[Colour]:
        """One colour a light: strips found so far glow, the place touched last is bright."""
        frame: list[Colour] = [DARK] * self._discovery.plan.led_count
        for strip in self._discovery.found.values():
            frame[strip * HOLES_PER_STRIP : (strip + 1) * HOLES_PER_STRIP] = [FOUND] * HOLES_PER_STRIP
        if self._last_touch:
            strip, bit = divmod(self._last_touch[1], BITS_PER_STRIP)
            frame[strip * HOLES_PER_STRIP + max(0, bit - FIRST_HOLE_BIT)] = TOUCHED
        return frame


def next_step(discovery: WiringDiscovery, tr: Translator) -> str:
    """The hole to touch next; empty when the calibration is done."""
    hole = discovery.next_hole
    return "" if hole is None else tr("Put a peg in {hole}").format(hole=discovery.plan.name_of(hole.track, hole.hole))


def touch_message(touch: TouchResult, tr: Translator) -> str:
    """The result of a touch, with the placeholder `{strip}`: its number from 1."""
    match touch:
        case TouchResult.FOUND:
            return tr("Strip {strip} found")
        case TouchResult.KNOWN:
            return tr("Strip {strip} seen before")
        case TouchResult.ELSEWHERE:
            return tr("Strip {strip}: wrong hole")
        case TouchResult.TURNED:
            return tr("Strip {strip} reversed?")
