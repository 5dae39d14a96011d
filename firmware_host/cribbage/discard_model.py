"""The discard model: how likely a player who holds two cards is to discard just these two."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations_with_replacement
from operator import mul

from msgspec import Struct

_RANKS = range(1, 14)


class DiscardModel(Struct, frozen=True, dict=True):
    """A weight for each pair of ranks. Only the ratios of weights matter; suits are ignored."""

    weights: tuple[tuple[int, ...], ...]
    """A row for each rank, ace to king: the weights of that rank with each rank up to itself."""

    @classmethod
    def read(cls, table: str) -> DiscardModel:
        """From the text of `str(model)`: a line for each rank, ace to king."""
        return cls(tuple(tuple(map(int, line.split())) for line in table.strip().splitlines()))

    def __str__(self) -> str:
        return "\n".join(" ".join(f"{weight:>4}" for weight in row) for row in self.weights)

    @cached_property
    def of(self) -> list[list[int]]:
        """`of[rank][other]`: the weight of discarding these two; index 0 is unused."""
        return [[0] * 14, *([0, *(self._weight(rank, other) for other in _RANKS)] for rank in _RANKS)]

    @cached_property
    def of_three(self) -> list[int]:
        """The weight of any three hidden cards, by sorted ranks: one is the starter, the other two are the discard."""
        of = self.of
        return [of[a][b] + of[a][c] + of[b][c] for a, b, c in combinations_with_replacement(_RANKS, 3)]

    def with_card(self, times: Sequence[int]) -> list[int]:
        """For a card of each rank the weight of all pairs with it, when there are `times[rank]` cards of each rank."""
        return [sum(map(mul, weights, times)) - weights[rank] for rank, weights in enumerate(self.of)]

    def average_with(self, other: DiscardModel) -> DiscardModel:
        """The mean of both models, weight by weight, rounded up."""
        rows = zip(self.weights, other.weights, strict=True)
        return DiscardModel(tuple(tuple((a + b + 1) // 2 for a, b in zip(*row, strict=True)) for row in rows))

    def _weight(self, rank: int, other: int) -> int:
        return self.weights[max(rank, other) - 1][min(rank, other) - 1]


RANDOM_DISCARDS = DiscardModel(tuple((1,) * rank for rank in _RANKS))
"""Any two cards are equally likely."""
