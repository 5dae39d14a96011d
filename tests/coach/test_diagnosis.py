"""A learner with a known blind spot is diagnosed in 30 hands, whatever the cards and slips."""

from __future__ import annotations

from functools import partial

import pytest

from firmware_host.coach.attempt import Attempt
from firmware_host.coach.diagnosis import diagnose
from firmware_host.coach.kinds import Kind
from firmware_host.cribbage.show import Part
from tests.coach.learners import (
    COUNTING,
    Counting,
    alike_as_a_pair,
    each_run_once,
    fifteens,
    first_pair_only,
    flush,
    hand,
    no_run_of,
    practise,
)

HANDS, SEEDS = 30, 50

LEARNERS: dict[str, tuple[Counting, set[Kind]]] = {
    "sees no run of four": ({Part.RUNS: partial(no_run_of, length=4)}, {Kind.RUN_OF_FOUR}),
    "takes runs of four for runs of three": ({Part.RUNS: partial(no_run_of, length=4, seen_as=3)}, {Kind.RUN_OF_FOUR}),
    "takes runs of five for runs of four": ({Part.RUNS: partial(no_run_of, length=5, seen_as=4)}, {Kind.RUN_OF_FIVE}),
    "sees no run of three": ({Part.RUNS: partial(no_run_of, length=3)}, {Kind.RUN_OF_THREE}),
    "counts double runs once": ({Part.RUNS: partial(each_run_once, ways=(2,))}, {Kind.DOUBLE_RUN}),
    "counts every run once": (
        {Part.RUNS: partial(each_run_once, ways=(2, 3, 4))},
        {Kind.DOUBLE_RUN, Kind.MULTIPLE_RUN},
    ),
    "forgets nobs": ({Part.NOBS: lambda hand: 0}, {Kind.NOBS}),
    "misses fifteens of two cards": ({Part.FIFTEENS: partial(fifteens, sizes=(3, 4, 5))}, {Kind.FIFTEEN_OF_TWO}),
    "misses fifteens of three cards": ({Part.FIFTEENS: partial(fifteens, sizes=(2, 4, 5))}, {Kind.FIFTEEN_OF_THREE}),
    "misses fifteens of four cards": ({Part.FIFTEENS: partial(fifteens, sizes=(2, 3))}, {Kind.FIFTEEN_OF_FOUR}),
    "misses flushes": ({Part.FLUSH: lambda hand: 0}, {Kind.FLUSH}),
    "leaves the starter out of a flush": ({Part.FLUSH: lambda hand: min(4, flush(hand))}, {Kind.FLUSH_OF_FIVE}),
    "sees only one of two pairs": ({Part.PAIRS: first_pair_only}, {Kind.TWO_PAIRS}),
    "takes three alike for a pair": ({Part.PAIRS: partial(alike_as_a_pair, times=3)}, {Kind.PAIR_ROYAL}),
    "misses runs of four and nobs": (
        {Part.RUNS: partial(no_run_of, length=4), Part.NOBS: lambda hand: 0},
        {Kind.RUN_OF_FOUR, Kind.NOBS},
    ),
    "misses nothing": ({}, set()),
}


@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(5, SEEDS), marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", LEARNERS)
def test_blind_spot_is_found_in_30_hands(name: str, seeds: range) -> None:
    counting, expected = LEARNERS[name]
    diagnosed = [set(practise({**COUNTING, **counting}, HANDS, seed).diagnosis.blind_spots) for seed in seeds]
    assert {seed: found for seed, found in zip(seeds, diagnosed, strict=True) if found != expected} == {}


def test_one_miss_is_no_blind_spot() -> None:
    attempt = Attempt(hand("JS 2H 4C 8D KS"), (0, 0, 0, 0, 0))
    assert not attempt.is_right
    assert diagnose([attempt]).blind_spots == ()


def test_hint_asked_for_is_not_right_and_proves_nothing() -> None:
    attempt = Attempt(hand("JS 2H 4C 8D KS"), (0, 0, 0, 0, None))
    assert not attempt.is_right
    assert diagnose([attempt] * 5).figures == ()


def test_points_that_are_not_there_are_summed_by_part() -> None:
    summary = diagnose([Attempt(hand("2S 4H 6C 8D KS"), (2, 2))] * 3)
    assert summary.too_many == {Part.FIFTEENS: 3, Part.PAIRS: 3}
    assert (summary.hands, summary.right, summary.blind_spots) == (3, 0, ())
