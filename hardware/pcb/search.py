"""The cheapest way over the grid from one terminal to another (A*), through others' tracks if need be, at a price."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from math import hypot

from hardware.pcb.field import FREE, Field

VIA_COST, TURN_COST = 12.0, 0.6
OWN_COPPER = 0.7
HASTE = 1.1
"""Above the true least cost of a step the search looks about less, and may miss the very cheapest way."""

Toll = Callable[[int, Iterable[int], int], float]
"""What it costs this net to take a point that these routes keep others from."""


class Search:
    """One search for a track of this net and width; `own` is where the net runs already, which is cheaper."""

    def __init__(self, field: Field, net: int, width: float, own: frozenset[int], toll: Toll) -> None:
        self._field, self._net, self._own, self._toll = field, net, own, toll
        self._fixed, self._rivals = field.fixed(width), field.rivals(width)
        self._around = [
            (down * field.columns + right, hypot(right, down))
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if right or down
        ]

    def way(self, starts: Mapping[int, float], goals: frozenset[int]) -> tuple[int, ...] | None:
        """The points from a start, each with its price, to a goal; None if there is no way at all."""
        ahead = self._ahead(goals)
        best = {point: price for point, price in starts.items() if self._is_open(point)}
        came: dict[int, int] = {}
        queue = sorted((price + ahead(point), point) for point, price in best.items())
        done = set[int]()
        while queue:
            _, point = heappop(queue)
            if point in goals:
                return _traced(came, point)
            if point in done:
                continue
            done.add(point)
            for there, price in self._steps(point, best[point], point - came.get(point, point)):
                if there not in done and price < best.get(there, 1e9):
                    best[there], came[there] = price, point
                    heappush(queue, (price + ahead(there), there))
        return None

    def _is_open(self, point: int) -> bool:
        return self._fixed[point] in (FREE, self._net)

    def _steps(self, point: int, paid: float, heading: int) -> Iterator[tuple[int, float]]:
        """Where a track may go on from here, and what it costs so far; edges are never open: rows do not run over."""
        fixed, net, rivals = self._fixed, self._net, self._rivals
        for step, length in self._around:
            there = point + step
            if fixed[there] == FREE or fixed[there] == net:
                price = paid + length * (OWN_COPPER if there in self._own else 1.0)
                if there in rivals:
                    price += self._toll(there, rivals[there], net)
                yield there, price + TURN_COST if heading and step != heading else price
        yield from self._through(point, paid)

    def _through(self, point: int, paid: float) -> Iterator[tuple[int, float]]:
        """The other side, if a via fits."""
        field, flat = self._field, point % self._field.layer
        there = flat if point >= field.layer else flat + field.layer
        if field.fixed_vias[flat] in (FREE, self._net) and self._is_open(there) and not field.via_ban.get(flat):
            price = paid + VIA_COST + self._toll(flat, field.via_rivals.get(flat, ()), self._net)
            yield there, price + self._toll(there, self._rivals.get(there, ()), self._net)

    def _ahead(self, goals: frozenset[int]) -> Callable[[int], float]:
        """A guess of what is left to pay: straight to the rectangle around the goals."""
        layer, columns = self._field.layer, self._field.columns
        across, down = [goal % columns for goal in goals], [goal % layer // columns for goal in goals]
        west, east, north, south = min(across), max(across), min(down), max(down)

        def guess(point: int) -> float:
            row, column = divmod(point % layer, columns)
            dx, dy = max(west - column, 0, column - east), max(north - row, 0, row - south)
            return HASTE * (max(dx, dy) + 0.414 * min(dx, dy))

        return guess


def _traced(came: Mapping[int, int], point: int) -> tuple[int, ...]:
    points = [point]
    while point in came:
        point = came[point]
        points.append(point)
    return tuple(reversed(points))
