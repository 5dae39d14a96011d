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

    @property
    def announces_counts(self) -> bool:
        """Whether points due, points missed and counted hands are put into words."""
        return self is RefereeMode.TEACHER

    @property
    def lights_holes(self) -> bool:
        """Whether the lights show where points that are due lead to."""
        return self is not RefereeMode.SILENT
