"""The tone that guides a wrong peg to its hole by ear: two notes, the peg and then the hole where it belongs.

The second note is always the same, and the first one is a semitone lower for each hole between them. So the tone rises
towards the right hole, and the smaller its step is, the nearer is the peg. At the hole two high notes say that it is
there. The direction is said by the voice ("two holes further from you").
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from msgspec import Struct

from firmware_host.board.course import Hole
from firmware_host.ui.lights.lights import HoleSignal, Signal
from firmware_host.ui.sounds.sounds import Tune

HOLE_HZ = 1760.0
"""The note of the hole where the peg belongs."""
MOST_STEPS = 24
"""Holes beyond which the first note falls no further: two octaves, to 440 Hz. A small piezo is too quiet below."""
NOTE_S = 0.14
FOUND: Tune = ((HOLE_HZ, 0.07), (2 * HOLE_HZ, 0.14))
"""The peg is in its hole."""


def guide_tune(holes: int) -> Tune:
    """The tone for a peg so many holes (1 or more) from where it belongs."""
    return ((HOLE_HZ / 2 ** (min(holes, MOST_STEPS) / 12), NOTE_S), (HOLE_HZ, NOTE_S))


class Place(NamedTuple):
    """Where a wrong peg is, and where it belongs."""

    hole: Hole
    right: Hole

    @property
    def holes(self) -> int:
        """How many holes it is from there."""
        return abs(self.hole - self.right)


class Guided(Struct, frozen=True):
    """The tracks with a wrong peg. A peg that was lifted keeps its place until it stands somewhere else."""

    places: Mapping[int, Place]

    def after(self, signals: Iterable[HoleSignal]) -> Guided:
        """The wrong pegs by the lights of a moment later."""
        wrong = dict[int, list[Hole]]()
        right = dict[int, list[Hole]]()
        for each in signals:
            if each.signal in (Signal.WRONG, Signal.TO):
                (wrong if each.signal is Signal.WRONG else right).setdefault(each.track, []).append(each.hole)
        near = {
            track: min((Place(*pair) for pair in product(wrong[track], right[track])), key=lambda place: place.holes)
            for track in sorted(wrong.keys() & right.keys())
        }
        lifted = {track: place for track, place in self.places.items() if place.right in right.get(track, ())}
        return Guided(lifted | near)

    def tune_to(self, after: Guided, occupied: Sequence[Container[Hole]]) -> Tune:
        """What is heard when this becomes `after`; empty for nothing. `occupied`: the holes with a peg, by track."""
        changed = [place.holes for track, place in after.places.items() if self.places.get(track) != place]
        if changed:
            return guide_tune(min(changed))
        gone = [(track, place) for track, place in self.places.items() if track not in after.places]
        return FOUND if any(place.right in occupied[track] for track, place in gone) else ()


NOBODY = Guided({})
"""No peg is guided."""
