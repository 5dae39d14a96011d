"""The layout of each board: places, zones and outline, and the copper that follows a formula."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import GROUND
from firmware_host.circuits.layout import EDGE_MM, BoardLayout, Copper, CopperZone, Rect, Side
from hardware.kicad import copper, corners, lanes, placement
from hardware.kicad.copper import SIGNAL_MM, ZONE_LEFT_MM
from hardware.kicad.legends import labels, outlined
from hardware.kicad.placement import BELOW_PLUG_MM, LOOP, frame_of, has_lanes, hole_places

BOARDS = ("classic-61", "corners-61", "continuous-121-2", "continuous-121-3", "continuous-121-4")
BAND = Rect(176.0, 27.2, LOOP.width_mm - 0.6, 48.0)
"""The right part of the band between the second and the third street: the controller is there."""
FROM_SOCKET = Rect(337.8, 40.6, 345.4, 43.2)
FROM_FUSE = Rect(334.4, 44.0, 343.9, 46.3)
"""Copper of the supply: from the socket to the fuse, and from the fuse to the diode beside it."""


def regular_copper(plan: BoardPlan) -> Copper:
    """All tracks but those of the controller."""
    if has_lanes(plan):
        return lanes.regular_copper(plan)
    return copper.regular_copper(plan) if plan.shares_game_hole else corners.regular_copper(plan)


def layout_of(plan: BoardPlan) -> BoardLayout:
    """The layout of the board."""
    frame = frame_of(plan)
    cutouts = [] if frame == LOOP or has_lanes(plan) else [Rect(LOOP.width_mm, 0.0, frame.width_mm, BELOW_PLUG_MM)]
    places = lanes.places(plan) if has_lanes(plan) else placement.places(plan)
    return BoardLayout(
        frame.width_mm,
        frame.height_mm,
        places,
        list(_zones(plan)),
        [],
        list(labels(plan)),
        SIGNAL_MM,
        cutouts=cutouts,
        outlined=outlined(places.keys() - hole_places(plan).keys()),
    )


def _zones(plan: BoardPlan) -> Iterator[CopperZone]:
    """Ground below and around the controller, and the supply."""
    frame = frame_of(plan)
    yield CopperZone(GROUND, Side.BOTTOM, Rect(0, 0, frame.width_mm, frame.height_mm).grown(-EDGE_MM))
    if has_lanes(plan):
        for rect in lanes.supply_zones(plan):
            yield CopperZone("5V", Side.BOTTOM, rect, 1)
        yield CopperZone(GROUND, Side.TOP, lanes.controller_zone(plan))
    else:
        yield CopperZone("5V", Side.BOTTOM, Rect(ZONE_LEFT_MM, 3.0, LOOP.width_mm - EDGE_MM, LOOP.height_mm - 3.0), 1)
        yield CopperZone(GROUND, Side.TOP, BAND)
    yield CopperZone("VBUS", Side.TOP, _on(plan, FROM_SOCKET), 1)
    yield CopperZone("5V", Side.TOP, _on(plan, FROM_FUSE), 1)


def _on(plan: BoardPlan, rect: Rect) -> Rect:
    """A rectangle of the classic board's controller on this board."""
    if not has_lanes(plan):
        return rect
    corner = lanes.core_point(plan, rect.left, rect.bottom)
    return Rect(*corner, *lanes.core_point(plan, rect.right, rect.top))
