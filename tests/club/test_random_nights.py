"""Random nights agree with the independent oracle: pairings, standings, qualifiers, brackets."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from firmware_host.club.matching import NOBODY, maximum_matching
from tests.club.oracle import fewest_rematches
from tests.club.random_nights import play_night


def differences(seeds: range, most_players: int) -> dict[int, list[str]]:
    return {seed: found for seed in seeds if (found := play_night(seed, most_players).differences)}


def test_random_nights_agree_with_the_oracle() -> None:
    assert differences(range(30), most_players=10) == {}


@pytest.mark.slow
def test_a_thousand_random_nights_agree_with_the_oracle() -> None:
    assert differences(range(1000, 1900), most_players=10) == {}
    assert differences(range(1900, 2000), most_players=24) == {}


def test_maximum_matching_of_random_graphs_is_as_large_as_the_best_of_all() -> None:
    """Sparse graphs with odd cycles, which need contracted blossoms."""
    random = Random(1)
    for _ in range(100):
        count = random.choice((4, 6, 8))
        chance = random.choice((0.15, 0.25, 0.4))
        edges = {edge for edge in combinations(range(count), 2) if random.random() < chance}
        around = [[w for w in range(count) if (min(v, w), max(v, w)) in edges] for v in range(count)]
        partners = maximum_matching(around)
        for vertex, partner in enumerate(partners):
            assert partner == NOBODY or (partner in around[vertex] and partners[partner] == vertex)
        met = Counter(frozenset(pair) for pair in combinations(range(count), 2) if pair not in edges)
        assert partners.count(NOBODY) == 2 * fewest_rematches(range(count), met)
