"""Routes a row board cell by cell: equal cells are routed once and repeated.

The nets that leave a cell cross its border at the same heights in every cell, so that the copies fit together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

from msgspec.structs import replace

from firmware_host.circuits.layout import BoardLayout, Copper, CopperZone, Pad, Rect, Side, Track, Via
from firmware_host.circuits.row_netlist import own_nets
from firmware_host.circuits.row_placement import RowCell
from hardware.pcb.router import route_board

_PORTS: Mapping[str, tuple[Side, float]] = {
    "LIGHT_DATA_{}": (Side.TOP, 2.2),
    "LIGHT_CLOCK_{}": (Side.TOP, 3.2),
    "SENSOR_DATA_{}": (Side.BOTTOM, 8.7),
    "SCLK": (Side.BOTTOM, 9.5),
    "LATCH": (Side.BOTTOM, 10.3),
    "3V3": (Side.TOP, 11.6),
}
"""Where the nets between two strips cross the border: side and height. `{}` is the number of the strip on the left."""
_STUB_MM = 0.9


def route_row(cell: RowCell, strips: int, layout: BoardLayout, pads: Sequence[Pad], earlier: Copper) -> Copper:
    """The tracks and vias of a board with this many strips; those of `earlier` are kept where they still fit.

    Raises NoRoute if a cell cannot be routed.
    """
    different = sorted({1, 2, strips} & set(range(1, strips + 1)))
    with ProcessPoolExecutor() as workers:
        waiting = {
            strip: workers.submit(_route_cell, cell, strip, strips, layout, pads, earlier) for strip in different
        }
        routed = {strip: future.result() for strip, future in waiting.items()}
    found = [
        routed[strip] if strip in routed else _shifted(routed[2], (strip - 2) * cell.reach, _renaming(2, strip))
        for strip in range(1, strips + 1)
    ]
    return Copper(
        [track for copper in found for track in copper.tracks],
        [via for copper in found for via in copper.vias],
        [via for copper in found for via in copper.stitching],
    )


def _renaming(one: int, other: int) -> Mapping[str, str]:
    return dict(zip(own_nets(one), own_nets(other), strict=True))


def _borders(cell: RowCell, strip: int, strips: int) -> tuple[float, float]:
    """Left and right end of a cell on the board."""
    left = 0.0 if strip == 1 else (strip - 1) * cell.reach - cell.slack / 2
    right = cell.width(strips) if strip == strips else strip * cell.reach - cell.slack / 2
    return round(left, 4), round(right, 4)


def _route_cell(
    cell: RowCell, strip: int, strips: int, layout: BoardLayout, pads: Sequence[Pad], earlier: Copper
) -> Copper:
    left, right = _borders(cell, strip, strips)
    own = [replace(pad, rect=pad.rect.moved(-left, 0)) for pad in pads if left <= _middle(pad) < right]
    ports = [*_ports(strip - 1, 0.0, 1)] if strip > 1 else []
    ports += [*_ports(strip, right - left, -1)] if strip < strips else []
    window = replace(
        layout,
        width_mm=round(right - left, 4),
        places={},
        zones=[_cropped(zone, left, right) for zone in layout.zones],
        reserved=[_cropped(zone, left, right) for zone in layout.reserved],
        screws=[replace(screw, x=screw.x - left) for screw in layout.screws if left < screw.x < right],
        fiducials=[replace(dot, x=dot.x - left) for dot in layout.fiducials if left < dot.x < right],
        labels=(),
    )
    stubs = {stub for _, stub in ports}
    inside = _shifted(_cut(earlier, left, right), -left, {})
    kept = replace(inside, tracks=[track for track in inside.tracks if track not in stubs])
    copper = route_board(f"row-{strips}, strip {strip}", window, [*own, *(pad for pad, _ in ports)], kept)
    whole = replace(copper, tracks=[*copper.tracks, *(stub for _, stub in ports)])
    return _shifted(whole, left, {})


def _cut(copper: Copper, left: float, right: float) -> Copper:
    """The tracks and vias between two borders."""
    tracks = [track for track in copper.tracks if left <= (track.x1 + track.x2) / 2 < right]
    return Copper(tracks, [via for via in copper.vias if left <= via.x < right])


def _middle(pad: Pad) -> float:
    return (pad.rect.left + pad.rect.right) / 2


def _ports(strip: int, border: float, inward: int) -> Iterator[tuple[Pad, Track]]:
    """A pad inside the border for each net that crosses it, and the track from the pad to the border."""
    for name, (side, y) in _PORTS.items():
        net = name.format(strip)
        x = round(border + inward * _STUB_MM, 4)
        left = min(x, border) - 0.15
        right = max(x, border) + 0.15
        pad = Pad(f"border {strip}", net, net, Rect(left, y - 0.1, right, y + 0.1), (side,))
        yield pad, Track(net, side, min(x, border), y, max(x, border), y, 0.2)


def _cropped(zone: CopperZone, left: float, right: float) -> CopperZone:
    rect = zone.rect
    return replace(
        zone, rect=Rect(max(rect.left - left, -1), rect.top, min(rect.right - left, right - left + 1), rect.bottom)
    )


def _shifted(copper: Copper, right: float, names: Mapping[str, str]) -> Copper:
    def track(one: Track) -> Track:
        return replace(one, net=names.get(one.net, one.net), x1=round(one.x1 + right, 4), x2=round(one.x2 + right, 4))

    def via(one: Via) -> Via:
        return replace(one, net=names.get(one.net, one.net), x=round(one.x + right, 4))

    return Copper(
        [track(one) for one in copper.tracks],
        [via(one) for one in copper.vias],
        [via(one) for one in copper.stitching],
    )
