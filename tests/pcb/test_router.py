"""The router connects the pads of each net, keeps the clearance between nets, and is deterministic."""

from __future__ import annotations

from itertools import combinations, product
from math import hypot

import pytest

from firmware_host.circuits.layout import CLEARANCE_MM, VIA_MM, BoardLayout, Copper, CopperZone, Pad, Rect, Side, Track
from hardware.pcb.router import NoRoute, route_board


def a_layout(*areas: CopperZone, width: float = 8.0, height: float = 6.0) -> BoardLayout:
    return BoardLayout(width, height, {}, areas, (), (), grid_mm=0.1, track_mm=0.2, widths={"POWER": 0.4})


def a_pad(net: str | None, x: float, y: float, *, tall: float = 0.6, sides: tuple[Side, ...] = (Side.TOP,)) -> Pad:
    return Pad(f"{net}@{x:g},{y:g}", "1", net, Rect(x - 0.3, y - tall / 2, x + 0.3, y + tall / 2), sides)


def points(track: Track) -> list[tuple[float, float]]:
    """Closely spaced points along a track."""
    steps = max(1, round(hypot(track.x2 - track.x1, track.y2 - track.y1) / 0.02))
    return [
        (track.x1 + (track.x2 - track.x1) * k / steps, track.y1 + (track.y2 - track.y1) * k / steps)
        for k in range(steps + 1)
    ]


def gap_to_rect(x: float, y: float, rect: Rect) -> float:
    return hypot(max(rect.left - x, 0, x - rect.right), max(rect.top - y, 0, y - rect.bottom))


def narrowest(copper: Copper, pads: list[Pad]) -> float:
    """The smallest gap between copper of different nets, calculated independently of the router."""
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
    """Whether tracks and vias of this net connect both pads."""
    ends = {(t.side, t.x1, t.y1): (t.side, t.x2, t.y2) for t in copper.tracks if t.net == net}
    links = [*ends.items(), *(((Side.TOP, v.x, v.y), (Side.BOTTOM, v.x, v.y)) for v in copper.vias if v.net == net)]
    reached = {
        spot for link in links for spot in link if spot[0] in start.sides and not gap_to_rect(*spot[1:], start.rect)
    }
    while more := {b for pair in links for a, b in (pair, pair[::-1]) if a in reached} - reached:
        reached |= more
    return any(side in end.sides and not gap_to_rect(x, y, end.rect) for side, x, y in reached)


def test_two_pads_are_connected_by_a_straight_track() -> None:
    pads = [a_pad("A", 1.5, 3), a_pad("A", 6.5, 3)]
    copper = route_board("board", a_layout(), pads)
    assert [(track.y1, track.y2, track.width) for track in copper.tracks] == [(3.0, 3.0, 0.2)]
    assert joined(copper, "A", *pads)


def test_crossing_tracks_use_both_sides() -> None:
    pads = [a_pad("A", 1.5, 3), a_pad("A", 6.5, 3), a_pad("B", 4, 1, tall=0.5), a_pad("B", 4, 5, tall=0.5)]
    copper = route_board("board", a_layout(), pads)
    assert joined(copper, "A", pads[0], pads[1]) and joined(copper, "B", pads[2], pads[3])
    assert narrowest(copper, pads) >= CLEARANCE_MM - 0.001


def test_a_track_in_the_way_is_rerouted() -> None:
    """The short connection is routed first through the only gap in the wall; the wide one needs that gap."""
    both = (Side.TOP, Side.BOTTOM)
    wall = [a_pad(None, 4, 1.2, tall=1.8, sides=both), a_pad(None, 4, 4.6, tall=2.2, sides=both)]
    pads = [a_pad("A", 3, 2.8), a_pad("A", 5, 2.8), a_pad("POWER", 1, 2.8), a_pad("POWER", 7, 2.8), *wall]
    copper = route_board("board", a_layout(), pads)
    assert joined(copper, "A", pads[0], pads[1]) and joined(copper, "POWER", pads[2], pads[3])
    assert narrowest(copper, pads) >= CLEARANCE_MM - 0.001


