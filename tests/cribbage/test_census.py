"""All hands compared with the published distribution, and random ones with the scorer of another project."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import click
import pytest
from cribbage_scorer import cribbage_scorer

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.possible_points import SHOW_TOTALS
from firmware_host.cribbage.series import count_of, points_for
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.totals import show_total
from firmware_host.cribbage.variants import VARIANTS

# fmt: off
PUBLISHED = {
    0: 1009008, 1: 99792, 2: 2813796, 3: 505008, 4: 2855676, 5: 697508, 6: 1800268, 7: 751324, 8: 1137236,
    9: 361224, 10: 388740, 11: 51680, 12: 317340, 13: 19656, 14: 90100, 15: 9168, 16: 58248, 17: 11196,
    18: 2708, 20: 8068, 21: 2496, 22: 444, 23: 356, 24: 3680, 28: 76, 29: 4,
}
"""Points -> number of hands of four with a starter (S. Lumetta, University of Illinois)."""

CRIBS = PUBLISHED | {
    0: 1022208, 2: 2839800, 3: 508908, 4: 2868960, 5: 703496, 6: 1787176, 7: 755320, 8: 1118336, 9: 358368,
    10: 378240, 11: 43880, 12: 310956, 13: 16548, 14: 88132, 15: 9072, 16: 57288, 18: 2264, 20: 7828, 21: 2472,
}
"""The same for cribs, without the four-card flushes. The number of zeros is published too."""
# fmt: on


def random_shows(number: int, seed: int, size: int = 4) -> Iterable[tuple[list[Card], Card]]:
    rng = random.Random(seed)
    for _ in range(number):
        *held, starter = rng.sample(PACK, size + 1)
        yield held, starter


def count_every_show(size: int, *, is_crib: bool = False) -> Counter[int]:
    """Points -> number of hands of `size` cards with every starter. Shows a progress bar on a terminal."""
    hands = list(combinations(PACK, size))
    census = Counter[int]()
    with click.progressbar(hands, label="counting", file=sys.stderr, update_min_steps=5000) as bar:
        for held in bar:
            kept = set(held)
            census.update([show_total(held, starter, is_crib) for starter in PACK if starter not in kept])
    return census


@pytest.mark.slow
@pytest.mark.parametrize("is_crib", [False, True], ids=["hands", "cribs"])
def test_all_hands_of_four_are_as_published(is_crib: bool, capfd: pytest.CaptureFixture[str]) -> None:
    with capfd.disabled():
        census = count_every_show(4, is_crib=is_crib)
    assert census.total() == 12_994_800
    assert dict(sorted(census.items())) == dict(sorted((CRIBS if is_crib else PUBLISHED).items()))


@pytest.mark.slow
def test_all_hands_of_three(capfd: pytest.CaptureFixture[str]) -> None:
    with capfd.disabled():
        census = count_every_show(3)
    assert census.total() == 1_082_900
    assert census.keys() == SHOW_TOTALS[3]
    assert census[20] == 4
    assert round(sum(points * times for points, times in census.items()) / census.total(), 4) == 2.5924


@pytest.mark.parametrize("published", [PUBLISHED, CRIBS], ids=["hands", "cribs"])
def test_a_sample_has_the_published_shape(published: dict[int, int]) -> None:
    assert sum(published.values()) == 12_994_800
    number = 40_000
    census = Counter(show_total(held, starter, published is CRIBS) for held, starter in random_shows(number, seed=121))
    assert census.keys() <= published.keys()
    for points, times in published.items():
        expected = number * times / 12_994_800
        assert abs(census[points] - expected) < 5 * expected**0.5 + 5, f"{points} points"


def test_the_mean_of_the_published_hands() -> None:
    means = [sum(points * times for points, times in census.items()) / 12_994_800 for census in (PUBLISHED, CRIBS)]
    assert [round(mean, 4) for mean in means] == [4.7692, 4.7348]


@pytest.mark.parametrize("size", [3, 4, 5])
def test_parts_and_totals_agree(size: int) -> None:
    rules = {3: VARIANTS["five_card"], 4: VARIANTS["six_card"], 5: VARIANTS["seven_card"]}[size]
    for held, starter in random_shows(3000, seed=size, size=size):
        assert count_show(held, starter, rules).total == show_total(held, starter)


def other_card(card: Card) -> tuple[int, str]:
    assert card.suit
    return card.rank, card.suit.value


def other_show(held: list[Card], starter: Card, is_crib: bool) -> int:
    points, _ = cribbage_scorer.show_calc_score(other_card(starter), [other_card(card) for card in held], is_crib)
    assert isinstance(points, int)
    return points


def other_play(pile: list[Card]) -> tuple[int, int]:
    count, points, _ = cribbage_scorer.play_score_ongoing([other_card(card) for card in pile])
    return count, points


@pytest.mark.parametrize("number", [500, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("is_crib", [False, True], ids=["hands", "cribs"])
def test_the_other_scorer_agrees_on_shows(number: int, is_crib: bool) -> None:
    for held, starter in random_shows(number, seed=31):
        assert show_total(held, starter, is_crib) == other_show(held, starter, is_crib)


@pytest.mark.parametrize("number", [500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_the_other_scorer_agrees_on_series(number: int) -> None:
    rng = random.Random(61)
    for _ in range(number):
        # Low cards and few ranks make series with many scores.
        pile = rng.sample([card for card in PACK if card.rank <= rng.choice((4, 7, 13))], rng.randint(1, 9))
        while count_of(pile) > 31:
            pile.pop()
        assert (count_of(pile), points_for(pile)) == other_play(pile)
