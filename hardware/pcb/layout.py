"""Where things are on a board: mm from its upper left corner, x to the right and y downward, as KiCad has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum


class Side(IntEnum):
    """A layer of copper."""

    TOP = 0
    BOTTOM = 1


@dataclass(frozen=True, slots=True)
class Place:
    """The middle (or pin 1, for what goes through the board) of a part, and its turn in degrees to the left."""

    x: float
    y: float
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, in mm."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Rect) -> bool:
        """Whether they have a place in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def grown(self, by: float) -> Rect:
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def moved(self, right: float, down: float) -> Rect:
        return Rect(self.left + right, self.top + down, self.right + right, self.bottom + down)

    @staticmethod
    def around(rects: Iterable[Rect]) -> Rect:
        """The smallest that holds all of these."""
        edges = [(rect.left, rect.top, -rect.right, -rect.bottom) for rect in rects]
        left, top, right, bottom = (min(some) for some in zip(*edges, strict=True))
        return Rect(left, top, -right, -bottom)


@dataclass(frozen=True, slots=True)
class Body:
    """The room that a part takes above the board: its box, solder included, and its height."""

    ref: str
    rect: Rect
    height_mm: float


@dataclass(frozen=True, slots=True)
class Pad:
    """Copper of one pin: its net (None: left open), its rectangle, the sides it is on, and its hole if it has one."""

    part: str
    number: str
    net: str | None
    rect: Rect
    sides: tuple[Side, ...]
    drill: float = 0.0


@dataclass(frozen=True, slots=True)
class Area:
    """Copper poured over a whole area of one side; the higher rank wins where two meet."""

    net: str
    side: Side
    rect: Rect
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Screw:
    """A hole for a screw, and how far around it there are no tracks."""

    x: float
    y: float
    drill: float
    clear: float


@dataclass(frozen=True, slots=True)
class Label:
    """Words printed on the board."""

    text: str
    x: float
    y: float
    side: Side = Side.TOP
    height: float = 0.8


@dataclass(frozen=True)
class Sheet:
    """A board: its size, where each part goes, its poured copper, screws, and words.

    `widths` are the tracks of the nets that carry power; all others are `track_mm`. `kept` stays free of other nets'
    tracks, so that poured copper is whole there.
    """

    width_mm: float
    height_mm: float
    places: Mapping[str, Place]
    areas: Sequence[Area]
    screws: Sequence[Screw]
    labels: Sequence[Label]
    grid_mm: float
    track_mm: float
    widths: Mapping[str, float]
    stitch_mm: float = 5.0
    kept: Sequence[Area] = ()

    def owned(self) -> list[Area]:
        """Where only one net may run: poured power, and what is kept for a net."""
        return [*(area for area in self.areas if area.rank), *self.kept]

    def width(self, net: str) -> float:
        """The width of this net's tracks, in mm."""
        return self.widths.get(net, self.track_mm)


@dataclass(frozen=True, slots=True)
class Track:
    """A straight piece of copper."""

    net: str
    side: Side
    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True, slots=True)
class Via:
    """A plated hole from side to side."""

    net: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Copper:
    """What the router lays. `stitches` only tie poured copper of both sides together; no pad depends on one."""

    tracks: Sequence[Track]
    vias: Sequence[Via]
    stitches: Sequence[Via] = ()


CLEARANCE_MM = 0.15
EDGE_MM = 0.3
VIA_MM, VIA_DRILL_MM = 0.6, 0.3
HOLE_TO_HOLE_MM = 0.25
"""What ordinary board houses make without extra charge, with some room to spare."""
