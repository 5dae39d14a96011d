"""The exercises of the play coach and the discard coach."""

from __future__ import annotations

from random import Random

from firmware_host.coach.discard_exercise import discard_exercise
from firmware_host.coach.play_exercise import ASKED, play_exercise
from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.series import FULL_COUNT, count_of


def test_exactly_one_held_card_makes_the_score() -> None:
    exercises = [play_exercise(Random(seed).randrange) for seed in range(60)]
    assert {exercise.asked for exercise in exercises} == set(ASKED)
    for exercise in exercises:
        cards = (*exercise.series, *exercise.held)
        assert 0 < exercise.count < FULL_COUNT and len(set(cards)) == len(cards)
        fitting = [card for card in exercise.held if count_of((*exercise.series, card)) <= FULL_COUNT]
        makers = [card for card in fitting if exercise.asked in [score.kind for score in exercise.scores(card)]]
        assert makers == [exercise.answer]


def test_a_fifteen_and_a_thirty_one_are_sums() -> None:
    for seed in range(60):
        exercise = play_exercise(Random(seed).randrange)
        total = exercise.count + exercise.answer.pips
        assert total == {ScoreKind.FIFTEEN: 15, ScoreKind.THIRTY_ONE: 31}.get(exercise.asked, total)


def test_discards_are_ranked_and_the_best_loses_nothing() -> None:
    exercise = discard_exercise(Random(1).randrange)
    losses = [exercise.loss(each) for each in exercise.discards]
    assert len(losses) == 15 and losses[0] == 0 and losses == sorted(losses)
    assert exercise.discard(exercise.best.discarded[::-1]) == exercise.best
    assert exercise.discard(exercise.dealt[:1]) is None
