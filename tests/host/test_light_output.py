"""When a frame of lights is written: on a change, when a light blinks, and every second."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from board_drivers.ports import Colour
from firmware_host.board.course import Hole
from firmware_host.config.board_plans import load_plan
from firmware_host.host.outputs import REFRESH_S, LightOutput
from firmware_host.ui.lights import HoleSignal, Signal


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
