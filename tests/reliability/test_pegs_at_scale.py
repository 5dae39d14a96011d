"""The statistics that `make pegs` prints."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.reliability.pegs_at_scale import STYLES, Score, game_of, sums_of, upper_bound


@pytest.mark.parametrize(("wrong", "most"), [(0, 2.996), (1, 4.744), (2, 6.296), (10, 16.962)])
def test_bound_agrees_with_poisson_tables(wrong: int, most: float) -> None:
    assert upper_bound(wrong, 1_000_000) * 1_000_000 == pytest.approx(most, abs=0.001)


def test_delay_for_a_share_of_the_turns() -> None:
    score = Score(1000, 0, Counter({0.3: 600, 0.12: 399, 3.0: 1}))
    assert (score.within_s(0.3), score.within_s(0.5), score.within_s(0.999)) == (0.12, 0.3, 0.3)


def test_harsh_style_is_summed_separately() -> None:
    sums = sums_of({style: Score(100, 1, Counter({0.3: 99})) for style in STYLES})
    assert (sums["all_but_harsh"].turns, sums["all"].turns, sums["all"].wrong) == (300, 400, 4)


def test_seed_determines_the_game() -> None:
    assert game_of(12345) == game_of(12345)
