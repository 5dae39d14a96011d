"""Scores and holes of one track: from the start holes, round the laps, to the game hole.

Rule: a *hole* is a place in the board, a *score* is a distance travelled. On a lapped board one hole stands for
several scores, so a hole alone does not give the score: it takes the position of the pegs before.
"""

from __future__ import annotations

from typing import NewType

from msgspec import Struct

Hole = NewType("Hole", int)
"""A hole of one track, by its number on the board; the two start holes are -1 and 0, written S1 and S2."""

NO_HOLES: frozenset[Hole] = frozenset()
START_HOLES = (Hole(-1), Hole(0))
"""The back and the forward start hole."""
_START_NAMES = {"S1": Hole(-1), "S2": Hole(0)}


class TrackPegs(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The two pegs of a track, as scores from 0: the front peg marks the score, the back peg the score before."""

    back: int
    front: int

    def leapt_to(self, score: int) -> TrackPegs:
        """The pegs after the back one passed the front one and landed on `score`."""
        return TrackPegs(back=self.front, front=score)

    def slid_to(self, score: int) -> TrackPegs:
        """The pegs after the front one was moved to `score`; a back peg that it would pass is put right behind it."""
        if score == self.front > self.back:
            return self
        if score <= 0:
            return AT_START
        return TrackPegs(back=self.back if self.back < score else score - 1, front=score)


AT_START = TrackPegs(0, 0)


class Course(Struct, frozen=True):
    """Which hole stands for which score in a game to `target`.

    `lap` holes are used again on each round; the score `target` and above is in `game_hole`.
    classic-61 to 121: Course(lap=60, game_hole=61, target=121). continuous-121 to 61: Course(120, 61, 61).
    """

    lap: int
    game_hole: int
    target: int
    shares_game_hole: bool = True
    """Whether all tracks end in one hole; its sensor does not say whose peg it sees."""

    def hole_of(self, score: int) -> Hole:
        """The hole of a score; 0 has two start holes, of which this is the forward one."""
        if score >= self.target:
            return Hole(self.game_hole)
        if score <= 0:
            return START_HOLES[1]
        return Hole((score - 1) % self.lap + 1)

    def holes_of(self, pegs: TrackPegs) -> tuple[Hole, Hole]:
        """The holes of the back and the front peg; never the same hole, not even at the start."""
        back = START_HOLES[0] if pegs.front <= 0 else self.hole_of(pegs.back)
        return back, self.hole_of(pegs.front)

    def scores_at(self, hole: Hole) -> range | tuple[int, ...]:
        """Every score that a peg in this hole may stand for, lowest first."""
        if hole <= 0:
            return (0,)
        past_laps = range(hole, self.target, self.lap) if hole <= self.lap else range(0)
        return (*past_laps, self.target) if hole == self.game_hole else past_laps


def parse_hole(text: str | int) -> Hole:
    """Reads a hole as traces write it: `"S1"`, `"S2"` or a number from 1. Raises ValueError."""
    if isinstance(text, str) and text in _START_NAMES:
        return _START_NAMES[text]
    if isinstance(text, int) and not isinstance(text, bool) and text >= 1:
        return Hole(text)
    raise ValueError(f'expected a hole ("S1", "S2" or a number from 1), got {text!r}')


def hole_name(hole: Hole) -> str | int:
    """Writes a hole as traces do: the inverse of `parse_hole`."""
    return {-1: "S1", 0: "S2"}.get(hole, int(hole))
