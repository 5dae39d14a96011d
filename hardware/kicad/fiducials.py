"""Fiducials: three copper dots near the corners of a board, by which the assembler's machine finds it.

JLCPCB's rule (jlcpcb.com/help/article/48, of 2023): a dot of 1 mm, the opening of the mask twice as wide, three or four
of them, at least 3.35 mm from the edge of the board to the opening.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot

from firmware_host.circuits.layout import VIA_MM, BoardLayout, Copper, Fiducial, Pad, Rect, Side, Track
from hardware.pcb.designators import label_box

FROM_EDGE_MM = 4.5
"""From the edge of the board to the middle of a dot, at least."""
FREE_MM = 1.25
"""Around the middle of a dot without copper and print."""
BESIDE_MM = 0.5
"""Around the body of a part."""
STEP_MM = 0.5
SEARCHED_MM = 60.0


def fiducials(layout: BoardLayout, bodies: Iterable[Rect], pads: Sequence[Pad], copper: Copper) -> Sequence[Fiducial]:
    """A dot in each of three corners, at the free place that is nearest to the corner. `bodies` are those of the parts.

    Raises LookupError if a corner has no free place.
    """
    taken = [*_taken(layout, pads, copper), *(body.grown(BESIDE_MM) for body in bodies)]
    lines = [track for track in copper.tracks if track.side is Side.TOP]
    left, right = FROM_EDGE_MM, layout.width_mm - FROM_EDGE_MM
    top, bottom = FROM_EDGE_MM, layout.height_mm - FROM_EDGE_MM
    return [_nearest(layout, taken, lines, x, y) for x, y in ((left, top), (left, bottom), (right, bottom))]


def _nearest(
    layout: BoardLayout, taken: Sequence[Rect], lines: Sequence[Track], corner_x: float, corner_y: float
) -> Fiducial:
    inward_x = 1 if corner_x < layout.width_mm / 2 else -1
    inward_y = 1 if corner_y < layout.height_mm / 2 else -1
    reach = int(min(SEARCHED_MM, layout.height_mm / 2 - FROM_EDGE_MM) / STEP_MM)
    places = sorted((hypot(right, down), right, down) for right in range(reach) for down in range(reach))
    near = Rect(corner_x, corner_y, corner_x, corner_y).grown(SEARCHED_MM + FREE_MM)
    boxes = [box for box in taken if box.overlaps(near)]
    for _, right, down in places:
        x = round(corner_x + inward_x * right * STEP_MM, 4)
        y = round(corner_y + inward_y * down * STEP_MM, 4)
        own = Rect(x, y, x, y).grown(FREE_MM)
        if not any(box.overlaps(own) for box in boxes) and not any(_is_near(line, x, y) for line in lines):
            return Fiducial(x, y)
    raise LookupError(f"expected a free place for a fiducial near {corner_x:g}, {corner_y:g}, got none: move the parts")


def _taken(layout: BoardLayout, pads: Sequence[Pad], copper: Copper) -> Iterator[Rect]:
    """The boxes of pads, vias, print, and the cutouts."""
    yield from (pad.rect for pad in pads if Side.TOP in pad.sides or pad.drill)
    for via in copper.vias:
        yield Rect(via.x, via.y, via.x, via.y).grown(VIA_MM / 2)
    yield from (label_box(label) for label in layout.labels if label.side is Side.TOP)
    yield from (cut.grown(FROM_EDGE_MM - FREE_MM) for cut in layout.cutouts)


def _is_near(track: Track, x: float, y: float) -> bool:
    """Whether a track comes nearer to a point than the free space around it."""
    along_x, along_y = track.x2 - track.x1, track.y2 - track.y1
    length = along_x**2 + along_y**2
    part = max(0.0, min(1.0, ((x - track.x1) * along_x + (y - track.y1) * along_y) / length))
    return hypot(track.x1 + part * along_x - x, track.y1 + part * along_y - y) < FREE_MM + track.width / 2
