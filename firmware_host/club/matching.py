"""Maximum matching in a general graph: Edmonds' blossom algorithm.

An augmenting path begins and ends at vertices without a partner and alternates between edges outside and inside the
matching; flipping it matches two vertices more. A matching without such a path is a maximum (Berge). The search grows a
tree of alternating paths from one free vertex. An edge between two even vertices of the tree closes an odd cycle, a
blossom, which is contracted by giving all its vertices one `base`. O(V^3), and far less in dense graphs, where the
greedy start matches nearly everybody.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

NOBODY = -1


def maximum_matching(neighbours: Sequence[Sequence[int]]) -> list[int]:
    """The partner of each vertex, or NOBODY. `neighbours[v]` are the vertices joined to `v`, the preferred first; the
    graph is symmetric and without loops. The result depends on the order alone."""
    search = _Search(neighbours)
    for vertex, around in enumerate(neighbours):
        if search.partner[vertex] == NOBODY:
            free = next((other for other in around if search.partner[other] == NOBODY), None)
            if free is not None:
                search.partner[vertex], search.partner[free] = free, vertex
    for vertex in range(len(neighbours)):
        if search.partner[vertex] == NOBODY:
            search.augment(vertex)
    return search.partner


class _Search:
    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        self.neighbours = neighbours
        self.partner = [NOBODY] * len(neighbours)
        self.parent = list[int]()
        """Of each odd vertex: the even vertex from which the tree reached it."""
        self.base = list[int]()
        """Of each vertex: the vertex that stands for its blossom."""

    def augment(self, root: int) -> None:
        """Match the free vertex `root` if that leaves one free vertex fewer."""
        end = self._free_end(root)
        while end != NOBODY:
            before = self.parent[end]
            following = self.partner[before]
            self.partner[end], self.partner[before] = before, end
            end = following

    def _free_end(self, root: int) -> int:
        """The end of an augmenting path from `root`, whose `parent` leads back; NOBODY if there is none."""
        count = len(self.neighbours)
        self.parent = [NOBODY] * count
        self.base = list(range(count))
        is_even = [False] * count
        is_even[root] = True
        queue = deque([root])
        while queue:
            vertex = queue.popleft()
            for other in self.neighbours[vertex]:
                if self.base[vertex] == self.base[other] or self.partner[vertex] == other:
                    continue
                if other == root or (self.partner[other] != NOBODY and self.parent[self.partner[other]] != NOBODY):
                    self._contract(vertex, other, is_even, queue)
                elif self.parent[other] == NOBODY:
                    self.parent[other] = vertex
                    if self.partner[other] == NOBODY:
                        return other
                    is_even[self.partner[other]] = True
                    queue.append(self.partner[other])
        return NOBODY

    def _contract(self, vertex: int, other: int, is_even: list[bool], queue: deque[int]) -> None:
        """Contract the blossom that the edge between two even vertices closes."""
        base = self._common_base(vertex, other)
        in_blossom = set[int]()
        self._mark(vertex, base, other, in_blossom)
        self._mark(other, base, vertex, in_blossom)
        for each, its_base in enumerate(self.base):
            if its_base in in_blossom:
                self.base[each] = base
                if not is_even[each]:
                    is_even[each] = True
                    queue.append(each)

    def _common_base(self, one: int, two: int) -> int:
        """The base nearest to both vertices on their ways to the root."""
        passed = set[int]()
        while True:
            one = self.base[one]
            passed.add(one)
            if self.partner[one] == NOBODY:
                break
            one = self.parent[self.partner[one]]
        while True:
            two = self.base[two]
            if two in passed:
                return two
            two = self.parent[self.partner[two]]

    def _mark(self, vertex: int, base: int, child: int, in_blossom: set[int]) -> None:
        """Collect the bases from `vertex` up to `base`, and make the way back lead around the blossom."""
        while self.base[vertex] != base:
            partner = self.partner[vertex]
            in_blossom |= {self.base[vertex], self.base[partner]}
            self.parent[vertex] = child
            child = partner
            vertex = self.parent[partner]
