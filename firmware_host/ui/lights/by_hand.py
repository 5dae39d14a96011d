"""The lights beside a board that people own: which pegs to move now, and where all pegs stand.

Nothing reads these pegs. The points of the latest turn count already, so the lights say what a hand has to do after it:
FROM where a peg leaves, TO where one goes, REST where one stays. After the next turn all pegs are at rest. An undo and
a correction are shown in the same way: from where the pegs stand to where they go back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.board.course import Course, TrackPegs
from firmware_host.ui.lights.lights import HoleSignal, Signal


def signals_by_hand(
    now: Sequence[TrackPegs], before: Sequence[TrackPegs], course: Course, tracks: int
) -> tuple[HoleSignal, ...]:
    """The signals of the first `tracks` sides, whose pegs have lights beside them. `before`: their pegs before the
    latest turn, undo or redo."""
    sides = zip(now[:tracks], before, strict=False)
    return tuple(signal for track, pegs in enumerate(sides) for signal in _of_track(track, *pegs, course))


def _of_track(track: int, now: TrackPegs, before: TrackPegs, course: Course) -> Iterator[HoleSignal]:
    holes, left = frozenset(course.holes_of(now)), frozenset(course.holes_of(before))
    yield from (HoleSignal(track, hole, Signal.FROM) for hole in sorted(left - holes))
    yield from (HoleSignal(track, hole, Signal.TO) for hole in sorted(holes - left))
    yield from (HoleSignal(track, hole, Signal.REST) for hole in sorted(holes & left))
