"""Routes the tracks: each connection by the cheapest path; routes in conflict are removed and routed again.

This is rip-up and reroute with history costs, as in PathFinder (McMurchie and Ebeling, 1995). It is deterministic:
there is no randomness, and ties are decided by the lower number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from math import hypot

from msgspec import Struct

from firmware_host.circuits.layout import BoardLayout, Copper, CopperZone, Pad, Side, Via
from hardware.pcb.copper import as_copper, stitching_vias, track_order, via_order
from hardware.pcb.grid import FREE, Route, RoutingGrid, zone_points
from hardware.pcb.kept import KeptNet, Piece, kept_net
from hardware.pcb.search import PathSearch

CONFLICT_COST = 6.0
HISTORY_COST = 2.0
MAX_TRIES = 4000
NOTHING = Copper((), ())


class NoRoute(RuntimeError):
    """The pads of a net cannot be connected in this layout."""

    def __init__(self, board: str, net: str, ends: str) -> None:
        super().__init__(
            f"{board}: expected a route for {net} from {ends}, got none; move the parts, or narrow the track"
        )
        self.net = net
        self.ends = ends


class Terminal(Struct, frozen=True):
    """A start or end of a track: the grid points inside a pad or a zone. x and y are its centre in mm."""

    name: str
    points: frozenset[int]
    x: float
    y: float


class Connection(Struct, frozen=True):
    """Two terminals of one net that must be connected."""

    net: str
    start: Terminal
    end: Terminal

    @property
    def length(self) -> float:
        """Straight distance in mm."""
        return hypot(self.start.x - self.end.x, self.start.y - self.end.y)


def route_board(board: str, layout: BoardLayout, pads: Sequence[Pad], earlier: Copper = NOTHING) -> Copper:
    """The tracks and vias that connect the pads of each net. Raises NoRoute if a connection cannot be routed.

    A net keeps its tracks in `earlier` while they fit and no other net needs their place.
    """
    nets = sorted({pad.net for pad in pads if pad.net} | {zone.net for zone in layout.zones})
    grid = RoutingGrid(layout, pads, nets)
    router = _Router(board, layout, grid)
    for net in nets:
        own = [pad for pad in pads if pad.net == net]
        zones = [zone for zone in layout.zones if zone.net == net and zone.side is Side.BOTTOM]
        ends = (
            list(_connections_to_zone(grid, own, zones, layout))
            if zones
            else list(_spanning_tree([_of_pad(grid, pad) for pad in own]))
        )
        zone = ends[0][1].points if zones and ends else frozenset[int]()
        points = [(start.points, end.points) for start, end in ends]
        kept = kept_net(grid, net, layout.width(net), earlier, points, zone)
        router.add([Connection(net, start, end) for start, end in ends], kept)
    router.route_all()
    routed = as_copper(
        grid, nets, [route for key, route in router.routes.items() if key >= 0], stitching_vias(grid, layout, nets)
    )
    tracks = {*routed.tracks, *(track for one in router.kept.values() for track in one.tracks)}
    vias = {*routed.vias, *(via for one in router.kept.values() for via in one.vias)}
    return Copper(sorted(tracks, key=track_order), sorted(vias, key=via_order), routed.stitching)


def _of_pad(grid: RoutingGrid, pad: Pad) -> Terminal:
    rect = pad.rect
    name = f"{pad.part}.{pad.number}"
    inset = (rect.right - rect.left) / 4 if pad.drill else grid.step * 0.4  # through-hole pads may be round
    points = frozenset(point for side in pad.sides for point in grid.inside(rect.grown(-inset), side))
    if not points:
        points = frozenset(point for side in pad.sides for point in grid.inside(rect, side))
    return Terminal(name, points, (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2)


def _connections_to_zone(
    grid: RoutingGrid, pads: Iterable[Pad], zones: Sequence[CopperZone], layout: BoardLayout
) -> Iterable[tuple[Terminal, Terminal]]:
    """Connects each pad of the top side to the zone of its net on the bottom side.

    Through-hole pads are connected already, and so are pads inside a top zone of their own net.
    """
    net = zones[0].net
    fixed = grid.fixed(layout.width(net))
    own_zones = [zone for zone in layout.single_net_zones() if zone.net == net]
    points = _continuous_points(grid, layout, zones)
    points = frozenset(point for point in points if fixed[point] in (FREE, grid.numbers[net]))
    for pad in pads:
        if not _is_in_zone(pad, net, layout, own_zones):
            terminal = _of_pad(grid, pad)
            yield terminal, Terminal("zone", points, terminal.x, terminal.y)


def _is_in_zone(pad: Pad, net: str, layout: BoardLayout, own_zones: Sequence[CopperZone]) -> bool:
    """Whether the zones of its net reach the pad: on the top by `own_zones`, through its hole by any zone."""
    if pad.drill:
        return any(zone.net == net and zone.rect.overlaps(pad.rect) for zone in layout.zones)
    return any(zone.side is Side.TOP and zone.rect.overlaps(pad.rect) for zone in own_zones)


def _continuous_points(grid: RoutingGrid, layout: BoardLayout, zones: Sequence[CopperZone]) -> frozenset[int]:
    """Where a track may end in a zone: in the reserved part, which no other track cuts, if there is one."""
    net = zones[0].net
    reserved = [zone for zone in layout.reserved if zone.net == net]
    points = frozenset(point for zone in reserved or zones for point in zone_points(grid, zone))
    others = (zone for zone in layout.reserved if zone.net != net)
    return points - frozenset(point for zone in others for point in grid.inside(zone.rect, zone.side))


def _spanning_tree(terminals: Sequence[Terminal]) -> Iterable[tuple[Terminal, Terminal]]:
    """The edges of the shortest tree that connects all terminals."""
    inside = list(terminals[:1])
    outside = list(terminals[1:])
    while outside:
        _, near, far = min(
            (hypot(a.x - b.x, a.y - b.y), i, k) for i, a in enumerate(inside) for k, b in enumerate(outside)
        )
        yield inside[near], outside[far]
        inside.append(outside.pop(far))


class _Router:
    def __init__(self, board: str, layout: BoardLayout, grid: RoutingGrid) -> None:
        self.board = board
        self.layout = layout
        self.grid = grid
        self.connections: list[Connection] = []
        self.routes: dict[int, Route] = {}
        self.kept: dict[int, KeptNet] = {}
        self._first: dict[int, int] = {}
        self._history: dict[int, float] = {}

    def add(self, connections: Sequence[Connection], kept: KeptNet) -> None:
        """Adds the connections of a net. What is kept of it is one route, with a negative key."""
        key = -1 - len(self.kept)
        first = len(self.connections)
        self.connections += connections
        self._first[key] = first
        self._keep(key, kept)

    def _keep(self, key: int, kept: KeptNet) -> list[int]:
        """Keeps these earlier tracks; returns the connections of the net that are open."""
        self.kept[key] = kept
        if kept.pieces:
            self.routes[key] = Route(self.grid.numbers[kept.net], self.layout.width(kept.net), kept.points)
            self.grid.add_route(key, self.routes[key])
        return [self._first[key] + number for number in kept.open_ends()]

    def route_all(self) -> None:
        """Routes all connections, the shortest first. Raises NoRoute after `MAX_TRIES` attempts."""
        left = [self._first[key] + number for key, kept in self.kept.items() for number in kept.open_ends()]
        waiting = deque(sorted(left, key=lambda key: (self.connections[key].length, key)))
        for _ in range(MAX_TRIES):
            if not waiting:
                return
            key = waiting.popleft()
            waiting.extend(self._route(key))
        first = self.connections[waiting[0]]
        raise NoRoute(self.board, first.net, f"{first.start.name} to {first.end.name}")

    def _route(self, key: int) -> list[int]:
        """Routes one connection; returns the keys of the connections whose routes were removed for it."""
        connection = self.connections[key]
        net = self.grid.numbers[connection.net]
        width = self.layout.width(connection.net)
        points = self._find_path(connection, net, width)
        if points is None:
            raise NoRoute(self.board, connection.net, f"{connection.start.name} to {connection.end.name}")
        route = Route(net, width, points)
        removed = sorted(self._conflicts(route))
        for other in removed:
            self.grid.remove_route(other, self.routes.pop(other))
        self.routes[key] = route
        self.grid.add_route(key, route)
        return [again for other in removed for again in ([other] if other >= 0 else self._shorten(other, key))]

    def _shorten(self, key: int, taker: int) -> list[int]:
        """Keeps of an earlier net what is clear of a new route; returns the connections that this opens."""
        kept = self.kept[key]
        tracks = self.grid.routes_near(self.layout.width(kept.net))
        vias = self.grid.routes_near_via

        def is_taken(piece: Piece) -> bool:
            if isinstance(piece.copper, Via) and taker in vias.get(piece.points[0], ()):
                return True
            return any(taker in tracks.get(point, ()) for point in piece.points)

        before = set(kept.open_ends())
        again = self._keep(key, kept.without(is_taken))
        return [number for number in again if number - self._first[key] not in before]

    def _conflicts(self, route: Route) -> set[int]:
        """The routes of other nets that this route conflicts with. Each conflict makes its region more expensive."""
        found = set[int]()
        tracks = self.grid.routes_near(route.width)
        vias = self.grid.routes_near_via
        spots = [(point, tracks.get(point, ())) for point in route.points]
        spots += [(point, vias.get(point, ())) for point in self.grid.via_points(route.points)]
        for point, keys in spots:
            routes_near = {key for key in keys if self.routes[key].net != route.net}
            if routes_near:
                found |= routes_near
                place = self.grid.region(point)
                self._history[place] = self._history.get(place, 0.0) + HISTORY_COST
        return found

    def _start_cost(self, terminal: Terminal, point: int) -> float:
        x, y = self.grid.at(point)
        return hypot(x - terminal.x, y - terminal.y) / self.grid.step * 0.5

    def _find_path(self, connection: Connection, net: int, width: float) -> tuple[int, ...] | None:
        own = frozenset(point for route in self.routes.values() if route.net == net for point in route.points)
        starts = {point: self._start_cost(connection.start, point) for point in connection.start.points}
        return PathSearch(self.grid, net, width, own, self._conflict_cost).find_path(starts, connection.end.points)

    def _conflict_cost(self, point: int, keys: Iterable[int], net: int) -> float:
        """The cost of a conflict with other nets; it grows with the number of earlier conflicts in the region."""
        if all(self.routes[key].net == net for key in keys):
            return 0.0
        return CONFLICT_COST + self._history.get(self.grid.region(point), 0.0)
