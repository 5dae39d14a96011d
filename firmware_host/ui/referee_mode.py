"""How much the referee announces unasked. Tournaments want silence until somebody asks; families want every count."""

from __future__ import annotations

from enum import Enum


class RefereeMode(Enum):
    """What the board shows of points that are due and not yet moved."""

    TEACHER = "teacher"
    """Announces every count, and lights the hole it leads to."""
    POLITE = "polite"
    """Lights the hole, and announces nothing."""
    SILENT = "silent"
    """Shows nothing until somebody asks."""

    announces_counts: bool
    """Whether points due, points missed and counted hands are put into words."""
    lights_holes: bool
    """Whether the lights show where points that are due lead to."""

    def __init__(self, value: str) -> None:
        self.announces_counts = value == "teacher"
        self.lights_holes = value != "silent"
