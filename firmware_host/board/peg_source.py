"""Where the pegs of a game are, and who tells the program about their moves."""

from __future__ import annotations

from enum import StrEnum


class PegSource(StrEnum):
    """The source of the pegs of a game."""

    DRAWN = "drawn"
    """Drawn on the page and moved there."""
    BY_HAND = "by_hand"
    """On a board that people own. Nothing reads them: points count at once, and people move the pegs themselves."""
    SENSORS = "sensors"
    """In holes with sensors, which read them."""