def test_top_pads_are_connected_to_a_bottom_zone_by_vias() -> None:
    pads = [a_pad("GND", 2, 3), a_pad("GND", 6, 3), a_pad("A", 4, 3)]
    copper = route_board("board", a_layout(CopperZone("GND", Side.BOTTOM, Rect(0.3, 0.3, 7.7, 5.7))), pads)
    assert len(copper.vias) == 2
    assert all(gap_to_rect(via.x, via.y, pad.rect) >= VIA_MM / 2 for via in copper.vias for pad in pads)


def test_an_impossible_connection_raises_no_route() -> None:
    both = (Side.TOP, Side.BOTTOM)
    pads = [a_pad("A", 1.5, 3), a_pad("A", 6.5, 3), a_pad(None, 4, 3, tall=6, sides=both)]
    with pytest.raises(
        NoRoute, match="board: expected a route for A from A@1.5,3.1 to A@6.5,3.1, got none; move the parts"
    ):
        route_board("board", a_layout(), pads)


def test_routing_is_deterministic() -> None:
    pads = [
        a_pad(net, x, y) for net, x, y in (("A", 1, 1), ("A", 7, 5), ("B", 1, 5), ("B", 7, 1), ("C", 4, 1), ("C", 4, 5))
    ]
    assert route_board("board", a_layout(), pads) == route_board("board", a_layout(), list(pads))


def test_earlier_tracks_that_fit_are_kept() -> None:
    """Also where the router would take another way: the net is not routed again."""
    pads = [a_pad("A", 1.5, 3), a_pad("A", 6.5, 3)]
    detour = [Track("A", Side.TOP, *ends, 0.2) for ends in ((1.5, 3, 1.5, 5), (1.5, 5, 6.5, 5), (6.5, 3, 6.5, 5))]
    assert route_board("board", a_layout(), pads, Copper(detour, ())).tracks == detour


def test_an_earlier_track_under_a_new_pad_is_replaced_and_what_led_to_it_is_removed() -> None:
    pads = [a_pad("A", 1.5, 3), a_pad("A", 6.5, 3), a_pad("B", 4, 5)]
    detour = [Track("A", Side.TOP, *ends, 0.2) for ends in ((1.5, 3, 1.5, 5), (1.5, 5, 6.5, 5), (6.5, 3, 6.5, 5))]
    copper = route_board("board", a_layout(), pads, Copper(detour, ()))
    assert not set(detour) & set(copper.tracks)
    assert joined(copper, "A", *pads[:2]) and narrowest(copper, pads) >= CLEARANCE_MM - 0.001


def test_a_new_net_shortens_an_earlier_one_and_only_the_open_part_is_routed_again() -> None:
    """On one side of the board B must cross a track of A; the track to the first pad of A stays."""
    below = Pad("below", "1", None, Rect(0, 0, 8, 6), (Side.BOTTOM,))
    pads = [a_pad("A", 1.5, 3), a_pad("A", 4, 1), a_pad("A", 4, 5), a_pad("B", 3, 3), a_pad("B", 6, 3), below]
    stays = [Track("A", Side.TOP, 1.5, 1, 1.5, 3, 0.2), Track("A", Side.TOP, 1.5, 1, 4, 1, 0.2)]
    crossed = Track("A", Side.TOP, 4, 1, 4, 5, 0.2)
    copper = route_board("board", a_layout(), pads, Copper([*stays, crossed], ()))
    assert set(stays) <= set(copper.tracks) and crossed not in copper.tracks
    assert joined(copper, "A", pads[0], pads[2]) and joined(copper, "B", pads[3], pads[4])
    assert narrowest(copper, pads) >= CLEARANCE_MM - 0.001
