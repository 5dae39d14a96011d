"""How much the referee says of its own accord. Tournaments want silence until they ask; families want to be told."""

from __future__ import annotations

from enum import Enum


class Manner(Enum):
    """What is shown of points that nobody has moved yet."""

    TEACHER = "teacher"
    """Says every count, and lights the hole it leads to."""
    POLITE = "polite"
    """Lights the hole, and says nothing."""
    SILENT = "silent"
    """Judges when it is asked to."""

    @property
    def tells_counts(self) -> bool:
        return self is Manner.TEACHER

    @property
    def lights_holes(self) -> bool:
        return self is not Manner.SILENT
