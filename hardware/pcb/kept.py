"""Keeps earlier routes: after a change of the layout only the connections that no longer fit are routed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.circuits.layout import Copper, Side, Track, Via
from hardware.pcb.grid import FREE, RoutingGrid

Ends = tuple[frozenset[int], frozenset[int]]
"""The grid points of both ends of a connection."""
_OFF_GRID = 0.01


class Piece(Struct, frozen=True):
    """An earlier track or via, and the grid points that it covers; those of a via are on both sides."""

    copper: Track | Via
    points: tuple[int, ...]

    @property
    def tips(self) -> tuple[int, int]:
        """The points that must touch something."""
        return self.points[0], self.points[-1]


class KeptNet(Struct, frozen=True):
    """What is kept of a net: pieces of copper that touch other pieces, or the ends of its connections, at both tips."""

    net: str
    pieces: tuple[Piece, ...]
    ends: tuple[Ends, ...]
    zone: frozenset[int] = frozenset()
    """The end that is a zone: two tracks that end in it do not touch each other."""

    @property
    def points(self) -> tuple[int, ...]:
        """All points that it covers."""
        return tuple(point for piece in self.pieces for point in piece.points)

    @property
    def tracks(self) -> list[Track]:
        """Its tracks."""
        return [piece.copper for piece in self.pieces if isinstance(piece.copper, Track)]

    @property
    def vias(self) -> list[Via]:
        """Its vias."""
        return [piece.copper for piece in self.pieces if isinstance(piece.copper, Via)]

    def without(self, is_taken: Callable[[Piece], bool]) -> KeptNet:
        """The net without some pieces, and without the pieces that led only to these."""
        left = [piece for piece in self.pieces if not is_taken(piece)]
        fixed = frozenset(point for pair in self.ends for end in pair for point in end)
        while True:
            covered: dict[int, int] = {}
            for piece in left:
                for point in set(piece.points):
                    covered[point] = covered.get(point, 0) + 1
            firm = [piece for piece in left if all(tip in fixed or covered[tip] > 1 for tip in piece.tips)]
            if len(firm) == len(left):
                return replace(self, pieces=tuple(left))
            left = firm

    def open_ends(self) -> list[int]:
        """The numbers of the connections that its copper does not make."""
        pads = [end for pair in self.ends for end in pair if end is not self.zone]
        joined = _joined([*(set(piece.points) for piece in self.pieces), *map(set, pads)])
        return [
            number
            for number, (start, end) in enumerate(self.ends)
            if not any(group & start and group & end for group in joined)
        ]


def kept_net(
    grid: RoutingGrid, net: str, width: float, earlier: Copper, ends: Sequence[Ends], zone: frozenset[int]
) -> KeptNet:
    """What can be kept of the net as it is in `earlier`. Tracks that are not on the grid belong to the next cell."""
    tracks = [track for track in earlier.tracks if track.net == net and _is_on_grid(grid, track)]
    pieces = [Piece(track, tuple(_track_points(grid, track))) for track in tracks]
    pieces += [Piece(via, _via_points(grid, via)) for via in earlier.vias if via.net == net]
    allowed = (FREE, grid.numbers[net])

    def is_blocked(piece: Piece) -> bool:
        if isinstance(piece.copper, Via) and grid.fixed_vias[piece.points[0]] not in allowed:
            return True
        if isinstance(piece.copper, Track) and piece.copper.width != width:
            return True
        return any(grid.fixed(width)[point] not in allowed for point in piece.points)

    return KeptNet(net, tuple(pieces), tuple(ends), zone).without(is_blocked)


def _is_on_grid(grid: RoutingGrid, track: Track) -> bool:
    steps = (value / grid.step for value in (track.x1, track.y1, track.x2, track.y2))
    return all(abs(step - round(step)) < _OFF_GRID for step in steps)


def _point(grid: RoutingGrid, side: Side, x: float, y: float) -> int:
    return side * grid.layer + round(y / grid.step) * grid.columns + round(x / grid.step)


def _track_points(grid: RoutingGrid, track: Track) -> Iterator[int]:
    right = round((track.x2 - track.x1) / grid.step)
    down = round((track.y2 - track.y1) / grid.step)
    steps = max(abs(right), abs(down), 1)
    start = _point(grid, track.side, track.x1, track.y1)
    for step in range(steps + 1):
        yield start + round(down * step / steps) * grid.columns + round(right * step / steps)


def _via_points(grid: RoutingGrid, via: Via) -> tuple[int, int]:
    flat = _point(grid, Side.TOP, via.x, via.y)
    return flat, flat + grid.layer


def _joined(pieces: Iterable[set[int]]) -> list[set[int]]:
    """The pieces that share a point, joined."""
    groups: list[set[int]] = []
    for piece in pieces:
        touching = [group for group in groups if group & piece]
        groups = [group for group in groups if not group & piece]
        groups.append(piece.union(*touching))
    return groups
