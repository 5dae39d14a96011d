"""Tracks and vias as lines of text: the copper of a board that was drawn once and is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.circuits.layout import Copper, Side, Track, Via


def copper_lines(copper: Copper) -> Iterator[str]:
    """A line for each track and each via."""
    for t in copper.tracks:
        yield f"track\t{t.net}\t{int(t.side)}\t{t.x1:g}\t{t.y1:g}\t{t.x2:g}\t{t.y2:g}\t{t.width:g}"
    yield from (f"via\t{via.net}\t{via.x:g}\t{via.y:g}" for via in copper.vias)


def read_copper_lines(lines: Sequence[str]) -> Copper:
    """The copper of such lines."""
    tracks: list[Track] = []
    vias: list[Via] = []
    for line in lines:
        kind, net, *numbers = line.split("\t")
        if kind == "track":
            side, *rest = numbers
            x1, y1, x2, y2, width = map(float, rest)
            tracks.append(Track(net, Side(int(side)), x1, y1, x2, y2, width))
        else:
            vias.append(Via(net, *map(float, numbers)))
    return Copper(tracks, vias)


def track_order(track: Track) -> tuple[str, Side, float, float, float, float]:
    """Sorts tracks by net, side and position."""
    return track.net, track.side, track.x1, track.y1, track.x2, track.y2


def via_order(via: Via) -> tuple[str, float, float]:
    """Sorts vias by net and position."""
    return via.net, via.x, via.y
