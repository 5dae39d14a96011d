"""Lays the tracks: one connection after another by the shortest way; what is in the way is lifted and laid again.

The same board always gets the same tracks: nothing here is drawn by lot, and ties go to the lower number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

from hardware.pcb.copper import as_copper, stitches
from hardware.pcb.field import FREE, Field, Route, area_points
from hardware.pcb.layout import Area, Copper, Pad, Sheet, Side
from hardware.pcb.search import Search

TRESPASS_COST, LESSON_COST = 6.0, 2.0
MOST_TRIES = 4000


class NoWay(RuntimeError):
    """Some pads cannot be joined on this sheet."""

    def __init__(self, board: str, net: str, ends: str) -> None:
        super().__init__(
            f"{board}: expected a way for {net} from {ends}, got none; move the parts, or narrow the track"
        )
        self.net, self.ends = net, ends


@dataclass(frozen=True, slots=True)
class Terminal:
    """Somewhere a track may begin or end: the points inside a pad, or inside poured copper."""

    name: str
    points: frozenset[int]
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Connection:
    """Two terminals to be joined."""

    net: str
    start: Terminal
    end: Terminal

    @property
    def length(self) -> float:
        return hypot(self.start.x - self.end.x, self.start.y - self.end.y)


def lay_tracks(board: str, sheet: Sheet, pads: Sequence[Pad]) -> Copper:
    """All tracks and vias that join the pads of each net. Raises NoWay."""
    nets = sorted({pad.net for pad in pads if pad.net} | {area.net for area in sheet.areas})
    field = Field(sheet, pads, nets)
    router = _Router(board, sheet, field)
    for net in nets:
        own = [pad for pad in pads if pad.net == net]
        poured = [area for area in sheet.areas if area.net == net and area.side is Side.BOTTOM]
        ends = _drops(field, own, poured, sheet) if poured else _tree([_of_pad(field, pad) for pad in own])
        router.wanted += [Connection(net, start, end) for start, end in ends]
    router.work()
    return as_copper(field, nets, router.laid.values(), stitches(field, sheet, nets))


def _of_pad(field: Field, pad: Pad) -> Terminal:
    rect, name = pad.rect, f"{pad.part}.{pad.number}"
    inset = (rect.right - rect.left) / 4 if pad.drill else field.step * 0.4  # what has a hole may be round
    points = frozenset(point for side in pad.sides for point in field.inside(rect.grown(-inset), side))
    if not points:
        points = frozenset(point for side in pad.sides for point in field.inside(rect, side))
    return Terminal(name, points, (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2)


def _drops(
    field: Field, pads: Iterable[Pad], poured: Sequence[Area], sheet: Sheet
) -> Iterable[tuple[Terminal, Terminal]]:
    """From each pad of the top to the copper poured on the bottom.

    What goes through the board is there already, and so is what lies in copper of its own on the top.
    """
    net = poured[0].net
    fixed, owned = field.fixed(sheet.width(net)), [area for area in sheet.owned() if area.net == net]
    points = frozenset(point for area in poured for point in area_points(field, area))
    points -= frozenset(point for area in sheet.kept for point in field.inside(area.rect, area.side))
    points = frozenset(point for point in points if fixed[point] in (FREE, field.numbers[net]))
    for pad in pads:
        if not pad.drill and not any(area.side is Side.TOP and area.rect.meets(pad.rect) for area in owned):
            terminal = _of_pad(field, pad)
            yield terminal, Terminal("poured copper", points, terminal.x, terminal.y)


def _tree(terminals: Sequence[Terminal]) -> Iterable[tuple[Terminal, Terminal]]:
    """The shortest tree over all of them."""
    inside, outside = list(terminals[:1]), list(terminals[1:])
    while outside:
        _, near, far = min(
            (hypot(a.x - b.x, a.y - b.y), i, k) for i, a in enumerate(inside) for k, b in enumerate(outside)
        )
        yield inside[near], outside[far]
        inside.append(outside.pop(far))


class _Router:
    def __init__(self, board: str, sheet: Sheet, field: Field) -> None:
        self.board, self.sheet, self.field = board, sheet, field
        self.wanted: list[Connection] = []
        self.laid: dict[int, Route] = {}
        self._lessons: dict[int, float] = {}

    def work(self) -> None:
        """Lay all that is wanted, the short ones first."""
        order = sorted(range(len(self.wanted)), key=lambda key: (self.wanted[key].length, key))
        waiting = deque(order)
        for _ in range(MOST_TRIES):
            if not waiting:
                return
            key = waiting.popleft()
            waiting.extend(self._lay(key))
        left = self.wanted[waiting[0]]
        raise NoWay(self.board, left.net, f"{left.start.name} to {left.end.name}")

    def _lay(self, key: int) -> list[int]:
        """Lay one connection; the keys of those that had to make way."""
        connection = self.wanted[key]
        net, width = self.field.numbers[connection.net], self.sheet.width(connection.net)
        points = self._way(connection, net, width)
        if points is None:
            raise NoWay(self.board, connection.net, f"{connection.start.name} to {connection.end.name}")
        route = Route(net, width, points)
        lifted = sorted(self._in_the_way(route))
        for other in lifted:
            self.field.lift(other, self.laid.pop(other))
        self.laid[key] = route
        self.field.lay(key, route)
        return lifted

    def _in_the_way(self, route: Route) -> set[int]:
        """Routes of other nets that this one runs into; each such place becomes dearer for everybody."""
        found = set[int]()
        tracks, vias = self.field.rivals(route.width), self.field.via_rivals
        spots = [(point, tracks.get(point, ())) for point in route.points]
        spots += [(point, vias.get(point, ())) for point in self.field.changes(route.points)]
        for point, keys in spots:
            rivals = {key for key in keys if self.laid[key].net != route.net}
            if rivals:
                found |= rivals
                place = self.field.neighbourhood(point)
                self._lessons[place] = self._lessons.get(place, 0.0) + LESSON_COST
        return found

    def _off_centre(self, terminal: Terminal, point: int) -> float:
        x, y = self.field.at(point)
        return hypot(x - terminal.x, y - terminal.y) / self.field.step * 0.5

    def _way(self, connection: Connection, net: int, width: float) -> tuple[int, ...] | None:
        own = frozenset(point for route in self.laid.values() if route.net == net for point in route.points)
        starts = {point: self._off_centre(connection.start, point) for point in connection.start.points}
        return Search(self.field, net, width, own, self._toll).way(starts, connection.end.points)

    def _toll(self, point: int, keys: Iterable[int], net: int) -> float:
        """What it costs to run into others' tracks: dearer where that was tried before."""
        if all(self.laid[key].net == net for key in keys):
            return 0.0
        return TRESPASS_COST + self._lessons.get(self.field.neighbourhood(point), 0.0)
