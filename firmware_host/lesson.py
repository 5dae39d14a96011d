"""A wiring lesson on a real board: the display names a hole, a peg touches it, the strip's own lights answer.

ENTER passes over a hole that does not answer, UNDO ends the lesson. While it goes on no game is watched.
"""

from __future__ import annotations

from board_drivers.ports import Colour, SensorFrame
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import BITS_PER_STRIP, FIRST_HOLE_BIT, HOLES_PER_STRIP
from firmware_host.board.wiring import Heard, WiringLesson
from firmware_host.table.entries import ENTER, UNDO
from firmware_host.table.scoreboard import Page, wrapped
from firmware_host.table.words import Words

DARK, FOUND, TOUCHED = (0, 0, 0), (0, 12, 0), (60, 60, 60)


class Lesson:
    """Is given frames and keys; says what to show."""

    def __init__(self, plan: BoardPlan) -> None:
        self._state = WiringLesson(plan)
        self._frame: SensorFrame | None = None
        self._heard: tuple[Heard, int] | None = None
        self._is_given_up = False

    @property
    def is_over(self) -> bool:
        return self._is_given_up or self._state.asked is None

    @property
    def order(self) -> tuple[int, ...] | None:
        """What was learnt: see `WiringLesson.order`. None: not enough."""
        return None if self._is_given_up else self._state.order

    def press(self, key: str) -> None:
        if key == UNDO:
            self._is_given_up = True
        elif key == ENTER and self._state.asked:
            self._state = self._state.pass_over()

    def look(self, frame: SensorFrame) -> bool:
        """Whether a peg touched anything. Pegs that stand when the lesson begins are passed over."""
        touched = frame - self._frame if self._frame is not None else frozenset()
        self._frame = frame
        for sensor in sorted(touched):
            self._state, heard = self._state.touched(sensor)
            self._heard = heard, sensor
        return bool(touched)

    def prompt(self, _: Words) -> str:
        """What to do next."""
        hole = self._state.asked
        if hole is None:
            return ""
        return _("Touch {hole} with a peg").format(hole=self._state.plan.name_of(hole.track, hole.hole))

    def page(self, _: Words) -> Page:
        """The whole display."""
        count, plan = len(self._state.found), self._state.plan
        said = ""
        if self._heard:
            heard, sensor = self._heard
            said = said_of(heard, _).format(strip=sensor // BITS_PER_STRIP + 1)
        keys = (_("ENTER: no answer"), _("UNDO: stop"))
        figures = _("{found} of {strips} strips").format(found=count, strips=plan.strip_count)
        return (*wrapped(self.prompt(_), 2), ("", 1), (figures, 1), (said, 1), *((line, 1) for line in keys))

    def lights(self) -> list[Colour]:
        """The strips that were found glow; the place touched last is bright, if lights and sensors agree."""
        frame: list[Colour] = [DARK] * self._state.plan.led_count
        for strip in self._state.found.values():
            frame[strip * HOLES_PER_STRIP : (strip + 1) * HOLES_PER_STRIP] = [FOUND] * HOLES_PER_STRIP
        if self._heard:
            strip, bit = divmod(self._heard[1], BITS_PER_STRIP)
            frame[strip * HOLES_PER_STRIP + max(0, bit - FIRST_HOLE_BIT)] = TOUCHED
        return frame


def said_of(heard: Heard, _: Words) -> str:
    match heard:
        case Heard.FOUND:
            return _("Strip {strip} answers")
        case Heard.KNOWN:
            return _("Strip {strip} again")
        case Heard.ELSEWHERE:
            return _("Strip {strip}, elsewhere")
        case Heard.TURNED:
            return _("Strip {strip}: turned?")
