"""What a learner misses, by kind of score, from the hands that the learner counted.

The model: a learner overlooks each kind with a probability of its own, and now and then answers anything (a slip). An
answer has several explanations (`explanations.py`). The probabilities are those that make the answers most likely,
found by expectation maximisation: the explanations of each answer are weighted by the probabilities, then each
probability is the share of hands of that kind that were overlooked, and so on. A prior keeps a kind that was shown
once from being diagnosed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from msgspec import Struct

from firmware_host.coach.attempt import Attempt
from firmware_host.coach.explanations import Explanation, explanations
from firmware_host.coach.kinds import KINDS_OF_PART, Hand, Kind
from firmware_host.cribbage.show import Part

RECENT = 60
"""Number of the latest hands that a diagnosis looks at: what was learned since should not count against a learner."""

_ROUNDS = 40
_SLIP = 0.002
"""Likelihood of any one answer from a learner who slips."""
_PRIOR_MISSED = 0.2
_PRIOR_SHOWN = 2.0
_LIKELY = 0.5
_LEAST_MISSED = 1.5


class KindFigures(Struct, frozen=True):
    """How often a kind was shown and missed."""

    kind: Kind
    shown: int
    """Hands that had it, from 0."""
    missed: float
    """Expected number of those where it was overlooked, 0 to `shown`."""
    rate: float
    """The estimated probability that it is overlooked, 0 to 1."""

    @property
    def found(self) -> int:
        """Hands where it was seen, as a whole number."""
        return self.shown - round(self.missed)

    @property
    def is_blind_spot(self) -> bool:
        """Whether the learner misses this kind more often than not, seen in more than one hand."""
        return self.rate > _LIKELY and self.missed >= _LEAST_MISSED


class Diagnosis(Struct, frozen=True):
    """The teacher's summary of one learner's latest hands."""

    hands: int
    right: int
    """Hands in which every first answer was right."""
    figures: tuple[KindFigures, ...]
    """Every kind that was shown, in counting order."""
    too_many: Mapping[Part, int]
    """Hands in which more points were counted for a part than there are."""

    @property
    def blind_spots(self) -> tuple[Kind, ...]:
        """The kinds that the learner misses, in counting order."""
        return tuple(figures.kind for figures in self.figures if figures.is_blind_spot)


class _Answer(NamedTuple):
    """One answer: the kinds that were there to see, and its explanations."""

    present: Sequence[Kind]
    explanations: Sequence[Explanation]


def diagnose(attempts: Sequence[Attempt]) -> Diagnosis:
    """The summary of the latest `RECENT` attempts."""
    recent = attempts[-RECENT:]
    answers = [answer for attempt in recent for answer in _answers(attempt)]
    shown = Counter(kind for answer in answers for kind in answer.present)
    missed, rates = _estimate([answer for answer in answers if answer.present])
    return Diagnosis(
        hands=len(recent),
        right=sum(attempt.is_right for attempt in recent),
        figures=tuple(KindFigures(kind, shown[kind], missed[kind], rates[kind]) for kind in Kind if shown[kind]),
        too_many=Counter(part for attempt in recent for part in _too_many(attempt)),
    )


def _answers(attempt: Attempt) -> Iterator[_Answer]:
    for part, points in zip(attempt.parts, attempt.answers, strict=True):
        if points is not None:
            yield _Answer(_present(attempt.hand, part), explanations(attempt.hand, part, points))


def _present(hand: Hand, part: Part) -> Sequence[Kind]:
    return [kind for kind in KINDS_OF_PART[part] if kind in hand.kinds]


def _too_many(attempt: Attempt) -> Iterable[Part]:
    for part, points in zip(attempt.parts, attempt.answers, strict=True):
        if points is not None and points > attempt.hand.count.points(part):
            yield part


def _estimate(answers: Sequence[_Answer]) -> tuple[Mapping[Kind, float], Mapping[Kind, float]]:
    """For each kind the expected number of hands in which it was missed, and the rate. Slips are no evidence."""
    rates = dict.fromkeys(Kind, _PRIOR_MISSED)
    missed = dict.fromkeys(Kind, 0.0)
    for _ in range(_ROUNDS):
        missed = dict.fromkeys(Kind, 0.0)
        shown = dict.fromkeys(Kind, 0.0)
        for answer in answers:
            likelihoods = [_likelihood(explanation, answer.present, rates) for explanation in answer.explanations]
            explained = sum(likelihoods)
            whole = sum(likelihoods) + _SLIP
            for kind in answer.present:
                shown[kind] += explained / whole
            for (kinds, _weight), likelihood in zip(answer.explanations, likelihoods, strict=True):
                for kind in kinds:
                    missed[kind] += likelihood / whole
        rates = {kind: (missed[kind] + _PRIOR_MISSED) / (shown[kind] + _PRIOR_SHOWN) for kind in Kind}
    return missed, rates


def _likelihood(explanation: Explanation, present: Sequence[Kind], rates: Mapping[Kind, float]) -> float:
    missed, weight = explanation
    return weight * prod(rates[kind] if kind in missed else 1 - rates[kind] for kind in present)
