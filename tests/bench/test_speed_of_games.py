"""How many whole games a second are refereed, order by order. The orders are chosen beforehand."""

from __future__ import annotations

from time import process_time

import pytest

from firmware_host.cribbage.variants import VARIANTS
from firmware_host.table import orders as o
from firmware_host.table.decide import unfold
from firmware_host.table.state import Phase, Table
from tests.table.random_player import RandomPlayer

GAMES = 20

pytestmark = pytest.mark.bench


def orders_of(variant: str, seed: int) -> list[o.Order]:
    player, table, orders = RandomPlayer(seed), None, list[o.Order]()
    order: o.Order = player.begin(VARIANTS[variant])
    while True:
        orders.append(order)
        table = unfold(table, order).table
        if table.phase is Phase.OVER:
            return orders
        order = player.next_order(table)


def seconds_for(games: list[list[o.Order]]) -> float:
    started = process_time()
    for orders in games:
        table: Table | None = None
        for order in orders:
            table = unfold(table, order).table
    return process_time() - started


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_games(variant: str) -> None:
    games = [orders_of(variant, seed) for seed in range(GAMES)]
    orders, best_s = sum(map(len, games)), min(seconds_for(games) for _ in range(3))
    print(f"\n{variant:14} {GAMES / best_s:6,.0f} games a second, {orders / best_s:8,.0f} orders a second")
