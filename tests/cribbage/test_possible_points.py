"""The impossible totals, compared with the totals of all hands and series."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest

from firmware_host.cribbage.cards import JACK, parse_cards
from firmware_host.cribbage.possible_points import (
    PLAY_POINTS,
    PLAY_POINTS_WITH_FLUSH,
    SHOW_TOTALS,
    is_possible_in_play,
)
from firmware_host.cribbage.ranks import rank_points
from firmware_host.cribbage.series import points_for, scores_for
from firmware_host.cribbage.variants import VARIANTS, rules_for

SIX_CARD = VARIANTS["six_card"]
PLAY_FLUSH = rules_for("six_card", {"play_flush": "three_up"})


def points_for_suits(held: tuple[int, ...], starter: int) -> Iterator[int]:
    """Every sum of flush and nobs that the suits of these ranks can make."""
    jacks = held.count(JACK)
    if jacks < 4:
        yield 0
    if jacks and starter != JACK:
        yield 1
    if len(set(held)) == len(held):
        yield len(held)
        if starter not in held:
            yield len(held) + 1 + jacks


def totals_of(size: int) -> set[int]:
    return {
        rank_points(tuple(sorted((*held, starter)))) + suits
        for held in combinations_with_replacement(range(1, 14), size)
        for starter in range(1, 14)
        if max(map((*held, starter).count, (*held, starter))) <= 4
        for suits in points_for_suits(held, starter)
    }


@pytest.mark.parametrize("size", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_the_possible_totals_are_the_totals_of_all_hands(size: int) -> None:
    assert totals_of(size) == SHOW_TOTALS[size]


@pytest.mark.parametrize(
    ("size", "impossible", "most"),
    [(3, {16, 17, 18, 19}, 20), (4, {19, 25, 26, 27}, 29), (5, {35, 41, 42, 43, 44, 45}, 46)],
)
def test_some_totals_are_impossible(size: int, impossible: set[int], most: int) -> None:
    assert set(range(most + 1)) - SHOW_TOTALS[size] == impossible
    assert max(SHOW_TOTALS[size]) == most


def test_the_possible_points_of_a_card_are_the_sums_that_can_occur() -> None:
    for_count, for_ranks = (0, 2), (0, 2, 6, 12, 3, 4, 5, 6, 7)  # alike cards and runs exclude each other
    by_card = {count + ranks for count in for_count for ranks in for_ranks}
    # A run of seven needs 28 pips: its two for the count are for thirty-one, and then nothing is paid for last.
    with_last = {points + 1 for points in by_card - {9}}
    assert (by_card | with_last) - {0} == PLAY_POINTS


@pytest.mark.parametrize(
    ("series", "points"),
    [
        ("7 8", 2),
        ("9 7 8", 3),
        ("8 7 8 8", 4),
        ("4 6 5", 5),
        ("K K K", 6),
        ("3 2 5 A 4", 7),
        ("5 5 5", 8),
        ("3 A 2 3 4 5 6 7", 9),
        ("7 7 7 7", 12),
        ("9 2 A A A A", 14),
    ],
)
def test_for_every_possible_amount_there_is_a_series(series: str, points: int) -> None:
    assert points_for(parse_cards(series, rank_only=True)) == points
    assert is_possible_in_play(points, SIX_CARD)


@pytest.mark.parametrize("points", [-1, 0, 10, 11, 16, 17, 30])
def test_no_card_scores_ten_or_eleven_or_more_than_fifteen(points: int) -> None:
    assert not is_possible_in_play(points, SIX_CARD)


def test_with_flushes_in_the_play_every_amount_up_to_sixteen_is_possible() -> None:
    most = scores_for(parse_cards("3S AH 2H 3H 4H 5H 6H 7H"), PLAY_FLUSH)
    assert sum(score.points for score in most) == max(PLAY_POINTS_WITH_FLUSH)
    assert is_possible_in_play(10, PLAY_FLUSH)
    assert not is_possible_in_play(17, PLAY_FLUSH)
