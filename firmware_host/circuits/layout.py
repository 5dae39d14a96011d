"""Geometry of a board, as in KiCad: mm from its upper left corner, x to the right, y down."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from math import cos, radians, sin

from msgspec import Struct


class Side(IntEnum):
    """A copper layer."""

    TOP = 0
    BOTTOM = 1


class Placement(Struct, frozen=True):
    """Position of a part (its centre; pin 1 for through-hole parts) and its rotation in degrees counterclockwise.

    A part on the bottom is mirrored top to bottom before it is rotated.
    """

    x: float
    y: float
    turn: int = 0
    side: Side = Side.TOP


class Rect(Struct, frozen=True):
    """A rectangle, in mm."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Rect) -> bool:
        """Whether the interiors intersect."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def grown(self, by: float) -> Rect:
        """Larger by `by` on every side."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    @staticmethod
    def around(rects: Iterable[Rect]) -> Rect:
        """The bounding box of `rects`. Raises ValueError if there are none."""
        edges = [(rect.left, rect.top, -rect.right, -rect.bottom) for rect in rects]
        left, top, right, bottom = (min(some) for some in zip(*edges, strict=True))
        return Rect(left, top, -right, -bottom)


class Pad(Struct, frozen=True):
    """The copper of one pin. `net` is None if not connected; `drill` is the diameter of its hole, 0 for SMD pads."""

    part: str
    number: str
    net: str | None
    rect: Rect
    sides: tuple[Side, ...]
    drill: float = 0.0
    shape: str = "rect"


class CopperZone(Struct, frozen=True):
    """A filled copper zone on one side. Where two overlap, the higher priority wins."""

    net: str
    side: Side
    rect: Rect
    priority: int = 0


class ScrewHole(Struct, frozen=True):
    """A screw hole: its centre, its diameter, and the radius without any copper around it on both sides."""

    x: float
    y: float
    drill: float
    clearance: float


class Fiducial(Struct, frozen=True):
    """A copper dot of 1 mm on the top side, with 2 mm free of mask, by which machines find the board."""

    x: float
    y: float
    clearance: float = 1.1


class Label(Struct, frozen=True):
    """A text on the silkscreen; `height` is the font size."""

    text: str
    x: float
    y: float
    side: Side = Side.TOP
    height: float = 0.8
    turn: int = 0


class BoardLayout(Struct, frozen=True):
    """The layout of one board: size, positions of the parts, zones, screw holes and silkscreen texts.

    `track_mm` is the width of a track that is drawn by hand. What is in `cutouts` does not belong to the board;
    `outlined` are the parts whose outline is printed.
    """

    width_mm: float
    height_mm: float
    places: Mapping[str, Placement]
    zones: Sequence[CopperZone]
    screws: Sequence[ScrewHole]
    labels: Sequence[Label]
    track_mm: float
    fiducials: Sequence[Fiducial] = ()
    cutouts: Sequence[Rect] = ()
    outlined: Collection[str] = ()


class Track(Struct, frozen=True):
    """A straight track segment."""

    net: str
    side: Side
    x1: float
    y1: float
    x2: float
    y2: float
    width: float


class Via(Struct, frozen=True):
    """A via between both sides."""

    net: str
    x: float
    y: float


class Copper(Struct, frozen=True):
    """Tracks and vias of a board."""

    tracks: Sequence[Track]
    vias: Sequence[Via]


CLEARANCE_MM = 0.15
EDGE_MM = 0.4
VIA_MM = 0.6
VIA_DRILL_MM = 0.3
HOLE_TO_HOLE_MM = 0.25
"""Design rules that common board houses make without extra charge."""


def to_board(place: Placement, x: float, y: float) -> tuple[float, float]:
    """Converts a point of a footprint to the board; on the bottom the footprint is mirrored top to bottom."""
    down = -y if place.side is Side.BOTTOM else y
    angle = radians(place.turn)
    return (
        round(place.x + x * cos(angle) + down * sin(angle), 4),
        round(place.y - x * sin(angle) + down * cos(angle), 4),
    )
