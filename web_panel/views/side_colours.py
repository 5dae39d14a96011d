"""The colour of each side: that of its pegs, or for a side without pegs one that no other side has. Pure.

The shape of a side differs too (`static/core/render.js`), so no side is told by its colour alone.
"""

from __future__ import annotations

from firmware_host.board.plan import BoardPlan

COLOURS = ("#b92f26", "#1d549b", "#a87b00", "#1d7a50", "#6b3fa0", "#6f6a63")
"""Red, blue, yellow, green, violet and black, as the names of players whom nobody named. The yellow is darker than that
of the pegs: it is read on white, and the gold of the page means what is next."""


def side_colour(plan: BoardPlan, side: int) -> str:
    """The colour of a side as `#rrggbb`."""
    tracks = plan.track_info
    return tracks[side].colour if side < len(tracks) else COLOURS[side]
