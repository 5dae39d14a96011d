"""The way a pair of pegs travels: from the start holes, round the laps, to the game hole.

Rule: a *hole* is a place in the wood, a *score* is a distance travelled. On a lapped board one hole stands for
several scores, so a hole alone never tells the score: the pegs believed in so far do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

Hole = NewType("Hole", int)
"""A hole of one track, by its number on the board; the two start holes are -1 and 0, written S1 and S2."""

NO_HOLES: frozenset[Hole] = frozenset()
START_HOLES = (Hole(-1), Hole(0))
_START_NAMES = {"S1": Hole(-1), "S2": Hole(0)}


@dataclass(frozen=True, slots=True)
class TrackPegs:
    """The two pegs of a track, as scores: the front peg tells the score, the back peg the score before."""

    back: int = 0
    front: int = 0

    def leapt_to(self, score: int) -> TrackPegs:
        """The back peg passes the front one and lands on `score`."""
        return TrackPegs(back=self.front, front=score)

    def slid_to(self, score: int) -> TrackPegs:
        """The front peg itself is moved to `score`; if it would pass the back peg, that one follows right behind it."""
        if score <= 0:
            return TrackPegs()
        return TrackPegs(back=self.back if self.back < score else score - 1, front=score)


@dataclass(frozen=True, slots=True)
class Course:
    """How scores fall on the holes of one track.

    `lap` holes are used again on each round; `target` ends the game in `game_hole`.
    classic-61 to 121: Course(lap=60, game_hole=61, target=121). continuous-121 to 61: Course(120, 61, 61).
    """

    lap: int
    game_hole: int
    target: int

    def hole_of(self, score: int) -> Hole:
        """Where a peg with this score stands; a score of 0 has two holes, of which this is the forward one."""
        if score >= self.target:
            return Hole(self.game_hole)
        if score <= 0:
            return START_HOLES[1]
        return Hole((score - 1) % self.lap + 1)

    def holes_of(self, pegs: TrackPegs) -> tuple[Hole, Hole]:
        """Where the back and the front peg stand; never the same hole, not even at the start."""
        back = START_HOLES[0] if pegs.front <= 0 else self.hole_of(pegs.back)
        return back, self.hole_of(pegs.front)

    def lap_of(self, score: int) -> int:
        """1 for the first round; 0 at the start and in the game hole."""
        return 0 if score <= 0 or score >= self.target else (score - 1) // self.lap + 1

    def scores_at(self, hole: Hole) -> range | tuple[int, ...]:
        """Every score that a peg in this hole may stand for, lowest first."""
        if hole <= 0:
            return (0,)
        past_laps = range(hole, self.target, self.lap) if hole <= self.lap else range(0)
        return (*past_laps, self.target) if hole == self.game_hole else past_laps


def parse_hole(text: str | int) -> Hole:
    """`"S1"`, `"S2"` or a number, as traces write them. Raises ValueError with what was expected."""
    if isinstance(text, str) and text in _START_NAMES:
        return _START_NAMES[text]
    if isinstance(text, int) and not isinstance(text, bool) and text >= 1:
        return Hole(text)
    raise ValueError(f'expected a hole ("S1", "S2" or a number from 1), got {text!r}')


def hole_name(hole: Hole) -> str | int:
    """The inverse of `parse_hole`."""
    return {-1: "S1", 0: "S2"}.get(hole, int(hole))
