"""Shows a snapshot on a display: that of the board, or a copy of it."""

from __future__ import annotations

from board_drivers.ports import Scoreboard
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.display.oled_page import Page


def show_on(display: Scoreboard, snapshot: Snapshot, page: Page | None = None) -> None:
    """Shows the picture or the page of a snapshot, as bright as the display is now. `page`: another page instead.
    Raises DriverError."""
    light = snapshot.display_light
    if snapshot.pairing_picture:
        display.show_picture(snapshot.pairing_picture)
    else:
        shown = snapshot.own_page or snapshot.oled_page if page is None else page
        display.show(shown, is_inverted=snapshot.look.is_inverted, shift_px=light.shift_px)
    display.set_contrast(light.contrast)
