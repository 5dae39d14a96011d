"""How the parts of the board are, as the host knows them: for whoever looks after them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

INSIDE, SENSORS, DISK, MAGNET, LIGHTS, OLED = "inside", "sensors", "disk", "magnet", "lights", "oled"
"""The parts that the host speaks of."""


@dataclass(frozen=True, slots=True)
class Health:
    """Since the host was started. Parts go by the names above."""

    troubles: Mapping[str, str]
    """Part -> what is wrong with it now, as a sentence with its mend; parts that are well are not here."""
    failures: Mapping[str, int]
    """Part -> how often something went wrong with it that had been well."""
    presses: Mapping[str, int]
    """Key -> how often it was pressed. Keys that type cards for advice are nobody's business: not counted."""
