"""Points of ranks by arithmetic, compared with the combinations that earn them."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.ranks import combinations_of, rank_points
from firmware_host.strategy.hidden_deals import rank_sets


@pytest.mark.parametrize("size", [4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_arithmetic_and_combinations_agree_on_every_set_of_ranks(size: int) -> None:
    for ranks in rank_sets(size):
        assert rank_points(ranks) == sum(combination.points for combination in combinations_of(ranks)), ranks


def test_the_points_do_not_depend_on_the_order_of_ranks() -> None:
    assert rank_points((6, 4, 5, 5, 4)) == rank_points((4, 4, 5, 5, 6)) == 24
