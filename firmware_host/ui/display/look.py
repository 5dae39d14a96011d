"""How display and lights look, for people who see badly or are colour-blind."""

from __future__ import annotations

from msgspec import Struct

from firmware_host.ui.display.rest import DEFAULT_SLEEP_MIN
from firmware_host.ui.lights.colours import LightColours


class Look(Struct, frozen=True):
    """The settings of the display and of the lights."""

    is_tall: bool = False
    """Letters of the display are twice as high, where the text fits."""
    is_inverted: bool = False
    """The display shows dark letters on a lit ground."""
    light_colours: LightColours = LightColours.BOARD
    sleeps_after_s: float = DEFAULT_SLEEP_MIN * 60.0
    """Seconds without a move until the display sleeps."""
