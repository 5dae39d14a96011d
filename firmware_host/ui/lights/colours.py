"""The colours of the lights: those of the board's tracks, or four that also colour-blind people tell apart.

The meaning of a light is in its rhythm (see lights.py); the colour says whose it is. A colour for the colour-blind has
the name of the track's colour, as far as it goes: red, blue, yellow, and cyan for green. They were found by a search
for the four colours whose smallest difference is the largest, over normal sight and the three kinds of dichromacy.
`tests/ui/lights/test_light_colours.py` has the simulation and the figures.
"""

from __future__ import annotations

from enum import Enum

FOR_COLOUR_BLIND = ("#be0000", "#0000be", "#ffff00", "#00bebe")
"""By track, as CSS."""


class LightColours(Enum):
    """A choice of colours. The values are those of the setting `light_colours`."""

    BOARD = "board"
    """The colours of the tracks, from the plan of the board."""
    COLOUR_BLIND = "colour_blind"

    def of_track(self, track: int, of_board: str) -> str:
        """The colour of a track as CSS. `of_board`: its colour in the plan, also used from the fifth track on."""
        is_listed = self is LightColours.COLOUR_BLIND and track < len(FOR_COLOUR_BLIND)
        return FOR_COLOUR_BLIND[track] if is_listed else of_board
