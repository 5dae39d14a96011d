"""Points that a side may still peg, and points that it missed."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

THREE, HEELS, PLAY, SHOW, MUGGINS, PENALTY = "three", "heels", "play", "show", "muggins", "penalty"
MISSABLE = (PLAY, SHOW)
"""Only these can be taken by muggins (ACC 10.2 and 10.3)."""


class Due(Struct, frozen=True):
    """Points that a side may still peg."""

    source: str
    points: int
    kind: str = ""
    """Of points of the play: for a `card`, a `card and go`, a `go`, or the `last` card."""
    is_entered: bool = False
    """The side was reminded of them (coach) and may still peg them."""
    claimers: frozenset[int] = frozenset()
    """Sides that may claim the rest of a short move."""
    is_rest: bool = False
    """The peg was released inside these points."""


class Finished(Enum):
    """Which of the points that a side has not pegged it cannot peg any more."""

    NONE = "none"
    REST = "the rest of a short move"
    ALL = "all"


class Miss(Struct, frozen=True):
    """Points that `side` lost and `claimers` may still claim."""

    side: int
    source: str
    points: int
    claimers: frozenset[int]
