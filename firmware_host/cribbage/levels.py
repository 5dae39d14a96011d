"""How well a player of the program plays."""

from __future__ import annotations

from enum import Enum


class Level(Enum):
    """The strength of a player of the program, in rising order."""

    BEGINNER = "beginner"
    CLUB = "club"
    EXPERT = "expert"
