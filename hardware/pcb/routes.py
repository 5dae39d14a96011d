"""Keeps the result of routing in a text file, so that a board is routed again only when its layout changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from firmware_host.circuits.layout import BoardLayout, Copper, Pad, Side, Track, Via


def fingerprint(layout: BoardLayout, pads: Sequence[Pad]) -> str:
    """A hash of all that routing depends on; print on the silkscreen does not count."""
    facts = (
        layout.width_mm,
        layout.height_mm,
        sorted(map(repr, pads)),
        [repr(zone) for zone in layout.zones],
        [repr(zone) for zone in layout.reserved],
        [repr(screw) for screw in layout.screws],
        [repr(dot) for dot in layout.fiducials],
        layout.grid_mm,
        layout.track_mm,
        sorted(layout.widths.items()),
    )
    return sha256(repr(facts).encode()).hexdigest()[:16]


def routed(file: Path, layout: BoardLayout, pads: Sequence[Pad], route: Callable[[Copper], Copper]) -> Copper:
    """The copper in `file` if it belongs to this layout; otherwise that of `route`, which may keep some of the former.

    The result is not saved here.
    """
    mark, *lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else [""]
    earlier = read_copper_lines(lines)
    return earlier if mark == f"layout {fingerprint(layout, pads)}" else route(earlier)


def routes_text(layout: BoardLayout, pads: Sequence[Pad], copper: Copper) -> str:
    """The file of a board's tracks and vias, a line each: `layout` and its hash, then `track`, `via` and `stitch`."""
    return "\n".join((f"layout {fingerprint(layout, pads)}", *copper_lines(copper))) + "\n"


def copper_lines(copper: Copper) -> Iterator[str]:
    """A line for each track, via and stitching via."""
    for t in copper.tracks:
        yield f"track\t{t.net}\t{int(t.side)}\t{t.x1:g}\t{t.y1:g}\t{t.x2:g}\t{t.y2:g}\t{t.width:g}"
    yield from (f"via\t{via.net}\t{via.x:g}\t{via.y:g}" for via in copper.vias)
    yield from (f"stitch\t{via.net}\t{via.x:g}\t{via.y:g}" for via in copper.stitching)


def read_copper_lines(lines: Sequence[str]) -> Copper:
    """The copper of such lines."""
    tracks: list[Track] = []
    vias: list[Via] = []
    stitching: list[Via] = []
    for line in lines:
        kind, net, *numbers = line.split("\t")
        if kind == "track":
            side, *rest = numbers
            x1, y1, x2, y2, width = map(float, rest)
            tracks.append(Track(net, Side(int(side)), x1, y1, x2, y2, width))
        else:
            (vias if kind == "via" else stitching).append(Via(net, *map(float, numbers)))
    return Copper(tracks, vias, stitching)
