"""A habit of laying away: how readily a player who holds two cards gives just these to the crib."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from operator import mul

_RANKS = range(1, 14)


@dataclass(frozen=True)
class Habit:
    """A weight for each pair of ranks; only their relation counts, and suits do not enter."""

    weights: tuple[tuple[int, ...], ...]
    """A row for each rank, ace to king; in it the weight with each rank up to the row's own."""

    @classmethod
    def read(cls, table: str) -> Habit:
        """From text: a line for each rank, ace to king."""
        return cls(tuple(tuple(map(int, line.split())) for line in table.strip().splitlines()))

    def __str__(self) -> str:
        return "\n".join(" ".join(f"{weight:>4}" for weight in row) for row in self.weights)

    @cached_property
    def of(self) -> list[list[int]]:
        """`of[rank][other]`: the weight of laying away these two; 0 is no rank."""
        return [[0] * 14, *([0, *(self._weight(rank, other) for other in _RANKS)] for rank in _RANKS)]

    @cached_property
    def of_three(self) -> list[int]:
        """The weight of any three dark cards, by sorted ranks: each may be the starter, the others are laid away."""
        of = self.of
        return [of[a][b] + of[a][c] + of[b][c] for a, b, c in combinations_with_replacement(_RANKS, 3)]

    def with_card(self, times: Sequence[int]) -> list[int]:
        """For a card of each rank the weight of all pairs that hold it, if there are `times[rank]` cards of a rank."""
        return [sum(map(mul, weights, times)) - weights[rank] for rank, weights in enumerate(self.of)]

    def half_way_to(self, other: Habit) -> Habit:
        rows = zip(self.weights, other.weights, strict=True)
        return Habit(tuple(tuple((a + b + 1) // 2 for a, b in zip(*row, strict=True)) for row in rows))

    def _weight(self, rank: int, other: int) -> int:
        return self.weights[max(rank, other) - 1][min(rank, other) - 1]


RANDOM = Habit(tuple((1,) * rank for rank in _RANKS))
"""No habit: any two cards."""
