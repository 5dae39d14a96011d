"""How long the display stays bright, and where its picture is: pixels of an OLED fade the longer they are lit.

    seconds since somebody did something    contrast
    0 to a quarter of the sleep time        BRIGHT
    to the sleep time                       DIM
    longer                                  ASLEEP: no pixel is lit

The longest sleep time is half an hour, so a board that nobody uses lights no pixel longer. While it is lit the picture
moves by a pixel every `SHIFT_S`, so that the edges of figures that stay are shared by several pixels.
"""

from __future__ import annotations

from msgspec import Struct

BRIGHT = 0x7F
"""What the chips have after a reset; half of what they can."""
DIM = 0x08
ASLEEP = 0
DIM_SHARE = 0.25
"""The share of the sleep time after which the display is dimmed."""
DEFAULT_SLEEP_MIN = 10
LONGEST_SLEEP_MIN = 30
SHIFT_S = 60.0
SHIFTS_PX = ((0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1))
"""(right, down) in turn, each a pixel from the one before; see `Scoreboard.show`."""


class DisplayLight(Struct, frozen=True):
    """`contrast` from `ASLEEP` to `BRIGHT`; `shift_px`: one of `SHIFTS_PX`."""

    contrast: int = BRIGHT
    shift_px: tuple[int, int] = SHIFTS_PX[0]


def display_light(idle_s: float, running_s: float, sleeps_after_s: float) -> DisplayLight:
    """The display of a board that has run for `running_s`, if nobody has done anything for `idle_s`. All in seconds."""
    if idle_s >= sleeps_after_s:
        return DisplayLight(ASLEEP)
    shift_px = SHIFTS_PX[int(running_s // SHIFT_S) % len(SHIFTS_PX)]
    return DisplayLight(DIM if idle_s >= sleeps_after_s * DIM_SHARE else BRIGHT, shift_px)
