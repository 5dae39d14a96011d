"""Positions of a series in the play, as nodes of a graph: the points of every next card are found once for each.

Only ranks matter. What the next card scores depends on the count, on how many cards at the end are alike, and on the
last cards that could still be part of a run. Series that agree in these share a node, so there are far fewer nodes than
series, and what is expensive (the points, the threat of the reply) is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

PIPS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""The pips of each rank, ace to king; index 0 is unused."""

FULL = 31

_MOST_NODES = 30_000
"""Nodes kept; some 10 MB. A long game of many players needs a third."""
_ALIKE_POINTS = (0, 2, 6, 12)
_LONGEST_RUN = 7


class Node:
    """One position. `points[rank]` is what a card of this rank scores now, without go and last card."""

    __slots__ = ("_alike", "_next", "_reply", "_tail", "count", "points")

    def __init__(self, count: int, alike: int, tail: tuple[int, ...]) -> None:
        self.count = count
        self._alike = alike
        self._tail = tail
        self._next: list[Node | None] = [None] * 14
        self._reply: list[float] = []
        self.points = _points_of_next(count, alike, tail)

    def after(self, rank: int) -> Node:
        """The node after a card of this rank, which must fit."""
        node = self._next[rank]
        if node is None:
            node = self._next[rank] = self._made(rank)
        return node

    def _made(self, rank: int) -> Node:
        tail = self._tail
        if tail and tail[-1] == rank:
            return node_of(self.count + PIPS[rank], self._alike + 1, (rank,))
        if rank in tail:
            tail = tail[tail.index(rank) + 1 :]
        return node_of(self.count + PIPS[rank], 1, _shortened((*tail, rank)))

    @property
    def reply(self) -> list[float]:
        """`reply[cards]`: the mean points of the next player's best reply, by the number of cards that player holds (0
        to 5), if they are any cards of the pack; less a point, the other's, where none fits."""
        if not self._reply:
            self._reply = _mean_replies(self)
        return self._reply


_nodes: dict[tuple[int, int, tuple[int, ...]], Node] = {}


def node_of(count: int, alike: int, tail: tuple[int, ...]) -> Node:
    """The node with this count, so many cards alike at the end, and this tail of different ranks."""
    key = count, alike, tail
    node = _nodes.get(key)
    if node is None:
        if len(_nodes) >= _MOST_NODES:
            _nodes.clear()
        node = _nodes[key] = Node(count, alike, tail)
    return node


def node_after(ranks: Sequence[int]) -> Node:
    """The node of a series of cards."""
    node = node_of(0, 0, ())
    for rank in ranks:
        node = node.after(rank)
    return node


def _shortened(tail: tuple[int, ...]) -> tuple[int, ...]:
    """The tail without its first cards that no run can reach: those farther from a later card than a run is long."""
    low = high = tail[-1]
    for place in range(len(tail) - 2, -1, -1):
        low = min(low, tail[place])
        high = max(high, tail[place])
        if high - low >= _LONGEST_RUN or len(tail) - place > _LONGEST_RUN:
            return tail[place + 1 :]
    return tail


def _points_of_next(count: int, alike: int, tail: tuple[int, ...]) -> tuple[int, ...]:
    points = [0] * 14
    if not count:
        return tuple(points)
    low = high = tail[-1]
    for length in range(2, len(tail) + 1):
        card = tail[-length]
        low = min(low, card)
        high = max(high, card)
        if high - low == length:  # one rank is missing within
            missing = sum(range(low, high + 1)) - sum(tail[-length:])
            points[missing] = length + 1
        elif high - low == length - 1:
            if low > 1:
                points[low - 1] = length + 1
            if high < 13:
                points[high + 1] = length + 1
    points[tail[-1]] = _ALIKE_POINTS[min(alike, 3)]
    for total in (15, FULL):
        pips = total - count
        if 1 <= pips <= 9:
            points[pips] += 2
        elif pips == 10:
            for rank in range(10, 14):
                points[rank] += 2
    return tuple(points)


@cache
def _chance_of_none(cards: int, ranks: int) -> float:
    """The chance that none of so many cards is of one of so many ranks."""
    chance = 1.0
    for card in range(cards):
        chance *= max(0, 52 - 4 * ranks - card) / (52 - card)
    return chance


def _mean_replies(node: Node) -> list[float]:
    worth = sorted((node.points[rank] for rank in range(1, 14) if node.count + PIPS[rank] <= FULL), reverse=True)
    replies = [0.0]
    for cards in range(1, 6):
        mean = 0.0
        none_before = 1.0
        for better, points in enumerate(worth, 1):
            none = _chance_of_none(cards, better)
            mean += points * (none_before - none)
            none_before = none
        replies.append(mean - none_before)
    return replies
