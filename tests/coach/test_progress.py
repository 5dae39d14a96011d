"""Levels, repeats of missed hands, the hands that come next, and which kinds a hand has."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.coach.attempt import MAX_LEVEL, Attempt, parts_of_level
from firmware_host.coach.deals import hand_with
from firmware_host.coach.explanations import explanations
from firmware_host.coach.kinds import PART_OF_KIND, Hand, Kind
from firmware_host.coach.progress import INTERVALS, LEVEL_RIGHT, LEVEL_WINDOW, Progress, next_hand
from firmware_host.cribbage.show import Part
from tests.coach.learners import COUNTING, answers_of, hand, practise


def right(exercise: Hand, level: int) -> Attempt:
    return Attempt(exercise, tuple(map(exercise.count.points, parts_of_level(level))))


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_can_be_dealt(kind: Kind) -> None:
    random = Random(3)
    for _ in range(20):
        exercise = hand_with(kind, random.randrange)
        assert kind in exercise.kinds
        assert len(set(exercise.cards)) == 5
        assert exercise.count.points(PART_OF_KIND[kind]) > 0


def test_learners_without_a_blind_spot_count_as_the_rules_do() -> None:
    random = Random(4)
    for kind in list(Kind) * 20:
        exercise = hand_with(kind, random.randrange)
        expected = tuple(map(exercise.count.points, Part))
        assert answers_of(COUNTING, exercise, MAX_LEVEL, random, slips=0) == expected


@pytest.mark.parametrize(
    ("cards", "part", "points", "missed"),
    [
        ("5H 5S 5D JC 6C", Part.FIFTEENS, 6, {frozenset({Kind.FIFTEEN_OF_TWO}), frozenset({Kind.FIFTEEN_OF_THREE})}),
        ("3H 4S 5D 6C 6H", Part.RUNS, 4, {frozenset({Kind.DOUBLE_RUN})}),
        ("3H 4S 5D 6C 6H", Part.RUNS, 6, {frozenset({Kind.RUN_OF_FOUR})}),
        ("2H 2S 9D 9C KH", Part.PAIRS, 2, {frozenset({Kind.TWO_PAIRS})}),
        ("2H 4H 6H 8H KH", Part.FLUSH, 4, {frozenset({Kind.FLUSH_OF_FIVE})}),
        ("JH 2S 4D 8C KH", Part.NOBS, 0, {frozenset({Kind.NOBS})}),
        ("JH 2S 4D 8C KH", Part.NOBS, 1, {frozenset()}),
        ("JH 2S 4D 8C KH", Part.PAIRS, 2, set()),
    ],
)
def test_answer_is_explained(cards: str, part: Part, points: int, missed: set[frozenset[Kind]]) -> None:
    assert missed <= {each.missed for each in explanations(hand(cards), part, points)}
    if not missed:
        assert explanations(hand(cards), part, points) == ()


def test_missed_hand_comes_back_at_growing_intervals_until_it_is_learned() -> None:
    random, missed = Random(5), hand("JS 2H 4C 8D KS")
    progress = Progress(MAX_LEVEL).after(Attempt(missed, (0, 0, 0, 0, 0)))
    came_back = []
    for number in range(1, 60):
        exercise = next_hand(progress, random.randrange)
        if exercise == missed:
            came_back.append(number)
        progress = progress.after(right(exercise, MAX_LEVEL))
    first, second, third = INTERVALS
    assert came_back == [first + 1, first + second + 2, first + second + third + 3]
    assert missed not in progress.repeats


def test_hand_missed_again_starts_over() -> None:
    missed = Attempt(hand("JS 2H 4C 8D KS"), (0, 0, 0, 0, 0))
    progress = Progress(MAX_LEVEL).after(missed).after(right(missed.hand, MAX_LEVEL))
    assert progress.repeats[missed.hand].step == 1
    assert progress.after(missed).repeats[missed.hand].step == 0


def test_level_rises_after_enough_right_hands_and_adds_one_part() -> None:
    progress, random = Progress(), Random(6)
    for _ in range(LEVEL_WINDOW):
        assert progress.level == 1
        progress = progress.after(right(next_hand(progress, random.randrange), 1))
    assert progress.level == 2
    assert parts_of_level(2) == (Part.FIFTEENS, Part.PAIRS)


def test_level_does_not_rise_with_too_many_misses() -> None:
    progress = Progress(3)
    for number in range(LEVEL_WINDOW):
        exercise = hand("2S 4H 6C 8D KS")
        is_right = number < LEVEL_RIGHT - 1
        progress = progress.after(right(exercise, 3) if is_right else Attempt(exercise, (2, 0, 0)))
    assert progress.level == 3


def test_learner_who_misses_nothing_reaches_the_last_level() -> None:
    progress = practise(COUNTING, 5 * LEVEL_WINDOW, seed=7, slips=0, level=1)
    assert (progress.level, progress.diagnosis.blind_spots, progress.repeats) == (MAX_LEVEL, (), {})
