"""The router joins what belongs together and keeps everything else apart, the same way each time."""

from __future__ import annotations

from itertools import combinations, product
from math import hypot

import pytest

from hardware.pcb.layout import CLEARANCE_MM, VIA_MM, Area, Copper, Pad, Rect, Sheet, Side, Track
from hardware.pcb.router import NoWay, lay_tracks


def a_sheet(*areas: Area, width: float = 8.0, height: float = 6.0) -> Sheet:
    return Sheet(width, height, {}, areas, (), (), grid_mm=0.1, track_mm=0.2, widths={"POWER": 0.4})


def a_pad(net: str | None, x: float, y: float, *, tall: float = 0.6, sides: tuple[Side, ...] = (Side.TOP,)) -> Pad:
    return Pad(f"{net}@{x:g},{y:g}", "1", net, Rect(x - 0.3, y - tall / 2, x + 0.3, y + tall / 2), sides)


def points(track: Track) -> list[tuple[float, float]]:
    """Places along a track, close together."""
    steps = max(1, round(hypot(track.x2 - track.x1, track.y2 - track.y1) / 0.02))
    return [
        (track.x1 + (track.x2 - track.x1) * k / steps, track.y1 + (track.y2 - track.y1) * k / steps)
        for k in range(steps + 1)
    ]


def gap_to_rect(x: float, y: float, rect: Rect) -> float:
    return hypot(max(rect.left - x, 0, x - rect.right), max(rect.top - y, 0, y - rect.bottom))


def narrowest(copper: Copper, pads: list[Pad]) -> float:
    """The smallest gap between copper of different nets, measured here and not by the router."""
    gaps = [99.0]
    for track, pad in product(copper.tracks, pads):
        if track.net != pad.net and track.side in pad.sides:
            gaps += [gap_to_rect(x, y, pad.rect) - track.width / 2 for x, y in points(track)]
    for a, b in combinations(copper.tracks, 2):
        if a.net != b.net and a.side is b.side:
            gaps += [
                hypot(x - u, y - v) - (a.width + b.width) / 2 for x, y in points(a)[::3] for u, v in points(b)[::3]
            ]
    for via in copper.vias:
        gaps += [gap_to_rect(via.x, via.y, pad.rect) - VIA_MM / 2 for pad in pads if pad.net != via.net]
        for track in copper.tracks:
            if track.net != via.net:
                gaps += [hypot(x - via.x, y - via.y) - (VIA_MM + track.width) / 2 for x, y in points(track)]
    return min(gaps)


def joined(copper: Copper, net: str, start: Pad, end: Pad) -> bool:
    """Whether tracks and vias of this net lead from one pad into the other."""
    ends = {(t.side, t.x1, t.y1): (t.side, t.x2, t.y2) for t in copper.tracks if t.net == net}
    links = [*ends.items(), *(((Side.TOP, v.x, v.y), (Side.BOTTOM, v.x, v.y)) for v in copper.vias if v.net == net)]
    reached = {
        spot for link in links for spot in link if spot[0] in start.sides and not gap_to_rect(*spot[1:], start.rect)
    }
    while more := {b for pair in links for a, b in (pair, pair[::-1]) if a in reached} - reached:
        reached |= more
    return any(side in end.sides and not gap_to_rect(x, y, end.rect) for side, x, y in reached)


def test_two_pads_are_joined_by_a_straight_track() -> None:
    pads = [a_pad("A", 1.5, 3), a_pad("A", 6.5, 3)]
    copper = lay_tracks("board", a_sheet(), pads)
    assert [(track.y1, track.y2, track.width) for track in copper.tracks] == [(3.0, 3.0, 0.2)]
    assert joined(copper, "A", *pads)


def test_tracks_that_must_cross_change_sides() -> None:
    pads = [a_pad("A", 1.5, 3), a_pad("A", 6.5, 3), a_pad("B", 4, 1, tall=0.5), a_pad("B", 4, 5, tall=0.5)]
    copper = lay_tracks("board", a_sheet(), pads)
    assert joined(copper, "A", pads[0], pads[1]) and joined(copper, "B", pads[2], pads[3])
    assert narrowest(copper, pads) >= CLEARANCE_MM - 0.001


def test_a_track_in_the_way_is_laid_again() -> None:
    """The short one comes first and takes the only gap in the wall on its side; the wide one needs it more."""
    both = (Side.TOP, Side.BOTTOM)
    wall = [a_pad(None, 4, 1.2, tall=1.8, sides=both), a_pad(None, 4, 4.6, tall=2.2, sides=both)]
    pads = [a_pad("A", 3, 2.8), a_pad("A", 5, 2.8), a_pad("POWER", 1, 2.8), a_pad("POWER", 7, 2.8), *wall]
    copper = lay_tracks("board", a_sheet(), pads)
    assert joined(copper, "A", pads[0], pads[1]) and joined(copper, "POWER", pads[2], pads[3])
    assert narrowest(copper, pads) >= CLEARANCE_MM - 0.001


def test_top_pads_drop_into_copper_poured_on_the_bottom() -> None:
    pads = [a_pad("GND", 2, 3), a_pad("GND", 6, 3), a_pad("A", 4, 3)]
    copper = lay_tracks("board", a_sheet(Area("GND", Side.BOTTOM, Rect(0.3, 0.3, 7.7, 5.7))), pads)
    assert len(copper.vias) == 2
    assert all(gap_to_rect(via.x, via.y, pad.rect) >= VIA_MM / 2 for via in copper.vias for pad in pads)


def test_what_cannot_be_joined_is_named() -> None:
    both = (Side.TOP, Side.BOTTOM)
    pads = [a_pad("A", 1.5, 3), a_pad("A", 6.5, 3), a_pad(None, 4, 3, tall=6, sides=both)]
    with pytest.raises(
        NoWay, match="board: expected a way for A from A@1.5,3.1 to A@6.5,3.1, got none; move the parts"
    ):
        lay_tracks("board", a_sheet(), pads)


def test_the_same_board_gets_the_same_tracks() -> None:
    pads = [
        a_pad(net, x, y) for net, x, y in (("A", 1, 1), ("A", 7, 5), ("B", 1, 5), ("B", 7, 1), ("C", 4, 1), ("C", 4, 5))
    ]
    assert lay_tracks("board", a_sheet(), pads) == lay_tracks("board", a_sheet(), list(pads))
