"""The state of the board's parts, for the device page and the log."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from firmware_host.tracking.readings import TrackFault

INSIDE = "inside"
SENSORS = "sensors"
DISK = "disk"
MAGNET = "magnet"
LIGHTS = "lights"
OLED = "oled"
STORAGE = "storage"
SETTINGS = "settings"
"""The parts that the host reports on. `inside` is the program itself; `disk` keeps moves waiting, and with `storage`
the game goes on in memory. A fault of `settings` keeps nobody from playing: the board started with former ones."""


class Health(Struct, frozen=True):
    """Counted since the host was started."""

    faults: Mapping[str, str]
    """Part -> its present fault and how to fix it, in one sentence. Parts that work are not in it."""
    failures: Mapping[str, int]
    """Part -> how often it failed after it had worked."""
    presses: Mapping[str, int]
    """Key -> how often it was pressed. Keys that type cards for advice are private and not counted."""
    hole_faults: tuple[TrackFault, ...] = ()
    """Holes found dead, stuck or weak in this game."""
