"""A learner's progress: the level, the hands that come back, and which hand comes next.

A hand that was missed comes back after 3 other hands, then after 8, then after 20; each time it is missed again it
starts over, and after three right answers it is learned. New hands show the kinds that were seen least, and kinds that
the learner misses more often. All of it follows from the attempts: nothing else is stored but the level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from firmware_host.coach.attempt import MAX_LEVEL, Attempt, parts_of_level
from firmware_host.coach.deals import Draw, hand_with, random_hand
from firmware_host.coach.diagnosis import RECENT, Diagnosis, diagnose
from firmware_host.coach.kinds import KINDS_OF_PART, Hand, Kind

KEPT = 200
"""Number of the latest attempts that are kept."""
INTERVALS = (3, 8, 20)
"""Hands between a miss and its first, second and third repeat."""
LEVEL_WINDOW = 8
LEVEL_RIGHT = 7
"""The next level begins when 7 of the latest 8 hands of a level were right."""
ANY_HAND_EVERY = 6
"""Every sixth hand is any hand, so that a learner meets hands with little or nothing in them."""

MORE_AFTER_MISSES = 2
"""How many more hands show a kind that was missed, besides the repeats."""


class Repeat(NamedTuple):
    """A missed hand that comes back."""

    step: int
    """How often it was right since: an index of `INTERVALS`."""
    due: int
    """The number of the attempt at which it comes back."""


class Progress(Struct, frozen=True):
    """What is known about one learner. `hands` counts all attempts, also those that are no longer kept."""

    level: int = 1
    attempts: tuple[Attempt, ...] = field(default=())
    hands: int = 0

    def after(self, attempt: Attempt) -> Progress:
        """The progress with one more attempt; the next level if enough hands of this one were right."""
        attempts = (*self.attempts, attempt)[-KEPT:]
        latest = attempts[-LEVEL_WINDOW:]
        right = sum(each.is_right and each.level >= self.level for each in latest)
        is_learned = len(latest) == LEVEL_WINDOW and right >= LEVEL_RIGHT
        level = min(self.level + is_learned, MAX_LEVEL)
        return Progress(level, attempts, self.hands + 1)

    def at_level(self, level: int) -> Progress:
        """The progress with a level that was chosen, 1 to `MAX_LEVEL`."""
        return replace(self, level=level)

    @property
    def diagnosis(self) -> Diagnosis:
        """What the learner misses."""
        return diagnose(self.attempts)

    @property
    def repeats(self) -> Mapping[Hand, Repeat]:
        """The missed hands that come back, by the order in which they were missed last."""
        first = self.hands - len(self.attempts)
        repeats = dict[Hand, Repeat]()
        for number, attempt in enumerate(self.attempts, first):
            before = repeats.pop(attempt.hand, None)
            step = 0 if not attempt.is_right else before.step + 1 if before else len(INTERVALS)
            if step < len(INTERVALS):
                repeats[attempt.hand] = Repeat(step, number + 1 + INTERVALS[step])
        return repeats


def next_hand(progress: Progress, draw: Draw) -> Hand:
    """The hand to ask next: one that is due again, but never two of those in a row; else a new one."""
    was_repeat = progress.attempts and progress.attempts[-1].hand in [each.hand for each in progress.attempts[:-1]]
    due = {hand: repeat.due for hand, repeat in progress.repeats.items() if repeat.due <= progress.hands}
    if due and not was_repeat:
        return min(due, key=due.__getitem__)
    if progress.hands % ANY_HAND_EVERY == ANY_HAND_EVERY - 1:
        return random_hand(draw)
    return hand_with(_kind_to_show(progress, draw), draw)


def _kind_to_show(progress: Progress, draw: Draw) -> Kind:
    """One of the kinds of the level that were shown least. A kind that was missed is shown up to twice more."""
    recent = progress.attempts[-RECENT:]
    shown = Counter(kind for attempt in recent for kind in attempt.kinds)
    missed = Counter(kind for attempt in recent for kind in attempt.kinds_in_wrong_answers)
    kinds = [kind for part in parts_of_level(progress.level) for kind in KINDS_OF_PART[part]]
    need = {kind: shown[kind] - min(missed[kind], MORE_AFTER_MISSES) for kind in kinds}
    least = [kind for kind in kinds if need[kind] == min(need.values())]
    return least[draw(len(least))]
