"""When a frame of lights is written: on a change, when a light blinks, and every second."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from board_drivers.ports import Colour, DriverError
from firmware_host.board.course import Hole
from firmware_host.config.board_plans import load_plan
from firmware_host.host.parts.outputs import REFRESH_S, LightOutput
from firmware_host.ui.lights.lights import HoleSignal, Signal


class CountedLights:
    """Lights that keep every frame."""

    def __init__(self) -> None:
        self.frames: list[Sequence[Colour]] = []

    def show(self, frame: Sequence[Colour]) -> None:
        self.frames.append(frame)

    def turn_off(self) -> None: ...
    def close(self) -> None: ...


def test_an_unchanged_frame_is_written_again_every_second() -> None:
    lights = CountedLights()
    output = LightOutput(load_plan("classic-61"), lights)
    for at_s in (0.0, 0.1, REFRESH_S - 0.01):
        output.show((), at_s, can_read=True)
    assert len(lights.frames) == 1
    output.show((), REFRESH_S, can_read=True)
    assert len(lights.frames) == 2 and lights.frames[0] == lights.frames[1]


def test_the_lights_of_a_calibration_are_written_again_every_second() -> None:
    """A wrong bit in the light that the wizard asks about would be answered with the wrong hole."""
    lights, asked = CountedLights(), [(255, 255, 255)] + [(0, 0, 0)] * 124
    output = LightOutput(load_plan("classic-61"), lights)
    output.show((), 0.0, can_read=True)
    output.show_own(lambda: asked, 0.5, is_new=True)
    for at_s in (0.6, 1.49):
        output.show_own(lambda: asked, at_s, is_new=False)
    assert lights.frames[1:] == [asked]
    output.show_own(lambda: asked, 0.5 + REFRESH_S, is_new=False)
    assert lights.frames[1:] == [asked, asked]
    output.show((), 1.6, can_read=True)
    assert lights.frames[3] == lights.frames[0]


def test_lights_of_a_calibration_that_failed_are_tried_again_at_once() -> None:
    class Unplugged(CountedLights):
        def show(self, frame: Sequence[Colour]) -> None:
            super().show(frame)
            raise DriverError("SPI0", "to open", "nothing", "Plug it in.")

    lights = Unplugged()
    output = LightOutput(load_plan("classic-61"), lights)
    for is_new in (True, False):
        with pytest.raises(DriverError):
            output.show_own(lambda: [(0, 0, 0)] * 125, 0.5, is_new=is_new)
    assert len(lights.frames) == 2


def test_a_change_is_written_at_once() -> None:
    lights = CountedLights()
    output = LightOutput(load_plan("classic-61"), lights)
    output.show((), 0.0, can_read=True)
    output.show((), 0.1, can_read=False)
    assert len(lights.frames) == 2


def test_the_brightness_dims_every_light() -> None:
    lights = CountedLights()
    output = LightOutput(load_plan("classic-61"), lights)
    rest = (HoleSignal(0, Hole(5), Signal.TEST),)
    output.show(rest, 0.0, can_read=True)
    output.show(rest, 0.0, can_read=True, brightness=0.5)
    full, half = (max(sum(colour) for colour in frame) for frame in lights.frames)
    assert half == pytest.approx(full / 2, abs=2) and full > 0
