"""Path search on the routing grid (A*). A path may cross other routes at a cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from math import hypot

from hardware.pcb.grid import FREE, RoutingGrid

VIA_COST = 12.0
TURN_COST = 0.6
OWN_NET_FACTOR = 0.7
HEURISTIC_WEIGHT = 1.1
"""Weighted A*: above 1 the search visits fewer points, but may miss the cheapest path."""

ConflictCost = Callable[[int, Iterable[int], int], float]
"""Arguments: point, keys of the routes near it, number of the own net. Returns the cost of using the point."""


class PathSearch:
    """The search for a track of one net and width. `own` are the points that the net uses already; they cost less."""

    def __init__(
        self, grid: RoutingGrid, net: int, width: float, own: frozenset[int], conflict_cost: ConflictCost
    ) -> None:
        self._grid = grid
        self._net = net
        self._own = own
        self._conflict_cost = conflict_cost
        self._fixed = grid.fixed(width)
        self._routes_near = grid.routes_near(width)
        self._around = [
            (down * grid.columns + right, hypot(right, down))
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if right or down
        ]

    def find_path(self, starts: Mapping[int, float], goals: frozenset[int]) -> tuple[int, ...] | None:
        """The points of the cheapest path from a start (point: initial cost) to a goal; None if there is none."""
        heuristic = self._heuristic(goals)
        best = {point: cost for point, cost in starts.items() if self._is_open(point)}
        came_from: dict[int, int] = {}
        queue = sorted((cost + heuristic(point), point) for point, cost in best.items())
        done = set[int]()
        while queue:
            _, point = heappop(queue)
            if point in goals:
                return _backtrace(came_from, point)
            if point in done:
                continue
            done.add(point)
            for neighbour, cost in self._steps(point, best[point], point - came_from.get(point, point)):
                if neighbour not in done and cost < best.get(neighbour, 1e9):
                    best[neighbour], came_from[neighbour] = cost, point
                    heappush(queue, (cost + heuristic(neighbour), neighbour))
        return None

    def _is_open(self, point: int) -> bool:
        return self._fixed[point] in (FREE, self._net)

    def _steps(self, point: int, cost_so_far: float, heading: int) -> Iterator[tuple[int, float]]:
        """The next points with their total costs. Board edges are blocked, so steps never wrap around a row."""
        fixed = self._fixed
        net = self._net
        routes_near = self._routes_near
        for step, length in self._around:
            neighbour = point + step
            if fixed[neighbour] == FREE or fixed[neighbour] == net:
                cost = cost_so_far + length * (OWN_NET_FACTOR if neighbour in self._own else 1.0)
                if neighbour in routes_near:
                    cost += self._conflict_cost(neighbour, routes_near[neighbour], net)
                yield neighbour, cost + TURN_COST if heading and step != heading else cost
        yield from self._via_step(point, cost_so_far)

    def _via_step(self, point: int, cost_so_far: float) -> Iterator[tuple[int, float]]:
        """The same point on the other side, if a via fits."""
        grid = self._grid
        flat = point % self._grid.layer
        neighbour = flat if point >= grid.layer else flat + grid.layer
        if grid.fixed_vias[flat] in (FREE, self._net) and self._is_open(neighbour) and not grid.via_blocked.get(flat):
            cost = cost_so_far + VIA_COST + self._conflict_cost(flat, grid.routes_near_via.get(flat, ()), self._net)
            yield neighbour, cost + self._conflict_cost(neighbour, self._routes_near.get(neighbour, ()), self._net)

    def _heuristic(self, goals: frozenset[int]) -> Callable[[int], float]:
        """Estimates the remaining cost: the octile distance to the bounding box of the goals."""
        layer = self._grid.layer
        columns = self._grid.columns
        across = [goal % columns for goal in goals]
        down = [goal % layer // columns for goal in goals]
        west = min(across)
        east = max(across)
        north = min(down)
        south = max(down)

        def estimate(point: int) -> float:
            row, column = divmod(point % layer, columns)
            dx = max(west - column, 0, column - east)
            dy = max(north - row, 0, row - south)
            return HEURISTIC_WEIGHT * (max(dx, dy) + 0.414 * min(dx, dy))

        return estimate


def _backtrace(came_from: Mapping[int, int], point: int) -> tuple[int, ...]:
    points = [point]
    while point in came_from:
        point = came_from[point]
        points.append(point)
    return tuple(reversed(points))
