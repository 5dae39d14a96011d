"""When the display is bright, dim or asleep, and how its picture moves."""

from __future__ import annotations

from itertools import pairwise

import pytest

from board_drivers import ports
from firmware_host.ui.display.rest import (
    ASLEEP,
    BRIGHT,
    DIM,
    LONGEST_SLEEP_MIN,
    SHIFT_S,
    SHIFTS_PX,
    DisplayLight,
    display_light,
)

BUDGET_MIN = 60
"""How long a pixel may be lit in all while nobody uses the board."""


@pytest.mark.parametrize(
    ("idle_s", "sleeps_after_s", "contrast"),
    [
        (0, 600, BRIGHT),
        (149.9, 600, BRIGHT),
        (150, 600, DIM),
        (599.9, 600, DIM),
        (600, 600, ASLEEP),
        (1e9, 600, ASLEEP),
        (14.9, 60, BRIGHT),
        (15, 60, DIM),
        (60, 60, ASLEEP),
    ],
)
def test_display_dims_at_a_quarter_of_the_time_after_which_it_sleeps(
    idle_s: float, sleeps_after_s: float, contrast: int
) -> None:
    assert display_light(idle_s, 0, sleeps_after_s).contrast == contrast


def test_bright_is_what_the_drivers_call_bright() -> None:
    assert BRIGHT == ports.BRIGHT


def test_picture_moves_by_one_pixel_a_minute_and_returns() -> None:
    shifts = [display_light(0, minute * SHIFT_S, 600).shift_px for minute in range(len(SHIFTS_PX) + 1)]
    assert shifts == [*SHIFTS_PX, SHIFTS_PX[0]]
    assert {abs(x - a) + abs(y - b) for (x, y), (a, b) in pairwise(shifts)} == {1}


def test_sleeping_display_does_not_change() -> None:
    assert {display_light(600, minute * SHIFT_S, 600) for minute in range(20)} == {DisplayLight(ASLEEP)}


def test_longest_sleep_time_keeps_within_the_budget_of_a_pixel() -> None:
    assert LONGEST_SLEEP_MIN < BUDGET_MIN
